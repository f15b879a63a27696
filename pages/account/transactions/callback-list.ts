import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Callback, CallbackAttempt, CallbackDetail, ListCallbacksResponse } from '../../../client/api.ts';
import { AccountElement } from '../account-element.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { copyable } from '../copy-button.ts';
import { hasScope } from '../context.ts';
import { expandableRow } from '../expandable-row.ts';
import { Loader } from '../loader.ts';
import { SerialQueue } from '../serial-queue.ts';
import { changeOf } from './webhook-change.ts';
import type { Kind } from './filters.ts';
import { button, section, tag } from '../parts.ts';

const stateTags = {
  delivered: ['circle-check', 'good'],
  pending: ['hourglass', 'warn'],
  failed: ['circle-x', 'bad'],
} as const;

/** Backoff of polls while a delivery is pending: live updates do not report its end. */
const POLL_DELAYS_MS = [500, 1000, 2000, 4000, 8000, 16_000];

const REFRESH_DELAY_MS = 250;

/** Webhooks of a transaction, with their delivery attempts and a button to redeliver. */
@customElement('callback-list')
export class CallbackList extends AccountElement {
  @property({ attribute: false }) kind: Kind = 'fiat';
  /** Reference of the transaction in its webhooks. */
  @property({ attribute: false }) reference = '';

  /** Attempts of the expanded webhooks, by ID. */
  @state() private details: ReadonlyMap<string, CallbackDetail | 'failed'> = new Map();

