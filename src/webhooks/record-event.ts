import type { Insertable } from 'kysely';
import type { Instant } from '../shared/time.ts';
import type { UnitOfWork } from '../database/database.ts';
import { statement } from '../database/statement.ts';
import type { EventTable } from '../database/tables.ts';
import { type Random, randomId } from '../system/random.ts';
import { eventTopic } from './events.ts';
import type { Outbox } from './outbox.ts';
import { columnsOf, type EventSubject } from './subject.ts';

/** A change that a merchant is told of. */
export interface NewEvent {
  merchantId: number;
  subject: EventSubject;
  /** From 1 within the subject, without gaps. */
  sequence: number;
  type: string;
  at: Instant;
  status: string;
  previousStatus: string | null;
  /** One line for the timeline. */
  detail: string | null;
  /** What the merchant is told. */
  data: object;
}

/** Writes an event and its callback in the unit that makes the change; the subject must be locked by it. */
export async function recordEvent(
  { random, outbox }: { random: Random; outbox: Outbox },
  unit: UnitOfWork,
  { merchantId, subject, data, previousStatus, ...event }: NewEvent,
): Promise<void> {
  const webhookId = `evt_${randomId(random)}`;
  const written = await write(unit, {
    row: {
      webhook_id: webhookId,
      merchant_id: merchantId,
      ...columnsOf(subject),
      previous_status: previousStatus,
      data: JSON.stringify(data),
      ...event,
    },
  });
  const [{ id } = { id: undefined }] = written.rows;
  if (id === undefined) throw new Error('An event was not written');
  await outbox.enqueue(unit, { id, webhookId, merchantId, subject, sequence: event.sequence });
  unit.announce(eventTopic(merchantId));
}

type EventRow = Omit<Insertable<EventTable>, 'id' | 'position'>;

const write = statement((query, { row }: { row: EventRow }) => query.insertInto('events').values(row).returning('id'));
