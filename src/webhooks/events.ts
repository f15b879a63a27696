import type { Runner } from '../database/engine.ts';
import { lockMerchant } from '../merchants/merchants.ts';
import { db } from './schema.ts';
import { sql } from 'kysely';
import { EVENT_PULL_DAYS, type EventsQuery, type MerchantEvent, type TransactionEvent } from '../api/event.ts';
import { DAY, formatInstant } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import { type Database } from '../database/database.ts';
import { createEventCursors } from './event-cursor.ts';
import { eventData } from './event-data.ts';

const DEFAULT_LIMIT = 20;
/** A waiting pull reads again after this time, in case an announcement was lost. */
const REREAD_AFTER_MS = 5000;
/** Events that get a position in one unit of work. */
const MAX_ASSIGNED_PER_UNIT = 500;
/** Waiting pulls of one merchant. Further pulls return immediately. */
const MAX_WAITING_PULLS = 16;

/** Topic of the announcements of a merchant's events. */
export function eventTopic(merchantId: number): string {
  return `events:${merchantId}`;
}

interface EventPage {
  events: MerchantEvent[];
  next: string | null;
  has_more: boolean;
}

/** The event log that merchants pull. */
export interface EventLog {
  /** Returns the next page. With `wait`, an empty page is held until an event arrives or `signal` aborts. */
  pull(merchantId: number, query: EventsQuery, signal: AbortSignal): Promise<EventPage>;
  /** Lists all events of a fiat transaction, in order. */
  listByTransaction(merchantId: number, transactionId: number): Promise<TransactionEvent[]>;
  /** Ends all waiting pulls. */
  close(): void;
}

export function createEventLog(options: { database: Database; clock: Clock; key: Uint8Array }): EventLog {
  const { database, clock } = options;
  const cursors = createEventCursors(database, options.key);
  const waiting = new Map<number, number>();
  const closing = new AbortController();

  const selectPositioned = async (merchantId: number, position: number, limit: number) =>
    await db(database)
      .selectFrom('events')
      .select(['position', ...shownColumns])
      .where('merchant_id', '=', merchantId)
      .where('position', '>', position)
      .where('at', '>', expiryCutoff(clock))
      .orderBy('position')
      .limit(limit)
      .execute();

  const readPage = async (merchantId: number, position: number, limit: number): Promise<EventPage> => {
    let rows = await selectPositioned(merchantId, position, limit + 1);
    // After a full batch, more events may lack a position.
    while (rows.length <= limit) {
      const count = await assignPositions(options, merchantId, expiryCutoff(clock));
      if (count > 0) rows = await selectPositioned(merchantId, position, limit + 1);
      if (count < MAX_ASSIGNED_PER_UNIT) break;
    }
    const shown = rows.slice(0, limit);
    const reached = shown.at(-1)?.position ?? position;
    return {
      events: shown.map(toEvent),
      next: reached > 0 ? cursors.encode(merchantId, reached) : null,
      has_more: rows.length > limit,
    };
  };

  return {
    async pull(merchantId, query, signal) {
      const position = query.after === undefined ? 0 : await cursors.decode(merchantId, query.after);
      const limit = query.limit ?? DEFAULT_LIMIT;
      const alreadyWaiting = waiting.get(merchantId) ?? 0;
      const waitMs = alreadyWaiting < MAX_WAITING_PULLS ? (query.wait ?? 0) * 1000 : 0;
      if (waitMs === 0) return await readPage(merchantId, position, limit);
      waiting.set(merchantId, alreadyWaiting + 1);
      const ended = AbortSignal.any([signal, closing.signal, AbortSignal.timeout(waitMs)]);
      const announcements = listen(database, eventTopic(merchantId), ended);
      try {
        for (;;) {
          const page = await readPage(merchantId, position, limit);
          if (page.events.length > 0 || ended.aborted) return page;
          await announcements.next();
        }
      } finally {
        announcements.end();
        const stillWaiting = (waiting.get(merchantId) ?? 1) - 1;
        if (stillWaiting === 0) waiting.delete(merchantId);
        else waiting.set(merchantId, stillWaiting);
      }
    },
    async listByTransaction(merchantId, transactionId) {
      const rows = await db(database)
        .selectFrom('events')
        .select(shownColumns)
        .where('merchant_id', '=', merchantId)
        .where('subject_kind', '=', 'fiat_transaction')
        .where('subject_id', '=', transactionId)
        .where('webhook_id', 'is not', null)
        .orderBy('sequence')
        .execute();
      return rows.map(toEvent) as TransactionEvent[];
    },
    close() {
      closing.abort();
    },
  };
}

