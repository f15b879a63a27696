/** How long is waited for a page to become as high as it was. */
const RESTORE_TIMEOUT_MS = 3000;

/** Keeps where the reader stood on each page of this tab's history, to bring them back there. */
export class ScrollMemory {
  #frame = 0;

  constructor() {
    history.scrollRestoration = 'manual';
  }

  /** Writes down where the reader stands. */
  save(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      history.replaceState({ ...(history.state as object | null), scroll: scrollY }, '');
    });
  }

  /** Brings the reader back to where they stood, as soon as there is so much of the page again. */
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
