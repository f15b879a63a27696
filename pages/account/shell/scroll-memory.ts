/** Maximum wait for a page to reach its previous height. */
const RESTORE_TIMEOUT_MS = 3000;

/** Browsers limit changes of the history: Safari to 100 in ten seconds, Chromium to 200. */
const SAVE_DELAY_MS = 100;

/** Saves and restores the scroll position of each entry in the tab's history. */
export class ScrollMemory {
  #timer = 0;

  constructor() {
    history.scrollRestoration = 'manual';
  }

  /** Saves the scroll position in the history entry when scrolling ends. */
  save(): void {
    this.cancel();
    this.#timer = window.setTimeout(() => this.flush(), SAVE_DELAY_MS);
  }

  /** Saves a pending position before the user may leave the entry. */
  flush(): void {
    if (this.#timer === 0) return;
    this.cancel();
    history.replaceState({ ...(history.state as object | null), scroll: scrollY }, '');
  }

  /** Discards a pending position: its entry was left. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = 0;
  }

  /** Restores the scroll position once the page is tall enough. */
  restore(): void {
    const top = (history.state as { scroll?: number } | null)?.scroll ?? 0;
    const isTallEnough = () => document.documentElement.scrollHeight >= top + innerHeight;
    if (isTallEnough()) return scrollTo(0, top);
    const observer = new ResizeObserver(() => {
      if (!isTallEnough()) return;
      observer.disconnect();
      scrollTo(0, top);
    });
    observer.observe(document.body);
    setTimeout(() => observer.disconnect(), RESTORE_TIMEOUT_MS);
  }
}
