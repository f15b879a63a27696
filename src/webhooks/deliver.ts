import { db } from './schema.ts';
import { sql } from 'kysely';
import { formatInstant, type Instant, toMillis, toSeconds } from '../shared/time.ts';
import {
  enableEndpoint,
  findEndpoint,
  healthOf,
  MAX_FAILING_TIME,
  FAILURE_SERIES_GAP,
  updateHealth,
} from './endpoint.ts';
import type { StoredSecrets, WebhookSecrets } from './secrets.ts';
import type { Clock } from '../system/clock.ts';
import { claimRows, type Database, type UnitOfWork } from '../database/database.ts';
import { postpone } from '../jobs/due.ts';
import type { OutboundResponse, OutboundPost } from '../http/outbound.ts';
import type { Job } from '../jobs/runner.ts';
import { describeError, type Log } from '../system/log.ts';
import type { Metrics } from '../system/metrics.ts';
import type { Random } from '../system/random.ts';
import { eventData } from './event-data.ts';
import { DELIVERY_JOB } from './outbox.ts';
import { backoffAfter, parseRetryAfter } from './schedule.ts';
import type { WebhookSigner } from './signing.ts';
import type { EventSubject, EventSubjects } from './subject.ts';

/** Concurrent delivery attempts of one process. */
const MAX_CONCURRENT_DELIVERIES = 256;
/** Concurrent attempts for one merchant: a slow endpoint must not delay other merchants. */
const MAX_PER_MERCHANT = 8;
/** Concurrent attempts for a failing endpoint: many dead endpoints together must not delay other merchants. */
const MAX_PER_FAILING_ENDPOINT = 1;
/** Concurrent attempts for notices: neither failing endpoints nor a backlog of other webhooks may delay them. */
const MAX_CONCURRENT_NOTICES = 64;

/** Headers of every webhook. */
export const WEBHOOK_HEADERS = { 'content-type': 'application/json', 'user-agent': 'Paylatch/1' };

/** A queue with its own limit: webhooks to the endpoint, or notices, each to its own URL. */
interface Lane {
  kind: 'webhooks' | 'notices';
  limit: number;
  /** Running delivery attempts, with their merchants. */
  running: Map<Promise<void>, number>;
  /** True while due webhooks wait for a running attempt to end. */
  isSaturated: boolean;
  /** The merchant that was served last. The next round starts with the merchant after it. */
  lastServed: number;
}

interface ClaimedWebhook {
  id: number;
  merchantId: number;
  subject: EventSubject;
  webhookId: string;
  attemptsMade: number;
  dueAt: Instant;
  url: string | null;
  isNotice: boolean;
  /** True when the endpoint's last attempt failed. */
  isFailing: boolean;
  secrets: StoredSecrets;
  type: string;
  at: Instant;
  data: object;
}

/**
 * Delivers webhooks, in order within a subject and in parallel across subjects. A 2xx response is a delivery. After any
 * other result the webhook is retried with growing backoff; after the last attempt it is marked as failed.
 */
