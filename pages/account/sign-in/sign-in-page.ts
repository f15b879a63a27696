import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { SignInStep } from '../../../src/api/account.ts';
import { fieldErrorMessage } from '../../checkout/elements/field-error.ts';
import { AccountPage } from '../account-page.ts';
import { credentialField, enterSubmits, focusInvalidField, trimmedValue, rawValue } from '../fields.ts';
import { browserPasskeys, type Passkeys, passkeyFailure } from '../passkeys.ts';
import '../me/second-factor-set-up.ts';
import type { PaylatchError } from '../../../client/error.ts';
import { toProblem, fieldDetail } from '../problems.ts';
import { button } from '../parts.ts';

interface FieldErrors {
  email?: string;
  password?: string;
  code?: string;
  /** Applies to the whole form. */
  form?: string;
}

/** A bit less than the time for which the service accepts a response. */
const PASSKEY_REQUEST_LIFETIME_MS = 4 * 60_000;

/** Sign-in with a passkey, or with a password and a second factor. */
@customElement('sign-in-page')
export class SignInPage extends AccountPage {
  @property({ attribute: false }) passkeys: Passkeys = browserPasskeys;

  @state() private step: Exclude<SignInStep, 'done'> | 'first' = 'first';
  @state() private fieldErrors: FieldErrors = {};
  @state() private isBusy = false;
  /** Message about a failed passkey. */
  @state() private passkeyError: string | null = null;

  override connectedCallback() {
    super.connectedCallback();
    void this.#offerAutofill();
  }

