import type { Runner } from '../database/engine.ts';
import { lockMerchant } from '../merchants/merchants.ts';
import { db } from './schema.ts';
import { sql } from 'kysely';
import { EVENTS_KEPT_DAYS, type EventsQuery, type MerchantEvent, type TransactionEvent } from '../api/event.ts';
import { DAY, formatInstant } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import { type Database } from '../database/database.ts';
import { createEventCursors } from './event-cursor.ts';
import { eventData } from './event-data.ts';

const DEFAULT_LIMIT = 20;
/** A waiting pull reads again after this time, in case an announcement is lost. */
const READ_AGAIN_MS = 5000;
/** Events that one unit gives positions. */
const MAX_PLACED_PER_UNIT = 500;
/** Waiting pulls of one merchant; further ones return at once. */
const MAX_WAITING_PULLS = 16;

/** The topic on which a merchant's events are announced. */
export function eventTopic(merchantId: number): string {
  return `events:${merchantId}`;
}

interface Page {
  events: MerchantEvent[];
  next: string | null;
  has_more: boolean;
}

/** The event log that merchants pull. */
export interface EventLog {
  /** Returns the next page. With `wait`, an empty one is held back until there is an event or `signal` aborts. */
  pull(merchantId: number, query: EventsQuery, signal: AbortSignal): Promise<Page>;
  /** All events of one fiat transaction, in order. */
  ofTransaction(merchantId: number, transactionId: number): Promise<TransactionEvent[]>;
  /** Ends all waiting pulls. */
  close(): void;
}

export function createEventLog(options: { database: Database; clock: Clock; key: Uint8Array }): EventLog {
  const { database, clock } = options;
  const cursors = createEventCursors(database, options.key);
  const waiting = new Map<number, number>();
  const closing = new AbortController();

  const placed = async (merchantId: number, position: number, limit: number) =>
    await db(database)
      .selectFrom('events')
      .select(['position', ...shownColumns])
      .where('merchant_id', '=', merchantId)
      .where('position', '>', position)
      .where('at', '>', oldest(clock))
      .orderBy('position')
      .limit(limit)
      .execute();

  const read = async (merchantId: number, position: number, limit: number): Promise<Page> => {
    let rows = await placed(merchantId, position, limit + 1);
    // A full batch means that more events have no position yet.
    while (rows.length <= limit) {
      const count = await placeEvents(options, merchantId, oldest(clock));
      if (count > 0) rows = await placed(merchantId, position, limit + 1);
      if (count < MAX_PLACED_PER_UNIT) break;
    }
    const shown = rows.slice(0, limit);
    const reached = shown.at(-1)?.position ?? position;
    return {
      events: shown.map(toEvent),
      next: reached > 0 ? cursors.write(merchantId, reached) : null,
      has_more: rows.length > limit,
    };
  };

  return {
    async pull(merchantId, query, signal) {
      const position = query.after === undefined ? 0 : await cursors.read(merchantId, query.after);
      const limit = query.limit ?? DEFAULT_LIMIT;
      const alreadyWaiting = waiting.get(merchantId) ?? 0;
      const waitMs = alreadyWaiting < MAX_WAITING_PULLS ? (query.wait ?? 0) * 1000 : 0;
      if (waitMs === 0) return await read(merchantId, position, limit);
      waiting.set(merchantId, alreadyWaiting + 1);
      const over = AbortSignal.any([signal, closing.signal, AbortSignal.timeout(waitMs)]);
      const announcements = listen(database, eventTopic(merchantId), over);
      try {
        for (;;) {
          const page = await read(merchantId, position, limit);
          if (page.events.length > 0 || over.aborted) return page;
          await announcements.next();
        }
      } finally {
        announcements.end();
        const left = (waiting.get(merchantId) ?? 1) - 1;
        if (left === 0) waiting.delete(merchantId);
        else waiting.set(merchantId, left);
      }
    },
    async ofTransaction(merchantId, transactionId) {
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

/** `next` resolves when the topic was announced since the call before, at the latest after a few seconds. */
function listen(database: Database, topic: string, over: AbortSignal) {
  let isAnnounced = false;
  let resolveNext = () => {};
  const onAnnouncement = () => {
    isAnnounced = true;
    resolveNext();
  };
  const end = database.announcements.subscribe(topic, onAnnouncement);
  over.addEventListener('abort', onAnnouncement);
  return {
    async next() {
      let timer: NodeJS.Timeout | undefined;
      if (!isAnnounced) {
        await new Promise<void>((resolve) => {
          resolveNext = resolve;
          timer = setTimeout(resolve, READ_AGAIN_MS);
        });
      }
      clearTimeout(timer);
      isAnnounced = false;
    },
    end() {
      end();
      over.removeEventListener('abort', onAnnouncement);
    },
  };
}

const shownColumns = ['merchant_id', 'webhook_id', 'type', 'at', 'data'] as const;

/** Events of this time and before have expired. */
function oldest(clock: Clock): number {
  return clock.now() - EVENTS_KEPT_DAYS * DAY;
}

/**
 * Gives committed events the next positions of a merchant's log, and returns to how many. One unit of a merchant does so
 * at a time: no event ever gets a position before one that a client has read.
 */
async function placeEvents(
  { database, clock }: { database: Database; clock: Clock },
  merchantId: number,
  since: number,
): Promise<number> {
  const unplaced = (on: Runner) =>
    db(on)
      .selectFrom('events')
      .select('id')
      .where('merchant_id', '=', merchantId)
      .where('position', 'is', null)
      .where('webhook_id', 'is not', null)
      .where('at', '>', since);
  if (!(await unplaced(database).limit(1).executeTakeFirst())) return 0;
  return await database.inTransaction(async (unit) => {
    await lockMerchant(unit, merchantId);
    const { last } = await db(unit)
      .selectFrom('events')
      .select(sql<number>`coalesce(max(position), 0)`.as('last'))
      .where('merchant_id', '=', merchantId)
      .where('position', 'is not', null)
      .executeTakeFirstOrThrow();
    // Behind every position ever given, also those of lost data: after a restore no client skips an event.
    const first = Math.max(last, clock.now());
    const next = unplaced(unit).orderBy('id').limit(MAX_PLACED_PER_UNIT).as('next');
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
