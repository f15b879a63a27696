/** Invoice types: how the wallet is assigned, and which payments it accepts. */
export const invoiceTypes = ['static', 'revolver', 'user'] as const;
export type InvoiceType = (typeof invoiceTypes)[number];

/**
 * `pending` (no deposit yet) → `waiting` (detected, not enough confirmations) → `confirmed` (every counted deposit has
 * enough) → `complete` (credited). `approved_required`: awaiting review. Rejected funds are `refunding`, then `refunded`;
 * otherwise the transaction is `failed`, as after its expiry.
 */
export const cryptoStatuses = [
  'pending',
  'waiting',
  'confirmed',
  'complete',
  'approved_required',
  'refunding',
  'refunded',
  'failed',
] as const;
export type CryptoStatus = (typeof cryptoStatuses)[number];

/** Conditions in addition to the status; several may apply. */
export const cryptoLabels = [
  'underpaid',
  'overpaid',
  'late',
  'duplicate',
  'wrong_wallet',
  /** Less than `min-amount-{CODE}`, received at a user's wallet. */
  'below_minimum',
  'replaced',
  /** Received at a retired wallet; never credited. */
  'unattributed',
] as const;
export type CryptoLabel = (typeof cryptoLabels)[number];
