import type { InvoicePageState } from '../../../src/api/invoice-page.ts';
import type { Clock } from '../elements/clock.ts';
import { ask } from '../store/ask.ts';
import { ASK_AGAIN_AFTER_MS, StateStore } from '../store/state-store.ts';
import { deadlineOf, type InvoiceView, viewOf } from './invoice-view.ts';

/** Dependencies of the store; tests replace them. */
export interface InvoiceWorld {
  clock: Clock;
  random(): number;
  fetch: typeof globalThis.fetch;
}

/** Holds the view of an invoice page, which only reads the state. `path` is `/i/ID`. */
export class InvoiceStore extends StateStore<InvoicePageState, InvoiceView> {
  readonly #fetch: InvoiceWorld['fetch'];
  readonly #path: string;

  /** `readAtMs` is the time on the clock at which the server created `state`. */
  constructor(state: InvoicePageState, path: string, { clock, random, fetch }: InvoiceWorld, readAtMs: number) {
    super(viewOf(state, readAtMs), clock, random);
    this.#fetch = fetch;
    this.#path = path;
  }

  get mayChange(): boolean {
    return this.view.state.pollAfterMs !== null;
  }

  get takesNews(): boolean {
    return true;
  }

  async refresh(): Promise<void> {
    await this.ask();
  }

  protected read() {
    return ask<InvoicePageState>(this.#fetch, `${this.#path}/state`, { method: 'GET' });
  }

  protected askAgainAfterMs(): number | null {
    const { state, isOffline } = this.view;
    if (isOffline) return ASK_AGAIN_AFTER_MS;
    return this.isTold ? null : state.pollAfterMs;
  }

  override adopt(state: InvoicePageState) {
    super.adopt(
      state,
      { deadlineMs: deadlineOf(state, this.clock.now()) },
      state.phase !== this.view.state.phase || state.confirmations?.seen !== this.view.state.confirmations?.seen,
    );
  }
}
