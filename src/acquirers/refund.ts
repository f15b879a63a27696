import type { CurrencyCode } from '../api/currency.ts';
import type { Instant } from '../shared/time.ts';

/** A full or partial refund of one charge or push payment. */
export interface RefundRequest {
  /** Idempotency key of the refund: the same key issues one refund. */
  refundKey: string;
  /** The acquirer's own reference for the refund; null before the first response. */
  reference: string | null;
  /** Key of the refunded charge or push payment. */
  chargeKey: string;
  /** The acquirer's own reference for the refunded charge or push payment. */
  chargeReference: string | null;
  /** Key of the last receipt of a refunded push payment that has no reference. */
  receiptKey?: string | undefined;
  amountMinor: bigint;
  currency: CurrencyCode;
}

/**
 * The acquirer's outcome for a refund. `reference`: its own reference, which later calls receive. `occurredAt`: set if
 * the acquirer may send a failed refund again, to order its results.
 */
export type RefundOutcome = { reference?: string; occurredAt?: Instant } & (
  | { kind: 'succeeded' }
  /** In progress, or unknown: a later call or notification reports the outcome. */
  | { kind: 'pending' }
  /** Permanently rejected, or failed after it had succeeded. `code` is stable, `detail` is text for the merchant. */
  | { kind: 'refused'; code: string; detail: string }
);

/**
 * Issues a refund. Called again with the same key, it returns the current outcome. A rejected promise means that it is
 * unknown.
 */
export type IssueRefund = (refund: RefundRequest) => Promise<RefundOutcome>;
