/** Time as elements and the store see it: monotonic, and replaced in tests and while drawing on the server. */
export interface Clock {
  /** Milliseconds since some fixed moment; never runs backwards. */
  now(): number;
  /** Runs `act` once after `delayMs`; the answer calls it off. */
  after(delayMs: number, act: () => void): () => void;
}

export const browserClock: Clock = {
  now: () => performance.now(),
  after(delayMs, act) {
    const timer = setTimeout(act, delayMs);
    return () => clearTimeout(timer);
  },
};

/** The clock of a page drawn once, where nothing ticks. */
export const standingClock: Clock = {
  now: () => 0,
  after: () => () => {},
};
