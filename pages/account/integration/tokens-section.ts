import type WaInput from '@awesome.me/webawesome/dist/components/input/input.js';
import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { AccessToken, CreatedAccessToken } from '../../../client/api.ts';
import { scopeMeanings, type TokenScope, tokenScopes, defaultScopes } from '../../../src/shared/scopes.ts';
import { fieldErrorMessage } from '../../checkout/elements/field-error.ts';
import { AccountElement } from '../account-element.ts';
import { listView } from '../list-view.ts';
import { focusInvalidField, trimmedValue, textField } from '../fields.ts';
import { icon } from '../icons.ts';
import { ListLoader } from '../loader.ts';
import { checkField } from '../choices.ts';
import { expandableRow } from '../expandable-row.ts';
import { secretPanel } from '../secret-view.ts';
import { toProblem, fieldDetail } from '../problems.ts';
import { button, emptyState, section, tag } from '../parts.ts';

/** Scopes that a shop's server needs. */
const preselectedScopes: readonly TokenScope[] = ['link:write', 'transaction:read'];

/** Access tokens for the API. */
@customElement('tokens-section')
export class TokensSection extends AccountElement {
  @state() private isFormOpen = false;
  @state() private isBusy = false;
  @state() private fieldErrors: { name?: string; scopes?: string; expiry?: string } = {};
  @state() private created: CreatedAccessToken | null = null;

