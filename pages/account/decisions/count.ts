import type { ListCryptoTransactionsAnswer } from '../../../client/api.ts';
import type { AccountApi } from '../api.ts';

/** How many things wait for somebody's decision, for the badge in the navigation. */
export async function countDecisions(api: AccountApi): Promise<number> {
  const { transactions } = await api.get<ListCryptoTransactionsAnswer>('/v1/transactions', {
    status: 'approved_required',
  });
  return transactions.length;
}
