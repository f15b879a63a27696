import { db, statement } from './schema.ts';
import { sql } from 'kysely';
import type { Instant } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { UnitOfWork } from '../database/database.ts';
import { wakeJob } from '../jobs/runner.ts';
import { type Random, randomId } from '../system/random.ts';
import { type RecordedEventType, webhookEvents } from '../api/webhook-events.ts';
import { notifiedUrls } from './notified-urls.ts';
import type { EventSubject } from './subject.ts';

/** The job that delivers callbacks. */
export const DELIVERY_JOB = 'callbacks';

export interface Outbox {
  /**
   * Puts the callback for an event beside it, in the unit that writes the event: at least once, never
   * zero. Does nothing for a merchant without a `callback-url`. The subject must be locked by the
   * unit: whoever finishes its earlier callback looks for this one.
   *
   * Changes of the callback URL and of withdrawal destinations are notices: they also go to the former
   * callback URLs, so that whoever changes both cannot keep the merchant from noticing.
   */
  enqueue(
    unit: UnitOfWork,
    event: {
      id: number;
      type: RecordedEventType;
      webhookId: string;
      merchantId: number;
      subject: EventSubject;
      sequence: number;
    },
  ): Promise<void>;
}

export function createOutbox(options: { clock: Clock; random: Random }): Outbox {
  return {
    async enqueue(unit, { id, type, subject, ...event }) {
      const now = options.clock.now();
      if (webhookEvents[type].isNotice) {
        const urls = await notifiedUrls(unit, event.merchantId, now);
        const { webhookId, merchantId: merchant_id, sequence } = event;
        const notices = urls.map((url, index) => ({
          ...{ merchant_id, subject_kind: subject.kind, subject_id: subject.id, sequence, event_id: id, url },
          webhook_id: index === 0 ? webhookId : `evt_${randomId(options.random)}`,
          ...{ state: 'pending' as const, attempts_made: 0, next_attempt_at: now, created_at: now, finished_at: null },
        }));
        if (notices.length === 0) return;
        await db(unit).insertInto('callbacks').values(notices).execute();
        wakeJob(unit, DELIVERY_JOB);
        return;
      }
      const values = { eventId: id, subjectKind: subject.kind, subjectId: subject.id, ...event, now };
      const [written] = (await insertWebhook(unit, values)).rows;
      // One that is held is due once the callback before it is finished.
      if (written?.held === 0) wakeJob(unit, DELIVERY_JOB);
    },
  };
}

interface NewCallback {
  merchantId: number;
  subjectKind: EventSubject['kind'];
  subjectId: number;
  sequence: number;
  eventId: number;
  webhookId: string;
  now: Instant;
}

/** Inserts the webhook of a merchant with a `callback-url`; one of a merchant without has no row. */
const insertWebhook = statement((query, { merchantId, subjectKind, subjectId, ...values }: NewCallback) =>
  query
    .insertInto('callbacks')
    .columns([
      'merchant_id',
      'subject_kind',
      'subject_id',
      'sequence',
      'event_id',
      'webhook_id',
      'state',
      'attempts_made',
      'held',
      'next_attempt_at',
      'created_at',
    ])
    .expression(
      query
        .selectFrom('preferences')
        .select(({ case: choose, exists, selectFrom }) => [
          'merchant_id',
          sql<EventSubject['kind']>`${subjectKind}`.as('kind'),
          sql<number>`${subjectId}`.as('subject'),
          sql<number>`${values.sequence}`.as('sequence'),
          sql<number>`${values.eventId}`.as('event'),
          sql<string>`${values.webhookId}`.as('webhook'),
          sql.lit('pending').as('state'),
          sql.lit(0).as('attempts_made'),
          choose()
            .when(
              exists(
                selectFrom('callbacks as earlier')
                  .select('earlier.id')
                  .where('earlier.merchant_id', '=', merchantId)
                  .where('earlier.subject_kind', '=', subjectKind)
                  .where('earlier.subject_id', '=', subjectId)
                  .where('earlier.url', 'is', null)
                  .where('earlier.state', '=', sql.lit('pending')),
              ),
            )
            .then(1)
            .else(0)
            .end()
            .as('held'),
          sql<Instant>`${values.now}`.as('next_attempt_at'),
          sql<Instant>`${values.now}`.as('created_at'),
        ])
        .where('merchant_id', '=', merchantId)
        .where('key', '=', 'callback-url'),
    )
    .returning('held'),
);
