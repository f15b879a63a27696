import { db, type EventTable, statement, type WebhookTables } from './schema.ts';
import { type Insertable, type Kysely, type QueryCreator, type RawBuilder, sql } from 'kysely';
import { engineOf } from '../database/engine.ts';
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

export type EventRow = Omit<Insertable<EventTable>, 'id' | 'position'>;

/** An event with a webhook. */
type ReportedEventRow = EventRow & { webhook_id: string; type: RecordedEventType };

/** The transactional outbox: webhooks are inserted together with their events. */
export interface Outbox {
  /**
   * Inserts an event and its webhooks, one per endpoint subscribed to its type. Delivery is at least once. The unit of
   * work must hold the subject's lock: a finished delivery attempt releases the subject's next webhook under the same
   * lock.
   *
   * Notices go to every endpoint, regardless of its event types, and to previous webhook URLs, so that an attacker
   * cannot hide a change by replacing a URL.
   */
  record(unit: UnitOfWork, event: ReportedEventRow): Promise<void>;
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
    async record(unit, event) {
      const now = options.clock.now();
      const traceparent = tracer.traceparent();
      if (webhookEvents[event.type].isNotice) {
        const eventId = await insertEvent(unit, event);
        const targets = await listNotifiedUrls(unit, event.merchant_id, now);
        const { merchant_id, subject_kind, subject_id, sequence } = event;
        const notices = targets.map(({ url, endpoint }, index) => ({
          ...{ merchant_id, subject_kind, subject_id, sequence, event_id: eventId, url, endpoint, traceparent },
          webhook_id: index === 0 ? event.webhook_id : `evt_${randomId(options.random)}`,
          ...{ state: 'pending' as const, attempts_made: 0, next_attempt_at: now, created_at: now, finished_at: null },
        }));
        if (notices.length === 0) return;
        await db(unit).insertInto('callbacks').values(notices).execute();
        wakeJob(unit, DELIVERY_JOB);
        return;
      }
      const values = { listed: `%${JSON.stringify(event.type)}%`, traceparent, now };
      const inserted =
        engineOf(unit) === 'postgres'
          ? await insertWithEvent(unit, { event, ...values })
          : await insertWebhooks(unit, { eventId: await insertEvent(unit, event), event, ...values });
      // A held webhook becomes due once the previous one is finished.
      if (inserted.rows.some(({ held }) => held === 0)) wakeJob(unit, DELIVERY_JOB);
    },
  };
}

const eventQuery = (query: QueryCreator<WebhookTables>, row: EventRow) =>
  query.insertInto('events').values(row).returning('id');

const insertEventRow = statement((query, { row }: { row: EventRow }) => eventQuery(query, row));

/** Inserts an event without webhooks and returns its ID. */
export async function insertEvent(unit: UnitOfWork, row: EventRow): Promise<number> {
  const [{ id } = { id: undefined }] = (await insertEventRow(unit, { row })).rows;
  if (id === undefined) throw new Error('The insert returned no event ID');
  return id;
}

interface NewWebhooks {
  event: ReportedEventRow;
  /** Pattern of `event_types` that contain the event's type. */
  listed: string;
  traceparent: string | null;
  now: Instant;
}

const webhookColumns = [
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
] as const;

const insertWebhooks = statement((query, { eventId, ...values }: NewWebhooks & { eventId: number }) =>
  query
    .insertInto('callbacks')
    .columns(webhookColumns)
    .expression(webhooksQuery(query, sql`${eventId}`, values))
    .returning('held'),
);

/** Inserts an event and its webhooks in one round trip. */
const insertWithEvent = statement((query, values: NewWebhooks) =>
  query
    .with('event', (creator) => eventQuery(creator, values.event))
    .insertInto('callbacks')
    .columns(webhookColumns)
    .expression(webhooksQuery(query, sql`(select id from event)`, values))
    .returning('held'),
);

/**
 * The webhooks of an event, one per endpoint. The ID of a delivery to an added endpoint is derived from the event's, so
 * that one statement can insert them all.
 */
function webhooksQuery(
  query: Kysely<WebhookTables>,
  eventId: RawBuilder<number>,
  {
    event: { merchant_id: merchantId, subject_kind: subjectKind, subject_id: subjectId, ...event },
    ...values
  }: NewWebhooks,
) {
  return query
    .selectFrom('webhook_endpoints')
    .select(({ case: choose, exists, selectFrom }) => [
      'merchant_id',
      sql<EventSubject['kind']>`${subjectKind}`.as('kind'),
      sql<number>`${subjectId}`.as('subject'),
      sql<number>`${event.sequence}`.as('sequence'),
      eventId.as('event'),
      sql<string>`${event.webhook_id} || coalesce('.' || endpoint_key, '')`.as('webhook'),
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
    .where(({ or, eb }) => or([eb('event_types', 'is', null), eb('event_types', 'like', values.listed)]));
}
