import type { ListCryptoTransactionsInput, ListTransactionsInput } from '../../../client/api.ts';
import type { AccountApi } from '../api.ts';
import { type Narrowed, queryOf } from './filters.ts';
import type { Item } from './transaction-row.ts';

/** The transactions so far, and where the list goes on. */
export interface Listed {
  items: readonly Item[];
  next: string | null;
}

export const PAGE = 50;

export async function readListed(
  api: AccountApi,
  narrowed: Narrowed,
  cursor: string | null,
  signal: AbortSignal,
): Promise<Listed> {
  const query = { ...queryOf(narrowed), per_page: PAGE, cursor } as ListTransactionsInput & ListCryptoTransactionsInput;
  if (narrowed.kind === 'crypto') {
    const answer = await api.listCryptoTransactions(query, { signal });
    return { items: answer.transactions, next: answer.next_cursor };
  }
  const answer = await api.listTransactions(query, { signal });
  return { items: answer.transactions, next: answer.pagination.next_cursor };
}

/**
 * Merges the newest page into the known rows. While the user reads further down, or if rows between the two are
 * missing, new rows are only counted in `fresh`.
 */
export function mergeNewest(known: readonly Item[], newest: readonly Item[], isReading: boolean) {
  const byId = new Map(newest.map((item) => [item.id, item]));
  const have = new Set(known.map(({ id }) => id));
  const added = newest.filter(({ id }) => !have.has(id));
  const items = known.map((item) => byId.get(item.id) ?? item);
  const isGap = added.length === newest.length && items.length > 0;
  return isReading || isGap ? { items, fresh: added.length } : { items: [...added, ...items], fresh: null };
}
