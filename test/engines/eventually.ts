import { setTimeout as pause } from 'node:timers/promises';

/** How long an assertion may take to come true. */
const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 20;

/** Looks again and again until nothing is thrown; fails with what was thrown last. */
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
