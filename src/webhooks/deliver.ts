import { db } from './schema.ts';
import { sql } from 'kysely';
import { formatInstant, type Instant, toMillis, toSeconds } from '../shared/time.ts';
import { FAILS_AT_MOST, FORGOTTEN_AFTER, findReceivers, switchReceiverOn, writeReceiver } from './endpoint-health.ts';
import type { StoredSecrets, WebhookSecrets } from './secrets.ts';
import type { Clock } from '../system/clock.ts';
import { claimRows, type Database, type UnitOfWork } from '../database/database.ts';
import { postpone } from '../jobs/due.ts';
import type { OutboundAnswer, PostOutside } from '../http/outbound.ts';
import type { Job } from '../jobs/runner.ts';
import { describeError, type Log } from '../system/log.ts';
import type { Metrics } from '../system/metrics.ts';
import type { Random } from '../system/random.ts';
import { eventData } from './event-data.ts';
import { DELIVERY_JOB } from './outbox.ts';
import { parseRetryAfter, pauseAfter } from './schedule.ts';
import type { CallbackSigner } from './signing.ts';
import type { EventSubject, EventSubjects } from './subject.ts';

/** Callbacks under way at once. */
const PLACES = 256;
/** Of these, how many one merchant may hold: a receiver that is slow must not hold them all. */
const PLACES_PER_MERCHANT = 8;
/** And while its receiver fails: many dead ones must not hold them all together. */
const PLACES_WHILE_FAILING = 1;
/** Notices under way at once: neither failing receivers nor a backlog of other callbacks may delay them. */
const PLACES_FOR_NOTICES = 64;

/** What every callback carries. */
export const CALLBACK_HEADERS = { 'content-type': 'application/json', 'user-agent': 'Paylatch/1' };

/** A queue with places of its own: callbacks to the present callback URL, or notices, which name theirs. */
interface Lane {
  holds: 'callbacks' | 'notices';
  places: number;
  /** Whose each one is. */
  underWay: Map<Promise<void>, number>;
  /** Whether something that is due waits for a place. */
  isFull: boolean;
  /** The merchant that was served last: where there are more than places, each has its turn. */
  servedLast: number;
}

interface ClaimedCallback {
  id: number;
  merchantId: number;
  subject: EventSubject;
  webhookId: string;
  attemptsMade: number;
  dueAt: Instant;
  url: string | null;
  isNotice: boolean;
  /** Whether the merchant's receiver failed the last time. */
  isFailing: boolean;
  merchant: StoredSecrets;
  type: string;
  at: Instant;
  data: object;
}

/**
 * Delivers callbacks: in order within a transaction, side by side across them. 2xx is delivered;
 * anything else is tried again by the schedule and then kept as failed.
 */
