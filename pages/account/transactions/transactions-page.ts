import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import type {
  CryptoTransaction,
  ListCryptoTransactionsInput,
  ListTransactionsInput,
  TransactionListItem,
} from '../../../client/api.ts';
import { currencyCodes } from '../../../src/shared/currencies.ts';
import { cryptoCurrencies } from '../../../src/shared/crypto-currency.ts';
import { AccountPage } from '../account-page.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { type AccountApi } from '../api.ts';
import { icon } from '../icons.ts';
import { isTyping, usesSingleKeys } from '../keys.ts';
import { Load } from '../load.ts';
import { browserExport, type ExportProgress, type ExportWorld, saveExport } from './export.ts';
import {
  exportQueryOf,
  type FilterName,
  type Kind,
  type Narrowed,
  orderNames,
  queryOf,
  readNarrowed,
  writeNarrowed,
} from './filters.ts';
import { methodCodes, methodMark, nameOfMethod } from './methods.ts';
import { cryptoStatuses, fiatStatuses, statusTag, statusWords } from './status.ts';
import type { PaylatchError } from '../../../client/error.ts';
import { asProblem } from '../problems.ts';
import { button, emptyState } from '../parts.ts';

type Item = TransactionListItem | CryptoTransaction;

interface Listed {
  items: readonly Item[];
  next: string | null;
}

const PAGE = 50;
/** Rows that are drawn above and below what is seen. */
const BESIDE = 12;
const TYPED_MS = 300;
const NEWS_MS = 250;

/** What was listed when somebody went on from there, to come back to. */
const left = new WeakMap<AccountApi, { address: string; listed: Listed }>();

type Export =
  | { state: 'running'; progress: ExportProgress }
  | { state: 'done'; progress: ExportProgress }
  | { state: 'failed'; problem: PaylatchError };

/** All transactions of the merchant, of which only those are drawn that are seen. */
@customElement('transactions-page')
export class TransactionsPage extends AccountPage {
  @property({ attribute: false }) exportWorld: ExportWorld = browserExport;

  @state() private narrowed: Narrowed = readNarrowed('');
  @state() private areFiltersShown = false;
  /** How many have come that are not in the list yet. */
  @state() private fresh = 0;
  @state() private isReadingMore = false;
  @state() private moreProblem: PaylatchError | null = null;
  @state() private export: Export | null = null;
  /** Which rows are drawn. */
  @state() private drawn = { first: 0, last: 40 };

  #address = '';
  #chosen = -1;
  #rowHeight = 0;
  #typed = 0;
  #exporting: AbortController | null = null;
  #reading: AbortController | null = null;

