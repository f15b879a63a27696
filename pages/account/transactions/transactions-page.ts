import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { AccountPage } from '../account-page.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { type AccountApi } from '../api.ts';
import { Loader } from '../loader.ts';
import { emptyList } from './empty-list.ts';
import { browserExport, type ExportEnvironment } from './export.ts';
import { type ListQuery, type SortOrder, parseListQuery, formatListQuery } from './filters.ts';
import {
  type TransactionList,
  mergeNewest,
  PAGE_SIZE,
  readFromStart,
  readTransactions,
  reuseUnchanged,
} from './transaction-list.ts';
import { ListExport } from './list-export.ts';
import { listKeyOf } from './list-keys.ts';
import { listenTo } from '../listeners.ts';
import { SplitView } from './split-view.ts';
import { type ColumnName, readHiddenColumns, writeHiddenColumns } from './columns.ts';
import type { FiltersChange } from './transaction-filters.ts';
import './transaction-filters.ts';
import './transaction-table.ts';
import type { PaylatchError } from '../../../client/error.ts';
import { toProblem } from '../problems.ts';
import { button, problemView } from '../parts.ts';

const REFRESH_DELAY_MS = 250;
/** Distance of the list's end from the view at which the next page loads. */
const LOAD_DISTANCE = '1000px';

/** Lists of pages that the user left, to restore on return. */
const savedLists = new WeakMap<AccountApi, { url: string; list: TransactionList }>();

/** All transactions of the merchant. */
@customElement('transactions-page')
export class TransactionsPage extends AccountPage {
  @property({ attribute: false }) exportEnvironment: ExportEnvironment = browserExport;

  @state() listQuery: ListQuery = parseListQuery('');
  /** Number of new transactions that are not in the list yet. */
  @state() private newCount = 0;
  @state() private isLoadingMore = false;
  @state() private moreProblem: PaylatchError | null = null;
  @state() private hiddenColumns: readonly ColumnName[] = readHiddenColumns();
  @state() private tableWidth = 0;

  #listUrl = '';
  /** True if rows beyond the first page may have changed: the next refresh reads all. */
  #isStale = false;
  #abortController: AbortController | null = null;

