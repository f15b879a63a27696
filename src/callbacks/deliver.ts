import { type Selectable, sql } from 'kysely';
import { formatInstant, type Instant, toMillis, toSeconds } from '../contract/time.ts';
import {
  FAILS_AT_MOST,
  FORGOTTEN_AFTER,
  findReceivers,
  switchReceiverOn,
  writeReceiver,
} from '../merchants/callback-receiver.ts';
import type { StoredSecrets, WebhookSecrets } from '../merchants/webhook-secrets.ts';
import { readPreferences } from '../merchants/preferences/store.ts';
import type { Clock } from '../platform/clock.ts';
import { claimRows, type Database, lockRows, type UnitOfWork } from '../platform/database/database.ts';
import { CLAIM } from '../platform/database/due.ts';
import type { CallbackTable } from '../platform/database/tables.ts';
import type { OutboundAnswer, PostOutside } from '../platform/http/outbound.ts';
import type { Job } from '../platform/jobs.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Random } from '../platform/random.ts';
import { eventData } from './event-data.ts';
import { DELIVERY_JOB } from './outbox.ts';
import { parseRetryAfter, pauseAfter } from './schedule.ts';
import type { CallbackSigner } from './sign.ts';
import { type EventSubject, subjectColumn, subjectOf, subjectTable } from './subject.ts';

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
  /** Called when there may be more to deliver, or room for it. */
  wake: () => void;
}): Job {
  const { database, clock } = options;
  const lanes: Lane[] = [
    { holds: 'notices', places: PLACES_FOR_NOTICES, underWay: new Map(), servedLast: 0 },
    { holds: 'callbacks', places: PLACES, underWay: new Map(), servedLast: 0 },
  ];
  return {
    name: DELIVERY_JOB,
    due: () => {
      const [notices, callbacks] = lanes.map(earliestByMerchant);
      return sql`select min(due) from (select due from (${notices}) as notices union all select due from (${callbacks}) as callbacks) as lanes`;
    },
    async round() {
      let count = 0;
      for (const lane of lanes) {
        if (lane.underWay.size >= lane.places) continue;
        const claimed = await claimDue(database, clock.now(), lane);
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
  function begin({ underWay }: Lane, callback: ClaimedCallback): void {
    const delivery = deliver(callback)
      .catch((error: unknown) => options.log.error({ error: describeError(error) }, 'a callback could not be recorded'))
      .finally(() => {
        underWay.delete(delivery);
        options.wake();
      });
    underWay.set(delivery, callback.merchantId);
  }

  async function deliver(callback: ClaimedCallback): Promise<void> {
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
    await database.inUnit(async (unit) => {
      // Held while the outbox adds to it, so that neither overlooks the other.
      await lockRows(unit, subjectRow(unit, callback)).execute();
      await unit.query
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
      await unit.query
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
      if (callback.isNotice) return;
      if (pause === null) await releaseNext(unit, callback);
      await noteReceiver(unit, callback.merchantId, { delivered, isGone: status === 410, now });
    });
  }

  /** Writes down when the receiver begins to fail and when it stops, and switches off what is dead. */
  async function noteReceiver(
    unit: UnitOfWork,
    merchantId: number,
    { delivered, isGone, now }: { delivered: boolean; isGone: boolean; now: Instant },
  ): Promise<void> {
    const known = (await findReceivers(unit, [merchantId])).get(merchantId);
    if (delivered) {
      if (known) await switchReceiverOn(unit, merchantId);
      return;
    }
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

function subjectRow(unit: UnitOfWork, { merchantId, subject }: ClaimedCallback) {
  return unit.query
    .selectFrom(subjectTable(subject.kind))
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('id', '=', subject.id);
}

/** The transaction's next callback is due as soon as the one before it is finished. */
async function releaseNext(unit: UnitOfWork, { merchantId, subject }: ClaimedCallback): Promise<void> {
  const next = unit.query
    .selectFrom('callbacks')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where(subjectColumn(subject.kind), '=', subject.id)
    .where('state', '=', 'pending')
    .orderBy('sequence')
    .limit(1);
  await unit.query
    .updateTable('callbacks')
    .set({ held: 0 })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', next)
    .where('held', '=', 1)
    .execute();
}

/**
 * Takes what is due: of each merchant a few, beginning with the one after the last that was served. What waits for an
 * earlier callback is not due, so that however much is pending, only merchants are looked through.
 */
async function claimDue(database: Database, now: Instant, lane: Lane): Promise<ClaimedCallback[]> {
  const { places, underWay, servedLast } = lane;
  const areNotices = lane.holds === 'notices';
  const due = await merchantsWithDue(database, now, lane);
  if (due.length === 0) return [];
  const inTurn = [...due.filter((id) => id > servedLast), ...due.filter((id) => id <= servedLast)];
  const free = places - underWay.size;
  const held = new Map<number, number>();
  for (const merchantId of underWay.values()) held.set(merchantId, (held.get(merchantId) ?? 0) + 1);
  return await database.inUnit(async (unit) => {
    const receivers = await findReceivers(unit, areNotices ? [] : due);
    const rows: Selectable<CallbackTable>[] = [];
    for (const merchantId of inTurn) {
      const receiver = receivers.get(merchantId);
      if (receiver && receiver.offAt !== null) continue;
      const most = receiver === undefined ? PLACES_PER_MERCHANT : PLACES_WHILE_FAILING;
      const left = Math.min(most - (held.get(merchantId) ?? 0), free - rows.length);
      if (free === rows.length) break;
      if (left <= 0) continue;
      const some = unit.query
        .selectFrom('callbacks')
        .selectAll()
        .where('merchant_id', '=', merchantId)
        .where('state', '=', 'pending')
        .where('held', '=', 0)
        .where('url', areNotices ? 'is not' : 'is', null)
        .where('next_attempt_at', '<=', now)
        .orderBy('next_attempt_at')
        .limit(left);
      rows.push(...(await claimRows(unit, some).execute()));
    }
    if (rows.length === 0) return [];
    await unit.query
      .updateTable('callbacks')
      .set({ next_attempt_at: now + CLAIM })
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute();
    return await describeClaimed(unit, rows);
  });
}

/** Merchants of whom something is due. */
async function merchantsWithDue(database: Database, now: Instant, lane: Lane): Promise<number[]> {
  const { rows } = await sql<{ merchant_id: number }>`
    select merchant_id from (${earliestByMerchant(lane)}) as earliest
    where due <= ${now} order by merchant_id`.execute(database.query);
  return rows.map(({ merchant_id }) => merchant_id);
}

/**
 * When the next of each merchant is due, found by stepping from one to the next, not by looking at all that is pending.
 * SQLite keeps to the order of a cross join; given the choice it goes through every callback that there is.
 */
function earliestByMerchant({ holds }: Pick<Lane, 'holds'>) {
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

/** What has to be known to send what was claimed. */
async function describeClaimed(
  unit: UnitOfWork,
  rows: readonly Selectable<CallbackTable>[],
): Promise<ClaimedCallback[]> {
  const eventIds = rows.map(({ event_id }) => event_id);
  const merchantIds = [...new Set(rows.map(({ merchant_id }) => merchant_id))];
  const events = await unit.query
    .selectFrom('events')
    .select(['id', 'merchant_id', 'type', 'at', 'data'])
    .where('id', 'in', eventIds)
    .execute();
  const merchants = await unit.query
    .selectFrom('merchants')
    .select(['id', 'callback_secret', 'previous_callback_secret', 'previous_callback_secret_until'])
    .where('id', 'in', merchantIds)
    .execute();
  const eventOf = new Map(events.map((event) => [event.id, event]));
  const merchantOf = new Map(merchants.map((merchant) => [merchant.id, merchant]));
  const urlOf = new Map<number, string | null>();
  for (const merchantId of merchantIds) {
    const { 'callback-url': url } = await readPreferences(unit, merchantId, ['callback-url']);
    urlOf.set(merchantId, typeof url === 'string' ? url : null);
  }
  return rows.map((row) => {
    const event = eventOf.get(row.event_id);
    const merchant = merchantOf.get(row.merchant_id);
    if (!event || !merchant) throw new Error('A callback has lost its event or its merchant');
    return {
      id: row.id,
      merchantId: row.merchant_id,
      subject: subjectOf(row),
      webhookId: row.webhook_id,
      attemptsMade: row.attempts_made,
      dueAt: row.next_attempt_at,
      url: row.url ?? urlOf.get(row.merchant_id) ?? null,
      isNotice: row.url !== null,
      merchant,
      type: event.type,
      at: event.at,
      data: eventData(event),
    };
  });
}

/** Why no answer came, in a line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message : '';
  return (cause || error.message || error.name).slice(0, 500);
}
