import { setImmediate as nextTurn } from 'node:timers/promises';

/** Maximum time that long work may block the event loop. */
const TIME_SLICE_MS = 5;

/** Divides long work into time slices, between which other work runs. */
export interface TimeSlices {
  /** True if the current slice has used up its time. */
  isUsedUp(): boolean;
  /** Ends a slice. The next one starts in an event loop turn in which no other slice starts. */
  next(): Promise<void>;
}

export function createTimeSlices(now: () => number = () => performance.now()): TimeSlices {
  let queue: Promise<void> = Promise.resolve();
  let start = -Infinity;
  return {
    isUsedUp: () => now() - start >= TIME_SLICE_MS,
    next: async () => {
      queue = queue.then(async () => await nextTurn());
      await queue;
      start = now();
    },
  };
}

/** Shared by the process, which has one event loop. */
export const timeSlices = createTimeSlices();