export function createDeliveryJob(options: {
  database: Database;
  clock: Clock;
  random: Random;
  log: Log;
  metrics: Metrics;
  post: OutboundPost;
  signer: WebhookSigner;
  webhookSecrets: WebhookSecrets;
  subjects: EventSubjects;
  /** Called when more webhooks may be due, or a slot is free. */
  wake: () => void;
}): Job {
  const { database, clock } = options;
  const lanes: Lane[] = [
    { kind: 'notices', limit: MAX_CONCURRENT_NOTICES, running: new Map(), isSaturated: false, lastServed: 0 },
    { kind: 'webhooks', limit: MAX_CONCURRENT_DELIVERIES, running: new Map(), isSaturated: false, lastServed: 0 },
  ];
  return {
    name: DELIVERY_JOB,
    earliestDue: () => sql`select min(due) from (${earliestByLane}) as lanes`,
    claimsAll: true,
    async round() {
      const now = clock.now();
      const due = await listDueMerchants(database, now);
      let count = 0;
      for (const lane of lanes) {
        const claimed = await claimRoundRobin(database, now, lane, due);
        lane.lastServed = claimed.at(-1)?.merchantId ?? lane.lastServed;
        for (const webhook of claimed) start(lane, webhook);
        count += claimed.length;
      }
      return count;
    },
    async finished() {
      const open = () => lanes.flatMap(({ running }) => [...running.keys()]);
      while (open().length > 0) await Promise.all(open());
    },
  };

  /** Starts a delivery attempt. Its end frees a slot, and may make the subject's next webhook due. */
  function start(lane: Lane, webhook: ClaimedWebhook): void {
    const { running } = lane;
    const attempt = async () => {
      let isNextDue = false;
      try {
        isNextDue = await deliver(webhook);
      } catch (error) {
        options.log.error({ error: describeError(error) }, 'webhook delivery attempt could not be recorded');
      }
      running.delete(delivery);
      if (isNextDue || lane.isSaturated) options.wake();
    };
    const delivery = attempt();
    running.set(delivery, webhook.merchantId);
  }

  /** Performs one delivery attempt and records it. Returns whether the subject's next webhook is due now. */
  async function deliver(webhook: ClaimedWebhook): Promise<boolean> {
    const startedAt = clock.now();
    options.metrics.webhookDelay.observe(toSeconds(startedAt - webhook.dueAt));
    const result =
      webhook.url === null ? { error: 'callback-url is not set' } : await send(webhook, webhook.url, startedAt);
    const status = 'response' in result ? result.response.status : null;
    const isDelivered = status !== null && status >= 200 && status < 300;
    const now = clock.now();
    const attemptsMade = webhook.attemptsMade + 1;
    const retryAfter = 'response' in result ? parseRetryAfter(result.response.retryAfter, now) : null;
    const backoff = isDelivered ? null : backoffAfter(attemptsMade, options.random, retryAfter);
    options.metrics.webhookAttempts.observe(
      { result: isDelivered ? 'delivered' : 'failed' },
      toSeconds(now - startedAt),
    );
    return await database.inTransaction(async (unit) => {
      // The outbox inserts under the same lock: an insert and a finished attempt cannot miss each other.
      await options.subjects[webhook.subject.kind].lock(unit, webhook.merchantId, webhook.subject.id);
      await db(unit)
        .insertInto('callback_attempts')
        .values({
          merchant_id: webhook.merchantId,
          callback_id: webhook.id,
          number: attemptsMade,
          url: webhook.url ?? '',
          at: startedAt,
          duration_ms: toMillis(now) - toMillis(startedAt),
          status_code: status,
          error: 'error' in result ? result.error : null,
          answer: 'response' in result ? result.response.body : null,
        })
        .execute();
      await db(unit)
        .updateTable('callbacks')
        .set(
          backoff === null
            ? { state: isDelivered ? 'delivered' : 'failed', attempts_made: attemptsMade, finished_at: now }
            : { attempts_made: attemptsMade, next_attempt_at: now + backoff },
        )
        .where('id', '=', webhook.id)
        .where('merchant_id', '=', webhook.merchantId)
        .execute();
      // A notice does not hold other webhooks, and its URL may be a former one.
      if (webhook.isNotice) return false;
      const isNextDue = backoff === null && (await releaseNext(unit, webhook));
      if (isDelivered && webhook.isFailing) await enableEndpoint(unit, webhook.merchantId);
      if (!isDelivered) await recordFailure(unit, webhook.merchantId, { isGone: status === 410, now });
      return isNextDue;
    });
  }

  /** Records an endpoint's failure. Disables the endpoint after a 410, or after `MAX_FAILING_TIME`. */
  async function recordFailure(
    unit: UnitOfWork,
    merchantId: number,
    { isGone, now }: { isGone: boolean; now: Instant },
  ): Promise<void> {
    const endpoint = await findEndpoint(unit, merchantId);
    const health = endpoint ? healthOf(endpoint) : null;
    if (health && health.disabledAt !== null) return;
    const failingSince = health && now - health.failedAt <= FAILURE_SERIES_GAP ? health.failingSince : now;
    const disabledReason = isGone ? 'gone' : now - failingSince >= MAX_FAILING_TIME ? 'no_success' : null;
    await updateHealth(unit, merchantId, {
      ...{ failingSince, failedAt: now, disabledAt: disabledReason && now, disabledReason },
    });
    if (disabledReason === null) return;
    unit.afterCommit(() => {
      options.metrics.disabledEndpoints.inc({ reason: disabledReason });
      options.log.warn({ merchant: merchantId, reason: disabledReason }, 'webhook endpoint disabled');
    });
  }

  async function send(
    webhook: ClaimedWebhook,
    url: string,
    at: Instant,
  ): Promise<{ response: OutboundResponse } | { error: string }> {
    const { type, data } = webhook;
    const body = JSON.stringify({ type, timestamp: formatInstant(webhook.at), data });
    const merchant = { id: webhook.merchantId, secrets: options.webhookSecrets.validAt(webhook.secrets, at) };
    const signed = options.signer.headers({ id: webhook.webhookId, body, at }, merchant);
    const headers = { ...WEBHOOK_HEADERS, ...signed };
    try {
      return { response: await options.post(url, headers, body) };
    } catch (error) {
      return { error: failureReason(error) };
    }
  }
}