  /** Offers passkeys in the email field (WebAuthn conditional UI), if the browser supports it. */
  async #offerAutofill() {
    try {
      if (!(await this.passkeys.supportsAutofill())) return;
      const { options } = await this.context.api.call('passkeySignInOptions', {});
      const requestedAt = Date.now();
      await this.updateComplete;
      // A request now would abort the one that the button started.
      if (!this.isConnected || this.step !== 'first' || this.isBusy) return;
      const response = await this.passkeys.get(options, true);
      // Not renewed in the background: every request counts as a sign-in attempt.
      if (Date.now() - requestedAt > PASSKEY_REQUEST_LIFETIME_MS) return await this.#signInWithPasskey();
      await this.#continueSignIn((await this.context.api.call('passkeySignIn', { response })).next);
    } catch (error) {
      // The user did not start this request: report only a selected passkey that was rejected.
      const failure = passkeyFailure(error);
      if (failure === null && areCredentialsRejected(toProblem(error)))
        this.passkeyError = this.text('sign_in.passkey_unknown');
    }
  }

  async #signInWithPasskey() {
    if (this.isBusy) return;
    this.isBusy = true;
    this.passkeyError = null;
    try {
      const { options } = await this.context.api.call('passkeySignInOptions', {});
      const response = await this.passkeys.get(options);
      await this.#continueSignIn((await this.context.api.call('passkeySignIn', { response })).next);
    } catch (error) {
      this.passkeyError = this.#passkeyErrorText(error);
    }
    this.isBusy = false;
  }

  #passkeyErrorText(error: unknown): string | null {
    const failure = passkeyFailure(error);
    if (failure === 'aborted') return null;
    if (failure === 'cancelled' && this.step === 'passkey') return this.text('me.step_up_cancelled');
    if (failure !== null) return this.text(`sign_in.passkey_${failure === 'cancelled' ? 'cancelled' : 'failed'}`);
    const problem = toProblem(error);
    return areCredentialsRejected(problem) ? this.text('sign_in.passkey_unknown') : this.problemSentence(error);
  }

  async #submitPassword(event: SubmitEvent) {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const email = trimmedValue(form, 'email');
    const password = rawValue(form, 'password');
    this.fieldErrors = {
      ...(/^\S+@\S+$/.test(email) ? {} : { email: this.text('sign_in.email_missing') }),
      ...(password === '' ? { password: this.text('sign_in.password_missing') } : {}),
    };
    await this.#send(
      async () => await this.context.api.call('passwordSignIn', { email, password }),
      (problem) =>
        fieldDetail(problem, 'email')
          ? { email: this.text('sign_in.email_missing') }
          : { password: this.text('sign_in.wrong') },
    );
  }

  async #submitCode(event: SubmitEvent) {
    event.preventDefault();
    const code = trimmedValue(new FormData(event.target as HTMLFormElement), 'code');
    this.fieldErrors = code.length < 6 ? { code: this.text('sign_in.code_short') } : {};
    await this.#send(
      async () => await this.context.api.call('secondFactorSignIn', { code }),
      () => ({ code: this.text('sign_in.code_wrong') }),
    );
  }

  /** Shows rejected credentials at their field, and other problems below the form. */
  async #send(call: () => Promise<{ next: SignInStep }>, toErrors: (problem: PaylatchError) => FieldErrors) {
    if (this.isBusy || Object.keys(this.fieldErrors).length > 0) return this.#focusInvalidField();
    this.isBusy = true;
    try {
      await this.#continueSignIn((await call()).next);
    } catch (error) {
      const problem = toProblem(error);
      // The time for the second step is over.
      if (problem.code === 'unauthorized') await this.#showStep('first');
      const areRejected = areCredentialsRejected(problem);
      this.fieldErrors = areRejected ? toErrors(problem) : { form: this.problemSentence(error) };
    }
    this.isBusy = false;
    await this.#focusInvalidField();
  }

  async #focusInvalidField() {
    await this.updateComplete;
    focusInvalidField(this);
  }

  async #continueSignIn(next: SignInStep) {
    if (next === 'done') await this.context.reloadAccount();
    else await this.#showStep(next);
  }

  async #showStep(step: typeof this.step) {
    this.fieldErrors = {};
    this.passkeyError = null;
    this.step = step;
    await this.updateComplete;
    (this.querySelector<HTMLElement>('#code, #passkey') ?? this.querySelector('h1'))?.focus();
  }

  override render() {
    if (this.step === 'second_factor') return this.#codeStep();
    if (this.step === 'set_up_second_factor') return this.#setUpStep();
    if (this.step === 'passkey') return this.#passkeyStep();
    return html`<h1 tabindex="-1">${this.text('sign_in.title')}</h1>
      ${
        this.passkeys.isAvailable()
          ? html`${this.#passkeyButton()}
              <p class="or"><span>${this.text('sign_in.or')}</span></p>`
          : nothing
      }
      <form class="fields" novalidate @submit=${(event: SubmitEvent) => void this.#submitPassword(event)}>
        ${credentialField({
          ...{ id: 'email', name: 'email', type: 'email', label: this.text('sign_in.email') },
          ...{
            autocomplete: 'username webauthn',
            fieldError: this.fieldErrors.email ?? null,
            required: true,
            dir: 'ltr',
          },
        })}
        ${credentialField({
          ...{ id: 'password', name: 'password', type: 'password', label: this.text('sign_in.password') },
          ...{
            autocomplete: 'current-password',
            fieldError: this.fieldErrors.password ?? null,
            required: true,
            dir: 'ltr',
          },
        })}
        ${this.#formError()}
        ${enterSubmits} ${button(this.text('sign_in.by_password'), null, { isBusy: this.isBusy, className: 'wide' })}
      </form>
      <p class="hint">${this.text('sign_in.help')}</p>`;
  }

  #formError() {
    return html`<div role="status">${fieldErrorMessage('form-error', this.fieldErrors.form ?? null)}</div>`;
  }

  #codeStep() {
    return html`<h1 tabindex="-1">${this.text('sign_in.code_title')}</h1>
      <form class="fields" novalidate @submit=${(event: SubmitEvent) => void this.#submitCode(event)}>
        ${credentialField({
          ...{ id: 'code', name: 'code', label: this.text('sign_in.code'), inputmode: 'numeric', maxlength: 32 },
          ...{ autocomplete: 'one-time-code', fieldError: this.fieldErrors.code ?? null, required: true, dir: 'ltr' },
          hint: this.text('sign_in.code_hint'),
        })}
        ${this.#formError()}
        ${button(this.text('sign_in.continue'), null, { kind: 'primary', isBusy: this.isBusy, className: 'wide' })}
        ${this.#startOverButton()}
      </form>`;
  }

  #passkeyButton() {
    return html`<div>
      ${button(this.text('sign_in.passkey'), () => void this.#signInWithPasskey(), {
        ...{ id: 'passkey', kind: 'primary', icon: 'fingerprint', className: 'wide', isBusy: this.isBusy },
        description: this.passkeyError ?? undefined,
      })}
      <div role="status">${fieldErrorMessage('passkey-error', this.passkeyError)}</div>
    </div>`;
  }

  #startOverButton() {
    return button(this.text('sign_in.start_over'), () => void this.#showStep('first'), { kind: 'quiet' });
  }

  #passkeyStep() {
    return html`<h1 tabindex="-1">${this.text('sign_in.passkey_title')}</h1>
      <p class="page-lead">${this.text('sign_in.passkey_text')}</p>
      ${this.#passkeyButton()} ${this.#startOverButton()}`;
  }

  #setUpStep() {
    return html`<h1 tabindex="-1">${this.text('sign_in.set_up_title')}</h1>
      <p class="page-lead">${this.text('sign_in.set_up_text')}</p>
      <second-factor-set-up
        .otherAction=${this.#startOverButton()}
        @second-factor-done=${() => void this.context.reloadAccount()}
      ></second-factor-set-up>`;
  }
}

/** True if the service rejected the credentials, and did not fail for another reason. */
function areCredentialsRejected({ status, code }: PaylatchError): boolean {
  return ['sign_in_failed', 'second_factor_invalid', 'passkey_rejected'].includes(code) || status === 422;
}
