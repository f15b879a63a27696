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
/** How often a waiting pull looks by itself, should an announcement be lost. */
const LOOK_AGAIN_MS = 5000;
/** Events that are placed in one unit. */
const PLACED_AT_ONCE = 500;
/** Pulls of one merchant that may wait at once; further ones are answered at once. */
const WAITING_PER_MERCHANT = 16;

/** Under which a merchant's events are announced. */
export function eventTopic(merchantId: number): string {
  return `events:${merchantId}`;
}

interface Page {
  events: MerchantEvent[];
  next: string | null;
  has_more: boolean;
}

/** A merchant's events for whoever asks for them. */
export interface EventLog {
  /** The next page; waits for the first event, if asked to, until there is one or `signal` says that nobody waits. */
  pull(merchantId: number, query: EventsQuery, signal: AbortSignal): Promise<Page>;
  /** All events of one transaction, in order. */
  ofTransaction(merchantId: number, transactionId: number): Promise<TransactionEvent[]>;
  /** Lets all that wait go. */
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
    // Placing is repeated only while it places as many as it can: then more wait for their place.
    while (rows.length <= limit) {
      const count = await placeEvents(options, merchantId, oldest(clock));
      if (count > 0) rows = await placed(merchantId, position, limit + 1);
      if (count < PLACED_AT_ONCE) break;
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
      const waitMs = alreadyWaiting < WAITING_PER_MERCHANT ? (query.wait ?? 0) * 1000 : 0;
      if (waitMs === 0) return await read(merchantId, position, limit);
      waiting.set(merchantId, alreadyWaiting + 1);
      const over = AbortSignal.any([signal, closing.signal, AbortSignal.timeout(waitMs)]);
      const news = listen(database, eventTopic(merchantId), over);
      try {
        for (;;) {
          const page = await read(merchantId, position, limit);
          if (page.events.length > 0 || over.aborted) return page;
          await news.next();
        }
      } finally {
        news.end();
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

/** Resolves `next` when a topic was announced since the last time, at the latest after a few seconds. */
function listen(database: Database, topic: string, over: AbortSignal) {
  let isNews = false;
  let tell = () => {};
  const onNews = () => {
    isNews = true;
    tell();
  };
  const end = database.announcements.subscribe(topic, onNews);
  over.addEventListener('abort', onNews);
  return {
    async next() {
      let timer: NodeJS.Timeout | undefined;
      if (!isNews) {
        await new Promise<void>((resolve) => {
          tell = resolve;
          timer = setTimeout(resolve, LOOK_AGAIN_MS);
        });
      }
      clearTimeout(timer);
      isNews = false;
    },
    end() {
      end();
      over.removeEventListener('abort', onNews);
    },
  };
}

const shownColumns = ['merchant_id', 'webhook_id', 'type', 'at', 'data'] as const;

/** Events of this moment and before are not kept any more. */
function oldest(clock: Clock): number {
  return clock.now() - EVENTS_KEPT_DAYS * DAY;
}

/**
 * Gives the next places of a merchant's log to events that have none, and answers to how many. A
 * place is given once an event is committed, by one unit of the merchant at a time: so that no
 * event can come to stand before one that somebody has read.
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
  return await database.inUnit(async (unit) => {
    await lockMerchant(unit, merchantId);
    const { last } = await db(unit)
      .selectFrom('events')
      .select(sql<number>`coalesce(max(position), 0)`.as('last'))
      .where('merchant_id', '=', merchantId)
      .where('position', 'is not', null)
      .executeTakeFirstOrThrow();
    // Later than any that was given before, also in data that is lost since: after a restore nobody steps over anything.
    const first = Math.max(last, clock.now());
    const next = unplaced(unit).orderBy('id').limit(PLACED_AT_ONCE).as('next');
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