/** `next` resolves after an announcement since the previous call, or after `REREAD_AFTER_MS`. */
function listen(database: Database, topic: string, ended: AbortSignal) {
  let isAnnounced = false;
  let resolveNext = () => {};
  const onAnnouncement = () => {
    isAnnounced = true;
    resolveNext();
  };
  const unsubscribe = database.announcements.subscribe(topic, onAnnouncement);
  ended.addEventListener('abort', onAnnouncement);
  return {
    async next() {
      let timer: NodeJS.Timeout | undefined;
      if (!isAnnounced) {
        await new Promise<void>((resolve) => {
          resolveNext = resolve;
          timer = setTimeout(resolve, REREAD_AFTER_MS);
        });
      }
      clearTimeout(timer);
      isAnnounced = false;
    },
    end() {
      unsubscribe();
      ended.removeEventListener('abort', onAnnouncement);
    },
  };
}

const shownColumns = ['merchant_id', 'webhook_id', 'type', 'at', 'data'] as const;

/** Events up to this time have expired. */
function expiryCutoff(clock: Clock): number {
  return clock.now() - EVENT_PULL_DAYS * DAY;
}

/**
 * Assigns the next positions of a merchant's event log to committed events. Returns their number. The merchant's lock
 * serializes assignments: no event gets a position before one that a client has read.
 */
async function assignPositions(
  { database, clock }: { database: Database; clock: Clock },
  merchantId: number,
  cutoff: number,
): Promise<number> {
  const unpositioned = (reader: Runner) =>
    db(reader)
      .selectFrom('events')
      .select('id')
      .where('merchant_id', '=', merchantId)
      .where('position', 'is', null)
      .where('webhook_id', 'is not', null)
      .where('at', '>', cutoff);
  if (!(await unpositioned(database).limit(1).executeTakeFirst())) return 0;
  return await database.inTransaction(async (unit) => {
    await lockMerchant(unit, merchantId);
    const { last } = await db(unit)
      .selectFrom('events')
      .select(sql<number>`coalesce(max(position), 0)`.as('last'))
      .where('merchant_id', '=', merchantId)
      .where('position', 'is not', null)
      .executeTakeFirstOrThrow();
    // Greater than every position ever assigned, even to lost events: after a restore, no client skips an event.
    const first = Math.max(last, clock.now());
    const next = unpositioned(unit).orderBy('id').limit(MAX_ASSIGNED_PER_UNIT).as('next');
    const numbered = db(unit)
      .selectFrom(next)
      .select(['id', sql<number>`${first} + row_number() over (order by id)`.as('position')])
      .as('numbered');
    const { numUpdatedRows } = await db(unit)
      .updateTable('events')
      .from(numbered)
      .set({ position: sql`numbered.position` })
      .whereRef('events.id', '=', 'numbered.id')
      .executeTakeFirst();
    return Number(numUpdatedRows);
  });
}

function toEvent(row: {
  merchant_id: number;
  webhook_id: string | null;
  type: string;
  at: number;
  data: string;
}): MerchantEvent {
  return {
    id: row.webhook_id ?? '',
    type: row.type,
    timestamp: formatInstant(row.at),
    data: eventData(row),
  } as MerchantEvent;
}
