import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { PASSWORD_LENGTH } from '../../../src/shared/account-calls.ts';
import { AccountElement } from '../account-element.ts';
import { credentialField, enterSubmits, focusInvalidField, rawValue } from '../fields.ts';
import { button, section } from '../parts.ts';
import { passkeyFailure } from '../passkeys.ts';
import { toProblem, fieldDetail } from '../problems.ts';
import type { SerialQueue } from '../serial-queue.ts';

/**
 * Sets or changes the user's password.
 *
 * @fires account-security-change - `detail` is the `AccountSecurity` after the change
 */
@customElement('password-section')
export class PasswordSection extends AccountElement {
  @property({ attribute: false }) hasPassword = false;
  /** Runs a change, with a step-up if the service requires it. */
  @property({ attribute: false }) withStepUp!: <Result>(act: () => Promise<Result>) => Promise<Result>;
  @property({ attribute: false }) queue!: SerialQueue;

  @state() private isOpen = false;
  @state() private isBusy = false;
  @state() private fieldErrors: { current?: string; password?: string } = {};

  async #submit(event: SubmitEvent) {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const current = this.hasPassword ? rawValue(form, 'current') : null;
    const password = rawValue(form, 'password');
    this.fieldErrors = {
      ...(current === '' ? { current: this.text('me.current_missing') } : {}),
      ...(password.length < PASSWORD_LENGTH.min
        ? { password: this.text('me.password_short', { count: PASSWORD_LENGTH.min }) }
        : {}),
    };
    if (Object.keys(this.fieldErrors).length === 0) {
      this.isBusy = true;
      await this.queue.run('password', async () => await this.#send(current, password));
      this.isBusy = false;
    }
    await this.updateComplete;
    focusInvalidField(this);
  }

  async #send(current: string | null, password: string) {
    try {
      const set = async () => await this.context.api.call('setPassword', { current, password });
      this.emit('account-security-change', await this.withStepUp(set));
      this.isOpen = false;
      this.context.announce(this.text('me.password_set'));
    } catch (error) {
      if (passkeyFailure(error) === 'aborted') return;
      const problem = toProblem(error);
      const passwordDetail = fieldDetail(problem, 'password');
      if (passwordDetail !== null) this.fieldErrors = { password: passwordDetail };
      else if (problem.code === 'sign_in_failed' || fieldDetail(problem, 'current') !== null)
        this.fieldErrors = { current: this.text('me.current_wrong') };
      else this.announceProblem(error);
    }
  }

  override render() {
    const toggle = () => (this.isOpen = !this.isOpen);
    const label = this.text(this.hasPassword ? 'me.change_password' : 'me.add_password');
    return section(
      'password-heading',
      this.text('me.password'),
      html`${this.hasPassword ? nothing : html`<p class="section-text">${this.text('me.no_password')}</p>`}
      ${this.isOpen ? this.#form() : nothing}`,
      button(label, toggle, { isOpen: this.isOpen }),
    );
  }

  #form() {
    const { current, password } = this.fieldErrors;
    const email = this.context.account?.person.email ?? '';
    return html`<form
      class="panel panel-body narrow"
      novalidate
      @submit=${(event: SubmitEvent) => void this.#submit(event)}
    >
      <input class="visually-hidden" type="text" name="username" autocomplete="username" readonly tabindex="-1" aria-hidden="true" value=${email} />
      ${
        this.hasPassword
          ? credentialField({
              ...{ id: 'current', name: 'current', type: 'password', label: this.text('me.current_password') },
              ...{ autocomplete: 'current-password', fieldError: current ?? null, dir: 'ltr' },
            })
          : nothing
      }
      ${credentialField({
        ...{ id: 'new-password', name: 'password', type: 'password', label: this.text('me.new_password') },
        ...{ autocomplete: 'new-password', fieldError: password ?? null, dir: 'ltr' },
        hint: this.text('me.password_hint', { count: PASSWORD_LENGTH.min }),
      })}
      <div class="row-actions">
        ${enterSubmits} ${button(this.text('me.save'), null, { kind: 'primary', isBusy: this.isBusy })}
      </div>
    </form>`;
  }
}
