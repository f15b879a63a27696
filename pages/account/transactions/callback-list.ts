import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Callback, CallbackAttempt, CallbackDetail, ListCallbacksAnswer } from '../../../client/api.ts';
import { AccountElement } from '../account-element.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { hasScope } from '../context.ts';
import { expandableRow } from '../unfolding.ts';
import { Loader } from '../load.ts';
import { SerialQueue } from '../turns.ts';
import type { Kind } from './filters.ts';
import { button, section, tag } from '../parts.ts';

const signs = {
  delivered: ['circle-check', 'good'],
  pending: ['hourglass', 'warn'],
  failed: ['circle-x', 'bad'],
} as const;

/** Nobody tells of a delivery that has ended: while one is pending, it is looked for after so long, and then left. */
const LOOKS_AFTER_MS = [500, 1000, 2000, 4000, 8000, 16_000];

const NEWS_MS = 250;

/** What the merchant's own service was told about a transaction, what it answered, and the button that tells it again. */
@customElement('callback-list')
export class CallbackList extends AccountElement {
  @property({ attribute: false }) kind: Kind = 'fiat';
  /** What callbacks name the transaction by. */
  @property({ attribute: false }) reference = '';

  /** Every attempt of those that were opened. */
  @state() private opened: ReadonlyMap<string, CallbackDetail | 'failed'> = new Map();

  readonly #turns = new SerialQueue(this);
  readonly #load = new Loader<ListCallbacksAnswer>(
    this,
    async (signal) =>
      await this.context.api.listCallbacks({ transaction_id: this.reference, per_page: 100 }, { signal }),
    true,
  );

  constructor() {
    super();
    const read = async () => await this.refresh();
    this.refreshOnUpdate({ afterMs: NEWS_MS, hasRead: () => this.#load.value !== null, read });
  }

  #timer: ReturnType<typeof setTimeout> | undefined;

  protected override willUpdate(changed: PropertyValues<this>) {
    if (changed.has('reference')) void this.#load.restart().then(() => this.#lookAgain(0));
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  /** Reads anew, with the attempts of what stands open, and again while something is on its way. */
  async refresh(looks = 0) {
    clearTimeout(this.#timer);
    await this.#load.refresh();
    await Promise.all([...this.opened.keys()].map(async (id) => await this.#read(id)));
    this.#lookAgain(looks);
  }

  #lookAgain(looks: number) {
    const pause = LOOKS_AFTER_MS[looks];
    const isUnderWay = this.#load.value?.callbacks.some(({ state }) => state === 'pending') ?? false;
    if (!isUnderWay || pause === undefined || !this.isConnected) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.refresh(looks + 1), pause);
  }

  async #read(id: string) {
    const detail = await this.context.api.getCallback({ id }).catch(() => 'failed' as const);
    this.opened = new Map([...this.opened, [id, detail]]);
  }

  async #send({ id }: Callback) {
    await this.#turns.run(id, async () => {
      const isSent = await this.attempt(async () => await this.context.api.redeliverCallback({ id }));
      if (isSent) this.context.announce(this.text('transactions.callbacks.sent'));
    });
    await this.#read(id);
    await this.refresh();
  }

  override render() {
    const view = loadView(this.#load, this.i18n, {
      skeleton: () => skeletonRows(1),
      empty: (answer) => (this.#own(answer).length === 0 ? this.#empty(answer) : null),
      content: (answer) => html`<div class="panel">${this.#own(answer).map((callback) => this.#row(callback))}</div>`,
    });
    return section('callbacks-heading', this.text('transactions.callbacks.title'), view);
  }

  /** Both kinds of transactions may go by the same reference. */
  #own({ callbacks }: ListCallbacksAnswer): Callback[] {
    return callbacks.filter(({ type }) => type.startsWith(`${this.kind}.`));
  }

  #empty({ receiver }: ListCallbacksAnswer) {
    const key = receiver.url === null ? 'no_receiver' : 'none';
    return html`<div class="panel panel-body">
      <p class="section-text">${this.text(`transactions.callbacks.${key}`)}</p>
      ${
        receiver.url === null && hasScope(this.context, 'callback:read')
          ? html`<p><a class="link" href=${this.context.merchantPath('integration')}>${this.text('shell.pages.integration')}</a></p>`
          : nothing
      }
    </div>`;
  }

  #row(callback: Callback) {
    const { format } = this.context;
    const { id, type, state: so, attempts_made: made, created_at: at } = callback;
    const [sign, tone] = signs[so];
    const detail = this.opened.get(id);
    return html`<div class="callback">
      ${expandableRow({
        className: 'callback-head',
        onToggle: (isOpen) => isOpen && detail === undefined && void this.#read(id),
        head: html`<span class="row-words">
            <span class="row-title callback-type" dir="ltr">${type}</span>
            <span class="row-text">${format.dateTime(at)} · ${this.text('transactions.callbacks.attempts', { count: made })}</span>
          </span>
          ${tag(this.text(`transactions.callbacks.state.${so}`), tone, sign)}`,
        content: html`${so === 'delivered' ? this.#sendButton(callback) : nothing}
        ${
          detail === undefined
            ? html`<p class="row-text">${this.text('shell.loading')}</p>`
            : detail === 'failed'
              ? button(this.text('shell.try_again'), () => void this.#read(id))
              : this.#attempts(detail)
        }`,
      })}
      ${so === 'delivered' ? nothing : this.#sendButton(callback)}
    </div>`;
  }

  /** Beside what has not arrived; what has is seldom sent again, so there it waits in what is unfolded. */
  #sendButton(callback: Callback) {
    if (!hasScope(this.context, 'callback:send')) return nothing;
    const { id, type } = callback;
    return button(
      html`${this.text('transactions.callbacks.send')}<span class="visually-hidden">${type}</span>`,
      () => void this.#send(callback),
      { icon: 'send', isDisabled: this.#turns.has(id), className: 'callback-send' },
    );
  }

  #attempts({ id, attempts, next_attempt_at: next }: CallbackDetail) {
    const { format } = this.context;
    return html`<p class="row-text"><code dir="ltr">${id}</code></p>
      <ol class="attempts">
        ${attempts.map((attempt) => this.#attempt(attempt))}
      </ol>
      ${next === null ? nothing : html`<p class="row-text">${this.text('transactions.callbacks.next')} ${format.dateTime(next)}</p>`}`;
  }

  #attempt({ at, url, duration_ms: duration, status, error, answer }: CallbackAttempt) {
    const { format } = this.context;
    const isGood = status !== null && status >= 200 && status < 300;
    return html`<li class="attempt">
      <p class="attempt-head">
        ${tag(status ?? this.text('transactions.callbacks.no_answer'), isGood ? 'good' : 'bad', isGood ? 'circle-check' : 'circle-x')}
        <span class="row-text">${format.dateTime(at)} · ${this.text('transactions.callbacks.took', { ms: format.number(duration) })}</span>
      </p>
      ${url === null ? nothing : html`<p class="row-text attempt-text" dir="ltr">${url}</p>`}
      ${error === null ? nothing : html`<p class="row-text attempt-text" dir="auto">${error}</p>`}
      ${
        answer === null || answer === ''
          ? nothing
          : html`<pre class="code" dir="auto" tabindex="0" aria-label=${this.text('transactions.callbacks.answer')}>${answer}</pre>`
      }
    </li>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'callback-list': CallbackList;
  }
}
