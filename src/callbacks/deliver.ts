import { Webhook } from 'standardwebhooks';
import { formatInstant, type Instant, MINUTE, toMillis } from '../contract/time.ts';
import { readPreferences } from '../merchants/preferences/store.ts';
import type { Clock } from '../platform/clock.ts';
import { claimRows, type Database } from '../platform/database/database.ts';
import type { OutboundAnswer, PostOutside } from '../platform/http/outbound.ts';
import type { Job } from '../platform/jobs.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Random } from '../platform/random.ts';
import { parseRetryAfter, pauseAfter } from './schedule.ts';

/** Callbacks under way at once. */
const PLACES = 64;
/** Of these, how many one merchant may hold: a receiver that does not answer must not hold them all. */
const PLACES_PER_MERCHANT = 8;
/** A claimed callback whose process died is taken up again after this long; more than an attempt can take. */
const CLAIM: Instant = MINUTE;

interface ClaimedCallback {
  id: number;
  merchantId: number;
  webhookId: string;
  attemptsMade: number;
  url: string | null;
  secret: string;
  type: string;
  at: Instant;
  data: string;
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
  /** Called when there may be more to deliver. */
  wake: () => void;
}): Job {
  const { database, clock } = options;
  const underWay = new Map<Promise<void>, number>();
  return {
    name: 'callbacks',
    async round() {
      const free = PLACES - underWay.size;
      const claimed = free > 0 ? await claimDue(database, clock.now(), free, crowded()) : [];
      for (const callback of claimed) begin(callback);
      return claimed.length;
    },
    async finished() {
      while (underWay.size > 0) await Promise.all(underWay.keys());
    },
  };

  /** Merchants that hold all the places they may. */
  function crowded(): number[] {
    const held = new Map<number, number>();
    for (const merchantId of underWay.values()) held.set(merchantId, (held.get(merchantId) ?? 0) + 1);
    return [...held].filter(([, places]) => places >= PLACES_PER_MERCHANT).map(([merchantId]) => merchantId);
  }

  /** Its end makes room, and may make the transaction's next callback due. */
  function begin(callback: ClaimedCallback): void {
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
    const result =
      callback.url === null ? { error: 'no callback-url is set' } : await send(callback, callback.url, startedAt);
    const status = 'answer' in result ? result.answer.status : null;
    const delivered = status !== null && status >= 200 && status < 300;
    const now = clock.now();
    const attemptsMade = callback.attemptsMade + 1;
    const retryAfter = 'answer' in result ? parseRetryAfter(result.answer.retryAfter, now) : null;
    const pause = delivered ? null : pauseAfter(attemptsMade, options.random, retryAfter);
    options.metrics.callbacks.inc({ result: delivered ? 'delivered' : 'failed' });
    await database.inUnit(async (unit) => {
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
    });
  }

  async function send(
    callback: ClaimedCallback,
    url: string,
    at: Instant,
  ): Promise<{ answer: OutboundAnswer } | { error: string }> {
    const body = `{"type":${JSON.stringify(callback.type)},"timestamp":"${formatInstant(callback.at)}","data":${callback.data}}`;
    const sentAt = new Date(toMillis(at));
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Paylatch/1',
      'webhook-id': callback.webhookId,
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': new Webhook(callback.secret).sign(callback.webhookId, sentAt, body),
    };
    try {
      return { answer: await options.post(url, headers, body) };
    } catch (error) {
      return { error: reasonOf(error) };
    }
  }
}

/** Takes what is due: of each transaction only the earliest that is not finished, of each merchant a few. */
async function claimDue(
  database: Database,
  now: Instant,
  limit: number,
  without: readonly number[],
): Promise<ClaimedCallback[]> {
  return await database.inUnit(async (unit) => {
    const ranked = unit.query
      .selectFrom('callbacks as callback')
      .select(['id', 'next_attempt_at'])
      .select((expression) =>
        expression.fn
          .agg<number>('row_number')
          .over((over) => over.partitionBy('merchant_id').orderBy('next_attempt_at').orderBy('id'))
          .as('place'),
      )
      .where('state', '=', 'pending')
      .where('next_attempt_at', '<=', now)
      .$if(without.length > 0, (query) => query.where('merchant_id', 'not in', without))
      .where((expression) =>
        expression.not(
          expression.exists(
            expression
              .selectFrom('callbacks as earlier')
              .select('earlier.id')
              .whereRef('earlier.merchant_id', '=', 'callback.merchant_id')
              .whereRef('earlier.fiat_transaction_id', '=', 'callback.fiat_transaction_id')
              .whereRef('earlier.sequence', '<', 'callback.sequence')
              .where('earlier.state', '=', 'pending'),
          ),
        ),
      );
    const due = unit.query
      .selectFrom('callbacks')
      .selectAll()
      .where('state', '=', 'pending')
      .where('next_attempt_at', '<=', now)
      .where('id', 'in', (expression) =>
        expression.selectFrom(ranked.as('ranked')).select('ranked.id').where('ranked.place', '<=', PLACES_PER_MERCHANT),
      )
      .orderBy('next_attempt_at')
      .limit(limit);
    const rows = await claimRows(unit, due).execute();
    const claimed: ClaimedCallback[] = [];
    for (const row of rows) {
      await unit.query
        .updateTable('callbacks')
        .set({ next_attempt_at: now + CLAIM })
        .where('id', '=', row.id)
        .execute();
      const event = await unit.query
        .selectFrom('events')
        .select(['type', 'at', 'data'])
        .where('id', '=', row.event_id)
        .executeTakeFirstOrThrow();
      const merchant = await unit.query
        .selectFrom('merchants')
        .select('callback_secret')
        .where('id', '=', row.merchant_id)
        .executeTakeFirstOrThrow();
      const { 'callback-url': url } = await readPreferences(unit, row.merchant_id, ['callback-url']);
      claimed.push({
        id: row.id,
        merchantId: row.merchant_id,
        webhookId: row.webhook_id,
        attemptsMade: row.attempts_made,
        url: typeof url === 'string' ? url : null,
        secret: merchant.callback_secret,
        type: event.type,
        at: event.at,
        data: event.data,
      });
    }
    return claimed;
  });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message : '';
  return (cause || error.message || error.name).slice(0, 500);
}
