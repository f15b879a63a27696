import { db, statement } from './schema.ts';
import { sql } from 'kysely';
import type { Instant } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { UnitOfWork } from '../database/database.ts';
import { wakeJob } from '../jobs/runner.ts';
import { type Random, randomId } from '../system/random.ts';
import { type RecordedEventType, webhookEvents } from '../api/webhook-events.ts';
import { listNotifiedUrls } from './notified-urls.ts';
import type { EventSubject } from './subject.ts';

/** The job that delivers webhooks. */
export const DELIVERY_JOB = 'callbacks';

/** The transactional outbox: webhooks are inserted together with their events. */
export interface Outbox {
  /**
   * Inserts the webhook of an event, in the unit of work that inserts the event: delivery is at least once. Does nothing
   * for a merchant without a webhook URL. The unit must hold the subject's lock: a finished delivery attempt releases
   * the subject's next webhook under the same lock.
   *
   * Notices also go to former webhook URLs, so that an attacker cannot hide a change by replacing the URL.
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
        const urls = await listNotifiedUrls(unit, event.merchantId, now);
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
      const [inserted] = (await insertWebhook(unit, values)).rows;
      // A held webhook becomes due once the previous one is finished.
      if (inserted?.held === 0) wakeJob(unit, DELIVERY_JOB);
    },
  };
}

interface NewWebhook {
  merchantId: number;
  subjectKind: EventSubject['kind'];
  subjectId: number;
  sequence: number;
  eventId: number;
  webhookId: string;
  now: Instant;
}

/** Inserts a webhook; none for a merchant without a webhook URL. */
const insertWebhook = statement((query, { merchantId, subjectKind, subjectId, ...values }: NewWebhook) =>
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
        .selectFrom('webhook_endpoints')
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
        .where('url', 'is not', null),
    )
    .returning('held'),
);
