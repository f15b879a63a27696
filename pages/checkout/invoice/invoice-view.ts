import type { InvoicePageState } from '../../../src/api/invoice-page.ts';

/** Everything that the page of an invoice shows: the server's state, and what only this page knows. */
export interface InvoiceView {
  readonly state: InvoicePageState;
  readonly isOffline: boolean;
  /** When the invoice expires, by the page's own clock; null where it does not. */
  readonly deadlineMs: number | null;
}

/** The view of a state that is fresh at `nowMs` of the page's clock. */
export function viewOf(state: InvoicePageState, nowMs: number): InvoiceView {
  return { state, isOffline: false, deadlineMs: deadlineOf(state, nowMs) };
}

/** The server's end on the page's clock, which reads `nowMs` at the server's `serverTime`. */
export function deadlineOf({ expiresAt, serverTime }: InvoicePageState, nowMs: number): number | null {
  return expiresAt === null ? null : nowMs + Date.parse(expiresAt) - Date.parse(serverTime);
}
