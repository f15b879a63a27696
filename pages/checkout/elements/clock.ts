/** Time for elements and the store. Tests and server rendering replace it. */
export interface Clock {
  /** Milliseconds since an arbitrary origin; monotonic. */
  now(): number;
  /** Calls `act` once after `delayMs`. Returns a function that cancels the call. */
  after(delayMs: number, act: () => void): () => void;
}

export const browserClock: Clock = {
  now: () => performance.now(),
  after(delayMs, act) {
    const timer = setTimeout(act, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Clock for server rendering: time stands still. */
export const stoppedClock: Clock = {
  now: () => 0,
  after: () => () => {},
};
