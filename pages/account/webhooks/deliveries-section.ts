import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Callback, CallbackDetail, ListCallbacksInput } from '../../../client/api.ts';
import { AccountElement } from '../account-element.ts';
import { breakable } from '../breakable.ts';
import { listView } from '../list-view.ts';
import { hasScope } from '../context.ts';
import { copyable } from '../copy-button.ts';
import { icon } from '../icons.ts';
import { ListLoader } from '../loader.ts';
import { SerialQueue } from '../serial-queue.ts';
import { changeOf } from '../transactions/webhook-change.ts';
import { deliveryDetail, paymentLink } from './delivery-detail.ts';
import type { Failures } from './endpoint-state.ts';
import { isSuccess, responseText } from './response-view.ts';
import { subscribableEventTypes } from '../../../src/shared/webhook-event-types.ts';
import { segmentedControl } from '../choices.ts';
import { bareButton, button, emptyState, factList, section, selectField, tag } from '../parts.ts';

const states = ['pending', 'delivered', 'failed'] as const;
type State = (typeof states)[number];
const stateTags = {
  pending: ['warn', 'hourglass'],
  delivered: ['good', 'circle-check'],
  failed: ['bad', 'circle-x'],
} as const;
/** Security notices, whose webhooks have no status, by the last part of their type. */
const noticeTexts: Readonly<Record<string, string>> = {
  destination_changed: 'destination',
  url_changed: 'endpoint',
  endpoint_changed: 'endpoint',
};
const REFRESH_DELAY_MS = 500;
/** Failed webhooks per query. */
const BATCH_SIZE = 100;

/**
 * Webhooks and their delivery attempts.
 *
 * @fires endpoint-change - the state of the endpoint may have changed
 */
@customElement('deliveries-section')
export class DeliveriesSection extends AccountElement {
  /** The ID of an endpoint; null for all. */
  @property({ attribute: false }) endpoint: string | null = null;
  @property({ attribute: false }) failures: Failures = { count: 0, isComplete: false };

  @state() private filter: State | '' = '';
  /** Filter by event type; empty for all. */
  @state() private type = '';
  /** The expanded webhook, with its attempts once loaded. */
  @state() private opened: { id: string; detail: CallbackDetail | null } | null = null;

