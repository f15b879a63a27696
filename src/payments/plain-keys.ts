import { sql } from 'kysely';
import { refundTransaction, submitCard } from '../api/operations/payments.ts';
import type { Database } from '../database/database.ts';
import type { HashKey } from '../operations/idempotency.ts';
import { db } from './schema.ts';

/** Like `operations/plain-keys.ts`, for the idempotency keys of card attempts and refunds. */
export async function hashPlainRequestKeys(database: Database, hash: HashKey): Promise<void> {
  const attempts = await db(database)
    .selectFrom('card_attempts')
    .select(['id', 'submission_key as name'])
    .where(sql<boolean>`submission_key like '% %'`)
    .execute();
  for (const { id, name } of attempts)
    await db(database)
      .updateTable('card_attempts')
      .set({ submission_key: hash(parsePlainKey(name, submitCard)) })
      .where('id', '=', id)
      .execute();
  const refunds = await db(database)
    .selectFrom('refunds')
    .select(['id', 'request_name as name'])
    .where(sql<boolean>`request_name like '% %'`)
    .execute();
  for (const { id, name } of refunds)
    await db(database)
      .updateTable('refunds')
      .set({ request_name: hash(parsePlainKey(name, refundTransaction)) })
      .where('id', '=', id)
      .execute();
}

/** Parses a key as stored by earlier releases: the caller (`token 7`), a space and the idempotency key. */
function parsePlainKey(name: string | null, { method, path }: { method: string; path: string }) {
  const [, identity = '', key = ''] = /^(\S+ \S+) (.*)$/s.exec(name ?? '') ?? [];
  return { identity, operation: `${method} ${path}`, key };
}
