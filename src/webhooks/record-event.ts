import { type Insertable, type RawBuilder, sql } from 'kysely';
import type { Runner } from '../database/engine.ts';
import type { Instant } from '../shared/time.ts';
import type { UnitOfWork } from '../database/database.ts';
import { db, type EventTable, statement } from './schema.ts';
import type { RecordedEventType, SubjectOf, WebhookEventData } from '../api/webhook-events.ts';
import { type Random, randomId } from '../system/random.ts';
import { eventTopic } from './events.ts';
import type { Outbox } from './outbox.ts';
import type { EventSubject } from './subject.ts';

/** A change that webhooks report: `data` and the kind of the subject are those of its type. */
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
  /** The webhook's `data`; `merchant_id` is added when it is read. */
  data: Omit<WebhookEventData<Type>, 'merchant_id'>;
  /** False: it is in the timeline alone, since events of another subject report the change. */
  isReported?: boolean;
}

/** Writes an event and its webhook in the unit that makes the change. The unit must have locked the subject. */
export async function recordEvent(
  { random, outbox }: { random: Random; outbox: Outbox },
  unit: UnitOfWork,
  { merchantId, subject, data, previousStatus, isReported = true, ...event }: NewEvent,
): Promise<void> {
  const webhookId = isReported ? `evt_${randomId(random)}` : null;
  const written = await write(unit, {
    row: {
      webhook_id: webhookId,
      merchant_id: merchantId,
      ...{ subject_kind: subject.kind, subject_id: subject.id },
      previous_status: previousStatus,
      data: JSON.stringify(data),
      ...event,
    },
  });
  const [{ id } = { id: undefined }] = written.rows;
  if (id === undefined) throw new Error('An event was not written');
  if (webhookId === null) return;
  await outbox.enqueue(unit, { ...{ id, type: event.type, webhookId, merchantId, subject }, sequence: event.sequence });
  unit.announce(eventTopic(merchantId));
}

type EventRow = Omit<Insertable<EventTable>, 'id' | 'position'>;

const write = statement((query, { row }: { row: EventRow }) => query.insertInto('events').values(row).returning('id'));

/** The first event of a subject, which no webhook reports. */
export type FirstEvent = Omit<EventRow, 'subject_kind' | 'subject_id' | 'merchant_id'>;

const writeFirst = statement((query, { row }: { row: EventRow }) => query.insertInto('events').values(row));

/** Writes the first event of a subject. */
export async function recordFirstEvent(
  on: Runner,
  { merchantId, subject, event }: { merchantId: number; subject: EventSubject; event: FirstEvent },
): Promise<void> {
  const row = { merchant_id: merchantId, subject_kind: subject.kind, subject_id: subject.id, ...event };
  await writeFirst(on, { row });
}

/**
 * SQL that writes the first events of many subjects of a kind with the statement that inserts them: `source` is a query
 * with the columns `id` and `event` (JSON), and `event` has the keys of `example`.
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

/** The query for the events of a subject, in their order. */
export function eventsOf(on: Runner, { merchantId, kind, id }: EventSubject & { merchantId: number }) {
  return db(on)
    .selectFrom('events')
    .select(['sequence', 'type', 'at', 'status', 'detail'])
    .where('merchant_id', '=', merchantId)
    .where('subject_kind', '=', kind)
    .where('subject_id', '=', id)
    .orderBy('sequence');
}
