const WINDOW_MS = 60_000;

/** Xendit's limit per operation: a sliding window of one minute. */
export class RateLimit {
  readonly #quota: number;
  readonly #now: () => number;
  readonly #requests = new Map<string, number[]>();

  constructor(quota: number, now: () => number) {
    this.#quota = quota;
    this.#now = now;
  }

  /** Counts a request; its headers belong in the response. */
  count(operation: string): { isExceeded: boolean; headers: Record<string, string> } {
    const now = this.#now();
    const recent = (this.#requests.get(operation) ?? []).filter((at) => at > now - WINDOW_MS);
    const isExceeded = recent.length >= this.#quota;
    if (!isExceeded) recent.push(now);
    this.#requests.set(operation, recent);
    const resetMs = (recent[0] ?? now) + WINDOW_MS - now;
    return { isExceeded, headers: this.#headers(this.#quota - recent.length, resetMs) };
  }

  /** Headers of a response after the limit is reached. */
  exceeded(): Record<string, string> {
    return this.#headers(0, WINDOW_MS);
  }

  #headers(remaining: number, resetMs: number): Record<string, string> {
    const isLimited = Number.isFinite(this.#quota);
    return {
      'rate-limit-limit': isLimited ? String(this.#quota) : '600',
      'rate-limit-remaining': Number.isFinite(remaining) ? String(remaining) : '599',
      'rate-limit-reset': (resetMs / 1000).toFixed(2),
    };
  }
}
