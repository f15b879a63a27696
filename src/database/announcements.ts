/** Hears of what units of work have announced, by topic. */
export interface Announcements {
  /** Calls `listener` soon after each announcement of `topic`, and whenever one may have been missed; the answer ends it. */
  subscribe(topic: string, listener: () => void): () => void;
  /** False while the announcements of other processes do not arrive. */
  readonly areComplete: boolean;
}

/** Hands announcements to those in this process who have subscribed. */
export class AnnouncementHub implements Announcements {
  readonly #listeners = new Map<string, Set<() => void>>();
  areComplete = true;

  subscribe(topic: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(topic, listeners);
    return () => {
      listeners.delete(listener);
      // A later subscription may have a set of its own by then.
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic);
    };
  }

  deliver(topic: string): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener();
  }

  /** For when it is not known what has been missed. */
  deliverAll(): void {
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener();
  }
}
