/** Announcements of committed units of work, by topic. */
export interface Announcements {
  /**
   * Calls `listener` soon after each announcement of `topic`, and whenever one may have been missed. Returns a
   * function that unsubscribes.
   */
  subscribe(topic: string, listener: () => void): () => void;
  /** Calls the listeners of `topic` in this process only. */
  dispatch(topic: string): void;
  /** False while this process receives no announcements from other processes. */
  readonly isConnected: boolean;
}

/** Dispatches announcements to subscribers in this process. */
export class AnnouncementHub implements Announcements {
  readonly #listeners = new Map<string, Set<() => void>>();
  isConnected = true;

  subscribe(topic: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(topic, listeners);
    return () => {
      listeners.delete(listener);
      // A later subscription may have created a new set.
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic);
    };
  }

  dispatch(topic: string): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener();
  }

  /** Notifies every listener, after announcements may have been missed. */
  dispatchAll(): void {
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener();
  }
}
