import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { AccountElement } from '../account-element.ts';
import { credentialField, focusInvalidField, trimmedValue } from '../fields.ts';
import { passkeyFailure } from '../passkeys.ts';
import '../../checkout/elements/qr-code.ts';
import { copyButton } from '../copy-button.ts';
import '../account-state.ts';
import type { PaylatchError } from '../../../client/error.ts';
import { toProblem, problemText } from '../problems.ts';
import { button } from '../parts.ts';

/**
 * Sets up an authenticator app: a QR code, a first code as verification, and the recovery codes, which are shown once.
 *
 * @fires recovery-codes-shown
 * @fires second-factor-done - the user has confirmed the recovery codes
 * @fires second-factor-canceled - the user did not confirm their identity
 */
@customElement('second-factor-set-up')
export class SecondFactorSetUp extends AccountElement {
  /** Runs a change, with a step-up if the service requires it. */
  @property({ attribute: false }) withStepUp: <Result>(action: () => Promise<Result>) => Promise<Result> = async (
    action,
  ) => await action();

  /** A button below the form, until the recovery codes are shown. */
  @property({ attribute: false }) otherAction: unknown = nothing;

  @state() private enrollment: { secret: string; uri: string } | null = null;
  @state() private problem: PaylatchError | null = null;
  @state() private fieldError: string | null = null;
  @state() private isBusy = false;
  @state() private recoveryCodes: readonly string[] | null = null;

  override connectedCallback() {
    super.connectedCallback();
    if (this.enrollment === null) void this.#start();
  }

  async #start() {
    this.problem = null;
    try {
      this.enrollment = await this.withStepUp(async () => await this.context.api.call('beginSecondFactor', {}));
    } catch (error) {
      if (passkeyFailure(error) === 'aborted') this.emit('second-factor-canceled', null);
      else this.problem = toProblem(error);
    }
  }

  async #confirm(event: SubmitEvent) {
    event.preventDefault();
    if (this.isBusy) return;
    this.isBusy = true;
    this.fieldError = null;
    const code = trimmedValue(new FormData(event.target as HTMLFormElement), 'code');
    try {
      if (code.length < 6) this.fieldError = this.text('me.code_short');
      else {
        const confirm = async () => await this.context.api.call('confirmSecondFactor', { code });
        ({ recoveryCodes: this.recoveryCodes } = await this.withStepUp(confirm));
        this.emit('recovery-codes-shown', null);
      }
    } catch (error) {
      this.fieldError = this.#fieldErrorOf(error);
    }
    this.isBusy = false;
    await this.updateComplete;
    if (this.recoveryCodes) this.querySelector<HTMLElement>('h2')?.focus();
    else focusInvalidField(this);
  }

  #fieldErrorOf(error: unknown): string | null {
    if (passkeyFailure(error) === 'aborted') return null;
    const problem = toProblem(error);
    return problem.code === 'second_factor_invalid'
      ? this.text('me.code_wrong')
      : problemText(problem, this.i18n).heading;
  }

  override render() {
    if (this.recoveryCodes) return this.#recoveryCodesView(this.recoveryCodes);
    const { enrollment, problem } = this;
    if (problem)
      return html`<account-state .problem=${problem} @try-again=${() => void this.#start()}></account-state>
        ${this.otherAction}`;
    return html`<ol class="steps">
        <li>
          <p>${this.text('me.scan')}</p>
          <qr-code .value=${enrollment?.uri ?? ''} .label=${this.text('me.qr_label')}></qr-code>
          <p class="hint">${this.text('me.secret_hint')}</p>
          <p class="secret">
            <code dir="ltr">${groupByFour(enrollment?.secret ?? '')}</code>
            ${copyButton(enrollment?.secret ?? '', this.text('me.secret'), this.i18n)}
          </p>
        </li>
        <li>
          <form class="fields" novalidate @submit=${(event: SubmitEvent) => void this.#confirm(event)}>
            ${credentialField({
              ...{
                id: 'first-code',
                name: 'code',
                label: this.text('me.first_code'),
                inputmode: 'numeric',
                maxlength: 32,
              },
              ...{ autocomplete: 'one-time-code', fieldError: this.fieldError, required: true, dir: 'ltr' },
            })}
            ${button(this.text('me.confirm_code'), null, { kind: 'primary', isBusy: this.isBusy })}
            ${this.otherAction}
          </form>
        </li>
      </ol>`;
  }

  #recoveryCodesView(codes: readonly string[]) {
    const codesText = codes.join('\n');
    return html`<div class="fields">
      <h2 class="section-heading" tabindex="-1">${this.text('me.recovery_title')}</h2>
      <p class="section-text">${this.text('me.recovery_text')}</p>
      <ul class="recovery-codes" dir="ltr">
        ${codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ul>
      <div class="row-actions">
        ${copyButton(codesText, this.text('me.recovery_codes'), this.i18n)}
        ${button(this.text('me.download'), () => download(codesText), { icon: 'download' })}
      </div>
      ${button(this.text('me.confirm_saved'), () => this.emit('second-factor-done', null), { kind: 'primary' })}
    </div>`;
  }
}

/** Splits a secret into groups of four, which are easier to type. */
function groupByFour(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
}

function download(text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }));
  link.download = 'paylatch-recovery-codes.txt';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
