/** Maximum wait for a page to reach its previous height. */
const RESTORE_TIMEOUT_MS = 3000;

/** Saves and restores the scroll position of each entry in the tab's history. */
export class ScrollMemory {
  #frame = 0;

  constructor() {
    history.scrollRestoration = 'manual';
  }

  /** Saves the scroll position in the history entry. */
  save(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      history.replaceState({ ...(history.state as object | null), scroll: scrollY }, '');
    });
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
