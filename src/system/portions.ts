import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work may go on before other work has its turn. */
const PORTION_MS = 5;

/** Divides long work into portions, between which other work runs. */
export interface Portions {
  /** Whether a portion has taken its time. */
  isDue(): boolean;
  /** Ends a portion. The next one begins in a turn of the event loop in which no other portion begins. */
  next(): Promise<void>;
}

export function createPortions(now: () => number = () => performance.now()): Portions {
  let queue: Promise<void> = Promise.resolve();
  let start = -Infinity;
  return {
    isDue: () => now() - start >= PORTION_MS,
    next: async () => {
      queue = queue.then(async () => await nextTurn());
      await queue;
      start = now();
    },
  };
}

/** Those of the process: there is one event loop. */
export const portions = createPortions();
