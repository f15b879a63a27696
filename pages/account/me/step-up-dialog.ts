import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { AccountSecurity } from '../../../src/api/account.ts';
import { fieldErrorMessage } from '../../checkout/elements/field-error.ts';
import { AccountElement } from '../account-element.ts';
import { credentialField, focusInvalidField, trimmedValue, rawValue } from '../fields.ts';
import { dialogBox } from '../dialog-box.ts';
import { type Passkeys, passkeyFailure } from '../passkeys.ts';
import { toProblem, fieldDetail } from '../problems.ts';
import { button } from '../parts.ts';

/**
 * Runs an action. If the service requires a step-up, asks the user to confirm their identity and runs it again. Throws
 * an AbortError if they cancel.
 */
export async function withStepUp<Result>(action: () => Promise<Result>, ask: () => Promise<boolean>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (toProblem(error).code !== 'step_up_required') throw error;
  }
  if (!(await ask())) throw new DOMException('The identity was not confirmed.', 'AbortError');
  return await action();
}

type FieldErrors = Partial<Record<'passkey' | 'field' | 'form', string>>;

/** Asks the user to confirm their identity with a passkey or code; with the password if they have neither. */
@customElement('step-up-dialog')
export class StepUpDialog extends AccountElement {
  @property({ attribute: false }) passkeys!: Passkeys;
  /** Null until it is loaded; the dialog opens with it. */
  @property({ attribute: false }) accountSecurity: AccountSecurity | null = null;
  /** Text about the confirmed action; by default, a change of credentials. */
  @property({ attribute: false }) reason: string | null = null;

  @state() private isOpen = false;
  @state() private isBusy = false;
  @state() private fieldErrors: FieldErrors = {};

  #isConfirmed = false;
  #resolve: ((isConfirmed: boolean) => void) | null = null;

  /** Resolves after the dialog has closed, to true if the identity was confirmed. */
  async open(): Promise<boolean> {
    this.#resolveResult();
    this.isOpen = true;
    this.fieldErrors = {};
    return await new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#close(false);
    this.#resolveResult();
  }

  #resolveResult() {
    this.#resolve?.(this.#isConfirmed);
    this.#resolve = null;
    this.#isConfirmed = false;
  }

  #close(isConfirmed: boolean) {
    this.#isConfirmed = isConfirmed;
    this.isOpen = false;
  }

  async #send(call: () => Promise<unknown>, fieldErrorsOf: (error: unknown) => FieldErrors) {
    if (this.isBusy) return;
    this.isBusy = true;
    this.fieldErrors = {};
    try {
      await call();
      this.#close(true);
    } catch (error) {
      this.fieldErrors = fieldErrorsOf(error);
    }
    this.isBusy = false;
    await this.updateComplete;
    focusInvalidField(this);
  }

  async #confirmWithPasskey() {
    const { api } = this.context;
    await this.#send(
      async () => {
        const { options } = await api.call('passkeyStepUpOptions', {});
        await api.call('passkeyStepUp', { response: await this.passkeys.get(options) });
      },
      (error) => {
        const failure = passkeyFailure(error);
        if (failure === 'aborted') return {};
        if (failure === 'cancelled') return { passkey: this.text('me.step_up_cancelled') };
        return { passkey: failure === null ? this.problemSentence(error) : this.text('me.passkey_failed') };
      },
    );
  }

  async #submitField(event: SubmitEvent) {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const { api } = this.context;
    const code = trimmedValue(form, 'code');
    const password = rawValue(form, 'password');
    const hasSecondFactor = this.accountSecurity?.hasSecondFactor === true;
    await this.#send(
      async () =>
        hasSecondFactor
          ? await api.call('secondFactorStepUp', { code })
          : await api.call('passwordStepUp', { password }),
      (error) => {
        const problem = toProblem(error);
        if (fieldDetail(problem, 'code') !== null) return { field: this.text('sign_in.code_short') };
        if (fieldDetail(problem, 'password') !== null) return { field: this.text('me.current_missing') };
        if (problem.code === 'second_factor_invalid') return { field: this.text('sign_in.code_wrong') };
        if (problem.code === 'sign_in_failed') return { field: this.text('me.current_wrong') };
        return { form: this.problemSentence(problem) };
      },
    );
  }

  override render() {
    const { accountSecurity } = this;
    if (!accountSecurity) return nothing;
    return dialogBox({
      label: this.text('me.step_up_title'),
      isOpen: this.isOpen,
      content: this.#form(accountSecurity),
      onDismiss: () => this.#close(false),
      onClosed: () => this.#resolveResult(),
    });
  }

  #form({ passkeys, hasSecondFactor, hasPassword }: AccountSecurity) {
    const hasField = hasSecondFactor || (hasPassword && passkeys.length === 0);
    return html`<form class="dialog-form" novalidate @submit=${(event: SubmitEvent) => void this.#submitField(event)}>
      <h2 class="dialog-heading">${this.text('me.step_up_title')}</h2>
      <p class="dialog-text">${this.reason ?? this.text('me.step_up_text')}</p>
      ${passkeys.length > 0 ? this.#passkeyButton() : nothing}
      ${passkeys.length > 0 && hasField ? html`<p class="or"><span>${this.text('sign_in.or')}</span></p>` : nothing}
      ${hasField ? this.#field(hasSecondFactor) : nothing}
      <div role="status">${fieldErrorMessage('step-up-error', this.fieldErrors.form ?? null)}</div>
      <div class="dialog-actions">
        ${button(this.text('shell.cancel'), () => this.#close(false))}
        ${
          hasField
            ? button(this.text('me.confirm_code'), null, {
                kind: passkeys.length > 0 ? undefined : 'primary',
                isBusy: this.isBusy,
              })
            : nothing
        }
      </div>
    </form>`;
  }

  #passkeyButton() {
    const fieldError = this.fieldErrors.passkey ?? null;
    return html`<div>
      ${button(this.text('me.step_up_passkey'), () => void this.#confirmWithPasskey(), {
        ...{ kind: 'primary', icon: 'fingerprint', className: 'wide', isBusy: this.isBusy },
        description: fieldError ?? undefined,
      })}
      <div role="status">${fieldErrorMessage('step-up-passkey-error', fieldError)}</div>
    </div>`;
  }

  #field(hasSecondFactor: boolean) {
    const fieldError = this.fieldErrors.field ?? null;
    return hasSecondFactor
      ? credentialField({
          ...{ id: 'step-up-code', name: 'code', label: this.text('sign_in.code'), inputmode: 'numeric' },
          ...{ maxlength: 32, autocomplete: 'one-time-code', fieldError, required: true, dir: 'ltr' },
          hint: this.text('sign_in.code_hint'),
        })
      : credentialField({
          ...{ id: 'step-up-password', name: 'password', type: 'password', label: this.text('me.current_password') },
          ...{ autocomplete: 'current-password', fieldError, required: true, dir: 'ltr' },
        });
  }
}
