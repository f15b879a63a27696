import type { AccountApi } from '../api.ts';
import { listWaiting } from './waiting.ts';

/** How many things wait for somebody's decision, for the badge in the navigation, which counts to a hundred. */
export async function countDecisions(api: AccountApi): Promise<number> {
  const { crypto, fiat } = await listWaiting(api, 1);
  return crypto.length + fiat.length;
}
