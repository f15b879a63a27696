import { setTimeout as pause } from 'node:timers/promises';

/** Timeout of an assertion. */
const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 20;

/** Retries until `look` does not throw, then returns its result. Throws the last error on timeout. */
export async function eventually<Value>(look: () => Promise<Value>): Promise<Value> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await pause(LOOK_EVERY_MS);
    }
  }
}
