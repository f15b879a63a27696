import type { InvoicePageState } from '../../../src/api/invoice-page.ts';

/** State of the invoice page: the server's state and the page's own. */
export interface InvoiceView {
  readonly state: InvoicePageState;
  readonly isOffline: boolean;
  /** Expiry of the invoice, on the page's clock; null if it does not expire. */
  readonly deadlineMs: number | null;
}

/** Creates the view of a state that the server created at `nowMs` of the page's clock. */
export function invoiceView(state: InvoicePageState, nowMs: number): InvoiceView {
  return { state, isOffline: false, deadlineMs: localDeadlineMs(state, nowMs) };
}

/** Converts the server's deadline to the page's clock, which shows `nowMs` at the server's `serverTime`. */
export function localDeadlineMs({ expiresAt, serverTime }: InvoicePageState, nowMs: number): number | null {
  return expiresAt === null ? null : nowMs + Date.parse(expiresAt) - Date.parse(serverTime);
}
