import { sql } from 'kysely';
import { refundTransaction, submitCard } from '../api/operations/payments.ts';
import type { Database } from '../database/database.ts';
import type { HashKey } from './idempotency.ts';

const BATCH = 500;
const PLAIN = 'plain:';

/**
 * Replaces the idempotency keys that releases before the hashes stored as they were sent, so that a request which was
 * interrupted by the upgrade can be repeated.
 */
export async function hashPlainKeys(database: Database, hash: HashKey): Promise<void> {
  const { query } = database;
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
  const attempts = await query
    .selectFrom('card_attempts')
    .select(['id', 'submission_key as name'])
    .where(sql<boolean>`submission_key like '% %'`)
    .execute();
  for (const { id, name } of attempts)
    await query
      .updateTable('card_attempts')
      .set({ submission_key: hash(read(name, submitCard)) })
      .where('id', '=', id)
      .execute();
  const refunds = await query
    .selectFrom('refunds')
    .select(['id', 'request_name as name'])
    .where(sql<boolean>`request_name like '% %'`)
    .execute();
  for (const { id, name } of refunds)
    await query
      .updateTable('refunds')
      .set({ request_name: hash(read(name, refundTransaction)) })
      .where('id', '=', id)
      .execute();
}

/** A name of those releases: the caller (`token 7`), and the key. */
function read(name: string | null, { method, path }: { method: string; path: string }) {
  const [, identity = '', key = ''] = /^(\S+ \S+) (.*)$/s.exec(name ?? '') ?? [];
  return { identity, operation: `${method} ${path}`, key };
}
