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

/**
 * Merges the newest page into the current rows. If the user has scrolled down, or rows between the two are missing, it
 * only counts new rows in `newCount`.
 */
export function mergeNewestPage(current: readonly Item[], newest: readonly Item[], isScrolled: boolean) {
  const newestItems = reuseUnchanged(current, newest);
  const byId = new Map(newestItems.map((item) => [item.id, item]));
  const currentIds = new Set(current.map(({ id }) => id));
  const newItems = newest.filter(({ id }) => !currentIds.has(id));
  const items = current.map((item) => byId.get(item.id) ?? item);
  const isGap = newItems.length === newest.length && items.length > 0;
  return isScrolled || isGap
    ? { items, newCount: newItems.length }
    : { items: [...newItems, ...items], newCount: null };
}

/** The newest items; an unchanged one is the current object, so that its row is not rendered again. */
export function reuseUnchanged(current: readonly Item[], newest: readonly Item[]): Item[] {
  const byId = new Map(current.map((item) => [item.id, item]));
  return newest.map((item) => {
    const former = byId.get(item.id);
    return former && JSON.stringify(former) === JSON.stringify(item) ? former : item;
  });
}
