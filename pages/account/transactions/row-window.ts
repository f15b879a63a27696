import type { ReactiveControllerHost } from 'lit';
import { listenTo } from '../listeners.ts';

/** Rows beyond the visible ones. */
const BESIDE = 12;
const FIRST = { first: 0, last: 40 };

/** The rows of a long list that are rendered: those in sight. All are of one height, so that their places follow. */
export class RowWindow {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #nearEnd: () => void;
  #drawn = FIRST;
  #rowHeight = 0;

  constructor(host: ReactiveControllerHost & HTMLElement, nearEnd: () => void) {
    this.#host = host;
    this.#nearEnd = nearEnd;
    listenTo(host, window, { scroll: this.#scrolled, resize: this.#scrolled });
  }

  get #list() {
    return this.#host.querySelector<HTMLElement>('.transaction-list');
  }

  #draw(drawn: typeof FIRST) {
    this.#drawn = drawn;
    this.#host.requestUpdate();
  }

  restart() {
    this.#draw(FIRST);
  }

  readonly #scrolled = () => {
    const box = this.#list?.getBoundingClientRect();
    if (!box) return;
    const height = this.#rowHeight || 60;
    const first = Math.max(0, Math.floor(-box.top / height) - BESIDE);
    const last = Math.max(first + 1, Math.ceil((innerHeight - box.top) / height) + BESIDE);
    if (first !== this.#drawn.first || last !== this.#drawn.last) this.#draw({ first, last });
    if (box.bottom < innerHeight + 800 && scrollY > 0) this.#nearEnd();
  };

  /** Keeps the place of the rows that are not rendered. */
  measure(count: number) {
    const list = this.#list;
    const row = list?.querySelector<HTMLElement>('.transaction-item');
    if (!list || !row) return;
    const { height } = row.getBoundingClientRect();
    const isOther = height > 0 && Math.abs(height - this.#rowHeight) > 0.5;
    if (isOther) this.#rowHeight = height;
    const { first, last } = this.span(count);
    list.style.paddingBlockStart = `${first * this.#rowHeight}px`;
    list.style.paddingBlockEnd = `${Math.max(0, count - last) * this.#rowHeight}px`;
    if (isOther) requestAnimationFrame(this.#scrolled);
  }

  /** The rendered rows of `count`. */
  span(count: number) {
    const last = Math.min(count, this.#drawn.last);
    return { first: Math.min(this.#drawn.first, Math.max(0, last - 1)), last };
  }

  /** Renders row `index`, if it is not. */
  async show(index: number, count: number) {
    const { first, last } = this.span(count);
    if (index >= first && index < last) return;
    this.#draw({ first: Math.max(0, index - BESIDE), last: index + BESIDE * 3 });
    await this.#host.updateComplete;
  }
}
