import type { Clock } from '../../pages/checkout/elements/clock.ts';

/** A clock that only tests advance. */
export class SimulatedClock implements Clock {
  #nowMs = 0;
  #timers: { atMs: number; act: () => void }[] = [];

  now(): number {
    return this.#nowMs;
  }

  after(delayMs: number, act: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, act };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((kept) => kept !== timer);
    };
  }

  /** Number of pending timers. */
  get waiting(): number {
    return this.#timers.length;
  }

  /** Advances the clock and runs due timers in order. After each, pending promises settle. */
  async advance(byMs: number): Promise<void> {
    const untilMs = this.#nowMs + byMs;
    for (;;) {
      const due = this.#timers.filter(({ atMs }) => atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)[0];
      if (!due) break;
      this.#timers = this.#timers.filter((kept) => kept !== due);
      this.#nowMs = Math.max(this.#nowMs, due.atMs);
      due.act();
      await settled();
    }
    this.#nowMs = untilMs;
    await settled();
  }

  /** Advances the clock without running timers, like a sleeping device. */
  sleep(forMs: number): void {
    this.#nowMs += forMs;
  }
}

/** Waits until all promise chains without timers or I/O have settled. */
export async function settled(): Promise<void> {
  await new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => resolve(), { once: true });
    port1.start();
    port2.postMessage(null);
  });
}
