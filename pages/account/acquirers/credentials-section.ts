import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Acquirer, AcquirerAccount, AcquirerCheck } from '../../../client/api.ts';
import { AccountElement } from '../account-element.ts';
import { copyable } from '../copy-button.ts';
import { button, factList, section } from '../parts.ts';
import { toProblem } from '../problems.ts';
import { SerialQueue } from '../serial-queue.ts';
import { areCountries, checkNotice, type CredentialsForm } from './credentials-form.ts';
import './credentials-form.ts';

/**
 * The credentials of an account: which are set, a test, and their replacement. Secrets are never shown.
 *
 * @fires account-change - with the account
 * @fires account-conflict - another user has changed the account in the meantime
 */
@customElement('credentials-section')
export class CredentialsSection extends AccountElement {
  @property({ attribute: false }) account!: AcquirerAccount;
  @property({ attribute: false }) acquirer!: Acquirer;
  @property({ attribute: false }) runWithStepUp!: CredentialsForm['runWithStepUp'];

  @state() private check: AcquirerCheck | null = null;
  @state() private isReplacing = false;
  /** The acquirer rejected the new credentials: the next click saves them anyway. */
  @state() private wasRejected = false;

  readonly #queue = new SerialQueue(this);

  async #test() {
    await this.#queue.run('test', async () => {
      this.check = null;
      await this.attempt(async () => {
        this.check = await this.context.api.checkAcquirerAccount({ id: this.account.id });
      });
    });
  }

  async #toggleForm() {
    this.isReplacing = !this.isReplacing;
    this.wasRejected = false;
    this.check = null;
    await this.updateComplete;
    const field = this.querySelector<HTMLElement & Pick<AccountElement, 'updateComplete'>>(
      'credentials-form :is(wa-input, wa-select)',
    );
    await field?.updateComplete;
    field?.focus();
  }

  async #replace(event: Event) {
    event.preventDefault();
    const form = this.querySelector<CredentialsForm>('credentials-form');
    if (!form?.validate()) return;
    await this.#queue.run('replace', async () => {
      const canSave = this.wasRejected || form.isAccepted || (await form.test());
      // The user canceled in the meantime.
      if (!form.isConnected) return;
      if (!canSave) {
        this.wasRejected = form.isRejected;
        return;
      }
      const { id, updated_at } = this.account;
      const input = { id, updated_at, credentials: form.values };
      try {
        const account = await this.runWithStepUp(async () => await this.context.api.setAcquirerCredentials(input));
        this.isReplacing = false;
        this.emit('account-change', account);
        this.context.announce(this.text('acquirers.replaced'));
      } catch (error) {
        if (toProblem(error).code === 'edit_conflict') this.emit('account-conflict', null);
        if (!form.showProblem(error)) this.announceProblem(error);
      }
    });
  }

  override render() {
    const { format } = this.context;
    const { credentials, credentials_updated_at: updatedAt } = this.account;
    const fieldOf = (name: string) => this.acquirer.credentials.find((field) => field.name === name);
    return section(
      'credentials',
      this.text('acquirers.credentials'),
      html`<div class="panel panel-body">
          ${factList([
            ...credentials.map(({ name, value, is_set: isSet }) => {
              const { label, options } = fieldOf(name) ?? { label: name, options: null };
              if (value === null)
                return [
                  label,
                  html`<span class="credential ${isSet ? '' : 'unset'}">${this.text(isSet ? 'acquirers.is_set' : 'acquirers.not_set')}</span>`,
                ] as const;
              const shown = html`<code dir="auto">${value}</code>`;
              if (options === null) return [label, copyable(value, label, this.i18n, shown)] as const;
              return [label, areCountries(options) ? format.country(value) : shown] as const;
            }),
            [this.text('acquirers.changed'), format.dateTime(updatedAt)],
          ])}
          <div class="row-actions">
            ${button(this.text('acquirers.test'), () => void this.#test(), {
              ...{ icon: 'plug', isBusy: this.#queue.has('test') },
            })}
            ${button(this.text('acquirers.replace'), () => void this.#toggleForm(), {
              ...{ icon: 'key-round', isOpen: this.isReplacing },
            })}
          </div>
          <div role="status">${this.check === null ? nothing : checkNotice(this.check, (key) => this.text(key))}</div>
        </div>
        ${this.isReplacing ? this.#form() : nothing}`,
    );
  }

  #form() {
    const initial = Object.fromEntries(
      this.account.credentials.flatMap(({ name, value }) => (value === null ? [] : [[name, value] as const])),
    );
    return html`<form class="panel panel-body" novalidate @submit=${(event: Event) => void this.#replace(event)}>
      <p class="section-text">${this.text('acquirers.replace_text')}</p>
      <credentials-form
        .acquirer=${this.acquirer}
        .initial=${initial}
        .runWithStepUp=${this.runWithStepUp}
        @credentials-change=${() => (this.wasRejected = false)}
      ></credentials-form>
      <div class="row-actions">
        ${button(this.text(this.wasRejected ? 'acquirers.replace_anyway' : 'acquirers.replace'), null, {
          ...{ kind: 'primary', isBusy: this.#queue.has('replace') },
        })}
        ${button(this.text('shell.cancel'), () => void this.#toggleForm(), { kind: 'quiet' })}
      </div>
    </form>`;
  }
}
