/*
 * Map of this module: `record-event.ts` records an event, and `outbox.ts` inserts its webhooks in the same unit of
 * work. `claim.ts` selects due webhooks fairly, `deliver.ts` sends them, `signing.ts` signs, `secrets.ts` rotates the
 * secrets, `schedule.ts` has the backoff, and `endpoint.ts` the health of endpoints. `events.ts` is the event log.
 * `queries.ts` and `redeliver-failed.ts` serve the API. Reasons: docs/decisions/webhooks.md.
 */

import { type CallbackAttemptTable, db, pipelinedStatement, statement, type WebhookTables } from './schema.ts';
import { type Insertable, type QueryCreator, sql } from 'kysely';
import { engineOf } from '../database/engine.ts';
import { formatInstant, type Instant, toMillis, toSeconds } from '../shared/time.ts';
import {
  claimRoundRobin,
  type ClaimedWebhook,
  createLanes,
  earliestByLane,
  type EndpointRef,
  type Lane,
  listDueEndpoints,
} from './claim.ts';
import {
  enableEndpoint,
  endpointIdOf,
  healthOf,
  lockEndpointAt,
  MAX_FAILING_TIME,
  FAILURE_SERIES_GAP,
  updateHealth,
  type WebhookEndpoint,
} from './endpoint.ts';
import type { WebhookSecrets } from './secrets.ts';
import type { Clock } from '../system/clock.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import type { Mailer } from '../mail/outbox.ts';
import { emailEndpointDisabled } from '../mail/team-emails.ts';
import type { OutboundResponse, OutboundPost } from '../http/outbound.ts';
import { type Job, wakeLocalJob } from '../jobs/runner.ts';
import { describeError, type Log } from '../system/log.ts';
import type { Metrics } from '../system/metrics.ts';
import type { Random } from '../system/random.ts';
import { noTracer, type Tracer } from '../system/tracing.ts';
import { DELIVERY_JOB } from './outbox.ts';
import { backoffAfter, parseRetryAfter } from './schedule.ts';
import { originOf } from './url-changes.ts';
import type { WebhookSigner } from './signing.ts';
import type { EventSubject, EventSubjects } from './subject.ts';

/** Headers of every webhook. */
export const WEBHOOK_HEADERS = { 'content-type': 'application/json', 'user-agent': 'Paylatch/1' };

/**
 * Delivers webhooks, in order within a subject and endpoint, and in parallel across them. A 2xx response counts as
 * delivered. After any other result the webhook is retried with growing backoff; after the last attempt it is marked as
 * failed.
 */
