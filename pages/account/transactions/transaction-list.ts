import type {
  ListCryptoTransactionsInput,
  ListTransactionsResponse,
  ListTransactionsInput,
} from '../../../client/api.ts';
import type { AccountApi } from '../api.ts';
import { type ListQuery, toApiQuery } from './filters.ts';
import type { Item } from './transaction-row.ts';

/** The loaded transactions, and the cursor of the next page. */
export interface TransactionList {
  items: readonly Item[];
  next: string | null;
  /** Transactions by status; null for crypto transactions. */
  counts: TransactionCounts | null;
}

export type TransactionCounts = NonNullable<ListTransactionsResponse['counts']>;

export const PAGE_SIZE = 50;

export async function readTransactions(
  api: AccountApi,
  listQuery: ListQuery,
  cursor: string | null,
  signal: AbortSignal,
): Promise<TransactionList> {
  const query = {
    ...toApiQuery(listQuery),
    per_page: PAGE_SIZE,
    cursor,
    ...(cursor === null && listQuery.kind === 'fiat' && { counts: 'true' }),
  } as ListTransactionsInput & ListCryptoTransactionsInput;
  if (listQuery.kind === 'crypto') {
    const page = await api.listCryptoTransactions(query, { signal });
    return { items: page.transactions, next: page.next_cursor, counts: null };
  }
  const page = await api.listTransactions(query, { signal });
  return { items: page.transactions, next: page.pagination.next_cursor, counts: page.counts ?? null };
}

/** Reads a list from its start: one page, or as many as have `count` rows. */
export async function readFromStart(api: AccountApi, listQuery: ListQuery, count: number): Promise<TransactionList> {
  const { signal } = new AbortController();
  const list = await readTransactions(api, listQuery, null, signal);
  while (list.next !== null && list.items.length < count) {
    const page = await readTransactions(api, listQuery, list.next, signal);
    Object.assign(list, { items: [...list.items, ...page.items], next: page.next });
  }
  return list;
}

/**
 * Merges the newest rows into the current ones, and removes those that no longer match the filters. If the user has
 * scrolled down, or rows between the two are missing, it only counts new rows in `newCount`.
 */
export function mergeNewest(current: readonly Item[], { items: newest, next }: TransactionList, isScrolled: boolean) {
  const positions = new Map(current.map(({ id }, index) => [id, index]));
  const lastKnown = newest.findLastIndex(({ id }) => positions.has(id));
  // Unknown rows after the last known one belong to the next page.
  const read = reuseUnchanged(current, next === null ? newest : newest.slice(0, lastKnown + 1));
  const byId = new Map(read.map((item) => [item.id, item]));
  const end = next === null ? current.length : (positions.get(newest[lastKnown]?.id ?? -1) ?? 0);
  if (isScrolled || (lastKnown === -1 && current.length > 0)) {
    const items = current.flatMap((item, index) => byId.get(item.id) ?? (index < end ? [] : item));
    const newItems = read.filter(({ id }) => !positions.has(id));
    return { items, newCount: lastKnown === -1 ? newest.length : newItems.length };
  }
  return { items: [...read, ...current.slice(end).filter(({ id }) => !byId.has(id))], newCount: null };
}

/** The newest items; an unchanged one is the current object, so that its row is not rendered again. */
export function reuseUnchanged(current: readonly Item[], newest: readonly Item[]): Item[] {
  const byId = new Map(current.map((item) => [item.id, item]));
  return newest.map((item) => {
    const former = byId.get(item.id);
    return former && JSON.stringify(former) === JSON.stringify(item) ? former : item;
  });
}
