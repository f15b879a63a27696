import type { UnitOfWork } from '../database/database.ts';
import type { Eraser } from '../system/eraser.ts';
import { db } from './schema.ts';
import type { EventSubject } from './subject.ts';

/**
 * Erases a payer's data from the events of a subject, which are also the bodies of its webhooks, and from their
 * delivery attempts, whose responses may repeat it. The unit of work must hold the subject's lock.
 */
export async function eraseFromEvents(
  unit: UnitOfWork,
  { merchantId, kind, id, erase }: EventSubject & { merchantId: number; erase: Eraser },
): Promise<void> {
  const events = await db(unit)
    .selectFrom('events')
    .select(['id', 'data', 'detail'])
    .where('merchant_id', '=', merchantId)
    .where('subject_kind', '=', kind)
    .where('subject_id', '=', id)
    .execute();
  for (const event of events) {
    const erased = { data: erase.json(event.data), detail: event.detail && erase.json(event.detail) };
    if (erased.data === event.data && erased.detail === event.detail) continue;
    await db(unit).updateTable('events').set(erased).where('id', '=', event.id).execute();
  }
  const webhooks = db(unit)
    .selectFrom('callbacks')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('subject_kind', '=', kind)
    .where('subject_id', '=', id);
  await db(unit)
    .updateTable('callback_attempts')
    .set({ answer: null, response_headers: null })
    .where('merchant_id', '=', merchantId)
    .where('callback_id', 'in', webhooks)
    .execute();
}
