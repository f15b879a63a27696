import { inBatches } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import type { Eraser } from '../system/eraser.ts';
import { db } from './schema.ts';

const BATCH_SIZE = 500;

/** Erases a payer's data from a merchant's audit entries of some actions: the states before and after, and the subject. */
export async function eraseFromAuditLog(
  database: Database,
  merchantId: number,
  { actions, erase }: { actions: readonly string[]; erase: Eraser },
): Promise<void> {
  await inBatches(0, async (last) => {
    const entries = await db(database)
      .selectFrom('audit_entries')
      .select(['id', 'subject', 'before', 'after'])
      .where('merchant_id', '=', merchantId)
      .where('action', 'in', actions)
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute();
    for (const { id, ...stored } of entries) {
      const erased = {
        subject: stored.subject && erase.text(stored.subject),
        before: stored.before && erase.json(stored.before),
        after: stored.after && erase.json(stored.after),
      };
      if (JSON.stringify(erased) === JSON.stringify(stored)) continue;
      await db(database).updateTable('audit_entries').set(erased).where('id', '=', id).execute();
    }
    return entries.length < BATCH_SIZE ? null : (entries.at(-1)?.id ?? null);
  });
}
