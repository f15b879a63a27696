import type { InvoicePageState } from '../../../src/api/invoice-page.ts';
import type { Clock } from '../elements/clock.ts';
import { requestJson } from '../store/request-json.ts';
import { DEFAULT_POLL_MS, StateStore } from '../store/state-store.ts';
import { localDeadlineMs, type InvoiceView, invoiceView } from './invoice-view.ts';

/** Dependencies of the store; tests replace them. */
export interface InvoiceEnvironment {
  clock: Clock;
  random(): number;
  fetch: typeof globalThis.fetch;
}

/** Holds the view of an invoice page, which only reads the state. `path` is `/i/ID`. */
export class InvoiceStore extends StateStore<InvoicePageState, InvoiceView> {
  readonly #fetch: InvoiceEnvironment['fetch'];
  readonly #path: string;

  /** `readAtMs` is the time on the clock at which the server created `state`. */
  constructor(state: InvoicePageState, path: string, { clock, random, fetch }: InvoiceEnvironment, readAtMs: number) {
    super(invoiceView(state, readAtMs), clock, random);
    this.#fetch = fetch;
    this.#path = path;
  }

  get canUpdate(): boolean {
    return true;
  }

  async refresh(): Promise<void> {
    await this.poll();
  }

  protected fetchState() {
    return requestJson<InvoicePageState>(this.#fetch, `${this.#path}/state`, { method: 'GET' });
  }

  protected nextPollMs(): number | null {
    const { state, isOffline } = this.view;
    if (isOffline) return DEFAULT_POLL_MS;
    return this.isLive ? null : state.pollAfterMs;
  }

  override apply(state: InvoicePageState) {
    super.apply(
      state,
      { deadlineMs: localDeadlineMs(state, this.clock.now()) },
      state.phase !== this.view.state.phase || state.confirmations?.seen !== this.view.state.confirmations?.seen,
    );
  }
}
