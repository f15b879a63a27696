import { db } from './schema.ts';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { HashKey } from './idempotency.ts';

const BATCH_SIZE = 500;
const PLAIN_PREFIX = 'plain:';

/**
 * Hashes idempotency keys that earlier releases stored in plain text, so that a request interrupted by the upgrade
 * can be retried.
 */
export async function hashPlainKeys(database: Database, hash: HashKey): Promise<void> {
  const query = db(database);
  for (;;) {
    const rows = await query
      .selectFrom('idempotency_keys')
      .select(['merchant_id', 'identity', 'operation', 'key'])
      .where(sql<boolean>`key like 'plain:%'`)
      .limit(BATCH_SIZE)
      .execute();
    for (const row of rows) {
      await query
        .updateTable('idempotency_keys')
        .set({ key: hash({ ...row, key: row.key.slice(PLAIN_PREFIX.length) }) })
        .where('merchant_id', '=', row.merchant_id)
        .where('identity', '=', row.identity)
        .where('operation', '=', row.operation)
        .where('key', '=', row.key)
        .execute();
    }
    if (rows.length < BATCH_SIZE) break;
  }
}
