import { readPreferences } from '../merchants/preferences/store.ts';
import type { Clock } from '../platform/clock.ts';
import type { UnitOfWork } from '../platform/database/database.ts';

export interface Outbox {
  /**
   * Puts the callback for an event beside it, in the unit that writes the event: at least once, never
   * zero. Does nothing for a merchant without a `callback-url`. The transaction must be locked by the
   * unit: whoever finishes its earlier callback looks for this one.
   */
  enqueue(
    unit: UnitOfWork,
    event: { id: number; webhookId: string; merchantId: number; transactionId: number; sequence: number },
  ): Promise<void>;
}

export function createOutbox(options: { clock: Clock; wake: () => void }): Outbox {
  return {
    async enqueue(unit, event) {
      const { 'callback-url': url } = await readPreferences(unit, event.merchantId, ['callback-url']);
      if (typeof url !== 'string') return;
      const now = options.clock.now();
      const earlier = await unit.query
        .selectFrom('callbacks')
        .select('id')
        .where('merchant_id', '=', event.merchantId)
        .where('fiat_transaction_id', '=', event.transactionId)
        .where('state', '=', 'pending')
        .limit(1)
        .executeTakeFirst();
      await unit.query
        .insertInto('callbacks')
        .values({
          merchant_id: event.merchantId,
          fiat_transaction_id: event.transactionId,
          sequence: event.sequence,
          event_id: event.id,
          webhook_id: event.webhookId,
          state: 'pending',
          attempts_made: 0,
          held: earlier ? 1 : 0,
          next_attempt_at: now,
          created_at: now,
          finished_at: null,
        })
        .execute();
      unit.afterCommit(options.wake);
    },
  };
}
