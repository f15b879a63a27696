import type {
  CryptoTransaction,
  ListCryptoTransactionsAnswer,
  ListTransactionsAnswer,
  TransactionDetail,
  TransactionListItem,
} from '../../../client/api.ts';
import { cryptoCurrencies } from '../../../src/contract/crypto-currency.ts';
import { type CurrencyCode, minorUnitsOf } from '../../../src/contract/minor-units.ts';
import { formatMinor, parseAmount } from '../../../src/contract/money.ts';
import type { AccountApi } from '../api.ts';
import type { Format } from '../format.ts';

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
  /** When the money came. */
  at: string;
  /** The reference of the invoice that it was probably meant for. */
  meantFor: string | null;
  canReject: boolean;
}

interface Listed {
  crypto: CryptoTransaction[];
  fiat: TransactionListItem[];
  hasMore: boolean;
}

const PER_PAGE = 100;

/** What waits, newest first: at most `limit` of each kind. */
export async function listWaiting(api: AccountApi, limit: number, signal?: AbortSignal): Promise<Listed> {
  const listFiat = async (reason: string) =>
    await api.get<ListTransactionsAnswer>(
      '/fiat/v1/transactions',
      { status: 'transaction_status_waiting', reason, per_page: PER_PAGE },
      { signal },
    );
  const [crypto, ...ofReasons] = await Promise.all([
    listCrypto(api, limit, signal),
    listFiat('underpaid'),
    listFiat('overpaid'),
  ]);
  return {
    crypto: crypto.transactions,
    fiat: ofReasons.flatMap(({ transactions }) => transactions),
    hasMore: crypto.hasMore,
  };
}

async function listCrypto(api: AccountApi, limit: number, signal: AbortSignal | undefined) {
  const transactions: CryptoTransaction[] = [];
  let cursor: string | null = null;
  do {
    const answer: ListCryptoTransactionsAnswer = await api.get(
      '/v1/transactions',
      { status: 'approved_required', per_page: PER_PAGE, cursor },
      { signal },
    );
    transactions.push(...answer.transactions);
    cursor = answer.next_cursor;
  } while (cursor !== null && transactions.length < limit);
  return { transactions, hasMore: cursor !== null };
}

/** The same with all that a decision needs to be told, newest first. */
export async function readWaiting(
  api: AccountApi,
  limit: number,
  signal?: AbortSignal,
): Promise<{ rows: Waiting[]; hasMore: boolean }> {
  const { crypto, fiat, hasMore } = await listWaiting(api, limit, signal);
  const details = await Promise.all(fiat.map(async ({ transaction_id: id }) => await readFiat(api, id, signal)));
  const meant = await Promise.all(crypto.map(async (each) => await readMeant(api, each, signal)));
  const rows = [
    ...crypto.map((each, index) => ofCrypto(each, meant[index] ?? null)),
    ...details.filter(waitsForPerson).map(ofFiat),
  ];
  return { rows: rows.toSorted((one, other) => other.at.localeCompare(one.at)), hasMore };
}

export async function readFiat(api: AccountApi, id: string, signal?: AbortSignal): Promise<TransactionDetail> {
  return await api.get<TransactionDetail>('/fiat/v1/transaction', { transaction_id: id }, { signal });
}

export function waitsForPerson({ available_actions: actions }: TransactionDetail): boolean {
  return actions.includes('accept');
}

/** What was asked of whoever has probably sent it; null where that is not known. */
async function readMeant(api: AccountApi, { meantFor, code }: CryptoTransaction, signal?: AbortSignal) {
  if (meantFor === null) return null;
  try {
    const found = await api.get<CryptoTransaction>('/v1/transaction', { txId: meantFor, code }, { signal });
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

function ofFiat(detail: TransactionDetail): Waiting {
  const { transaction_id: id, currency, amount_charged: asked, amount_received: came, reason, late } = detail;
  const units = minorUnitsOf(currency as CurrencyCode);
  const minor = (amount: number) => {
    const parsed = parseAmount(amount, units);
    return typeof parsed === 'bigint' ? parsed : 0n;
  };
  return {
    ...{ key: `fiat:${id}`, kind: 'fiat', id, reference: id, currency, meantFor: null, canReject: false },
    came: minor(came),
    asked: minor(asked),
    labels: [...(reason === undefined ? [] : [reason]), ...(late ? ['late'] : [])],
    at: detail.receipts.at(-1)?.received_at ?? detail.updated_at,
  };
}

/** A sum as people write it, to its last digit. */
export function moneyText({ kind, currency }: Pick<Waiting, 'kind' | 'currency'>, amount: bigint, format: Format) {
  if (kind === 'fiat') return format.money(formatMinor(amount, minorUnitsOf(currency as CurrencyCode)), currency);
  return format.coins(coinsText(amount, currency), currency);
}

/** Whole coins, without zeros at the end: `150000` satoshi are `0.0015`. */
export function coinsText(amount: bigint, code: string): string {
  const decimals = code in cryptoCurrencies ? cryptoCurrencies[code as keyof typeof cryptoCurrencies].decimals : 0;
  const text = formatMinor(amount, decimals);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
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
