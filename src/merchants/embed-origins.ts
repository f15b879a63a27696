import type { Runner } from '../database/engine.ts';
import { parseOriginList } from './preferences/values.ts';
import { readPreferences } from './preferences/store.ts';

/** The origins that a merchant lets show its payments in a frame; none when it has said nothing. */
export async function embedOrigins(database: Runner, merchantId: number): Promise<readonly string[]> {
  const { 'embed-origin-list': list } = await readPreferences(database, merchantId, ['embed-origin-list']);
  return typeof list === 'string' ? (parseOriginList(list) ?? []) : [];
}
