import type { CurrencyCode } from '../api/currency.ts';

/** A full or partial refund of one charge or push payment. */
export interface RefundRequest {
  /** Idempotency key of the refund: the same key is refunded once. */
  refundKey: string;
  /** Key of the refunded charge or push payment. */
  chargeKey: string;
  amountMinor: bigint;
  currency: CurrencyCode;
}

/** The acquirer's outcome for a refund. */
export type RefundOutcome =
  | { kind: 'succeeded' }
  /** In progress, or unknown: the acquirer is polled again. */
  | { kind: 'pending' }
  /** Permanently refused. `code` is stable, `detail` is text for the merchant. */
  | { kind: 'refused'; code: string; detail: string };

/** Issues a refund. Called again with the same key, it returns the current outcome. A rejection means that it is unknown. */
export type IssueRefund = (refund: RefundRequest) => Promise<RefundOutcome>;
