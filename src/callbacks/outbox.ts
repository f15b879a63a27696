import { readPreferences } from '../merchants/preferences/store.ts';
import type { Clock } from '../platform/clock.ts';
import type { UnitOfWork } from '../platform/database/database.ts';
import { type Random, randomId } from '../platform/random.ts';

export interface Outbox {
  /**
   * Puts the callback for an event beside it, in the unit that writes the event: at least once, never
   * zero. Does nothing for a merchant without a `callback-url`.
   */
  enqueue(
    unit: UnitOfWork,
    event: { id: number; merchantId: number; transactionId: number; sequence: number },
  ): Promise<void>;
}

export function createOutbox(options: { clock: Clock; random: Random; wake: () => void }): Outbox {
  return {
    async enqueue(unit, event) {
      const { 'callback-url': url } = await readPreferences(unit, event.merchantId, ['callback-url']);
      if (typeof url !== 'string') return;
      const now = options.clock.now();
      await unit.query
        .insertInto('callbacks')
        .values({
          merchant_id: event.merchantId,
          fiat_transaction_id: event.transactionId,
          sequence: event.sequence,
          event_id: event.id,
          webhook_id: `evt_${randomId(options.random)}`,
          state: 'pending',
          attempts_made: 0,
          next_attempt_at: now,
          created_at: now,
          finished_at: null,
        })
        .execute();
      unit.afterCommit(options.wake);
    },
  };
}
