import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { WebhookEndpoint } from '../../../client/api.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { StepUpPage } from '../acquirers/step-up-page.ts';
import { breakable } from '../breakable.ts';
import { hasScope } from '../context.ts';
import { icon } from '../icons.ts';
import { Loader } from '../loader.ts';
import { button, emptyState, pageHead } from '../parts.ts';
import { secretPanel } from '../secret-view.ts';
import type { SavedEndpoint } from './endpoint-dialog.ts';
import { eventTypeCount, failuresOf, preferenceTag, recentRate, stateTag } from './endpoint-state.ts';
import './deliveries-section.ts';
import './endpoint-dialog.ts';
import './verification-section.ts';

const REFRESH_DELAY_MS = 1000;

/** The merchant's webhook endpoints with their health, all deliveries, and the keys to verify webhooks. */
@customElement('webhooks-page')
export class WebhooksPage extends StepUpPage {
  /** A new endpoint, whose secret is shown once. */
  @state() private added: SavedEndpoint | null = null;

  readonly #loader = this.reloadOnUpdate(
    new Loader(this, async (signal) => (await this.context.api.listWebhookEndpoints({ signal })).endpoints),
    REFRESH_DELAY_MS,
  );

  async #showAdded({ detail }: CustomEvent<SavedEndpoint>) {
    this.added = detail;
    await this.#loader.refresh();
    await this.updateComplete;
    this.querySelector<HTMLElement>('#endpoint-secret')?.focus();
  }

  override render() {
    const canManage = hasScope(this.context, 'callback:manage');
    const open = () => this.querySelector('endpoint-dialog')?.open(null);
    const add = canManage ? button(this.text('webhooks.add'), open, { kind: 'primary', icon: 'plus' }) : null;
    return html`${pageHead(this.text('shell.pages.webhooks'), add, this.text('webhooks.lead'))}
      ${secretPanel(
        this.i18n,
        this.added?.secret === undefined
          ? null
          : {
              ...{ id: 'endpoint-secret', label: this.text('webhooks.secret'), value: this.added.secret },
              text: this.text('webhooks.secret_text'),
              close: () => (this.added = null),
            },
      )}
      ${loadView(this.#loader, this.i18n, {
        skeleton: () => skeletonRows(1),
        empty: (endpoints) =>
          endpoints.length > 0
            ? null
            : emptyState('webhook', this.text('webhooks.empty_title'), this.text('webhooks.empty_text')),
        content: (endpoints) => html`<ul class="panel list">
          ${endpoints.map((endpoint) => this.#row(endpoint))}
        </ul>`,
      })}
      ${
        this.#loader.value?.length === 0
          ? nothing
          : html`<deliveries-section
              .failures=${failuresOf(this.#loader.value ?? [])}
              @endpoint-change=${() => void this.#loader.refresh()}></deliveries-section>`
      }
      <verification-section></verification-section>
      <endpoint-dialog
        .runWithStepUp=${this.runWithStepUp}
        @endpoint-saved=${(event: CustomEvent<SavedEndpoint>) => void this.#showAdded(event)}
      ></endpoint-dialog>
      ${this.stepUpDialog('webhooks.step_up')}`;
  }

  #row(endpoint: WebhookEndpoint) {
    const { i18n } = this;
    const { format } = this.context;
    const { id, url, description, from_preferences: isFromPreferences } = endpoint;
    const facts = [eventTypeCount(endpoint, i18n), recentRate(endpoint, i18n, format)].filter((fact) => fact !== null);
    return html`<li class="row row-wraps">
      <span class="row-icon" aria-hidden="true">${icon('webhook')}</span>
      <div class="row-content">
        <a class="row-title link endpoint-url" title=${url} href=${this.context.merchantPath('webhooks', id)}><bdi dir="ltr">${breakable(url)}</bdi></a>
        ${description === null ? nothing : html`<span class="row-text"><bdi>${description}</bdi></span>`}
        <span class="row-text">${facts.join(' · ')}</span>
      </div>
      <div class="row-end">
        ${isFromPreferences ? preferenceTag() : nothing} ${stateTag(endpoint, i18n)}
      </div>
    </li>`;
  }
}
