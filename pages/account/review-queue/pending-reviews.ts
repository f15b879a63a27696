import type { CryptoTransaction, TransactionDetail, TransactionListItem } from '../../../client/api.ts';
import { type CurrencyCode, minorUnitsOf } from '../../../src/shared/currencies.ts';
import { formatMinor } from '../../../src/shared/money.ts';
import type { AccountApi } from '../api.ts';
import type { Format } from '../format.ts';
import { readPages } from '../loader.ts';
import { toMinor } from '../amounts.ts';

/** Money that waits for a person. */
export interface PendingReview {
  /** One of each among all that waits. */
  key: string;
  kind: 'crypto' | 'fiat';
  /** What requests about it name it by. */
  id: string;
  /** The merchant's own reference; null for money that belongs to no invoice. */
  reference: string | null;
  /** Amounts are in the smallest unit of this: `btc`, `THB`. */
  currency: string;
  received: bigint;
  /** Null where any amount will do, or nobody knows. */
  requested: bigint | null;
  labels: readonly string[];
  /** When the money came; of what is not known that well, when something of it changed last. */
  at: string;
  /** The reference of the invoice that it was probably meant for. */
  meantFor: string | null;
  canReject: boolean;
}

const PER_PAGE = 100;

/** What waits, newest first: `pages` pages of each kind. */
export async function listPendingReviews(api: AccountApi, pages: number, signal?: AbortSignal) {
  const [crypto, fiat] = await Promise.all([
    readPages(pages, async (page) => {
      const query = { ...page, status: 'approved_required', per_page: PER_PAGE } as const;
      const answer = await api.listCryptoTransactions(query, { signal });
      return [answer.transactions, answer.next_cursor];
    }),
    readPages(pages, async (page) => {
      const query = { ...page, awaits_decision: 'true', per_page: PER_PAGE } as const;
      const answer = await api.listTransactions(query, { signal });
      return [answer.transactions, answer.pagination.next_cursor];
    }),
  ]);
  return { crypto: crypto.rows, fiat: fiat.rows, hasMore: crypto.hasMore || fiat.hasMore };
}

/** The same with all that a decision needs to be told, newest first. */
export async function readPendingReviews(
  api: AccountApi,
  pages: number,
  signal?: AbortSignal,
): Promise<{ rows: PendingReview[]; hasMore: boolean }> {
  const { crypto, fiat, hasMore } = await listPendingReviews(api, pages, signal);
  const intendedAmounts = await Promise.all(crypto.map(async (transaction) => await readIntendedAmount(api, transaction, signal)));
  const rows = [...crypto.map((transaction, index) => fromCrypto(transaction, intendedAmounts[index] ?? null)), ...fiat.map(fromFiat)];
  return { rows: rows.toSorted((one, other) => other.at.localeCompare(one.at)), hasMore };
}

export async function readFiat(api: AccountApi, id: string, signal?: AbortSignal): Promise<TransactionDetail> {
  return await api.getTransaction({ transaction_id: id }, { signal });
}

/** What was asked of whoever has probably sent it; null where that is not known. */
async function readIntendedAmount(api: AccountApi, { meantFor, code }: CryptoTransaction, signal?: AbortSignal) {
  if (meantFor === null) return null;
  try {
    const intended = await api.getCryptoTransaction({ txId: meantFor, code }, { signal });
    return intended.amountRequired;
  } catch (error) {
    // It may be one of another currency: the decision is possible without.
    if (signal?.aborted) throw error;
    return null;
  }
}

function fromCrypto(transaction: CryptoTransaction, intendedAmount: string | null): PendingReview {
  const { id, txId, code, amount, amountRequired, labels, payments, meantFor, updatedAt, availableActions } =
    transaction;
  const requested = amountRequired ?? intendedAmount;
  return {
    ...{ key: `crypto:${id}`, kind: 'crypto', id, reference: txId, currency: code, labels, meantFor },
    received: BigInt(amount),
    requested: requested === null ? null : BigInt(requested),
    at: payments.at(-1)?.seenAt ?? updatedAt,
    canReject: availableActions.includes('reject'),
  };
}

function fromFiat(item: TransactionListItem): PendingReview {
  const { transaction_id: id, currency, amount_charged: requested, amount_kept: received, reason, status } = item;
  const hasFailed = status === 'transaction_status_failed' && reason !== 'rejected';
  return {
    ...{ key: `fiat:${id}`, kind: 'fiat', id, reference: id, currency, meantFor: null, canReject: true },
    received: toMinor(received, currency),
    requested: toMinor(requested, currency),
    labels: [...(reason === undefined ? [] : [reason]), ...(hasFailed ? ['failed'] : [])],
    at: item.updated_at,
  };
}

/** A sum as people write it, to its last digit. */
export function reviewAmountText({ kind, currency }: Pick<PendingReview, 'kind' | 'currency'>, amount: bigint, format: Format) {
  if (kind === 'fiat') return format.money(formatMinor(amount, minorUnitsOf(currency as CurrencyCode)), currency);
  return format.coinUnits(amount, currency);
}

/** What all of them are together, a sum for each currency. */
export function totalsByCurrency(rows: readonly PendingReview[]): Pick<PendingReview, 'kind' | 'currency' | 'received'>[] {
  const totals = new Map<string, Pick<PendingReview, 'kind' | 'currency' | 'received'>>();
  for (const { kind, currency, received } of rows) {
    const name = `${kind}:${currency}`;
    totals.set(name, { kind, currency, received: (totals.get(name)?.received ?? 0n) + received });
  }
  return [...totals.values()];
}

/** The number of payments awaiting review, for the badge in the navigation, which counts to a hundred. */
export async function countPendingReviews(api: AccountApi): Promise<number> {
  const { crypto, fiat } = await listPendingReviews(api, 1);
  return crypto.length + fiat.length;
}
