import type { CryptoTransaction, TransactionListItem } from '../../../client/api.ts';
import { minorUnitsOf } from '../../../src/shared/minor-units.ts';
import { formatMinor } from '../../../src/shared/money.ts';
import type { AccountApi } from '../api.ts';
import type { Format } from '../format.ts';
import { readPages } from '../loader.ts';
import { toMinor } from '../amounts.ts';

/** A payment awaiting review. */
export interface PendingReview {
  /** Unique in the queue. */
  key: string;
  kind: 'crypto' | 'fiat';
  /** ID in requests. */
  id: string;
  /** The merchant's reference; null for a deposit without an invoice. */
  reference: string | null;
  /** Currency of the amounts, which are in its smallest unit: `btc`, `THB`. */
  currency: string;
  received: bigint;
  /** Null if any amount is accepted, or unknown. */
  requested: bigint | null;
  labels: readonly string[];
  /** Time of receipt, or of the last change if unknown. */
  at: string;
  /** Reference of the invoice that the payer probably intended. */
  probableTxId: string | null;
  canReject: boolean;
  /** True if a rejection accepts a refund address. */
  canRefund: boolean;
  /** Code of the payment method or coin. */
  method: string;
  card: TransactionListItem['card'];
  payer: TransactionListItem['payer'];
}

const PER_PAGE = 100;

/** Lists transactions awaiting review: `pages` pages of each kind. */
async function listPendingReviews(api: AccountApi, pages: number, signal?: AbortSignal) {
  const [crypto, fiat] = await Promise.all([
    readPages(pages, async (page) => {
      const query = { ...page, status: 'approved_required', per_page: PER_PAGE } as const;
      const response = await api.listCryptoTransactions(query, { signal });
      return [response.transactions, response.next_cursor];
    }),
    readPages(pages, async (page) => {
      const query = { ...page, awaiting_review: 'true', per_page: PER_PAGE } as const;
      const response = await api.listTransactions(query, { signal });
      return [response.transactions, response.pagination.next_cursor];
    }),
  ]);
  return { crypto: crypto.rows, fiat: fiat.rows, hasMore: crypto.hasMore || fiat.hasMore };
}

/** Reads the review queue with all data for a decision, newest first. */
export async function readPendingReviews(
  api: AccountApi,
  pages: number,
  signal?: AbortSignal,
): Promise<{ rows: PendingReview[]; hasMore: boolean }> {
  const { crypto, fiat, hasMore } = await listPendingReviews(api, pages, signal);
  const intendedAmounts = await Promise.all(
    crypto.map(async (transaction) => await readIntendedAmount(api, transaction, signal)),
  );
  const rows = [
    ...crypto.map((transaction, index) => fromCrypto(transaction, intendedAmounts[index] ?? null)),
    ...fiat.map(fromFiat),
  ];
  return { rows: rows.toSorted((one, other) => other.at.localeCompare(one.at)), hasMore };
}

/** Keys of the payments that no acquirer can refund: their rejection only records a refund that was sent another way. */
export async function findUnrefundable(api: AccountApi, rows: readonly PendingReview[]): Promise<ReadonlySet<string>> {
  const keys = await Promise.all(
    rows.map(async ({ key, kind, id }) => {
      if (kind !== 'fiat') return [];
      const { available_actions: actions } = await api.getTransaction({ transaction_id: id });
      return actions.includes('reject_out_of_band') ? [key] : [];
    }),
  );
  return new Set(keys.flat());
}

/** Amount of the invoice that the payer probably intended; null if unknown. */
async function readIntendedAmount(api: AccountApi, { probableTxId, code }: CryptoTransaction, signal?: AbortSignal) {
  if (probableTxId === null) return null;
  try {
    const intended = await api.getCryptoTransaction({ txId: probableTxId, code }, { signal });
    return intended.amountRequired;
  } catch (error) {
    // The invoice may be in another currency; the amount is optional.
    if (signal?.aborted) throw error;
    return null;
  }
}

function fromCrypto(transaction: CryptoTransaction, intendedAmount: string | null): PendingReview {
  const { id, txId, type, code, amount, amountRequired, labels, payments, probableTxId, updatedAt, availableActions } =
    transaction;
  const requested = amountRequired ?? intendedAmount;
  return {
    ...{ key: `crypto:${id}`, kind: 'crypto', id, reference: txId, currency: code, labels, probableTxId },
    received: BigInt(amount),
    requested: requested === null ? null : BigInt(requested),
    at: payments.at(-1)?.seenAt ?? updatedAt,
    canReject: availableActions.includes('reject'),
    canRefund: type !== 'user',
    ...{ method: transaction.code, card: undefined, payer: undefined },
  };
}

function fromFiat(item: TransactionListItem): PendingReview {
  const { transaction_id: id, currency, amount_charged: requested, amount_kept: received, reason, status } = item;
  const hasFailed = status === 'transaction_status_failed' && reason !== 'rejected';
  return {
    ...{ key: `fiat:${id}`, kind: 'fiat', id, reference: id, currency, probableTxId: null },
    ...{ canReject: true, canRefund: false },
    received: toMinor(received, currency),
    requested: toMinor(requested, currency),
    labels: [...(reason === undefined ? [] : [reason]), ...(hasFailed ? ['failed'] : [])],
    at: item.updated_at,
    ...{ method: item.payment_method, card: item.card, payer: item.payer },
  };
}

/** Formats an amount with all digits. */
export function reviewAmountText(
  { kind, currency }: Pick<PendingReview, 'kind' | 'currency'>,
  amount: bigint,
  format: Format,
) {
  if (kind === 'fiat') return format.money(formatMinor(amount, minorUnitsOf(currency)), currency);
  return format.coinUnits(amount, currency);
}

/** Total of the received amounts, per currency. */
export function totalsByCurrency(
  rows: readonly PendingReview[],
): Pick<PendingReview, 'kind' | 'currency' | 'received'>[] {
  const totals = new Map<string, Pick<PendingReview, 'kind' | 'currency' | 'received'>>();
  for (const { kind, currency, received } of rows) {
    const name = `${kind}:${currency}`;
    totals.set(name, { kind, currency, received: (totals.get(name)?.received ?? 0n) + received });
  }
  return [...totals.values()];
}

/** Number of payments awaiting review, for the badge in the navigation. Counts up to 100 of each kind. */
export async function countPendingReviews(api: AccountApi): Promise<number> {
  const { crypto, fiat } = await listPendingReviews(api, 1);
  return crypto.length + fiat.length;
}

/** Key of the row that receives the focus after some are removed: the following one, or else the last. */
export function nextKey(
  rows: readonly PendingReview[],
  currentKey: string | null,
  removed: ReadonlySet<string>,
): string | null {
  const keys = rows.map(({ key }) => key);
  const index = keys.indexOf(currentKey ?? '');
  const following = keys.slice(Math.max(index, 0)).find((key) => !removed.has(key));
  return following ?? keys.findLast((key) => !removed.has(key)) ?? null;
}
