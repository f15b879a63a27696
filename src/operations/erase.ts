import { inBatches } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import type { Eraser } from '../system/eraser.ts';
import { db } from './schema.ts';

const BATCH_SIZE = 500;

/**
 * Erases a payer's data from the stored responses of a merchant. The rows stay: a repeated request must not take effect
 * again.
 */
export async function eraseFromResponses(database: Database, merchantId: number, erase: Eraser): Promise<void> {
  await inBatches('', async (last) => {
    // The stored hash covers the caller and the operation, so it is unique.
    const rows = await db(database)
      .selectFrom('idempotency_keys')
      .select(['key', 'answer'])
      .where('merchant_id', '=', merchantId)
      .where('key', '>', last)
      .orderBy('key')
      .limit(BATCH_SIZE)
      .execute();
    for (const { key, answer } of rows) {
      const erased = answer && erase.json(answer);
      if (erased === answer) continue;
      await db(database)
        .updateTable('idempotency_keys')
        .set({ answer: erased })
        .where('merchant_id', '=', merchantId)
        .where('key', '=', key)
        .execute();
    }
    return rows.length < BATCH_SIZE ? null : (rows.at(-1)?.key ?? null);
  });
}
