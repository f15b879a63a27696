import { db } from './schema.ts';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { HashKey } from './idempotency.ts';

const BATCH = 500;
const PLAIN = 'plain:';

/**
 * Replaces the idempotency keys that releases before the hashes stored as they were sent, so that a request which was
 * interrupted by the upgrade can be repeated.
 */
export async function hashPlainKeys(database: Database, hash: HashKey): Promise<void> {
  const query = db(database);
  for (;;) {
    const rows = await query
      .selectFrom('idempotency_keys')
      .select(['merchant_id', 'identity', 'operation', 'key'])
      .where(sql<boolean>`key like 'plain:%'`)
      .limit(BATCH)
      .execute();
    for (const row of rows) {
      await query
        .updateTable('idempotency_keys')
        .set({ key: hash({ ...row, key: row.key.slice(PLAIN.length) }) })
        .where('merchant_id', '=', row.merchant_id)
        .where('identity', '=', row.identity)
        .where('operation', '=', row.operation)
        .where('key', '=', row.key)
        .execute();
    }
    if (rows.length < BATCH) break;
  }
}