  readonly #queue = new SerialQueue(this);
  readonly #loader = this.reloadOnUpdate(
    new ListLoader(this, async (page, signal) => {
      const endpoint = this.endpoint === null ? {} : { endpoint_id: this.endpoint };
      const query = { ...page, ...endpoint, state: this.filter, type: this.type } as ListCallbacksInput;
      const { callbacks, next_cursor: next } = await this.context.api.listCallbacks(query, { signal });
      return [callbacks, next] as const;
    }),
    REFRESH_DELAY_MS,
  );

  refresh() {
    void this.#loader.run();
  }

  get #isFiltered(): boolean {
    return this.filter !== '' || this.type !== '';
  }

  #setFilter(filter: State | '') {
    this.filter = filter;
    this.opened = null;
    void this.#loader.restart();
  }

  #setType(type: string) {
    this.type = type;
    this.opened = null;
    void this.#loader.restart();
  }

  async #toggle(id: string) {
    if (this.opened?.id === id) {
      this.opened = null;
      return;
    }
    this.opened = { id, detail: null };
    await this.#readDetail(id);
  }

  async #readDetail(id: string) {
    const isRead = await this.attempt(async () => {
      const detail = await this.context.api.getCallback({ id });
      if (this.opened?.id === id) this.opened = { id, detail };
    });
    if (!isRead && this.opened?.id === id) this.opened = null;
  }

  async #redeliver(id: string) {
    await this.#queue.run(id, async () => {
      await this.attempt(async () => {
        await this.context.api.redeliverCallback({ id });
        this.context.announce(this.text('webhooks.redelivered'));
      });
    });
    this.emit('endpoint-change', null);
    if (this.opened?.id === id) await this.#readDetail(id);
    this.refresh();
  }

  async #redeliverFailed() {
    if (this.#queue.has('all')) return;
    const { announce, prompt } = this.context;
    const values = await prompt({
      heading: this.text('webhooks.redeliver_failed'),
      text: this.text(this.endpoint === null ? 'webhooks.redeliver_failed_text' : 'webhooks.redeliver_all_text'),
      confirm: this.text('webhooks.redeliver'),
    });
    if (values === null) return;
    await this.#queue.run('all', async () => {
      await this.attempt(async () => {
        const count = await this.#redeliverFailedOfEndpoints();
        announce(count === 0 ? this.text('webhooks.nothing_failed') : this.text('webhooks.resent_count', { count }));
      });
    });
    this.emit('endpoint-change', null);
    this.refresh();
  }

  /** Redelivers by endpoint, which keeps the order within each transaction, and notices, which have their own URL. */
  async #redeliverFailedOfEndpoints(): Promise<number> {
    const { api } = this.context;
    if (this.endpoint !== null) return (await api.redeliverFailedCallbacks({ id: this.endpoint })).redelivered;
    const newestFailed = async (of = {}) =>
      (await api.listCallbacks({ ...of, state: 'failed', per_page: BATCH_SIZE })).callbacks;
    const notices = (await newestFailed()).filter(({ url }) => url !== null).reverse();
    let count = notices.length;
    for (const { id } of (await api.listWebhookEndpoints()).endpoints)
      if ((await newestFailed({ endpoint_id: id })).some(({ url }) => url === null))
        count += (await api.redeliverFailedCallbacks({ id })).redelivered;
    for (const { id } of notices) await api.redeliverCallback({ id });
    return count;
  }

  override render() {
    const redeliverFailed = () => void this.#redeliverFailed().catch((error: unknown) => this.announceProblem(error));
    const isBusy = this.#queue.has('all');
    return section(
      'deliveries',
      this.text('webhooks.deliveries'),
      html`<div class="delivery-filters">
        ${segmentedControl({
          ...{ legend: this.text('webhooks.filter'), name: 'callback-state', selected: this.filter },
          options: (['', ...states] as const).map((value) => ({
            value,
            text: this.text(value === '' ? 'webhooks.all' : `statuses.webhook.${value}`),
          })),
          onChoose: (value) => this.#setFilter(value as State | ''),
        })}
        ${selectField({
          ...{ id: 'callback-type', label: this.text('webhooks.type'), isLabelHidden: true, value: this.type },
          options: [
            ['', this.text('webhooks.all_events')],
            ...subscribableEventTypes.map((type) => [type, type] as const),
          ],
          change: (type) => this.#setType(type),
        })}
      </div>
      ${listView(this.#loader, this.i18n, {
        ...{ skeletonRowCount: 4, className: 'deliveries' },
        empty: () =>
          emptyState(
            'webhook',
            this.text(this.#isFiltered ? 'webhooks.no_matches' : 'webhooks.no_callbacks'),
            !this.#isFiltered ? this.text('webhooks.no_callbacks_text') : '',
          ),
        row: (callback) => this.#callbackRow(callback),
        key: 'id',
        more: this.text('integration.show_more'),
      })}`,
      this.#hasFailed && hasScope(this.context, 'callback:send')
        ? button(this.#redeliverText(), redeliverFailed, { icon: 'rotate-ccw', isBusy })
        : nothing,
    );
  }

  get #hasFailed(): boolean {
    const { count, isComplete } = this.failures;
    return count > 0 || (!isComplete && this.#loader.value?.rows.some((each) => each.state === 'failed') === true);
  }

  #redeliverText() {
    const { count, isComplete } = this.failures;
    if (!isComplete) return this.text('webhooks.redeliver_failed');
    return this.text('webhooks.redeliver_failed_number', { number: this.context.format.number(count) });
  }

  #callbackRow(callback: Callback) {
    const { format } = this.context;
    const { id, type, state, attempts_made: attemptCount, created_at: at } = callback;
    const [tone, iconName] = stateTags[state];
    const isOpen = this.opened?.id === id;
    const { title, note } = this.#changeText(callback);
    return html`<li class="delivery">
      ${bareButton(
        html`<span class="row delivery-head">
          <span class="row-content">
            <span class="row-title"><bdi>${title}</bdi></span>
            <span class="row-text">${this.#subjectLine(callback, note, title !== type)}</span>
          </span>
          <span class="delivery-when">
            ${tag(this.text(`statuses.webhook.${state}`), tone, iconName)}
            <span class="row-text tabular">${format.relativeTime(at)}<span class="delivery-extra"> · ${this.text('webhooks.attempts', { count: attemptCount })}</span></span>
          </span>
          ${icon(isOpen ? 'chevron-up' : 'chevron-down')}
        </span>`,
        () => void this.#toggle(id),
        { 'aria-expanded': String(isOpen) },
      )}
      ${isOpen ? this.#detail(callback, note) : nothing}
    </li>`;
  }

  /** The change that a webhook reports, and its cause. */
  #changeText(callback: Callback) {
    const { status, detail } = changeOf(callback, this.i18n, this.context.format);
    if (status === null) return { title: detail ?? this.#noticeText(callback.type) ?? callback.type, note: null };
    const [kind = ''] = /withdrawal|crypto(?=\.transaction)/.exec(callback.type) ?? ['payment'];
    return { title: this.text(`webhooks.change.${kind}`, { status }), note: detail };
  }

  /**
   * The response of a failed attempt, the cause of the change, the reference of its subject, the event type unless it
   * is the title, and the endpoint. On phones, only the response and the reference: the expanded row has the rest.
   */
  #subjectLine(
    { type, transaction_id: reference, endpoint_name: endpoint, state, last_attempt: last }: Callback,
    note: string | null,
    isTypeShown: boolean,
  ) {
    const extra = (content: unknown) => html`<span class="delivery-extra">${content}</span>`;
    // Redelivered: pending after a success.
    const hasFailed = state !== 'delivered' && last !== null && !isSuccess(last.status);
    return html`${hasFailed ? html`<span class="delivery-failure">${responseText(last.status, this.i18n)}</span> · ` : nothing}${note === null ? nothing : extra(html`<bdi>${note}</bdi> · `)}<bdi>${reference}</bdi>${
      isTypeShown ? extra(html` · <code dir="ltr">${type}</code>`) : nothing
    }${this.#hasSeveralEndpoints ? extra(html` · <bdi>${endpoint}</bdi>`) : nothing}`;
  }

  get #hasSeveralEndpoints(): boolean {
    return new Set(this.#loader.value?.rows.map((each) => each.endpoint_id)).size > 1;
  }

  #noticeText(type: string) {
    const key = noticeTexts[type.split('.').at(-1) ?? ''];
    return key === undefined ? null : this.text(`webhooks.change.${key}`);
  }

  #endpointLink({ endpoint_id: id, endpoint_name: name }: Callback) {
    return html`<a class="link" href=${this.context.merchantPath('webhooks', id)}><bdi>${name}</bdi></a>`;
  }

  #detail(callback: Callback, note: string | null) {
    const { id, type, next_attempt_at: next } = callback;
    const { format } = this.context;
    const detail = this.opened?.detail ?? null;
    return html`<div class="expanded-content">
      ${note === null ? nothing : html`<p class="hint delivery-note"><bdi>${note}</bdi></p>`}
      ${factList([
        ['webhook-id', copyable(callback.webhook_id, 'webhook-id', this.i18n)],
        [this.text('transactions.column.reference'), paymentLink(callback, this.context)],
        [this.text('webhooks.type'), html`<code dir="ltr">${breakable(type)}</code>`],
        [this.text('webhooks.endpoint'), this.endpoint === null ? this.#endpointLink(callback) : null],
        [this.text('webhooks.next_attempt'), next && format.dateTime(next)],
      ])}
      ${detail === null ? html`<p class="hint" role="status">${this.text('shell.loading')}</p>` : deliveryDetail(this.i18n, format, detail)}
      ${
        hasScope(this.context, 'callback:send')
          ? html`<div class="row-actions">
              ${button(this.text('webhooks.redeliver'), () => void this.#redeliver(id), { icon: 'rotate-ccw', isBusy: this.#queue.has(id) })}
            </div>`
          : nothing
      }
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'deliveries-section': DeliveriesSection;
  }
}
