import { db, statement } from './schema.ts';
import { sql } from 'kysely';
import type { Instant } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { UnitOfWork } from '../database/database.ts';
import { wakeJob } from '../jobs/runner.ts';
import { type Random, randomId } from '../system/random.ts';
import { noTracer, type Tracer } from '../system/tracing.ts';
import { type RecordedEventType, webhookEvents } from '../api/webhook-events.ts';
import { listNotifiedUrls } from './notified-urls.ts';
import type { EventSubject } from './subject.ts';

/** The job that delivers webhooks. */
export const DELIVERY_JOB = 'callbacks';

/** The transactional outbox: webhooks are inserted together with their events. */
export interface Outbox {
  /**
   * Inserts the webhooks of an event, one for each endpoint with its type, in the unit of work that inserts the event:
   * delivery is at least once. The unit must hold the subject's lock: a finished delivery attempt releases the subject's
   * next webhook under the same lock.
   *
   * Notices go to every endpoint, whatever its event types, and to previous webhook URLs, so that an attacker cannot hide a
   * change by replacing a URL.
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

export function createOutbox({
  tracer = noTracer,
  ...options
}: {
  clock: Clock;
  random: Random;
  tracer?: Tracer;
}): Outbox {
  return {
    async enqueue(unit, { id, type, subject, ...event }) {
      const now = options.clock.now();
      const traceparent = tracer.traceparent();
      if (webhookEvents[type].isNotice) {
        const targets = await listNotifiedUrls(unit, event.merchantId, now);
        const { webhookId, merchantId: merchant_id, sequence } = event;
        const notices = targets.map(({ url, endpoint }, index) => ({
          ...{
            merchant_id,
            subject_kind: subject.kind,
            subject_id: subject.id,
            sequence,
            event_id: id,
            url,
            endpoint,
            traceparent,
          },
          webhook_id: index === 0 ? webhookId : `evt_${randomId(options.random)}`,
          ...{ state: 'pending' as const, attempts_made: 0, next_attempt_at: now, created_at: now, finished_at: null },
        }));
        if (notices.length === 0) return;
        await db(unit).insertInto('callbacks').values(notices).execute();
        wakeJob(unit, DELIVERY_JOB);
        return;
      }
      const listed = `%${JSON.stringify(type)}%`;
      const values = {
        eventId: id,
        listed,
        subjectKind: subject.kind,
        subjectId: subject.id,
        ...event,
        traceparent,
        now,
      };
      const inserted = (await insertWebhooks(unit, values)).rows;
      // A held webhook becomes due once the previous one is finished.
      if (inserted.some(({ held }) => held === 0)) wakeJob(unit, DELIVERY_JOB);
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
  /** Pattern of `event_types` that contain the event's type. */
  listed: string;
  traceparent: string | null;
  now: Instant;
}

/**
 * Inserts a webhook for each endpoint; none for a merchant without one. The ID of a delivery to an added endpoint is
 * derived from the event's, so that a statement can insert them all.
 */
const insertWebhooks = statement((query, { merchantId, subjectKind, subjectId, ...values }: NewWebhook) =>
  query
    .insertInto('callbacks')
    .columns([
      'merchant_id',
      'subject_kind',
      'subject_id',
      'sequence',
      'event_id',
      'webhook_id',
      'endpoint',
      'state',
      'attempts_made',
      'held',
      'next_attempt_at',
      'created_at',
      'traceparent',
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
          sql<string>`${values.webhookId} || coalesce('.' || endpoint_key, '')`.as('webhook'),
          'number',
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
                  .whereRef('earlier.endpoint', '=', 'webhook_endpoints.number')
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
          sql<string | null>`${values.traceparent}`.as('traceparent'),
        ])
        .where('merchant_id', '=', merchantId)
        .where('url', 'is not', null)
        .where('removed_at', 'is', null)
        .where(({ or, eb }) => or([eb('event_types', 'is', null), eb('event_types', 'like', values.listed)])),
    )
    .returning('held'),
);
