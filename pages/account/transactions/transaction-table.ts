import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { AccountElement } from '../account-element.ts';
import { listenTo } from '../listeners.ts';
import { type Column, type ColumnName, isCardLayout, visibleColumns } from './columns.ts';
import type { ListQuery } from './filters.ts';
import { BLOCK_SIZE, RowBlocks, type RowBlock } from './row-blocks.ts';
import { type Item, referenceOf, type RowLayout, transactionColumns, transactionRow } from './transaction-row.ts';

/** Blocks that are rendered with the list; enough for most screens. */
const FIRST_BLOCKS = 4;

/**
 * The loaded transactions. All of them are in the document, in blocks of rows: the browser skips the style and layout
 * of blocks outside the view, so scrolling runs no script. A block is rendered again only if one of its rows changes.
 *
 * @fires order-change - `detail` is a `SortOrder`
 * @fires width-change - `detail` is its width in rem
 */
@customElement('transaction-table')
export class TransactionTable extends AccountElement {
  @property({ attribute: false }) listQuery!: ListQuery;
  @property({ attribute: false }) items: readonly Item[] = [];
  @property({ attribute: false }) hiddenColumns: readonly ColumnName[] = [];
  /** Reference of the transaction that is shown next to the list. */
  @property({ attribute: false }) openReference: string | null = null;

  /** Width in rem. */
  @state() private width = 0;
  readonly #splitter = new RowBlocks<Item>();
  #blocks: readonly RowBlock<Item>[] = [];
  /** Keys of the rendered blocks. The others have their height, but no rows yet. */
  readonly #rendered = new Set<number>();
  #frame = 0;
  #columns: readonly Column[] = [];
  /** Reference of the row that the keyboard moved to last. */
  #active: string | undefined;
  readonly #observer = new ResizeObserver(() => this.#measure());

  constructor() {
    super();
    listenTo(this, window, { beforeprint: () => this.#renderBlocks(this.#blocks) });
  }

  override connectedCallback() {
    super.connectedCallback();
    this.#measure();
    this.#observer.observe(this);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#observer.disconnect();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  #measure() {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    const width = Math.floor(this.clientWidth / rem);
    if (width === 0 || width === this.width) return;
    this.width = width;
    this.emit('width-change', width);
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    this.#columns = visibleColumns(this.listQuery.kind, this.hiddenColumns, this.width);
    const tracks = this.#columns.map(({ width }) => width).join(' ');
    // All rows inherit the property, so it is set only if it changes.
    if (this.style.getPropertyValue('--columns') !== tracks) this.style.setProperty('--columns', tracks);
    if (!changed.has('items')) return;
    this.#blocks = this.#splitter.split(this.items);
    for (const [index, { key, rows }] of this.#blocks.entries())
      if (index < FIRST_BLOCKS || rows.length < BLOCK_SIZE) this.#rendered.add(key);
  }

  protected override updated() {
    if (this.#frame === 0 && this.#blocks.some(({ key }) => !this.#rendered.has(key)))
      this.#frame = requestAnimationFrame(() => this.#renderNext());
  }

  /** Renders the blocks in the view before this frame is painted; without any, the nearest one. */
  #renderNext() {
    this.#frame = 0;
    const list = this.querySelector('.transaction-list')?.getBoundingClientRect();
    if (!list?.height) return;
    const rowHeight = list.height / this.items.length;
    const [first, last] = [-list.top / rowHeight, (innerHeight - list.top) / rowHeight];
    const waiting = this.#blocks
      .filter(({ key }) => !this.#rendered.has(key))
      .map((block) => ({ block, distance: Math.max(0, first - block.start - BLOCK_SIZE, block.start - last) }));
    const limit = Math.min(...waiting.map(({ distance }) => distance));
    this.#renderBlocks(waiting.filter(({ distance }) => distance <= limit).map(({ block }) => block));
  }

  #renderBlocks(blocks: readonly RowBlock<Item>[]) {
    for (const { key } of blocks) this.#rendered.add(key);
    this.requestUpdate();
  }

  /** Focuses the row `step` rows after the focused one, or after the one that was focused last. */
  async moveFocus(step: number): Promise<void> {
    const { items } = this;
    const focused = document.activeElement?.closest<HTMLElement>('.transaction-item')?.dataset['reference'];
    const from = items.findIndex((item) => referenceOf(item) === (focused ?? this.#active));
    const to = Math.min(items.length - 1, Math.max(0, from + step));
    const item = items[to];
    if (!item) return;
    this.#active = referenceOf(item);
    this.#renderBlocks(this.#blocks.filter(({ start, rows }) => start <= to && to < start + rows.length));
    await this.updateComplete;
    const link = this.querySelector<HTMLElement>(`[data-reference="${CSS.escape(this.#active)}"] a`);
    link?.focus({ preventScroll: true });
    link?.scrollIntoView({ block: 'nearest' });
  }

  override render() {
    const { listQuery, i18n } = this;
    return html`${transactionColumns(listQuery, this.#columns, i18n, (order) => this.emit('order-change', order))}
      <div class="transaction-list" role="list" aria-label=${this.text('shell.pages.transactions')}>
        ${repeat(
          this.#blocks,
          ({ key }) => key,
          (block) => this.#block(block),
        )}
      </div>`;
  }

  #block({ key, rows }: RowBlock<Item>) {
    const isRendered = this.#rendered.has(key);
    const isCard = isCardLayout(this.width);
    const names = this.#columns.map(({ name }) => name);
    const isPayerBelow = !isCard && ![...names, ...this.hiddenColumns].includes('payer');
    const open = rows.find((item) => this.#isOpen(item));
    return html`<div class=${rows.length === BLOCK_SIZE ? 'transaction-block' : nothing} role="presentation">
      ${guard([isRendered, this.i18n, names.join(' '), isCard, isPayerBelow, open, ...rows], () =>
        isRendered
          ? repeat(
              rows,
              ({ id }) => id,
              (item) => this.#row(item, { columns: this.#columns, isCard, isPayerBelow }),
            )
          : nothing,
      )}
    </div>`;
  }

  #row(item: Item, layout: RowLayout) {
    return html`<div
      class="transaction-item ${this.#isOpen(item) ? 'transaction-open' : ''}"
      role="listitem"
      data-reference=${referenceOf(item)}
    >
      ${transactionRow(item, this.context, layout)}
    </div>`;
  }

  #isOpen(item: Item) {
    return this.openReference !== null && referenceOf(item) === this.openReference;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'transaction-table': TransactionTable;
  }
}
