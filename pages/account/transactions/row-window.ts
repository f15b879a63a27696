import type { ReactiveControllerHost } from 'lit';
import { listenTo } from '../listeners.ts';

/** Rendered rows before and after the visible ones. */
const OVERSCAN = 12;
/** The range moves by several rows at a time: most scrolled frames then render nothing. */
const STEP = 6;
const INITIAL_RANGE = { first: 0, last: 40 };

/** Renders only the visible rows of a long list. All rows have the same height. */
export class RowWindow {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #onNearEnd: () => void;
  #range = INITIAL_RANGE;
  #rowHeight = 0;
  #isPrinting = false;
  #observedList: HTMLElement | null = null;
  /** Measures after layout: an earlier measurement would force a layout. */
  readonly #observer = new ResizeObserver(() => this.#measure());
  /** Width of the list in rem. */
  width = 0;
  /** Grid tracks of the columns. */
  columns = '';

  constructor(host: ReactiveControllerHost & HTMLElement, onNearEnd: () => void) {
    this.#host = host;
    this.#onNearEnd = onNearEnd;
    listenTo(host, window, {
      scroll: this.#handleScroll,
      resize: this.#handleScroll,
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

  /** Measures the list and its rows, and renders again if other columns or rows may fit. */
  #measure() {
    const list = this.#observedList;
    const row = list?.querySelector<HTMLElement>('.transaction-item');
    if (!list || !row) return;
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    const width = Math.floor(list.clientWidth / rem);
    const { height } = row.getBoundingClientRect();
    if (width === 0 || height === 0) return;
    if (width === this.width && Math.abs(height - this.#rowHeight) <= 0.5) return;
    this.width = width;
    this.#rowHeight = height;
    this.#host.requestUpdate();
    this.#handleScroll();
  }

  readonly #handleScroll = () => {
    const rect = this.#list?.getBoundingClientRect();
    if (!rect) return;
    const height = this.#rowHeight || 44;
    const first = Math.max(0, Math.floor((-rect.top / height - OVERSCAN) / STEP) * STEP);
    const last = Math.max(first + STEP, Math.ceil(((innerHeight - rect.top) / height + OVERSCAN) / STEP) * STEP);
    if (first !== this.#range.first || last !== this.#range.last) this.#setRange({ first, last });
    if (rect.bottom < innerHeight + 800 && scrollY > 0) this.#onNearEnd();
  };

  /** Reserves the space of rows that are not rendered. */
  reserveSpace(count: number) {
    const list = this.#list;
    if (list !== this.#observedList) {
      this.#observer.disconnect();
      if (list) this.#observer.observe(list);
      this.#observedList = list;
    }
    if (!list) return;
    list.parentElement?.style.setProperty('--columns', this.columns);
    const { first, last } = this.rangeOf(count);
    list.style.paddingBlockStart = `${first * this.#rowHeight}px`;
    list.style.paddingBlockEnd = `${Math.max(0, count - last) * this.#rowHeight}px`;
  }

  /** For printing, all loaded rows are rendered. */
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