  readonly #load = new Load<Listed>(this, async (signal) => await this.#read(null, signal), true);
  readonly #refresher = this.refreshOnNews({
    afterMs: NEWS_MS,
    hasRead: () => this.#load.value !== null,
    read: async () => await this.#refresh(),
  });

  override connectedCallback() {
    super.connectedCallback();
    this.narrowed = readNarrowed(location.search);
    this.areFiltersShown = false;
    this.#address = this.#ownAddress;
    const kept = left.get(this.context.api);
    if (kept?.address === this.#address) {
      this.#load.set(kept.listed);
      this.#refresher.soon();
    } else void this.#load.run();
    addEventListener('popstate', this.#walked);
    addEventListener('scroll', this.#scrolled, { passive: true });
    addEventListener('resize', this.#scrolled, { passive: true });
    addEventListener('keydown', this.#key);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    const listed = this.#load.value;
    if (listed) left.set(this.context.api, { address: this.#address, listed });
    removeEventListener('popstate', this.#walked);
    removeEventListener('scroll', this.#scrolled);
    removeEventListener('resize', this.#scrolled);
    removeEventListener('keydown', this.#key);
    clearTimeout(this.#typed);
    this.#reading?.abort();
    this.#exporting?.abort();
  }

  /** Where this list stands, for whoever comes back: its merchant and what it is narrowed to. */
  get #ownAddress() {
    return `${this.context.here('transactions')}${writeNarrowed(this.narrowed)}`;
  }

  async #read(cursor: string | null, signal: AbortSignal): Promise<Listed> {
    const { api } = this.context;
    const query = { ...queryOf(this.narrowed), per_page: PAGE, cursor } as ListTransactionsInput &
      ListCryptoTransactionsInput;
    if (this.narrowed.kind === 'crypto') {
      const answer = await api.listCryptoTransactions(query, { signal });
      return { items: answer.transactions, next: answer.next_cursor };
    }
    const answer = await api.listTransactions(query, { signal });
    return { items: answer.transactions, next: answer.pagination.next_cursor };
  }

  // What it is narrowed to

  readonly #walked = () => {
    if (!location.pathname.endsWith('/transactions')) return;
    const narrowed = readNarrowed(location.search);
    if (writeNarrowed(narrowed) !== writeNarrowed(this.narrowed)) this.#begin(narrowed);
  };

  #narrow(change: Partial<Narrowed>, manner: 'push' | 'replace' = 'push') {
    const narrowed = { ...this.narrowed, ...change };
    const written = writeNarrowed(narrowed);
    if (written === writeNarrowed(this.narrowed)) return;
    const address = location.pathname + written;
    if (manner === 'push') history.pushState({ scroll: 0 }, '', address);
    else history.replaceState(history.state, '', address);
    this.#begin(narrowed);
  }

  get #searchField() {
    return this.querySelector<HTMLInputElement>('#transaction-search');
  }

  /** What has just been typed counts as well, whether or not it was waited for. */
  get #filtersAsTyped(): Narrowed['filters'] {
    return { ...this.narrowed.filters, search: this.#searchField?.value.trim() ?? '' };
  }

  #filter(name: FilterName, value: string, manner: 'push' | 'replace' = 'push') {
    this.#narrow({ filters: { ...this.#filtersAsTyped, [name]: value.trim() } }, manner);
  }

  /** The field keeps what somebody types into it, as long as that is what is searched for. */
  #showSearch() {
    const field = this.#searchField;
    const { search = '' } = this.narrowed.filters;
    if (field && field.value.trim() !== search) field.value = search;
  }

  #begin(narrowed: Narrowed) {
    clearTimeout(this.#typed);
    this.narrowed = readNarrowed(writeNarrowed(narrowed));
    this.#address = this.#ownAddress;
    this.#chosen = -1;
    this.fresh = 0;
    this.moreProblem = null;
    this.#reading?.abort();
    this.isReadingMore = false;
    this.drawn = { first: 0, last: 40 };
    void this.#load.restart();
  }

  #searched(event: Event) {
    const { value } = event.target as HTMLInputElement;
    clearTimeout(this.#typed);
    this.#typed = window.setTimeout(() => this.#filter('search', value, 'replace'), TYPED_MS);
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
    const newest = new Map(now.items.map((item) => [item.id, item]));
    const have = new Set(known.items.map(({ id }) => id));
    const added = now.items.filter(({ id }) => !have.has(id));
    const items = known.items.map((item) => newest.get(item.id) ?? item);
    // Nothing of what is known is among the newest: there is a gap that only reading anew closes.
    const isGap = added.length === now.items.length && items.length > 0;
    if (this.#isReading || isGap) this.fresh = added.length;
    this.#load.set({ items: this.#isReading || isGap ? items : [...added, ...items], next: known.next });
  }

  /** Whether somebody is looking at rows further down. */
  get #isReading() {
    return scrollY > 160;
  }

  async #showFresh() {
    this.fresh = 0;
    scrollTo(0, 0);
    this.drawn = { first: 0, last: 40 };
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
      this.moreProblem = asProblem(error);
    }
    this.isReadingMore = false;
  }

  // What is drawn

  readonly #scrolled = () => {
    const list = this.querySelector<HTMLElement>('.transaction-list');
    const { value } = this.#load;
    if (!list || !value) return;
    const box = list.getBoundingClientRect();
    const height = this.#rowHeight || 60;
    const first = Math.max(0, Math.floor(-box.top / height) - BESIDE);
    const last = Math.max(first + 1, Math.ceil((innerHeight - box.top) / height) + BESIDE);
    if (first !== this.drawn.first || last !== this.drawn.last) this.drawn = { first, last };
    const isNear = box.bottom < innerHeight + 800;
    if (isNear && scrollY > 0 && this.moreProblem === null) void this.#more();
  };

  protected override updated(changed: PropertyValues) {
    if (changed.has('narrowed')) this.#showSearch();
    const list = this.querySelector<HTMLElement>('.transaction-list');
    const row = list?.querySelector<HTMLElement>('.transaction-item');
    if (!list || !row) return;
    const height = row.getBoundingClientRect().height;
    const isOther = height > 0 && Math.abs(height - this.#rowHeight) > 0.5;
    if (isOther) this.#rowHeight = height;
    const count = this.#load.value?.items.length ?? 0;
    const { first, last } = this.#span(count);
    list.style.paddingBlockStart = `${first * this.#rowHeight}px`;
    list.style.paddingBlockEnd = `${Math.max(0, count - last) * this.#rowHeight}px`;
    if (isOther) requestAnimationFrame(this.#scrolled);
  }

  #span(count: number) {
    const last = Math.min(count, this.drawn.last);
    return { first: Math.min(this.drawn.first, Math.max(0, last - 1)), last };
  }

  // Keys

  readonly #key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector('dialog[open]') || isTyping(event)) return;
    const isInList = (event.target as Element | null)?.closest?.('.transaction-list') instanceof Element;
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
    if (isArrow ? !isInList : !usesSingleKeys()) return;
    if (event.key === '/') {
      event.preventDefault();
      this.#searchField?.focus();
    } else if (event.key === 'j' || event.key === 'ArrowDown') void this.#choose(1, event);
    else if (event.key === 'k' || event.key === 'ArrowUp') void this.#choose(-1, event);
  };

  async #choose(by: number, event: Event) {
    const count = this.#load.value?.items.length ?? 0;
    if (count === 0) return;
    event.preventDefault();
    const focused = (document.activeElement?.closest('.transaction-item') as HTMLElement | null)?.dataset['index'];
    const from = focused === undefined ? this.#chosen : Number(focused);
    const to = Math.min(count - 1, Math.max(0, from + by));
    this.#chosen = to;
    const { first, last } = this.#span(count);
    if (to < first || to >= last) {
      this.drawn = { first: Math.max(0, to - BESIDE), last: to + BESIDE * 3 };
      await this.updateComplete;
    }
    const link = this.querySelector<HTMLElement>(`[data-index="${to}"] a`);
    link?.focus({ preventScroll: true });
    link?.scrollIntoView({ block: 'nearest' });
    if (to >= count - 5) void this.#more();
  }

  // The file

  async #exportAll() {
    if (this.export?.state === 'running') return;
    const exporting = new AbortController();
    this.#exporting = exporting;
    this.export = { state: 'running', progress: { rows: 0, bytes: 0 } };
    try {
      const progress = await saveExport(this.exportWorld, {
        name: `transactions-${new Date().toISOString().slice(0, 10)}.csv`,
        signal: exporting.signal,
        fetch: async () =>
          await this.context.api.file('/fiat/v1/transactions/export', exportQueryOf(this.narrowed), exporting.signal),
        progress: (so) => {
          this.export = { state: 'running', progress: so };
        },
      });
      this.export = { state: 'done', progress };
      this.context.say(this.text('transactions.export.done', { count: progress.rows }));
    } catch (error) {
      const isGivenUp = exporting.signal.aborted || (error instanceof DOMException && error.name === 'AbortError');
      this.export = isGivenUp ? null : { state: 'failed', problem: asProblem(error) };
    }
  }

  override render() {
    const { kind } = this.narrowed;
    return html`<header class="page-head">
        <h1 tabindex="-1">${this.text('shell.pages.transactions')}</h1>
        ${
          kind === 'fiat'
            ? button(this.text('transactions.export.button'), () => void this.#exportAll(), {
                icon: 'download',
                isDisabled: this.export?.state === 'running',
              })
            : nothing
        }
      </header>
      ${this.#exportState()}
      <section class="section" aria-label=${this.text('transactions.narrow')}>
        ${this.#bar()} ${this.areFiltersShown ? this.#filters() : this.#chips()}
      </section>
      ${
        this.fresh === 0
          ? nothing
          : html`<button class="fresh-pill" type="button" @click=${() => void this.#showFresh()}>
              ${icon('arrow-up')}${this.text('transactions.fresh', { count: this.fresh })}
            </button>`
      }
      <p class="visually-hidden" role="status">
        ${this.fresh === 0 ? '' : this.text('transactions.fresh', { count: this.fresh })}
      </p>
      ${loadView(this.#load, this.words, {
        skeleton: () => skeletonRows(8),
        empty: ({ items }) => (items.length === 0 ? this.#empty() : null),
        shown: (listed) => this.#list(listed),
      })}`;
  }

  #bar() {
    const { kind } = this.narrowed;
    const kinds: readonly Kind[] = ['fiat', 'crypto'];
    const set = this.#setFilters.length;
    return html`<div class="list-bar">
      <nav class="segments" aria-label=${this.text('transactions.kinds.label')}>
        ${kinds.map((each) => {
          const address =
            this.context.here('transactions') + writeNarrowed({ kind: each, order: 'newest', filters: {} });
          return html`<a
            class="segment"
            href=${address}
            aria-current=${each === kind ? 'true' : nothing}
            @click=${(event: MouseEvent) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
              event.preventDefault();
              this.#narrow({ kind: each, filters: {}, order: 'newest' });
            }}
            >${this.text(`transactions.kinds.${each}`)}</a
          >`;
        })}
      </nav>
      <label class="list-search">
        ${icon('search')}
        <span class="visually-hidden">${this.text('transactions.search.label')}</span>
        <input
          class="field"
          id="transaction-search"
          type="search"
          autocomplete="off"
          spellcheck="false"
          maxlength=${kind === 'fiat' ? 64 : 128}
          aria-keyshortcuts="/"
          placeholder=${this.text(`transactions.search.${kind}`)}
          @input=${(event: Event) => this.#searched(event)}
          @keydown=${(event: KeyboardEvent) => event.key === 'ArrowDown' && void this.#choose(1, event)}
        />
      </label>
      <button
        class="button"
        type="button"
        aria-expanded=${this.areFiltersShown}
        aria-controls="transaction-filters"
        @click=${() => (this.areFiltersShown = !this.areFiltersShown)}
      >
        ${icon('filter')}${this.text('transactions.filters')}${set === 0 ? nothing : html`<span class="count">${set}</span>`}
      </button>
    </div>`;
  }

  get #setFilters(): [FilterName, string][] {
    const { search: _search, ...filters } = this.narrowed.filters;
    return Object.entries(filters).filter(([, value]) => value !== '') as [FilterName, string][];
  }

  /** What it is narrowed to, each to be taken away. */
  #chips() {
    const set = this.#setFilters;
    if (set.length === 0) return nothing;
    return html`<ul class="chips">
      ${set.map(([name, value]) => {
        const words = `${this.text(`transactions.filter.${name}`)}: ${this.#valueWords(name, value)}`;
        return html`<li>
          <button class="chip" type="button" @click=${() => this.#filter(name, '')}>
            <span class="chip-words">${words}</span>${icon('x')}
            <span class="visually-hidden">${this.text('transactions.take_away')}</span>
          </button>
        </li>`;
      })}
      <li><button class="chip chip-quiet" type="button" @click=${() => this.#narrow({ filters: {} })}>
        ${this.text('transactions.clear')}
      </button></li>
    </ul>`;
  }

  #valueWords(name: FilterName, value: string): string {
    const { format } = this.context;
    if (name === 'status') return this.#knownStatus(value) ? statusWords(value as never, this.words) : value;
    if (name === 'payment_method') return nameOfMethod(value, this.words);
    if (name === 'code') return cryptoCurrencies[value as keyof typeof cryptoCurrencies]?.name ?? value;
    if (name === 'country') return format.country(value);
    return value;
  }

  #knownStatus(value: string) {
    return ([...fiatStatuses, ...cryptoStatuses] as readonly string[]).includes(value);
  }

  #filters() {
    const { kind, filters, order } = this.narrowed;
    const select = (name: FilterName, options: readonly { code: string; name: string }[]) =>
      this.#select(name, this.text(`transactions.filter.${name}`), filters[name] ?? '', [
        { code: '', name: this.text('transactions.any') },
        ...options,
      ]);
    const statuses: readonly string[] = kind === 'fiat' ? fiatStatuses : cryptoStatuses;
    const status = select(
      'status',
      statuses.map((code) => ({ code, name: statusWords(code as never, this.words) })),
    );
    if (kind === 'crypto')
      return html`<div class="panel filters" id="transaction-filters">
        ${status}
        ${select(
          'code',
          Object.entries(cryptoCurrencies).map(([code, { name }]) => ({ code, name })),
        )}
        ${this.#clear()}
      </div>`;
    const { format } = this.context;
    return html`<div class="panel filters" id="transaction-filters">
      ${status}
      ${select(
        'payment_method',
        methodCodes.map((code) => ({ code, name: nameOfMethod(code, this.words) })),
      )}
      ${this.#day('since')} ${this.#day('till')}
      ${select(
        'currency',
        currencyCodes.map((code) => ({ code, name: format.currency(code) })),
      )}
      ${select(
        'country',
        format.countries.map(({ alpha3: code, name }) => ({ code, name })),
      )}
      ${this.#select(
        'order',
        this.text('transactions.filter.order'),
        order,
        orderNames.map((code) => ({ code, name: this.text(`transactions.order.${code}`) })),
      )}
      ${this.#clear()}
    </div>`;
  }

  #clear() {
    if (this.#setFilters.length === 0) return nothing;
    return button(this.text('transactions.clear'), () => this.#narrow({ filters: {} }), {
      kind: 'quiet',
      className: 'filters-clear',
    });
  }

  #select(
    name: FilterName | 'order',
    label: string,
    value: string,
    options: readonly { code: string; name: string }[],
  ) {
    const changed = (event: Event) => {
      const chosen = (event.target as HTMLSelectElement).value;
      if (name === 'order') this.#narrow({ order: chosen as Narrowed['order'], filters: this.#filtersAsTyped });
      else this.#filter(name, chosen);
    };
    return html`<div class="labelled">
      <label for="filter-${name}">${label}</label>
      <div class="select">
        <select class="field" id="filter-${name}" .value=${value} @change=${changed}>
          ${options.map(({ code, name }) => html`<option value=${code} ?selected=${code === value}>${name}</option>`)}
        </select>
        ${icon('chevron-down')}
      </div>
    </div>`;
  }

  #day(name: 'since' | 'till') {
    return html`<div class="labelled">
      <label for="filter-${name}">${this.text(`transactions.filter.${name}`)}</label>
      <input
        class="field"
        id="filter-${name}"
        type="date"
        .value=${this.narrowed.filters[name] ?? ''}
        @change=${(event: Event) => this.#filter(name, (event.target as HTMLInputElement).value)}
      />
    </div>`;
  }

  #exportState() {
    const { export: so } = this;
    if (so === null) return nothing;
    if (so.state === 'failed') {
      return html`<account-state
        .problem=${so.problem}
        .isAside=${true}
        @try-again=${() => void this.#exportAll()}
      ></account-state>`;
    }
    const { rows, bytes } = so.progress;
    const size = this.context.format.size(bytes);
    return html`<div class="notice export-state">
      ${icon(so.state === 'done' ? 'circle-check' : 'file-down')}
      <p>
        ${this.text(`transactions.export.${so.state}`, { count: rows })}
        <span class="export-size">${size}</span>
      </p>
      ${
        so.state === 'running'
          ? button(this.text('shell.cancel'), () => this.#exporting?.abort())
          : button(this.text('shell.close'), () => (this.export = null))
      }
    </div>`;
  }

  #empty(): TemplateResult {
    const { kind, filters } = this.narrowed;
    const isNarrowed = Object.keys(filters).length > 0;
    const action = isNarrowed
      ? button(this.text('transactions.clear'), () => this.#narrow({ filters: {} }))
      : this.context.scopes.has('link:write') && kind === 'fiat'
        ? html`<a class="button button-main" href=${this.context.here('new-link')}>${this.text('transactions.empty.make')}</a>`
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
    const { first, last } = this.#span(items.length);
    const { kind } = this.narrowed;
    return html`<div class="section">
      <div class="panel">
        <div class="transaction-heads" aria-hidden="true">
          <span>${this.text('transactions.column.when')}</span>
          <span>${this.text('transactions.column.reference')}</span>
          <span>${this.text('transactions.column.description')}</span>
          <span>${this.text(`transactions.column.${kind === 'fiat' ? 'method' : 'coin'}`)}</span>
          <span class="column-amount">${this.text('transactions.column.amount')}</span>
          <span>${this.text('transactions.column.status')}</span>
        </div>
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
      ${guard([item, this.words], () => this.#cells(item))}
    </li>`;
  }

  #cells(item: Item) {
    const row = 'txId' in item ? this.#cryptoRow(item) : this.#fiatRow(item);
    return html`<a class="transaction-row" href=${row.address}>
      <span class="cell cell-when">${this.context.format.moment(row.at)}</span>
      <span class="cell cell-reference"><bdi>${row.reference}</bdi></span>
      <span class="cell cell-description"><bdi>${row.description}</bdi></span>
      <span class="cell cell-method">${methodMark(row.method)}<span>${row.methodName}</span></span>
      <span class="cell cell-amount">${row.amount}</span>
      <span class="cell cell-status">${statusTag(item.status, this.words)}</span>
    </a>`;
  }

  #fiatRow(item: TransactionListItem) {
    const { format } = this.context;
    return {
      address: this.context.here('transactions', item.transaction_id),
      at: item.created_at,
      reference: item.transaction_id,
      description: item.description,
      method: item.payment_method,
      methodName: nameOfMethod(item.payment_method, this.words),
      amount: format.money(item.amount, item.currency),
    };
  }

  #cryptoRow(item: CryptoTransaction) {
    const { format } = this.context;
    const labels = item.labels.map((label) => this.text(`transactions.label.${label}`));
    return {
      address: `${this.context.here('transactions', item.id)}?kind=crypto`,
      at: item.createdAt,
      reference: item.txId ?? this.text('transactions.no_invoice'),
      description: labels.length > 0 ? labels.join(', ') : (item.comment ?? item.walletAddress),
      method: item.code,
      methodName: cryptoCurrencies[item.code].name,
      amount: format.coins(item.amountRequiredUnit ?? item.amountUnit, item.code),
    };
  }
}
