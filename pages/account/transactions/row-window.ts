import type { ReactiveControllerHost } from 'lit';
import { listenTo } from '../listeners.ts';

/** Rendered rows before and after the visible ones. */
const OVERSCAN = 12;
const INITIAL_RANGE = { first: 0, last: 40 };

/** Renders only the visible rows of a long list. All rows have the same height. */
export class RowWindow {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #onNearEnd: () => void;
  #range = INITIAL_RANGE;
  #rowHeight = 0;
  #isPrinting = false;
  /** Width of the list in rem. */
  width = 0;
  /** Grid tracks of the columns. */
  columns = '';

  constructor(host: ReactiveControllerHost & HTMLElement, onNearEnd: () => void) {
    this.#host = host;
    this.#onNearEnd = onNearEnd;
    listenTo(host, window, {
      scroll: this.#handleScroll,
      resize: this.#handleResize,
      beforeprint: () => this.#setPrinting(true),
      afterprint: () => this.#setPrinting(false),
    });
  }

  get #list() {
    return this.#host.querySelector<HTMLElement>('.transaction-list');
  }

  #setRange(range: typeof INITIAL_RANGE) {
    this.#range = range;
    this.#host.requestUpdate();
  }

  reset() {
    this.#setRange(INITIAL_RANGE);
  }

  readonly #handleResize = () => {
    this.#measureWidth();
    this.#handleScroll();
  };

  /** Renders again if other columns may fit. */
  #measureWidth() {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    const width = Math.floor((this.#list?.clientWidth ?? 0) / rem);
    if (width === 0 || width === this.width) return;
    this.width = width;
    this.#host.requestUpdate();
  }

  readonly #handleScroll = () => {
    const rect = this.#list?.getBoundingClientRect();
    if (!rect) return;
    const height = this.#rowHeight || 44;
    const first = Math.max(0, Math.floor(-rect.top / height) - OVERSCAN);
    const last = Math.max(first + 1, Math.ceil((innerHeight - rect.top) / height) + OVERSCAN);
    if (first !== this.#range.first || last !== this.#range.last) this.#setRange({ first, last });
    if (rect.bottom < innerHeight + 800 && scrollY > 0) this.#onNearEnd();
  };

  /** Reserves the space of rows that are not rendered. */
  measure(count: number) {
    const list = this.#list;
    const row = list?.querySelector<HTMLElement>('.transaction-item');
    if (!list || !row) return;
    list.parentElement?.style.setProperty('--columns', this.columns);
    this.#measureWidth();
    const { height } = row.getBoundingClientRect();
    const hasChanged = height > 0 && Math.abs(height - this.#rowHeight) > 0.5;
    if (hasChanged) this.#rowHeight = height;
    const { first, last } = this.rangeOf(count);
    list.style.paddingBlockStart = `${first * this.#rowHeight}px`;
    list.style.paddingBlockEnd = `${Math.max(0, count - last) * this.#rowHeight}px`;
    if (hasChanged) requestAnimationFrame(this.#handleScroll);
  }

  /** On paper, all loaded rows are rendered. */
  #setPrinting(isPrinting: boolean) {
    this.#isPrinting = isPrinting;
    this.#host.requestUpdate();
  }

  /** The rendered rows of `count`. */
  rangeOf(count: number) {
    if (this.#isPrinting) return { first: 0, last: count };
    const last = Math.min(count, this.#range.last);
    return { first: Math.min(this.#range.first, Math.max(0, last - 1)), last };
  }

  /** Renders row `index` if it is outside the range. */
  async show(index: number, count: number) {
    const { first, last } = this.rangeOf(count);
    if (index >= first && index < last) return;
    this.#setRange({ first: Math.max(0, index - OVERSCAN), last: index + OVERSCAN * 3 });
    await this.#host.updateComplete;
  }
}