  /** Expanded webhooks: a newer one moves their rows. */
  readonly #openIds = new Set<string>();
  /** Stays true: a redelivered webhook remains in the view. */
  #isOpen = false;
  readonly #queue = new SerialQueue(this);
  readonly #loader = new Loader<ListCallbacksResponse>(
    this,
    async (signal) =>
      await this.context.api.listCallbacks({ transaction_id: this.reference, per_page: 100 }, { signal }),
    true,
  );

  constructor() {
    super();
    const read = async () => await this.refresh();
    this.refreshOnUpdate({ afterMs: REFRESH_DELAY_MS, hasRead: () => this.#loader.value !== null, read });
  }

  #timer: ReturnType<typeof setTimeout> | undefined;

  protected override willUpdate(changed: PropertyValues<this>) {
    if (changed.has('reference')) void this.#loader.restart().then(() => this.#schedulePoll(0));
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  /** Reads the webhooks and expanded attempts, and polls while a delivery is pending. */
  async refresh(polls = 0) {
    clearTimeout(this.#timer);
    await this.#loader.refresh();
    await Promise.all([...this.details.keys()].map(async (id) => await this.#readDetail(id)));
    this.#schedulePoll(polls);
  }

  #schedulePoll(polls: number) {
    const delayMs = POLL_DELAYS_MS[polls];
    const isPending = this.#loader.value?.callbacks.some(({ state }) => state === 'pending') ?? false;
    if (!isPending || delayMs === undefined || !this.isConnected) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.refresh(polls + 1), delayMs);
  }

  async #readDetail(id: string) {
    const detail = await this.context.api.getCallback({ id }).catch(() => 'failed' as const);
    this.details = new Map([...this.details, [id, detail]]);
  }

  async #redeliver({ id }: Callback) {
    await this.#queue.run(id, async () => {
      const isRedelivered = await this.attempt(async () => await this.context.api.redeliverCallback({ id }));
      if (isRedelivered) this.context.announce(this.text('transactions.callbacks.sent'));
    });
    await this.#readDetail(id);
    await this.refresh();
  }

  override render() {
    const view = loadView(this.#loader, this.i18n, {
      skeleton: () => skeletonRows(1),
      empty: (callbacks) => (this.#ofThisKind(callbacks).length === 0 ? this.#emptyView(callbacks) : null),
      content: (callbacks) => html`<div class="panel">${this.#summary(this.#ofThisKind(callbacks))}</div>`,
    });
    return section('callbacks-heading', this.text('transactions.callbacks.title'), view);
  }

  /** A fiat and a crypto transaction may have the same reference. */
  #ofThisKind({ callbacks }: ListCallbacksResponse): Callback[] {
    return callbacks.filter(({ type }) => type.startsWith(`${this.kind}.`));
  }

  #emptyView({ endpoint }: ListCallbacksResponse) {
    const emptyKey = endpoint.url === null ? 'no_endpoint' : 'none';
    return html`<div class="panel panel-body">
      <p class="section-text">${this.text(`transactions.callbacks.${emptyKey}`)}</p>
      ${
        endpoint.url === null && hasScope(this.context, 'callback:read')
          ? html`<p><a class="link" href=${this.context.merchantPath('webhooks')}>${this.text('shell.pages.webhooks')}</a></p>`
          : nothing
      }
    </div>`;
  }

  /** One row for several webhooks, expanded if one of them was not delivered at some time. */
  #summary(callbacks: readonly Callback[]) {
    const { format } = this.context;
    const open = callbacks.filter(({ state: each }) => each !== 'delivered');
    this.#isOpen ||= open.length > 0;
    const rows = this.#rows(callbacks);
    if (callbacks.length === 1) return rows;
    const delivered = this.text('transactions.callbacks.delivered', {
      ...{ delivered: format.number(callbacks.length - open.length), count: format.number(callbacks.length) },
    });
    return expandableRow({
      className: 'callbacks',
      head: html`<span class="row-content row-title">${delivered}</span>`,
      content: rows,
      isOpen: this.#isOpen,
    });
  }

  #rows(callbacks: readonly Callback[]) {
    const hasSeveralEndpoints = new Set(callbacks.map((each) => each.endpoint_id)).size > 1;
    return callbacks.map((callback) => this.#row(callback, hasSeveralEndpoints));
  }

  #row(callback: Callback, hasSeveralEndpoints: boolean) {
    const { format } = this.context;
    const { id, type, state: callbackState, attempts_made: attemptCount, created_at: at } = callback;
    const [iconName, tone] = stateTags[callbackState];
    const detail = this.details.get(id);
    const change = changeOf(callback, this.i18n, format);
    const title = change.status ?? change.detail ?? type;
    const facts = [
      ...(title === type ? [] : [html`<code dir="ltr">${type}</code>`]),
      ...(hasSeveralEndpoints ? [html`<bdi>${callback.endpoint_name}</bdi>`] : []),
    ];
    return html`<div class="callback">
      ${expandableRow({
        className: 'callback-head',
        isOpen: this.#openIds.has(id),
        onToggle: (isOpen) => {
          this.#openIds[isOpen ? 'add' : 'delete'](id);
          if (isOpen) void this.#readDetail(id);
        },
        head: html`<span class="row-content">
            <span class="row-title callback-type"><bdi>${title}</bdi></span>
            ${facts.length === 0 ? nothing : html`<span class="row-text">${facts.map((fact, index) => (index === 0 ? fact : html` · ${fact}`))}</span>`}
            <span class="row-text">${format.dateTime(at)} · ${this.text('transactions.callbacks.attempts', { count: attemptCount })}</span>
          </span>
          ${tag(this.text(`statuses.webhook.${callbackState}`), tone, iconName)}`,
        content: html`${callbackState === 'delivered' ? this.#redeliverButton(callback) : nothing}
        ${
          detail === undefined
            ? html`<p class="row-text">${this.text('shell.loading')}</p>`
            : detail === 'failed'
              ? button(this.text('shell.try_again'), () => void this.#readDetail(id))
              : this.#attempts(detail)
        }`,
      })}
      ${callbackState === 'delivered' ? nothing : this.#redeliverButton(callback)}
    </div>`;
  }

  /** Redelivers a webhook. For a delivered one, the button is inside the expanded row. */
  #redeliverButton(callback: Callback) {
    if (!hasScope(this.context, 'callback:send')) return nothing;
    const { id, type } = callback;
    return button(
      html`${this.text('transactions.callbacks.send')}<span class="visually-hidden">${type}</span>`,
      () => void this.#redeliver(callback),
      { icon: 'send', isDisabled: this.#queue.has(id), className: 'callback-send' },
    );
  }

  #attempts({ webhook_id: id, attempts, next_attempt_at: next }: CallbackDetail) {
    const { format } = this.context;
    return html`<p class="row-text">${copyable(id, 'webhook-id', this.i18n)}</p>
      <ol class="attempts">
        ${attempts.map((attempt) => this.#attempt(attempt))}
      </ol>
      ${next === null ? nothing : html`<p class="row-text">${this.text('transactions.callbacks.next')} ${format.dateTime(next)}</p>`}`;
  }

  #attempt({ at, url, duration_ms: duration, status, error, response_body: body }: CallbackAttempt) {
    const { format } = this.context;
    const isSuccess = status !== null && status >= 200 && status < 300;
    return html`<li class="attempt">
      <p class="attempt-head">
        ${tag(status ?? this.text('transactions.callbacks.no_response'), isSuccess ? 'good' : 'bad', isSuccess ? 'circle-check' : 'circle-x')}
        <span class="row-text">${format.dateTime(at)} · ${this.text('transactions.callbacks.duration', { ms: format.number(duration) })}</span>
      </p>
      ${url === null ? nothing : html`<p class="row-text attempt-text" dir="ltr">${url}</p>`}
      ${error === null ? nothing : html`<p class="row-text attempt-text" dir="auto">${error}</p>`}
      ${
        body === null || body === ''
          ? nothing
          : html`<pre class="code" dir="auto" tabindex="0" role="group" aria-label=${this.text('transactions.callbacks.response_body')}>${body}</pre>`
      }
    </li>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'callback-list': CallbackList;
  }
}
