import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { AccountPage } from '../account-page.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { type AccountApi } from '../api.ts';
import { isDialogOpen, isTyping, areSingleKeysEnabled } from '../keys.ts';
import { Loader } from '../load.ts';
import { browserExport, type ExportWorld } from './export.ts';
import { type Narrowed, readNarrowed, writeNarrowed } from './filters.ts';
import { type Listed, mergeNewest, PAGE, readListed } from './listed.ts';
import { ListExport } from './list-export.ts';
import { listenTo } from '../listeners.ts';
import { RowWindow } from './row-window.ts';
import { type Item, transactionHeads, transactionRow } from './transaction-row.ts';
import type { Narrowing } from './transaction-filters.ts';
import './transaction-filters.ts';
import type { PaylatchError } from '../../../client/error.ts';
import { toProblem } from '../problems.ts';
import { button, emptyState } from '../parts.ts';

const NEWS_MS = 250;

/** What was listed when somebody went on from there, to come back to. */
const left = new WeakMap<AccountApi, { address: string; listed: Listed }>();

/** All transactions of the merchant, of which only those are drawn that are seen. */
@customElement('transactions-page')
export class TransactionsPage extends AccountPage {
  @property({ attribute: false }) exportWorld: ExportWorld = browserExport;

  @state() narrowed: Narrowed = readNarrowed('');
  /** How many have come that are not in the list yet. */
  @state() private fresh = 0;
  @state() private isReadingMore = false;
  @state() private moreProblem: PaylatchError | null = null;

  #address = '';
  #chosen = -1;
  #reading: AbortController | null = null;

