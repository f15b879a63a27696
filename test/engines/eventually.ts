import { setTimeout as pause } from 'node:timers/promises';

/** Timeout of an assertion. */
const TIMEOUT_MS = 60_000;
const INTERVAL_MS = 20;

/** Retries until `assertion` does not throw, then returns its result. Throws the last error on timeout. */
export async function eventually<Value>(assertion: () => Promise<Value>): Promise<Value> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await pause(INTERVAL_MS);
    }
  }
}
