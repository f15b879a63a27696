import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Runner } from '../database/engine.ts';
import type { Instant } from '../shared/time.ts';
import type { UnitOfWork } from '../database/database.ts';
import { db, statement } from './schema.ts';
import type { RecordedEventType, SubjectOf, WebhookEventData } from '../api/webhook-events.ts';
import { type Random, randomId } from '../system/random.ts';
import { eventTopic } from './events.ts';
import { type EventRow, insertEvent, type Outbox } from './outbox.ts';
import type { EventSubject } from './subject.ts';

/** An event to record. Its type determines `data` and the kind of the subject. */
export type NewEvent = { [Type in RecordedEventType]: EventOf<Type> }[RecordedEventType];

interface EventOf<Type extends RecordedEventType> {
  merchantId: number;
  type: Type;
  subject: { kind: SubjectOf<Type>; id: number };
  /** From 1 within the subject, without gaps. */
  sequence: number;
  at: Instant;
  status: string;
  previousStatus: string | null;
  /** One line for the timeline. */
  detail: string | null;
  /** The webhook's `data`; `merchant_id` is added on reading. */
  data: Omit<WebhookEventData<Type>, 'merchant_id'>;
  /** False: the event has no webhook, because an event of another subject reports the change. */
  isReported?: boolean;
}

/** Inserts an event and its webhook in the unit of work of the change. It must hold the subject's lock. */
export async function recordEvent(
  { random, outbox }: { random: Random; outbox: Outbox },
  unit: UnitOfWork,
  { merchantId, subject, data, previousStatus, isReported = true, ...event }: NewEvent,
): Promise<void> {
  const webhookId = isReported ? `evt_${randomId(random)}` : null;
  const row = {
    webhook_id: webhookId,
    merchant_id: merchantId,
    ...{ subject_kind: subject.kind, subject_id: subject.id },
    previous_status: previousStatus,
    data: JSON.stringify(data),
    ...event,
  };
  if (webhookId === null) {
    await insertEvent(unit, row);
    return;
  }
  await outbox.record(unit, { ...row, webhook_id: webhookId });
  unit.announce(eventTopic(merchantId));
}

/** The first event of a subject. It has no webhook. */
export type FirstEvent = Omit<EventRow, 'subject_kind' | 'subject_id' | 'merchant_id'>;

const insertFirstEvent = statement((query, { row }: { row: EventRow }) => query.insertInto('events').values(row));

/** Inserts the first event of a subject. */
export async function recordFirstEvent(
  runner: Runner,
  { merchantId, subject, event }: { merchantId: number; subject: EventSubject; event: FirstEvent },
): Promise<void> {
  const row = { merchant_id: merchantId, subject_kind: subject.kind, subject_id: subject.id, ...event };
  await insertFirstEvent(runner, { row });
}

/**
 * SQL that inserts the first events of many subjects, as part of the statement that inserts the subjects. `source` is a
 * query with the columns `id` and `event` (JSON); `event` has the keys of `example`.
 */
export function insertFirstEvents(
  kind: EventSubject['kind'],
  example: FirstEvent & { merchant_id: number },
  source: RawBuilder<unknown>,
) {
  const columns = Object.keys(example);
  return sql`
    insert into events (subject_kind, subject_id, ${sql.join(columns.map((column) => sql.ref(column)))})
    select ${sql.lit(kind)}, source.id, ${sql.join(columns.map((column) => sql.ref(`row.${column}`)))}
    from (${source}) as source, json_populate_record(null::events, source.event) as row`;
}

/** The query for a subject's events, in order. */
export function eventsQuery(runner: Runner, { merchantId, kind, id }: EventSubject & { merchantId: number }) {
  return db(runner)
    .selectFrom('events')
    .select(['sequence', 'type', 'at', 'status', 'detail'])
    .where('merchant_id', '=', merchantId)
    .where('subject_kind', '=', kind)
    .where('subject_id', '=', id)
    .orderBy('sequence');
}

/** The query for a subject's last event with `status`. */
export function lastEventQuery(
  runner: Runner,
  {
    merchantId,
    kind,
    id,
    status,
  }: { merchantId: Expression<number>; kind: EventSubject['kind']; id: Expression<number>; status: string },
) {
  return db(runner)
    .selectFrom('events')
    .select('at')
    .where('merchant_id', '=', merchantId)
    .where('subject_kind', '=', kind)
    .where('subject_id', '=', id)
    .where('status', '=', status)
    .orderBy('sequence', 'desc')
    .limit(1);
}