export function createDeliveryJob(options: {
  database: Database;
  clock: Clock;
  random: Random;
  log: Log;
  metrics: Metrics;
  tracer?: Tracer;
  post: OutboundPost;
  signer: WebhookSigner;
  webhookSecrets: WebhookSecrets;
  subjects: EventSubjects;
  mailer: Mailer;
  publicUrl: string;
}): Job {
  const { database, clock, tracer = noTracer } = options;
  const lanes = createLanes();
  return {
    name: DELIVERY_JOB,
    earliestDue: () => sql`select min(due) from (${earliestByLane}) as lanes`,
    claimsAll: true,
    async runOnce() {
      const now = clock.now();
      const due = await listDueEndpoints(database, now);
      let count = 0;
      for (const lane of lanes) {
        const claimed = await claimRoundRobin(database, now, lane, due);
        for (const webhook of claimed) {
          lane.lastMerchant = webhook.merchantId;
          lane.lastEndpoints.set(webhook.merchantId, webhook.endpoint.number);
          start(lane, webhook);
        }
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
        isNextDue = await traceDelivery(webhook);
      } catch (error) {
        options.log.error({ error: describeError(error) }, 'webhook delivery attempt could not be recorded');
      }
      running.delete(delivery);
      if (isNextDue || lane.isSaturated) wakeLocalJob(database, DELIVERY_JOB);
    };
    const delivery = attempt();
    running.set(delivery, webhook.endpoint);
  }

  /**
   * The first attempt continues the trace of the change. A retry, up to days later, has its own trace, linked to the
   * first one.
   */
  async function traceDelivery(webhook: ClaimedWebhook): Promise<boolean> {
    const { attemptCount, traceparent } = webhook;
    const trace = attemptCount === 0 ? { parent: traceparent } : { parent: null, link: traceparent };
    const span = {
      name: `job ${DELIVERY_JOB}`,
      kind: 'consumer',
      attributes: { 'paylatch.job': DELIVERY_JOB },
      ...trace,
    } as const;
    return await tracer.trace(span, async () => await deliver(webhook));
  }

  /** Performs one delivery attempt and records it. Returns true if the subject's next webhook is due now. */
  async function deliver(webhook: ClaimedWebhook): Promise<boolean> {
    const startedAt = clock.now();
    // Attempts to a failing endpoint wait for each other.
    if (!webhook.isFailing) options.metrics.webhookDelay.observe(toSeconds(startedAt - webhook.dueAt));
    const result =
      webhook.url === null ? { error: 'callback-url is not set' } : await send(webhook, webhook.url, startedAt);
    const status = 'response' in result ? result.response.status : null;
    const isDelivered = status !== null && status >= 200 && status < 300;
    const now = clock.now();
    const retryAfter = 'response' in result ? parseRetryAfter(result.response.retryAfter, now) : null;
    const backoff = isDelivered ? null : backoffAfter(webhook.attemptCount + 1, options.random, retryAfter);
    options.metrics.webhookAttempts.observe(
      { result: isDelivered ? 'delivered' : 'failed' },
      toSeconds(now - startedAt),
    );
    return await database.inTransaction(async (unit) => {
      // The outbox inserts under the same lock: an insert and a finished attempt cannot miss each other.
      await options.subjects[webhook.subject.kind].lock(unit, webhook.merchantId, webhook.subject.id);
      const { id, merchantId, event, isNotice } = webhook;
      const row = {
        merchant_id: merchantId,
        callback_id: id,
        url: webhook.url ?? '',
        at: startedAt,
        duration_ms: toMillis(now) - toMillis(startedAt),
        status_code: status,
        error: 'error' in result ? result.error : null,
        answer: 'response' in result ? result.response.body : null,
        response_headers: 'response' in result ? JSON.stringify(result.response.headers ?? []) : null,
      };
      const finished = { id, merchantId, state: isDelivered ? 'delivered' : 'failed', now } as const;
      let isNextDue = false;
      if (backoff === null && !isNotice) isNextDue = await finishAndRelease(unit, webhook, { row, event, finished });
      else {
        await insertAttempt(unit, { row, event });
        if (backoff === null) await finishWebhook(unit, finished);
        else await setNextAttempt(unit, { id, merchantId, nextAttemptAt: now + backoff });
      }
      // A notice does not hold back other webhooks, and its URL may be a previous one.
      if (isNotice || (isDelivered && !webhook.isFailing)) return isNextDue;
      const endpoint = await lockEndpointAt(unit, webhook.endpoint, webhook.url);
      if (endpoint && isDelivered) await enableEndpoint(unit, merchantId, endpoint.number);
      if (endpoint && !isDelivered) await recordFailure(unit, endpoint, { isGone: status === 410, now });
      return isNextDue;
    });
  }

  /** Records an endpoint's failure. Disables the endpoint after a 410, or after `MAX_FAILING_TIME`. */
  async function recordFailure(
    unit: UnitOfWork,
    endpoint: WebhookEndpoint,
    { isGone, now }: { isGone: boolean; now: Instant },
  ): Promise<void> {
    const { merchant_id: merchantId, number } = endpoint;
    const health = healthOf(endpoint);
    if (health && health.disabledAt !== null) return;
    const idleTime = health && now - health.failedAt > FAILURE_SERIES_GAP ? now - health.failedAt : 0;
    const failingSince = (health?.failingSince ?? now) + idleTime;
    const disabledReason = isGone ? 'gone' : now - failingSince >= MAX_FAILING_TIME ? 'no_success' : null;
    await updateHealth(unit, {
      ...{ merchantId, number },
      health: { failingSince, failedAt: now, disabledAt: disabledReason && now, disabledReason },
    });
    if (disabledReason === null) return;
    const origin = originOf(endpoint.url);
    if (origin !== null) await emailEndpointDisabled(options, unit, { merchantId, endpoint: origin });
    unit.afterCommit(() => {
      options.metrics.disabledEndpoints.inc({ reason: disabledReason });
      const named = { merchant: merchantId, endpoint: endpointIdOf(endpoint) };
      options.log.warn({ ...named, reason: disabledReason }, 'webhook endpoint disabled');
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
    const signed = options.signer.headers({ id: webhook.messageId, body, at }, merchant);
    const headers = { ...WEBHOOK_HEADERS, ...signed };
    // Excludes the URL and its host, because merchants put tokens into both.
    const attributes = {
      ...{ 'http.request.method': 'POST', 'paylatch.merchant.id': webhook.merchantId },
      ...{ 'paylatch.webhook.id': webhook.messageId, 'paylatch.webhook.type': type },
      'paylatch.webhook.attempt': webhook.attemptCount + 1,
    };
    try {
      return await tracer.trace({ name: 'POST webhook', kind: 'client', attributes }, async (span) => {
        const response = await options.post(url, headers, body);
        span.set({ 'http.response.status_code': response.status });
        if (response.status >= 400) span.fail(String(response.status));
        return { response };
      });
    } catch (error) {
      return { error: failureReason(error) };
    }
  }
}

interface WebhookRef {
  id: number;
  merchantId: number;
}

type FinishedWebhook = WebhookRef & { state: 'delivered' | 'failed'; now: Instant };

/** A webhook whose subject's next one to the same endpoint is released. */
type Released = EndpointRef & { id: number; kind: EventSubject['kind']; subjectId: number };

type Query = QueryCreator<WebhookTables>;

/** A delivery attempt, and the event as it was sent. */
interface Attempt {
  row: Omit<Insertable<CallbackAttemptTable>, 'number'>;
  event: ClaimedWebhook['event'];
}

/** Counted here, not when it was claimed: a redelivered webhook may have several attempts in flight. */
const nextNumber = sql<number>`attempts_made + 1`;

/** A response to an event that was erased in the meantime is not stored, because it may repeat the erased data. */
const insertAttemptQuery = (query: Query, { row, event }: Attempt) =>
  query
    .with('sent', (creator) =>
      creator.selectFrom('events').select('id').where('id', '=', event.id).where('data', '=', event.data),
    )
    .insertInto('callback_attempts')
    .values(({ selectFrom }) => ({
      ...row,
      answer: selectFrom('sent').select(sql<string | null>`${row.answer}`.as('answer')),
      response_headers: selectFrom('sent').select(sql<string | null>`${row.response_headers}`.as('headers')),
      number: selectFrom('callbacks')
        .select(nextNumber.as('number'))
        .where('id', '=', row.callback_id)
        .where('merchant_id', '=', row.merchant_id),
    }));

/** A webhook that another attempt delivered stays delivered. */
const unlessDelivered = <Value>(column: 'state' | 'finished_at', value: Value) =>
  sql<Value>`case state when 'delivered' then ${sql.ref(column)} else ${value} end`;

const finishQuery = (query: Query, { id, merchantId, state, now }: FinishedWebhook) =>
  query
    .updateTable('callbacks')
    .set({
      state: unlessDelivered('state', state),
      attempts_made: nextNumber,
      finished_at: unlessDelivered('finished_at', now),
    })
    .where('id', '=', id)
    .where('merchant_id', '=', merchantId);

/** Excludes the finished webhook itself, which is still pending for a statement that also finishes it. */
const releaseQuery = (query: Query, { merchantId, number, kind, subjectId, id }: Released) =>
  query
    .updateTable('callbacks')
    .set({ held: 0 })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('callbacks')
        .select('id')
        .where('merchant_id', '=', merchantId)
        .where('subject_kind', '=', kind)
        .where('subject_id', '=', subjectId)
        .where('endpoint', '=', number)
        .where('url', 'is', null)
        .where('state', '=', sql.lit('pending'))
        .where('id', '<>', id)
        .orderBy('sequence')
        .limit(1),
    )
    .where('held', '=', 1);

const insertAttempt = pipelinedStatement(insertAttemptQuery);

const setNextAttempt = pipelinedStatement(
  (query, { id, merchantId, nextAttemptAt }: WebhookRef & { nextAttemptAt: Instant }) =>
    query
      .updateTable('callbacks')
      .set({ attempts_made: nextNumber, next_attempt_at: nextAttemptAt })
      .where('id', '=', id)
      .where('merchant_id', '=', merchantId),
);

const finishWebhook = pipelinedStatement(finishQuery);

const releaseNext = statement(releaseQuery);

interface LastAttempt extends Attempt {
  finished: FinishedWebhook;
}

/** All writes after the last attempt, in one statement. */
const finishInOneStatement = statement(
  (query, { finished, released, ...attempt }: LastAttempt & { released: Released }) =>
    releaseQuery(
      query
        .with('attempted', (creator) => insertAttemptQuery(creator, attempt))
        .with('finished', (creator) => finishQuery(creator, finished)),
      released,
    ),
);

/**
 * Records the last attempt of a webhook, and releases the subject's next webhook to the endpoint. Returns true if there
 * was one.
 */
async function finishAndRelease(
  unit: UnitOfWork,
  { id, merchantId, endpoint, subject }: ClaimedWebhook,
  last: LastAttempt,
): Promise<boolean> {
  const released = { id, merchantId, number: endpoint.number, kind: subject.kind, subjectId: subject.id };
  if (engineOf(unit) === 'postgres') return isAnyChanged(await finishInOneStatement(unit, { ...last, released }));
  await insertAttempt(unit, last);
  await finishWebhook(unit, last.finished);
  return isAnyChanged(await releaseNext(unit, released));
}

function isAnyChanged({ numAffectedRows = 0n }: { numAffectedRows?: bigint }): boolean {
  return numAffectedRows > 0n;
}

/**
 * Returns when the oldest due webhook should have been sent; null if none is due. Failing endpoints are excluded: each
 * has one attempt at a time, so they may have a backlog.
 */
export async function findOldestDue(database: Database): Promise<Instant | null> {
  const { rows } = await sql<{ due: Instant | null }>`
    select min(due) as due from (${earliestByLane}) as lanes where failed_at is null`.execute(db(database));
  return rows[0]?.due ?? null;
}

/** Returns the reason for a missing response, in one line. */
export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message : '';
  return (cause || error.message || error.name).slice(0, 500);
}