/** Releases the subject's next webhook once the previous one is finished. Returns whether there was one. */
async function releaseNext(unit: UnitOfWork, { merchantId, subject }: ClaimedWebhook): Promise<boolean> {
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

/** A merchant with due webhooks in one lane. */
interface DueMerchant {
  lane: Lane['kind'];
  id: number;
  isFailing: boolean;
}

/**
 * Claims due webhooks: a few of each merchant, starting with the merchant after the last one served. Held webhooks are
 * not due: regardless of the backlog, this reads one row per merchant.
 */
async function claimRoundRobin(
  database: Database,
  now: Instant,
  lane: Lane,
  dueMerchants: readonly DueMerchant[],
): Promise<ClaimedWebhook[]> {
  const { limit, running, lastServed } = lane;
  const due = dueMerchants.filter((each) => each.lane === lane.kind);
  const rotated = [...due.filter(({ id }) => id > lastServed), ...due.filter(({ id }) => id <= lastServed)];
  const runningByMerchant = new Map<number, number>();
  for (const merchantId of running.values()) {
    runningByMerchant.set(merchantId, (runningByMerchant.get(merchantId) ?? 0) + 1);
  }
  const free = limit - running.size;
  const hasFailingEndpoint = ({ lane: kind, isFailing }: DueMerchant) => kind === 'webhooks' && isFailing;
  const freeSlots = (each: DueMerchant) =>
    (hasFailingEndpoint(each) ? MAX_PER_FAILING_ENDPOINT : MAX_PER_MERCHANT) - (runningByMerchant.get(each.id) ?? 0);
  const servable = rotated.filter((each) => free > 0 && freeSlots(each) > 0);
  lane.isSaturated = servable.length < due.length;
  if (servable.length === 0) return [];
  return await database.inTransaction(async (unit) => {
    const claimed: ClaimedWebhook[] = [];
    for (const each of servable) {
      const slots = Math.min(freeSlots(each), free - claimed.length);
      const rows =
        slots > 0 ? await claimRows(unit, dueWebhooks(unit, lane, each, now).limit(slots), 'callback').execute() : [];
      // More webhooks may be due than the limit allowed.
      if (rows.length === slots || slots <= 0) lane.isSaturated = true;
      claimed.push(...rows.map((row) => toClaimedWebhook(row, each)));
    }
    await postpone(db, unit, { table: 'callbacks', column: 'next_attempt_at', now, rows: claimed });
    return claimed;
  });
}

/** The query for a merchant's due webhooks, with their events and endpoint. */
function dueWebhooks(unit: UnitOfWork, { kind }: Lane, { id: merchantId }: DueMerchant, now: Instant) {
  return db(unit)
    .selectFrom('callbacks as callback')
    .innerJoin('events as event', 'event.id', 'callback.event_id')
    .innerJoin('webhook_endpoints as endpoint', 'endpoint.merchant_id', 'callback.merchant_id')
    .selectAll('callback')
    .select(['event.type', 'event.at', 'event.data', 'endpoint.url as endpoint_url'])
    .select(['endpoint.secret', 'endpoint.previous_secret', 'endpoint.previous_secret_until'])
    .where('callback.merchant_id', '=', merchantId)
    .where('callback.state', '=', 'pending')
    .where('callback.held', '=', 0)
    .where('callback.url', kind === 'notices' ? 'is not' : 'is', null)
    .where('callback.next_attempt_at', '<=', now)
    .orderBy('callback.next_attempt_at');
}

/** Lists the merchants with due webhooks. */
async function listDueMerchants(database: Database, now: Instant): Promise<DueMerchant[]> {
  const { rows } = await sql<{ lane: Lane['kind']; merchant_id: number; failed_at: Instant | null }>`
    select lane, merchant_id, failed_at from (${earliestByLane}) as earliest
    where due <= ${now} order by merchant_id`.execute(db(database));
  return rows.map((row) => ({ lane: row.lane, id: row.merchant_id, isFailing: row.failed_at !== null }));
}

/**
 * Due time of each merchant's next webhook. Steps from merchant to merchant (a skip scan), regardless of the backlog.
 * The cross join fixes the join order: without it, SQLite scans all webhooks.
 */
function earliestByMerchant(kind: Lane['kind']) {
  const isInLane = sql.raw(kind === 'notices' ? 'url is not null' : 'url is null');
  return sql`
    with recursive earliest (id) as (
      select (
        select id from callbacks where state = 'pending' and held = 0 and ${isInLane}
        order by merchant_id, next_attempt_at limit 1
      )
      union all
      select (
        select later.id from callbacks as later
        where later.state = 'pending' and later.held = 0 and later.${isInLane}
          and later.merchant_id > (select merchant_id from callbacks where callbacks.id = earliest.id)
        order by later.merchant_id, later.next_attempt_at limit 1
      )
      from earliest where earliest.id is not null
    )
    select callbacks.merchant_id, callbacks.next_attempt_at as due from earliest cross join callbacks
    where callbacks.id = earliest.id`;
}

/** Both lanes. A disabled endpoint receives notices only. */
const earliestByLane = sql`
  select 'notices' as lane, merchant_id, due, null as failed_at from (${earliestByMerchant('notices')}) as notices
  union all
  select 'webhooks' as lane, callbacks.merchant_id, due, failed_at from (${earliestByMerchant('webhooks')}) as callbacks
  left join webhook_endpoints as endpoint on endpoint.merchant_id = callbacks.merchant_id
  where off_at is null`;

type ClaimedRow = Awaited<ReturnType<ReturnType<typeof dueWebhooks>['execute']>>[number];

function toClaimedWebhook(row: ClaimedRow, { isFailing }: DueMerchant): ClaimedWebhook {
  const { secret, previous_secret, previous_secret_until } = row;
  return {
    id: row.id,
    merchantId: row.merchant_id,
    subject: { kind: row.subject_kind, id: row.subject_id },
    webhookId: row.webhook_id,
    attemptsMade: row.attempts_made,
    dueAt: row.next_attempt_at,
    url: row.url ?? row.endpoint_url,
    isNotice: row.url !== null,
    isFailing,
    secrets: { merchant_id: row.merchant_id, secret, previous_secret, previous_secret_until },
    type: row.type,
    at: row.at,
    data: eventData(row),
  };
}

/** Returns the reason for a missing response, in one line. */
export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message : '';
  return (cause || error.message || error.name).slice(0, 500);
}