  readonly #export = new ListExport(this);
  readonly #split = new SplitView(this);
  readonly #loader = new Loader<TransactionList>(this, async (signal) => await this.#read(null, signal), true);
  readonly #refresher = this.refreshOnUpdate({
    afterMs: REFRESH_DELAY_MS,
    hasRead: () => this.#loader.value !== null,
    read: async () => await this.#refresh(),
  });

  readonly #endObserver = new IntersectionObserver(
    (entries) => {
      if (this.moreProblem === null && entries.at(-1)?.isIntersecting === true) void this.#loadMore();
    },
    { rootMargin: LOAD_DISTANCE },
  );

  constructor() {
    super();
    this.addEventListener('transaction-changed', () => this.#refreshAll());
    listenTo(this, window, {
      popstate: () => this.#handlePopState(),
      keydown: (event: KeyboardEvent) => this.#handleKey(event),
    });
  }

  override connectedCallback() {
    super.connectedCallback();
    this.listQuery = parseListQuery(location.search);
    this.#listUrl = this.#currentUrl;
    const saved = savedLists.get(this.context.api);
    if (saved?.url === this.#listUrl) {
      this.#loader.set(saved.list);
      this.#refreshAll();
    } else void this.#loader.run();
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    const list = this.#loader.value;
    if (list) savedLists.set(this.context.api, { url: this.#listUrl, list });
    this.#abortController?.abort();
    this.#endObserver.disconnect();
  }

  /** URL of this list with its filters; identifies it on return. */
  get #currentUrl() {
    return `${this.context.merchantPath('transactions')}${formatListQuery(this.listQuery)}`;
  }

  async #read(cursor: string | null, signal: AbortSignal): Promise<TransactionList> {
    return await readTransactions(this.context.api, this.listQuery, cursor, signal);
  }

  // Filters

  #handlePopState() {
    if (!location.pathname.endsWith('/transactions')) return;
    this.#split.readUrl();
    const listQuery = parseListQuery(location.search);
    if (formatListQuery(listQuery) !== formatListQuery(this.listQuery)) this.#applyQuery(listQuery);
  }

  #changeQuery(change: Partial<ListQuery>, isTyping = false) {
    const listQuery = { ...this.listQuery, ...change };
    const search = formatListQuery(listQuery);
    if (search === formatListQuery(this.listQuery)) return;
    this.#split.close();
    const url = location.pathname + search;
    if (!isTyping) history.pushState({ scroll: 0 }, '', url);
    else history.replaceState(history.state, '', url);
    this.#applyQuery(listQuery);
  }

  #applyQuery(listQuery: ListQuery) {
    this.listQuery = parseListQuery(formatListQuery(listQuery));
    this.#listUrl = this.#currentUrl;
    this.newCount = 0;
    this.moreProblem = null;
    this.#abortController?.abort();
    this.isLoadingMore = false;
    void this.#loader.restart();
  }

  // Refresh and pagination

  #refreshAll() {
    this.#isStale = true;
    this.#refresher.schedule();
  }

  /** Reads the first page or all loaded ones again, and keeps the scroll position. */
  async #refresh() {
    const previous = this.#loader.value;
    if (previous === null || this.#loader.isLoading) return await this.#loader.refresh();
    const { listQuery } = this;
    const count = this.#isStale ? previous.items.length : 0;
    this.#isStale = false;
    const newest = await readFromStart(this.context.api, listQuery, count).catch(() => null);
    if (newest === null && count > 0) this.#isStale = true;
    // A later request is newer.
    if (newest === null || listQuery !== this.listQuery || this.#loader.isLoading || !this.isConnected) return;
    const current = this.#loader.value ?? previous;
    if (!this.#isScrolled && current.items.length <= PAGE_SIZE) {
      this.newCount = 0;
      this.#loader.set({ ...newest, items: reuseUnchanged(current.items, newest.items) });
      return;
    }
    const merge = mergeNewest(current.items, newest, this.#isScrolled);
    if (merge.newCount !== null) this.newCount = merge.newCount;
    this.#loader.set({ ...current, items: merge.items, counts: newest.counts });
  }

  /** The user has scrolled down. */
  get #isScrolled() {
    return scrollY > 160;
  }

  async #showNewItems() {
    this.newCount = 0;
    scrollTo(0, 0);
    await this.#loader.restart();
  }

  async #loadMore() {
    const { value } = this.#loader;
    if (value === null || value.next === null || this.isLoadingMore) return;
    this.isLoadingMore = true;
    this.moreProblem = null;
    const abortController = new AbortController();
    this.#abortController = abortController;
    try {
      const page = await this.#read(value.next, abortController.signal);
      if (abortController.signal.aborted) return;
      const items = this.#loader.value?.items ?? [];
      const knownIds = new Set(items.map(({ id }) => id));
      // A list that is being reloaded will have another cursor.
      if (!this.#loader.isLoading)
        this.#loader.set({
          ...{ items: [...items, ...page.items.filter(({ id }) => !knownIds.has(id))], next: page.next },
          counts: this.#loader.value?.counts ?? null,
        });
    } catch (error) {
      if (abortController.signal.aborted) return;
      this.moreProblem = toProblem(error);
    }
    this.isLoadingMore = false;
  }

  /** Observes the end of each list again: a short list may end in the view. */
  protected override updated() {
    this.#endObserver.disconnect();
    const end = this.querySelector('.transaction-section')?.lastElementChild;
    if (end?.matches('.list-more') === true) this.#endObserver.observe(end);
  }

  get #table() {
    return this.querySelector('transaction-table');
  }

  /** Includes the rows, so that the page has its height. */
  protected override async getUpdateComplete() {
    const isComplete = await super.getUpdateComplete();
    await this.#table?.updateComplete;
    return isComplete;
  }

  // Shortcuts

  #handleKey(event: KeyboardEvent) {
    const key = listKeyOf(event);
    if (key === 'search') {
      event.preventDefault();
      this.querySelector<HTMLElement>('#transaction-search')?.focus();
    } else if (key !== null) this.#moveFocus(key, event);
  }

  #moveFocus(step: number, event: Event) {
    if (!this.#table) return;
    event.preventDefault();
    void this.#table.moveFocus(step);
  }

  override render() {
    return html`<header class="page-head transactions-head">
        <h1 tabindex="-1">${this.text('shell.pages.transactions')}</h1>
        ${this.listQuery.kind === 'fiat' ? this.#export.button() : nothing}
      </header>
      ${this.#export.state()}
      <transaction-filters
        .listQuery=${this.listQuery}
        .counts=${this.#loader.value?.counts ?? null}
        .hiddenColumns=${this.hiddenColumns}
        .tableWidth=${this.tableWidth}
        @columns-change=${({ detail }: CustomEvent<readonly ColumnName[]>) => this.#changeColumns(detail)}
        @filters-change=${({ detail }: CustomEvent<FiltersChange>) => this.#changeQuery(detail.change, detail.isTyping)}
        @enter-list=${({ detail }: CustomEvent<Event>) => this.#moveFocus(1, detail)}
      ></transaction-filters>
      ${
        this.newCount === 0
          ? nothing
          : button(this.text('transactions.new_count', { count: this.newCount }), () => void this.#showNewItems(), {
              ...{ kind: 'primary', icon: 'arrow-up', className: 'new-items-pill' },
            })
      }
      <p class="visually-hidden" role="status">
        ${this.newCount === 0 ? '' : this.text('transactions.new_count', { count: this.newCount })}
      </p>
      ${loadView(this.#loader, this.i18n, {
        skeleton: () => skeletonRows(8),
        empty: ({ items }) =>
          items.length === 0 ? emptyList(this.listQuery, this.context, () => this.#changeQuery({ filters: {} })) : null,
        content: (list) => this.#split.render(this.#list(list), this.listQuery.kind),
      })}`;
  }

  #changeColumns(hidden: readonly ColumnName[]) {
    this.hiddenColumns = hidden;
    writeHiddenColumns(hidden);
  }

  #list({ items, next }: TransactionList) {
    return html`<div class="section transaction-section">
      <transaction-table
        class="panel"
        .listQuery=${this.listQuery}
        .items=${items}
        .hiddenColumns=${this.hiddenColumns}
        .openReference=${this.#split.openReference}
        @width-change=${({ detail }: CustomEvent<number>) => (this.tableWidth = detail)}
        @order-change=${({ detail }: CustomEvent<SortOrder>) => this.#changeQuery({ order: detail })}
        @click=${(event: MouseEvent) => this.#split.handleClick(event)}
      ></transaction-table>
      ${this.moreProblem ? problemView(this.moreProblem, () => void this.#loadMore()) : nothing}
      ${
        next === null
          ? html`<p class="list-end">${this.text('transactions.count', { count: items.length })}</p>`
          : button(this.text(this.isLoadingMore ? 'shell.loading' : 'transactions.more'), () => void this.#loadMore(), {
              isDisabled: this.isLoadingMore,
              className: 'list-more',
            })
      }
    </div>`;
  }
}
