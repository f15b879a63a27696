import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { Acquirer, AcquirerAccount, UpdateAcquirerAccountInput } from '../../../client/api.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { copyButton } from '../copy-button.ts';
import { textField, trimmedValue } from '../fields.ts';
import { Loader } from '../loader.ts';
import { backLink, button, pageHead, section } from '../parts.ts';
import { toProblem } from '../problems.ts';
import { SerialQueue } from '../serial-queue.ts';
import { UnsavedChanges } from '../unsaved-changes.ts';
import { StepUpPage } from './step-up-page.ts';
import { healthFacts, stateNotice, stateTag } from './health.ts';
import type { Route, RoutesEditor } from './routes-editor.ts';
import './credentials-section.ts';
import './routes-editor.ts';

interface Loaded {
  account: AcquirerAccount;
  /** Null if this release has no such acquirer. */
  acquirer: Acquirer | null;
}

/** For managers: an acquirer account with its health, routes and credentials. */
@customElement('acquirer-page')
export class AcquirerPage extends StepUpPage {
  /** Unsaved routes, and the version of the account that they replace; null without changes. */
  @state() private draft: { routes: readonly Route[]; updatedAt: string } | null = null;

  readonly #queue = new SerialQueue(this);
  readonly #loader = this.reloadOnUpdate(
    new Loader<Loaded>(this, async (signal) => {
      const { api } = this.context;
      const account = await api.getAcquirerAccount({ id: this.params['id'] ?? '' }, { signal });
      const { acquirers } = await api.listAcquirers({ name: account.acquirer }, { signal });
      queueMicrotask(() => this.notifyTitleChange());
      return { account, acquirer: acquirers[0] ?? null };
    }),
    3000,
  );
  readonly #unsavedChanges = new UnsavedChanges(this, {
    count: () => (this.draft === null ? 0 : 1),
    save: async () => await this.#saveRoutes(),
    discard: () => (this.draft = null),
  });

  override get documentTitle(): string | null {
    return this.#loader.value?.account.name ?? null;
  }

  /** Changes the account, unless it has changed since it was shown. */
  async #update(name: string, change: Omit<UpdateAcquirerAccountInput, 'id'>, message: string): Promise<void> {
    await this.#queue.run(name, async () => {
      const { value } = this.#loader;
      if (!value) return;
      const { id, updated_at } = value.account;
      try {
        const input = { updated_at, ...change, id };
        const account = await this.runWithStepUp(async () => await this.context.api.updateAcquirerAccount(input));
        if (change.routes) this.draft = null;
        this.#show({ ...value, account });
        this.context.announce(message);
      } catch (error) {
        if (toProblem(error).code === 'edit_conflict') await this.#showConflict();
        this.announceProblem(error);
      }
    });
  }

  /** Shows the user's own change. A draft of the version before still replaces the current one. */
  #show(loaded: Loaded) {
    if (this.draft && this.draft.updatedAt === this.#loader.value?.account.updated_at)
      this.draft = { ...this.draft, updatedAt: loaded.account.updated_at };
    this.#loader.set(loaded);
  }

  /** The user now knows of the other change, so that saving again replaces it. */
  async #showConflict() {
    await this.#loader.run();
    const { value } = this.#loader;
    if (this.draft && value) this.draft = { ...this.draft, updatedAt: value.account.updated_at };
  }

  async #saveRoutes() {
    if (!this.draft || this.querySelector<RoutesEditor>('routes-editor')?.validate() === false) return;
    const routes = this.draft.routes as NonNullable<UpdateAcquirerAccountInput['routes']>;
    await this.#update('routes', { routes, updated_at: this.draft.updatedAt }, this.text('acquirers.routes_saved'));
  }

  async #rename({ name }: AcquirerAccount) {
    const values = await this.context.prompt({
      heading: this.text('acquirers.rename'),
      fields: textField({
        ...{ id: 'account-name', name: 'name', label: this.text('acquirers.name'), maxlength: 60, value: name },
      }),
      confirm: this.text('settings.save'),
    });
    const next = values === null ? '' : trimmedValue(values, 'name');
    if (next !== '' && next !== name)
      await this.#update(`name ${next}`, { name: next }, this.text('acquirers.renamed'));
  }

  async #toggle({ name, enabled }: AcquirerAccount) {
    if (enabled && !(await this.confirm('acquirers.disable', { name }))) return;
    const message = this.text(enabled ? 'acquirers.disabled' : 'acquirers.enabled');
    await this.#update('enabled', { enabled: !enabled }, message);
  }

  override render() {
    const title = this.text('shell.pages.acquirer');
    return html`${backLink(this.context.merchantPath('acquirers'), this.text('shell.pages.acquirers'))}
    ${this.#loader.value === null ? pageHead(title) : nothing}
    ${loadView(this.#loader, this.i18n, {
      skeleton: () => skeletonRows(5),
      content: (loaded) => this.#content(loaded),
    })}
    ${this.#unsavedChanges.bar(this.#queue.has('routes'))} ${this.stepUpDialog()}`;
  }

  #content({ account, acquirer }: Loaded) {
    const { format } = this.context;
    return html`<header class="page-head">
        <div>
          <h1 tabindex="-1" dir="auto">${account.name}</h1>
          <p class="page-lead acquirer-state">
            ${acquirer?.display_name ?? account.acquirer} ·
            ${this.text(account.shared ? 'acquirers.shared' : 'acquirers.own')} ${stateTag(account, this.i18n)}
          </p>
        </div>
        ${button(this.text('acquirers.rename'), () => void this.#rename(account), { icon: 'pencil' })}
      </header>
      ${stateNotice(account, this.i18n, format)}
      ${section(
        'health',
        this.text('acquirers.health'),
        html`<div class="panel panel-body">${healthFacts(account, this.i18n, format)}</div>`,
      )}
      ${this.#webhookSection(account, acquirer)} ${this.#routesSection(account, acquirer)}
      ${
        acquirer &&
        html`<credentials-section
          .account=${account}
          .acquirer=${acquirer}
          .runWithStepUp=${this.runWithStepUp}
          @account-change=${({ detail }: CustomEvent<AcquirerAccount>) => this.#show({ acquirer, account: detail })}
          @account-conflict=${() => void this.#loader.run()}
        ></credentials-section>`
      }
      ${this.#stateSection(account)}`;
  }

  #webhookSection({ webhook_url: url }: AcquirerAccount, acquirer: Acquirer | null) {
    const name = acquirer?.display_name ?? '';
    return section(
      'webhook',
      this.text('acquirers.webhook'),
      html`<p class="section-text">${this.text('acquirers.webhook_text', { acquirer: name })}</p>
        <div class="panel panel-body">
          <p><code dir="ltr">${url}</code></p>
          <div class="row-actions">${copyButton(url, this.text('acquirers.webhook'), this.i18n)}</div>
        </div>`,
    );
  }

  #routesSection(account: AcquirerAccount, acquirer: Acquirer | null) {
    if (!acquirer) return nothing;
    return section(
      'routes',
      this.text('acquirers.routes'),
      html`<p class="section-text">${this.text('acquirers.routes_text')}</p>
        <routes-editor
          class="panel panel-body"
          .capabilities=${acquirer.capabilities}
          .routes=${this.draft?.routes ?? account.routes}
          @routes-change=${({ detail }: CustomEvent<readonly Route[]>) =>
            (this.draft = { routes: detail, updatedAt: this.draft?.updatedAt ?? account.updated_at })}
        ></routes-editor>`,
    );
  }

  #stateSection(account: AcquirerAccount) {
    const action = account.enabled ? 'disable' : 'enable';
    return section(
      'new-payments',
      this.text('acquirers.new_payments'),
      html`<p class="section-text">${this.text(account.enabled ? 'acquirers.while_enabled' : 'acquirers.while_disabled')}</p>
        <div class="row-actions">
          ${button(this.text(`acquirers.${action}`), () => void this.#toggle(account), {
            isBusy: this.#queue.has('enabled'),
          })}
        </div>`,
    );
  }
}