  readonly #export = new ListExport(this);
  readonly #load = new Loader<Listed>(this, async (signal) => await this.#read(null, signal), true);
  readonly #refresher = this.refreshOnUpdate({
    afterMs: NEWS_MS,
    hasRead: () => this.#load.value !== null,
    read: async () => await this.#refresh(),
  });

  readonly #window = new RowWindow(this, () => {
    if (this.moreProblem === null) void this.#more();
  });

  constructor() {
    super();
    listenTo(this, window, {
      popstate: () => this.#walked(),
      keydown: (event: KeyboardEvent) => this.#key(event),
    });
  }

  override connectedCallback() {
    super.connectedCallback();
    this.narrowed = readNarrowed(location.search);
    this.#address = this.#ownAddress;
    const kept = left.get(this.context.api);
    if (kept?.address === this.#address) {
      this.#load.set(kept.listed);
      this.#refresher.schedule();
    } else void this.#load.run();
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    const listed = this.#load.value;
    if (listed) left.set(this.context.api, { address: this.#address, listed });
    this.#reading?.abort();
  }

  /** Where this list stands, for whoever comes back: its merchant and what it is narrowed to. */
  get #ownAddress() {
    return `${this.context.merchantPath('transactions')}${writeNarrowed(this.narrowed)}`;
  }

  async #read(cursor: string | null, signal: AbortSignal): Promise<Listed> {
    return await readListed(this.context.api, this.narrowed, cursor, signal);
  }

  // What it is narrowed to

  #walked() {
    if (!location.pathname.endsWith('/transactions')) return;
    const narrowed = readNarrowed(location.search);
    if (writeNarrowed(narrowed) !== writeNarrowed(this.narrowed)) this.#begin(narrowed);
  }

  #narrow(change: Partial<Narrowed>, isTyped = false) {
    const narrowed = { ...this.narrowed, ...change };
    const written = writeNarrowed(narrowed);
    if (written === writeNarrowed(this.narrowed)) return;
    const address = location.pathname + written;
    if (!isTyped) history.pushState({ scroll: 0 }, '', address);
    else history.replaceState(history.state, '', address);
    this.#begin(narrowed);
  }

  #begin(narrowed: Narrowed) {
    this.narrowed = readNarrowed(writeNarrowed(narrowed));
    this.#address = this.#ownAddress;
    this.#chosen = -1;
    this.fresh = 0;
    this.moreProblem = null;
    this.#reading?.abort();
    this.isReadingMore = false;
    this.#window.restart();
    void this.#load.restart();
  }

  // What comes later

  /** Reads the first page again; whoever reads further down keeps their place. */
  async #refresh() {
    const before = this.#load.value;
    if (before === null || this.#load.isLoading) {
      await this.#load.refresh();
      return;
    }
    const { narrowed } = this;
    const now = await this.#read(null, new AbortController().signal).catch(() => null);
    // What has been asked for since is newer.
    if (now === null || narrowed !== this.narrowed || this.#load.isLoading || !this.isConnected) return;
    const known = this.#load.value ?? before;
    if (!this.#isReading && known.items.length <= PAGE) {
      this.fresh = 0;
      this.#load.set(now);
      return;
    }
    const merged = mergeNewest(known.items, now.items, this.#isReading);
    if (merged.fresh !== null) this.fresh = merged.fresh;
    this.#load.set({ items: merged.items, next: known.next });
  }

  /** Whether somebody is looking at rows further down. */
  get #isReading() {
    return scrollY > 160;
  }

  async #showFresh() {
    this.fresh = 0;
    scrollTo(0, 0);
    this.#window.restart();
    this.#load.value = null;
    await this.#load.run();
  }

  async #more() {
    const { value } = this.#load;
    if (value === null || value.next === null || this.isReadingMore) return;
    this.isReadingMore = true;
    this.moreProblem = null;
    const reading = new AbortController();
    this.#reading = reading;
    try {
      const answer = await this.#read(value.next, reading.signal);
      if (reading.signal.aborted) return;
      const items = this.#load.value?.items ?? [];
      const have = new Set(items.map(({ id }) => id));
      // What is read anew ends elsewhere.
      if (!this.#load.isLoading)
        this.#load.set({ items: [...items, ...answer.items.filter(({ id }) => !have.has(id))], next: answer.next });
    } catch (error) {
      if (reading.signal.aborted) return;
      this.moreProblem = toProblem(error);
    }
    this.isReadingMore = false;
  }

  protected override updated() {
    this.#window.measure(this.#load.value?.items.length ?? 0);
  }

  // Keys

  #key(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isDialogOpen() || isTyping(event)) return;
    const isInList = (event.target as Element | null)?.closest?.('.transaction-list') instanceof Element;
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
    if (isArrow ? !isInList : !areSingleKeysEnabled()) return;
    if (event.key === '/') {
      event.preventDefault();
      this.querySelector<HTMLElement>('#transaction-search')?.focus();
    } else if (event.key === 'j' || event.key === 'ArrowDown') void this.#choose(1, event);
    else if (event.key === 'k' || event.key === 'ArrowUp') void this.#choose(-1, event);
  }

  async #choose(by: number, event: Event) {
    const count = this.#load.value?.items.length ?? 0;
    if (count === 0) return;
    event.preventDefault();
    const focused = (document.activeElement?.closest('.transaction-item') as HTMLElement | null)?.dataset['index'];
    const from = focused === undefined ? this.#chosen : Number(focused);
    const to = Math.min(count - 1, Math.max(0, from + by));
    this.#chosen = to;
    await this.#window.show(to, count);
    const link = this.querySelector<HTMLElement>(`[data-index="${to}"] a`);
    link?.focus({ preventScroll: true });
    link?.scrollIntoView({ block: 'nearest' });
    if (to >= count - 5) void this.#more();
  }

  override render() {
    const { kind } = this.narrowed;
    return html`<header class="page-head">
        <h1 tabindex="-1">${this.text('shell.pages.transactions')}</h1>
        ${kind === 'fiat' ? this.#export.button() : nothing}
      </header>
      ${this.#export.state()}
      <transaction-filters
        .narrowed=${this.narrowed}
        @narrow=${({ detail }: CustomEvent<Narrowing>) => this.#narrow(detail.change, detail.isTyped)}
        @enter-list=${({ detail }: CustomEvent<Event>) => void this.#choose(1, detail)}
      ></transaction-filters>
      ${
        this.fresh === 0
          ? nothing
          : button(this.text('transactions.fresh', { count: this.fresh }), () => void this.#showFresh(), {
              ...{ kind: 'main', icon: 'arrow-up', className: 'fresh-pill' },
            })
      }
      <p class="visually-hidden" role="status">
        ${this.fresh === 0 ? '' : this.text('transactions.fresh', { count: this.fresh })}
      </p>
      ${loadView(this.#load, this.i18n, {
        skeleton: () => skeletonRows(8),
        empty: ({ items }) => (items.length === 0 ? this.#empty() : null),
        content: (listed) => this.#list(listed),
      })}`;
  }

  #empty(): TemplateResult {
    const { kind, filters } = this.narrowed;
    const isNarrowed = Object.keys(filters).length > 0;
    const action = isNarrowed
      ? button(this.text('transactions.clear'), () => this.#narrow({ filters: {} }))
      : this.context.scopes.has('link:write') && kind === 'fiat'
        ? button(this.text('transactions.empty.make'), this.context.merchantPath('new-link'), { kind: 'main' })
        : null;
    const key = isNarrowed ? 'nothing' : kind;
    return emptyState(
      isNarrowed ? 'search' : 'receipt-text',
      this.text(`transactions.empty.${key}.title`),
      this.text(`transactions.empty.${key}.text`),
      action,
    );
  }

  #list({ items, next }: Listed) {
    const { first, last } = this.#window.span(items.length);
    const { kind } = this.narrowed;
    return html`<div class="section">
      <div class="panel">
        ${transactionHeads(kind, this.i18n)}
        <ol class="transaction-list" aria-label=${this.text('shell.pages.transactions')}>
          ${repeat(
            items.slice(first, last),
            ({ id }) => id,
            (item, index) => this.#row(item, first + index, next === null ? items.length : -1),
          )}
        </ol>
      </div>
      ${
        this.moreProblem
          ? html`<account-state
              .problem=${this.moreProblem}
              .isAside=${true}
              @try-again=${() => void this.#more()}
            ></account-state>`
          : nothing
      }
      ${
        next === null
          ? html`<p class="list-end">${this.text('transactions.count', { count: items.length })}</p>`
          : button(this.text(this.isReadingMore ? 'shell.loading' : 'transactions.more'), () => void this.#more(), {
              isDisabled: this.isReadingMore,
              className: 'list-more',
            })
      }
    </div>`;
  }

  #row(item: Item, index: number, size: number) {
    return html`<li class="transaction-item" data-index=${index} aria-posinset=${index + 1} aria-setsize=${size}>
      ${guard([item, this.i18n], () => transactionRow(item, this.context))}
    </li>`;
  }
}