export function createDeliveryJob(options: {
  database: Database;
  clock: Clock;
  random: Random;
  log: Log;
  metrics: Metrics;
  post: PostOutside;
  signer: CallbackSigner;
  webhookSecrets: WebhookSecrets;
  subjects: EventSubjects;
  /** Called when there may be more to deliver, or room for it. */
  wake: () => void;
}): Job {
  const { database, clock } = options;
  const lanes: Lane[] = [
    { holds: 'notices', places: PLACES_FOR_NOTICES, underWay: new Map(), isFull: false, servedLast: 0 },
    { holds: 'callbacks', places: PLACES, underWay: new Map(), isFull: false, servedLast: 0 },
  ];
  return {
    name: DELIVERY_JOB,
    due: () => sql`select min(due) from (${earliestByLane}) as lanes`,
    takesAll: true,
    async round() {
      const now = clock.now();
      const due = await merchantsWithDue(database, now);
      let count = 0;
      for (const lane of lanes) {
        const claimed = await claimInTurn(database, now, lane, due);
        lane.servedLast = claimed.at(-1)?.merchantId ?? lane.servedLast;
        for (const callback of claimed) begin(lane, callback);
        count += claimed.length;
      }
      return count;
    },
    async finished() {
      const open = () => lanes.flatMap(({ underWay }) => [...underWay.keys()]);
      while (open().length > 0) await Promise.all(open());
    },
  };

  /** Its end makes room, and may make the transaction's next callback due. */
  function begin(lane: Lane, callback: ClaimedCallback): void {
    const { underWay } = lane;
    const attempt = async () => {
      let isNextDue = false;
      try {
        isNextDue = await deliver(callback);
      } catch (error) {
        options.log.error({ error: describeError(error) }, 'a callback could not be recorded');
      }
      underWay.delete(delivery);
      if (isNextDue || lane.isFull) options.wake();
    };
    const delivery = attempt();
    underWay.set(delivery, callback.merchantId);
  }

  /** Returns whether the transaction's next callback is due now. */
  async function deliver(callback: ClaimedCallback): Promise<boolean> {
    const startedAt = clock.now();
    options.metrics.callbackDelay.observe(toSeconds(startedAt - callback.dueAt));
    const result =
      callback.url === null ? { error: 'no callback-url is set' } : await send(callback, callback.url, startedAt);
    const status = 'answer' in result ? result.answer.status : null;
    const delivered = status !== null && status >= 200 && status < 300;
    const now = clock.now();
    const attemptsMade = callback.attemptsMade + 1;
    const retryAfter = 'answer' in result ? parseRetryAfter(result.answer.retryAfter, now) : null;
    const pause = delivered ? null : pauseAfter(attemptsMade, options.random, retryAfter);
    options.metrics.callbacks.observe({ result: delivered ? 'delivered' : 'failed' }, toSeconds(now - startedAt));
    return await database.inUnit(async (unit) => {
      // Held while the outbox adds to it, so that neither overlooks the other.
      await options.subjects[callback.subject.kind].lock(unit, callback.merchantId, callback.subject.id);
      await db(unit)
        .insertInto('callback_attempts')
        .values({
          merchant_id: callback.merchantId,
          callback_id: callback.id,
          number: attemptsMade,
          url: callback.url ?? '',
          at: startedAt,
          duration_ms: toMillis(now) - toMillis(startedAt),
          status_code: status,
          error: 'error' in result ? result.error : null,
          answer: 'answer' in result ? result.answer.body : null,
        })
        .execute();
      await db(unit)
        .updateTable('callbacks')
        .set(
          pause === null
            ? { state: delivered ? 'delivered' : 'failed', attempts_made: attemptsMade, finished_at: now }
            : { attempts_made: attemptsMade, next_attempt_at: now + pause },
        )
        .where('id', '=', callback.id)
        .where('merchant_id', '=', callback.merchantId)
        .execute();
      // A notice holds up no other callback, and its URL may not be the receiver's any more.
      if (callback.isNotice) return false;
      const isNextDue = pause === null && (await releaseNext(unit, callback));
      if (!delivered || callback.isFailing)
        await noteReceiver(unit, callback.merchantId, { delivered, isGone: status === 410, now });
      return isNextDue;
    });
  }

  /** Writes down when the receiver begins to fail and when it stops, and switches off what is dead. */
  async function noteReceiver(
    unit: UnitOfWork,
    merchantId: number,
    { delivered, isGone, now }: { delivered: boolean; isGone: boolean; now: Instant },
  ): Promise<void> {
    if (delivered) {
      await switchReceiverOn(unit, merchantId);
      return;
    }
    const known = (await findReceivers(unit, [merchantId])).get(merchantId);
    if (known && known.offAt !== null) return;
    const failingSince = known && now - known.failedAt <= FORGOTTEN_AFTER ? known.failingSince : now;
    const offReason = isGone ? 'gone' : now - failingSince >= FAILS_AT_MOST ? 'no_success' : null;
    await writeReceiver(unit, merchantId, { failingSince, failedAt: now, offAt: offReason && now, offReason });
    if (offReason === null) return;
    unit.afterCommit(() => {
      options.metrics.receiversOff.inc({ reason: offReason });
      options.log.warn({ merchant: merchantId, reason: offReason }, 'a callback-url is switched off');
    });
  }

  async function send(
    callback: ClaimedCallback,
    url: string,
    at: Instant,
  ): Promise<{ answer: OutboundAnswer } | { error: string }> {
    const { type, data } = callback;
    const body = JSON.stringify({ type, timestamp: formatInstant(callback.at), data });
    const merchant = { id: callback.merchantId, secrets: options.webhookSecrets.validAt(callback.merchant, at) };
    const signed = options.signer.headers({ id: callback.webhookId, body, at }, merchant);
    const headers = { ...CALLBACK_HEADERS, ...signed };
    try {
      return { answer: await options.post(url, headers, body) };
    } catch (error) {
      return { error: reasonOf(error) };
    }
  }
}

