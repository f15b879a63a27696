import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Batches the calls of one event loop turn. Calls that arrive while a batch runs form the next batch, so
 * batches grow with the load.
 *
 * `runBatch` handles all items or none, and returns results in the order of the items. If it fails, each item
 * is run alone, and each caller gets its own result or error.
 */
export function createBatcher<Item, Result>(
  runBatch: (items: readonly Item[]) => Promise<readonly Result[]>,
  { maxSize = 64 }: { maxSize?: number } = {},
): (item: Item) => Promise<Result> {
  interface Waiting {
    item: Item;
    resolve: (result: Result) => void;
    reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let isRunning = false;

  const runOne = async ({ item, resolve, reject }: Waiting) => {
    try {
      const [result] = await runBatch([item]);
      resolve(result as Result);
    } catch (error) {
      reject(error);
    }
  };
  const runWithFallback = async (batch: readonly Waiting[]) => {
    const [first] = batch;
    if (first && batch.length === 1) {
      await runOne(first);
      return;
    }
    try {
      const results = await runBatch(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch {
      for (const each of batch) await runOne(each);
    }
  };
  const run = async () => {
    // Includes requests that are read from the network in this turn.
    await nextTurn();
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxSize);
      waiting = waiting.slice(maxSize);
      await runWithFallback(batch);
    }
    isRunning = false;
  };

  return async (item) =>
    await new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      void run();
    });
}

/**
 * Coalesces reads of the same key: calls in one event loop turn, or while an earlier read runs, share one read.
 * No caller gets the result of a read that began before its call.
 */
export function createCoalescer<Result>(read: (key: string) => Promise<Result>): (key: string) => Promise<Result> {
  /** Reads that have not begun, by key. */
  const queued = new Map<string, Promise<Result>>();
  /** Reads in progress, by key. */
  const running = new Map<string, Promise<unknown>>();

  const queueRead = async (key: string): Promise<Result> => {
    await nextTurn();
    await running.get(key)?.catch(() => undefined);
    queued.delete(key);
    const current = read(key);
    running.set(key, current);
    try {
      return await current;
    } finally {
      running.delete(key);
    }
  };

  return async (key) => {
    let result = queued.get(key);
    if (!result) {
      result = queueRead(key);
      queued.set(key, result);
    }
    return await result;
  };
}

/**
 * Processes rows in batches, in the order of a key. `process` handles the rows after a key, and returns the last key
 * read; null at the end.
 */
export async function inBatches<Key>(first: Key, process: (after: Key) => Promise<Key | null>): Promise<void> {
  for (let last: Key | null = first; last !== null; ) {
    last = await process(last);
    // On SQLite a query blocks the process: other requests run in between.
    await nextTurn();
  }
}
