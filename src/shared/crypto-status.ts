/** How an invoice's wallet is chosen, and what may be paid to it. */
export const invoiceTypes = ['static', 'revolver', 'user'] as const;
export type InvoiceType = (typeof invoiceTypes)[number];

/**
 * `pending` (nothing seen yet) → `waiting` (seen, not yet deep enough) → `confirmed` (every payment that
 * counts is) → `complete` (credited). `approved_required`: somebody has to decide. Rejected money is
 * `refunding` and then `refunded`, or the transaction is `failed`, as it is when its time is over.
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

/** What is to be known beside the status; several may hold at once. */
export const cryptoLabels = [
  'underpaid',
  'overpaid',
  'late',
  'duplicate',
  'wrong_wallet',
  /** Less than `min-amount-{CODE}`, at a user's wallet. */
  'below_minimum',
  'replaced',
  /** It came to a wallet that is no longer used; it is never credited. */
  'stray',
] as const;
export type CryptoLabel = (typeof cryptoLabels)[number];