/** The transaction's next callback is due as soon as the one before it is finished. */
async function releaseNext(unit: UnitOfWork, { merchantId, subject }: ClaimedCallback): Promise<boolean> {
  const next = db(unit)
    .selectFrom('callbacks')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('subject_kind', '=', subject.kind)
    .where('subject_id', '=', subject.id)
    .where('url', 'is', null)
    .where('state', '=', 'pending')
    .orderBy('sequence')
    .limit(1);
  const { numUpdatedRows } = await db(unit)
    .updateTable('callbacks')
    .set({ held: 0 })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', next)
    .where('held', '=', 1)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A merchant with callbacks of a lane that are due. */
interface DueMerchant {
  lane: Lane['holds'];
  id: number;
  isFailing: boolean;
}

/**
 * Takes what is due: of each merchant a few, beginning with the one after the last that was served. What waits for an
 * earlier callback is not due, so that however much is pending, only merchants are looked through.
 */
async function claimInTurn(
  database: Database,
  now: Instant,
  lane: Lane,
  dueOfAll: readonly DueMerchant[],
): Promise<ClaimedCallback[]> {
  const { places, underWay, servedLast } = lane;
  const due = dueOfAll.filter((each) => each.lane === lane.holds);
  const inTurn = [...due.filter(({ id }) => id > servedLast), ...due.filter(({ id }) => id <= servedLast)];
  const held = new Map<number, number>();
  for (const merchantId of underWay.values()) held.set(merchantId, (held.get(merchantId) ?? 0) + 1);
  const free = places - underWay.size;
  const isFailing = ({ lane: of, isFailing: fails }: DueMerchant) => of === 'callbacks' && fails;
  const roomOf = (each: DueMerchant) =>
    (isFailing(each) ? PLACES_WHILE_FAILING : PLACES_PER_MERCHANT) - (held.get(each.id) ?? 0);
  const withRoom = inTurn.filter((each) => free > 0 && roomOf(each) > 0);
  lane.isFull = withRoom.length < due.length;
  if (withRoom.length === 0) return [];
  return await database.inUnit(async (unit) => {
    const claimed: ClaimedCallback[] = [];
    for (const each of withRoom) {
      const left = Math.min(roomOf(each), free - claimed.length);
      const rows =
        left > 0 ? await claimRows(unit, dueOf(unit, lane, each, now).limit(left), 'callback').execute() : [];
      // There may be more than were asked for.
      if (rows.length === left || left <= 0) lane.isFull = true;
      claimed.push(...rows.map((row) => toClaimed(row, each)));
    }
    await postpone(db, unit, { table: 'callbacks', column: 'next_attempt_at', now, rows: claimed });
    return claimed;
  });
}

/** Callbacks of a merchant that are due, with all that has to be known to send them. */
function dueOf(unit: UnitOfWork, { holds }: Lane, { id: merchantId }: DueMerchant, now: Instant) {
  return db(unit)
    .selectFrom('callbacks as callback')
    .innerJoin('events as event', 'event.id', 'callback.event_id')
    .innerJoin('merchants as merchant', 'merchant.id', 'callback.merchant_id')
    .leftJoin('preferences as setting', (join) =>
      join.onRef('setting.merchant_id', '=', 'callback.merchant_id').on('setting.key', '=', 'callback-url'),
    )
    .selectAll('callback')
    .select(['event.type', 'event.at', 'event.data', 'setting.value as callback_url'])
    .select([
      'merchant.callback_secret',
      'merchant.previous_callback_secret',
      'merchant.previous_callback_secret_until',
    ])
    .where('callback.merchant_id', '=', merchantId)
    .where('callback.state', '=', 'pending')
    .where('callback.held', '=', 0)
    .where('callback.url', holds === 'notices' ? 'is not' : 'is', null)
    .where('callback.next_attempt_at', '<=', now)
    .orderBy('callback.next_attempt_at');
}

/** Merchants of whom something is due. */
async function merchantsWithDue(database: Database, now: Instant): Promise<DueMerchant[]> {
  const { rows } = await sql<{ lane: Lane['holds']; merchant_id: number; failed_at: Instant | null }>`
    select lane, merchant_id, failed_at from (${earliestByLane}) as earliest
    where due <= ${now} order by merchant_id`.execute(db(database));
  return rows.map((row) => ({ lane: row.lane, id: row.merchant_id, isFailing: row.failed_at !== null }));
}

/**
 * When the next of each merchant is due, found by stepping from one to the next, not by looking at all that is pending.
 * SQLite keeps to the order of a cross join; given the choice it goes through every callback that there is.
 */
function earliestByMerchant(holds: Lane['holds']) {
  const isOfLane = sql.raw(holds === 'notices' ? 'url is not null' : 'url is null');
  return sql`
    with recursive earliest (id) as (
      select (
        select id from callbacks where state = 'pending' and held = 0 and ${isOfLane}
        order by merchant_id, next_attempt_at limit 1
      )
      union all
      select (
        select later.id from callbacks as later
        where later.state = 'pending' and later.held = 0 and later.${isOfLane}
          and later.merchant_id > (select merchant_id from callbacks where callbacks.id = earliest.id)
        order by later.merchant_id, later.next_attempt_at limit 1
      )
      from earliest where earliest.id is not null
    )
    select callbacks.merchant_id, callbacks.next_attempt_at as due from earliest cross join callbacks
    where callbacks.id = earliest.id`;
}

/** Both lanes; to receivers that are switched off nothing is sent but notices. */
const earliestByLane = sql`
  select 'notices' as lane, merchant_id, due, null as failed_at from (${earliestByMerchant('notices')}) as notices
  union all
  select 'callbacks' as lane, callbacks.merchant_id, due, failed_at from (${earliestByMerchant('callbacks')}) as callbacks
  left join callback_receivers as receiver on receiver.merchant_id = callbacks.merchant_id
  where off_at is null`;

type ClaimedRow = Awaited<ReturnType<ReturnType<typeof dueOf>['execute']>>[number];

function toClaimed(row: ClaimedRow, { isFailing, id }: DueMerchant): ClaimedCallback {
  const set: unknown = row.callback_url === null ? null : JSON.parse(row.callback_url);
  const { callback_secret, previous_callback_secret, previous_callback_secret_until } = row;
  return {
    id: row.id,
    merchantId: row.merchant_id,
    subject: { kind: row.subject_kind, id: row.subject_id },
    webhookId: row.webhook_id,
    attemptsMade: row.attempts_made,
    dueAt: row.next_attempt_at,
    url: row.url ?? (typeof set === 'string' ? set : null),
    isNotice: row.url !== null,
    isFailing,
    merchant: { id, callback_secret, previous_callback_secret, previous_callback_secret_until },
    type: row.type,
    at: row.at,
    data: eventData(row),
  };
}

/** Why no answer came, in a line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message : '';
  return (cause || error.message || error.name).slice(0, 500);
}