  readonly #loader = new ListLoader(this, async (page, signal) => {
    const { tokens, next_cursor: next } = await this.context.api.listAccessTokens(page, { signal });
    return [tokens, next] as const;
  });

  async #submit(event: SubmitEvent) {
    event.preventDefault();
    if (this.isBusy) return;
    const form = new FormData(event.target as HTMLFormElement);
    const name = trimmedValue(form, 'name');
    const scopes = form.getAll('scope') as TokenScope[];
    const expiry = trimmedValue(form, 'end');
    const expiryInput = this.querySelector<WaInput>('#token-end')?.input;
    this.fieldErrors = {
      ...(name === '' ? { name: this.text('integration.name_missing') } : {}),
      ...(scopes.length === 0 ? { scopes: this.text('integration.scopes_missing') } : {}),
      // Its value is empty, as for no date.
      ...(expiryInput?.validity.badInput ? { expiry: this.text('integration.expiry_past') } : {}),
    };
    if (Object.keys(this.fieldErrors).length === 0) await this.#create(name, scopes, expiry);
    await this.updateComplete;
    focusInvalidField(this);
  }

  async #create(name: string, scopes: TokenScope[], expiry: string) {
    this.isBusy = true;
    try {
      // The end of the last day in the user's time zone.
      const expiration = expiry === '' ? {} : { expires_at: new Date(`${expiry}T23:59:59`).toISOString() };
      this.created = await this.context.api.createAccessToken({ name, scopes, ...expiration });
      this.isFormOpen = false;
      void this.#loader.run();
      await this.updateComplete;
      this.querySelector<HTMLElement>('#new-token')?.focus();
    } catch (error) {
      const problem = toProblem(error);
      const [nameError, expiryError] = [fieldDetail(problem, 'name'), fieldDetail(problem, 'expires_at')];
      this.fieldErrors = {
        ...(nameError === null ? {} : { name: nameError }),
        ...(expiryError === null ? {} : { expiry: this.text('integration.expiry_past') }),
      };
      if (Object.keys(this.fieldErrors).length === 0) this.announceProblem(problem);
    }
    this.isBusy = false;
  }

  async #revoke(token: AccessToken) {
    const { id } = token;
    if (!(await this.confirm('integration.revoke', { name: this.#nameOf(token) }))) return;
    await this.attempt(async () => {
      await this.context.api.revokeAccessToken({ id });
      if (this.created?.id === id) this.created = null;
      this.context.announce(this.text('integration.revoked'));
    });
    await this.#loader.run();
  }

  /** Its name; without one, its number, as in the audit log. */
  #nameOf({ id, name }: AccessToken): string {
    return name || this.text('integration.unnamed', { id });
  }

  #scopeText(scope: string): string {
    const key = `account.integration.scopes.${scope.replace(':', '_')}`;
    return this.i18n.has(key) ? this.i18n.text(key) : (scopeMeanings[scope as TokenScope] ?? scope);
  }

  override render() {
    const toggle = () => (this.isFormOpen = !this.isFormOpen);
    return section(
      'tokens',
      this.text('integration.tokens'),
      html`<p class="section-text">${this.text('integration.tokens_text')}</p>
      ${secretPanel(
        this.i18n,
        this.created && {
          ...{ id: 'new-token', value: this.created.access_token },
          label: this.text('integration.new_token', { name: this.created.name }),
          text: this.text('integration.new_token_text'),
          close: () => (this.created = null),
        },
      )}
      ${this.isFormOpen ? this.#form() : nothing}
      ${listView(this.#loader, this.i18n, {
        skeletonRowCount: 3,
        empty: () =>
          emptyState('key-round', this.text('integration.no_tokens'), this.text('integration.no_tokens_text')),
        row: (token) => this.#tokenRow(token),
        key: 'id',
        more: this.text('integration.show_more'),
      })}`,
      button(this.text('integration.create_token'), toggle, { icon: 'plus', isOpen: this.isFormOpen }),
    );
  }

  #tokenRow(token: AccessToken) {
    const { format } = this.context;
    const { scopes, last_used_at: lastUsedAt, expires_at: expiry, role, created_by_name: creator } = token;
    const displayName = this.#nameOf(token);
    return html`<li class="row row-wraps">
      <span class="row-icon">${icon('key-round')}</span>
      <div class="row-content">
        <span class="row-title">
          <span dir="auto">${displayName}</span>
          ${role === 'manager' ? tag(this.text('shell.roles.manager'), 'warn') : nothing}
        </span>
        <span class="row-text">
          ${lastUsedAt === null ? this.text('integration.never_used') : html`${this.text('integration.last_used')} ${format.relativeTime(lastUsedAt)}`}
          ${expiry === null ? nothing : html` · ${this.text('integration.expires')} ${format.date(expiry)}`}
          ${creator === null ? nothing : html` · <span dir="auto">${this.text('integration.created_by', { name: creator })}</span>`}
        </span>
        ${expandableRow({
          className: 'token-scopes',
          head: this.text('integration.scope_count', { count: scopes.length }),
          content: html`<ul>
            ${scopes.map((scope) => html`<li>${this.#scopeText(scope)} <code dir="ltr">${scope}</code></li>`)}
          </ul>`,
        })}
      </div>
      ${button(this.text('integration.revoke'), () => void this.#revoke(token), { kind: 'quiet', name: this.text('integration.revoke_label', { name: displayName }) })}
    </li>`;
  }

  #form() {
    // Users can grant only scopes that they have.
    // Tokens created here have the role `merchant`, which cannot manage acquirers.
    const offered = tokenScopes.filter((scope) => scope !== 'acquirer:manage' && this.context.scopes.has(scope));
    const usual = offered.filter((scope) => defaultScopes.includes(scope));
    const sensitive = offered.filter((scope) => !defaultScopes.includes(scope));
    const { name, scopes, expiry } = this.fieldErrors;
    return html`<form class="panel panel-body" novalidate @submit=${(event: SubmitEvent) => void this.#submit(event)}>
      ${textField({
        ...{ id: 'token-name', name: 'name', label: this.text('integration.token_name'), maxlength: 60 },
        ...{ hint: this.text('integration.token_name_hint'), fieldError: name ?? null, required: true },
      })}
      <fieldset
        class="scope-set"
        aria-describedby=${scopes === undefined ? nothing : 'scopes-error'}
      >
        <legend class="label">${this.text('integration.scopes_label')}</legend>
        ${usual.map((scope) => this.#scopeField(scope))} ${fieldErrorMessage('scopes-error', scopes ?? null)}
      </fieldset>
      ${
        sensitive.length === 0
          ? nothing
          : html`<fieldset class="scope-set scope-set-sensitive">
              <legend class="label">${icon('triangle-alert')} ${this.text('integration.sensitive_scopes')}</legend>
              <p class="hint">${this.text('integration.sensitive_scopes_text')}</p>
              ${sensitive.map((scope) => this.#scopeField(scope))}
            </fieldset>`
      }
      <div class="narrow">
        ${textField({
          ...{ id: 'token-end', name: 'end', type: 'date', label: this.text('integration.expiry') },
          ...{ hint: this.text('integration.expiry_hint'), fieldError: expiry ?? null },
        })}
      </div>
      <div class="row-actions">
        ${button(this.text('shell.cancel'), () => (this.isFormOpen = false))}
        ${button(this.text('integration.create_token'), null, { kind: 'primary', isBusy: this.isBusy })}
      </div>
    </form>`;
  }

  #scopeField(scope: TokenScope) {
    return checkField({
      ...{ name: 'scope', value: scope, isChecked: preselectedScopes.includes(scope) },
      text: html`${this.#scopeText(scope)} <code dir="ltr">${scope}</code>`,
    });
  }
}
