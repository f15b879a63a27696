import type { CryptoTransaction, TransactionDetail, TransactionListItem } from '../../../client/api.ts';
import { type CurrencyCode, minorUnitsOf } from '../../../src/shared/currencies.ts';
import { formatMinor } from '../../../src/shared/money.ts';
import type { AccountApi } from '../api.ts';
import type { Format } from '../format.ts';
import { readPages } from '../load.ts';
import { toMinor } from '../amounts.ts';

/** Money that waits for a person. */
export interface Waiting {
  /** One of each among all that waits. */
  key: string;
  kind: 'crypto' | 'fiat';
  /** What requests about it name it by. */
  id: string;
  /** The merchant's own reference; null for money that belongs to no invoice. */
  reference: string | null;
  /** Amounts are in the smallest unit of this: `btc`, `THB`. */
  currency: string;
  came: bigint;
  /** Null where any amount will do, or nobody knows. */
  asked: bigint | null;
  labels: readonly string[];
  /** When the money came; of what is not known that well, when something of it changed last. */
  at: string;
  /** The reference of the invoice that it was probably meant for. */
  meantFor: string | null;
  canReject: boolean;
}

const PER_PAGE = 100;

/** What waits, newest first: `pages` pages of each kind. */
export async function listWaiting(api: AccountApi, pages: number, signal?: AbortSignal) {
  const [crypto, fiat] = await Promise.all([
    readPages(pages, async (from) => {
      const query = { ...from, status: 'approved_required', per_page: PER_PAGE } as const;
      const answer = await api.listCryptoTransactions(query, { signal });
      return [answer.transactions, answer.next_cursor];
    }),
    readPages(pages, async (from) => {
      const query = { ...from, awaits_decision: 'true', per_page: PER_PAGE } as const;
      const answer = await api.listTransactions(query, { signal });
      return [answer.transactions, answer.pagination.next_cursor];
    }),
  ]);
  return { crypto: crypto.rows, fiat: fiat.rows, hasMore: crypto.hasMore || fiat.hasMore };
}

/** The same with all that a decision needs to be told, newest first. */
export async function readWaiting(
  api: AccountApi,
  pages: number,
  signal?: AbortSignal,
): Promise<{ rows: Waiting[]; hasMore: boolean }> {
  const { crypto, fiat, hasMore } = await listWaiting(api, pages, signal);
  const meant = await Promise.all(crypto.map(async (each) => await readMeant(api, each, signal)));
  const rows = [...crypto.map((each, index) => ofCrypto(each, meant[index] ?? null)), ...fiat.map(ofFiat)];
  return { rows: rows.toSorted((one, other) => other.at.localeCompare(one.at)), hasMore };
}

export async function readFiat(api: AccountApi, id: string, signal?: AbortSignal): Promise<TransactionDetail> {
  return await api.getTransaction({ transaction_id: id }, { signal });
}

/** What was asked of whoever has probably sent it; null where that is not known. */
async function readMeant(api: AccountApi, { meantFor, code }: CryptoTransaction, signal?: AbortSignal) {
  if (meantFor === null) return null;
  try {
    const found = await api.getCryptoTransaction({ txId: meantFor, code }, { signal });
    return found.amountRequired;
  } catch (error) {
    // It may be one of another currency: the decision is possible without.
    if (signal?.aborted) throw error;
    return null;
  }
}

function ofCrypto(transaction: CryptoTransaction, askedElsewhere: string | null): Waiting {
  const { id, txId, code, amount, amountRequired, labels, payments, meantFor, updatedAt, availableActions } =
    transaction;
  const asked = amountRequired ?? askedElsewhere;
  return {
    ...{ key: `crypto:${id}`, kind: 'crypto', id, reference: txId, currency: code, labels, meantFor },
    came: BigInt(amount),
    asked: asked === null ? null : BigInt(asked),
    at: payments.at(-1)?.seenAt ?? updatedAt,
    canReject: availableActions.includes('reject'),
  };
}

function ofFiat(item: TransactionListItem): Waiting {
  const { transaction_id: id, currency, amount_charged: asked, amount_kept: came, reason, status } = item;
  const hasFailed = status === 'transaction_status_failed' && reason !== 'rejected';
  return {
    ...{ key: `fiat:${id}`, kind: 'fiat', id, reference: id, currency, meantFor: null, canReject: true },
    came: toMinor(came, currency),
    asked: toMinor(asked, currency),
    labels: [...(reason === undefined ? [] : [reason]), ...(hasFailed ? ['failed'] : [])],
    at: item.updated_at,
  };
}

/** A sum as people write it, to its last digit. */
export function moneyText({ kind, currency }: Pick<Waiting, 'kind' | 'currency'>, amount: bigint, format: Format) {
  if (kind === 'fiat') return format.money(formatMinor(amount, minorUnitsOf(currency as CurrencyCode)), currency);
  return format.coinUnits(amount, currency);
}

/** What all of them are together, a sum for each currency. */
export function sumsOf(rows: readonly Waiting[]): Pick<Waiting, 'kind' | 'currency' | 'came'>[] {
  const sums = new Map<string, Pick<Waiting, 'kind' | 'currency' | 'came'>>();
  for (const { kind, currency, came } of rows) {
    const name = `${kind}:${currency}`;
    sums.set(name, { kind, currency, came: (sums.get(name)?.came ?? 0n) + came });
  }
  return [...sums.values()];
}

/** The number of payments awaiting review, for the badge in the navigation, which counts to a hundred. */
export async function countDecisions(api: AccountApi): Promise<number> {
  const { crypto, fiat } = await listWaiting(api, 1);
  return crypto.length + fiat.length;
}
