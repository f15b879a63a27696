import type { CurrencyCode } from '../api/currency.ts';

/** Money to give back, in whole or in part, of what one charge or one expected payment has brought. */
export interface Refund {
  /** The refund's name between us and the provider: asked for again, it is the same refund. */
  refundKey: string;
  /** The key under which the money came. */
  chargeKey: string;
  amountMinor: bigint;
  currency: CurrencyCode;
}

/** What a provider says of a refund. */
export type RefundOutcome =
  | { kind: 'succeeded' }
  /** On its way, or not known yet: it must be asked again. */
  | { kind: 'pending' }
  /** Nothing was given back, and will not be; `code` is stable, `detail` is for people. */
  | { kind: 'refused'; code: string; detail: string };

/** Gives money back. May be called again at any time with the same key, and then answers what is true; a rejection means that this is unknown. */
export type RefundMoney = (refund: Refund) => Promise<RefundOutcome>;
