import { db, statement, type WebhookTables } from './schema.ts';
import { type InferResult, type Kysely, sql } from 'kysely';
import type { Instant } from '../shared/time.ts';
import { claimRows, type Database } from '../database/database.ts';
import { engineOf, type Runner } from '../database/engine.ts';
import { CLAIM_DURATION, postpone } from '../jobs/due.ts';
import { CALLBACK_URL_ENDPOINT } from './endpoint.ts';
import { eventData } from './event-data.ts';
import type { StoredSecrets } from './secrets.ts';
import type { EventSubject } from './subject.ts';

/** Concurrent delivery attempts of one process. */
const MAX_CONCURRENT_DELIVERIES = 256;
/** Concurrent attempts for the endpoint of `callback-url`: a slow endpoint must not delay others. */
const MAX_PER_CALLBACK_URL = 8;
/** Concurrent attempts for an added endpoint. */
const MAX_PER_ADDED_ENDPOINT = 4;
/** Concurrent notices to an added endpoint: slow endpoints must not delay notices to the merchant's others. */
const MAX_NOTICES_PER_ADDED_ENDPOINT = 1;
/** Concurrent attempts for a failing endpoint: many dead endpoints together must not delay other merchants. */
const MAX_PER_FAILING_ENDPOINT = 1;
/** Concurrent attempts for notices: neither failing endpoints nor a backlog of other webhooks may delay them. */
const MAX_CONCURRENT_NOTICES = 64;

/**
 * Concurrent attempts for all endpoints of a merchant: a merchant with many slow endpoints must not delay others. If
 * all 16 added endpoints fail, the endpoint of `callback-url` still has its 8 slots.
 */
const MAX_PER_MERCHANT: Record<Lane['kind'], number> = { notices: 8, webhooks: 24 };

/** Identifies an endpoint. */
export interface EndpointRef {
  merchantId: number;
  number: number;
}

/** A queue with its own limit: webhooks to endpoints, or notices, each to its own URL. */
export interface Lane {
  kind: 'webhooks' | 'notices';
  limit: number;
  /** Running delivery attempts, with their endpoints. */
  running: Map<Promise<void>, EndpointRef>;
  /** True while due webhooks wait for a running attempt to end. */
  isSaturated: boolean;
  /** The merchant that was served last. The next round starts with the merchant after it. */
  lastMerchant: number;
  /** The number of each merchant's endpoint that was served last. Its next turn starts with the endpoint after it. */
  lastEndpoints: Map<number, number>;
}

export interface ClaimedWebhook {
  id: number;
  merchantId: number;
  endpoint: EndpointRef;
  subject: EventSubject;
  /** The `webhook-id`, which is the same for all endpoints that receive the event. */
  messageId: string;
  attemptCount: number;
  dueAt: Instant;
  url: string | null;
  isNotice: boolean;
  /** True when the endpoint's last attempt failed. */
  isFailing: boolean;
  secrets: StoredSecrets;
  type: string;
  at: Instant;
  data: object;
  /** The event as it was read. */
  event: { id: number; data: string };
  traceparent: string | null;
}

/** The lanes of a process, in the order in which they are served. */
export function createLanes(): Lane[] {
  const idle = () => ({ running: new Map(), isSaturated: false, lastMerchant: 0, lastEndpoints: new Map() });
  return [
    { kind: 'notices', limit: MAX_CONCURRENT_NOTICES, ...idle() },
    { kind: 'webhooks', limit: MAX_CONCURRENT_DELIVERIES, ...idle() },
  ];
}

/** An endpoint with due webhooks in one lane. */
interface DueEndpoint extends EndpointRef {
  lane: Lane['kind'];
  isFailing: boolean;
}

/**
 * Claims due webhooks: a few of each endpoint. Merchants take turns, and so do the endpoints of each. Held webhooks are not
 * due: regardless of the backlog, this reads one row per endpoint.
 */
export async function claimRoundRobin(
  database: Database,
  now: Instant,
  lane: Lane,
  dueEndpoints: readonly DueEndpoint[],
): Promise<ClaimedWebhook[]> {
  const due = dueEndpoints.filter((each) => each.lane === lane.kind);
  const running = [...lane.running.values()];
  const freeSlots = (each: DueEndpoint, claimed: readonly ClaimedWebhook[] = []) => {
    const used = [...running, ...claimed.map(({ endpoint }) => endpoint)];
    const usedByMerchant = used.filter(({ merchantId }) => merchantId === each.merchantId);
    const usedByEndpoint = usedByMerchant.filter(({ number }) => number === each.number);
    return Math.min(
      lane.limit - used.length,
      MAX_PER_MERCHANT[lane.kind] - usedByMerchant.length,
      maxConcurrent(each) - usedByEndpoint.length,
    );
  };
  const servable = interleave(lane, due).filter((each) => freeSlots(each) > 0);
  lane.isSaturated = servable.length < due.length;
  if (servable.length === 0) return [];
  const claimAll = async (runner: Runner) => {
    const claimed: ClaimedWebhook[] = [];
    for (const each of servable) {
      const slots = freeSlots(each, claimed);
      const rows = slots > 0 ? await claim(runner, lane.kind, { ...each, now, slots }) : [];
      // More webhooks may be due than the limit allowed.
      if (rows.length === slots || slots <= 0) lane.isSaturated = true;
      claimed.push(...rows.map((row) => toClaimedWebhook(row, each)));
    }
    return claimed;
  };
  // One statement on PostgreSQL, which needs no transaction.
  return servable.length === 1 ? await database.writeOne(claimAll) : await database.inTransaction(claimAll);
}

/** Orders due endpoints: the next one of each merchant, then the one after it of each, and so on. */
function interleave({ lastMerchant, lastEndpoints }: Lane, due: readonly DueEndpoint[]): DueEndpoint[] {
  const byMerchant = [...Map.groupBy(due, ({ merchantId }) => merchantId)];
  return rotate(byMerchant, ([merchantId]) => merchantId > lastMerchant)
    .flatMap(([merchantId, endpoints]) =>
      rotate(endpoints, ({ number }) => number > (lastEndpoints.get(merchantId) ?? -1)).map((endpoint, turn) => ({
        ...{ endpoint, turn },
      })),
    )
    .toSorted((one, other) => one.turn - other.turn)
    .map(({ endpoint }) => endpoint);
}

/** Moves the items that follow the last served one to the front. */
function rotate<Item>(items: readonly Item[], isLater: (item: Item) => boolean): Item[] {
  return [...items.filter(isLater), ...items.filter((item) => !isLater(item))];
}

function maxConcurrent({ lane, isFailing, number }: DueEndpoint): number {
  if (number === CALLBACK_URL_ENDPOINT && lane === 'notices') return MAX_PER_CALLBACK_URL;
  if (lane === 'notices') return MAX_NOTICES_PER_ADDED_ENDPOINT;
  if (isFailing) return MAX_PER_FAILING_ENDPOINT;
  return number === CALLBACK_URL_ENDPOINT ? MAX_PER_CALLBACK_URL : MAX_PER_ADDED_ENDPOINT;
}

/** A claim of at most `slots` due webhooks of an endpoint. */
type Claim = EndpointRef & { now: Instant; slots: number };

/** The query that locks an endpoint's due webhooks in one lane, and reads them with their events. */
function dueQuery(
  kind: Lane['kind'],
  query: Kysely<WebhookTables>,
  { merchantId, number, now, slots }: Claim,
  runner: Runner,
) {
  return claimRows(
    runner,
    query
      .selectFrom('callbacks as callback')
      .innerJoin('events as event', 'event.id', 'callback.event_id')
      .innerJoin('webhook_endpoints as endpoint', (join) =>
        join
          .onRef('endpoint.merchant_id', '=', 'callback.merchant_id')
          .onRef('endpoint.number', '=', 'callback.endpoint'),
      )
      .select(['callback.id', 'callback.merchant_id', 'callback.subject_kind', 'callback.subject_id'])
      .select(['callback.webhook_id', 'callback.attempts_made', 'callback.next_attempt_at'])
      .select(['callback.url', 'callback.traceparent', 'callback.event_id'])
      .select(['event.type', 'event.at', 'event.data', 'event.webhook_id as event_webhook_id'])
      .select('endpoint.url as endpoint_url')
      .select(['endpoint.secret', 'endpoint.previous_secret', 'endpoint.previous_secret_until'])
      .where('callback.merchant_id', '=', merchantId)
      .where('callback.endpoint', '=', number)
      .where('callback.state', '=', sql.lit('pending'))
      .where('callback.held', '=', sql.lit(0))
      .where('callback.url', kind === 'notices' ? 'is not' : 'is', null)
      .where('callback.next_attempt_at', '<=', now)
      .orderBy('callback.next_attempt_at')
      .limit(slots),
    'callback',
  );
}

type DueRow = InferResult<ReturnType<typeof dueQuery>>[number];

function claimStatements(kind: Lane['kind']) {
  return {
    select: statement((query, values: Claim, runner) => dueQuery(kind, query, values, runner)),
    /** Selects and postpones in one statement; PostgreSQL only. */
    selectAndPostpone: statement(
      (query, { claimedUntil, ...values }: Claim & { claimedUntil: Instant }, runner) => sql<DueRow>`
        with claimed as (${dueQuery(kind, query, values as Claim, runner)}), postponed as (
          update callbacks set next_attempt_at = ${claimedUntil} from claimed where callbacks.id = claimed.id
        )
        select * from claimed order by next_attempt_at`,
    ),
  };
}

const claimIn = { notices: claimStatements('notices'), webhooks: claimStatements('webhooks') };

/** Claims due webhooks of an endpoint by postponing them. Returns them as they were. */
async function claim(
  runner: Runner,
  kind: Lane['kind'],
  { merchantId, number, now, slots }: Claim,
): Promise<readonly DueRow[]> {
  const { select, selectAndPostpone } = claimIn[kind];
  const values = { merchantId, number, now, slots };
  if (engineOf(runner) === 'postgres')
    return (await selectAndPostpone(runner, { ...values, claimedUntil: now + CLAIM_DURATION })).rows;
  const { rows } = await select(runner, values);
  await postpone(db, runner, { table: 'callbacks', column: 'next_attempt_at', now, rows });
  return rows;
}

/** Lists the endpoints with due webhooks. */
export async function listDueEndpoints(database: Database, now: Instant): Promise<DueEndpoint[]> {
  const { rows } = await selectDueEndpoints(database, { now });
  return rows.map(({ lane, merchant_id: merchantId, number, failed_at: failedAt }) => ({
    ...{ lane, merchantId, number, isFailing: failedAt !== null },
  }));
}

/**
 * Due time of each endpoint's next webhook. Steps from endpoint to endpoint (a skip scan), regardless of the backlog.
 * Columns are read by subqueries: for a join, both engines scan all webhooks.
 */
function earliestByEndpoint(kind: Lane['kind']) {
  const isInLane = sql.raw(kind === 'notices' ? 'url is not null' : 'url is null');
  return sql`
    with recursive earliest (id) as (
      select (
        select id from callbacks where state = 'pending' and held = 0 and ${isInLane}
        order by merchant_id, endpoint, next_attempt_at limit 1
      )
      union all
      select (
        select later.id from callbacks as later
        where later.state = 'pending' and later.held = 0 and later.${isInLane}
          and (later.merchant_id, later.endpoint) > (
            (select merchant_id from callbacks where callbacks.id = earliest.id),
            (select endpoint from callbacks where callbacks.id = earliest.id)
          )
        order by later.merchant_id, later.endpoint, later.next_attempt_at limit 1
      )
      from earliest where earliest.id is not null
    )
    select
      (select merchant_id from callbacks where callbacks.id = earliest.id) as merchant_id,
      (select endpoint from callbacks where callbacks.id = earliest.id) as number,
      (select next_attempt_at from callbacks where callbacks.id = earliest.id) as due
    from earliest where earliest.id is not null`;
}

/** Both lanes. A disabled or removed endpoint receives notices only. */
export const earliestByLane = sql`
  select 'notices' as lane, merchant_id, number, due, null as failed_at
  from (${earliestByEndpoint('notices')}) as notices
  union all
  select 'webhooks' as lane, callbacks.merchant_id, callbacks.number, due, failed_at
  from (${earliestByEndpoint('webhooks')}) as callbacks
  left join webhook_endpoints as endpoint
    on endpoint.merchant_id = callbacks.merchant_id and endpoint.number = callbacks.number
  where off_at is null and paused_at is null and removed_at is null`;

const selectDueEndpoints = statement(
  (_query, { now }: { now: Instant }) => sql<{
    lane: Lane['kind'];
    merchant_id: number;
    number: number;
    failed_at: Instant | null;
  }>`
    select lane, merchant_id, number, failed_at from (${earliestByLane}) as earliest
    where due <= ${now} order by merchant_id, number`,
);

function toClaimedWebhook(row: DueRow, { merchantId, number, isFailing }: DueEndpoint): ClaimedWebhook {
  const { secret, previous_secret, previous_secret_until } = row;
  return {
    id: row.id,
    merchantId,
    endpoint: { merchantId, number },
    subject: { kind: row.subject_kind, id: row.subject_id },
    messageId: messageIdOf(row),
    attemptCount: row.attempts_made,
    dueAt: row.next_attempt_at,
    url: row.url ?? row.endpoint_url,
    isNotice: row.url !== null,
    isFailing,
    secrets: { merchant_id: merchantId, number, secret, previous_secret, previous_secret_until },
    type: row.type,
    at: row.at,
    data: eventData(row),
    event: { id: row.event_id, data: row.data },
    traceparent: row.traceparent,
  };
}

/** Returns the `webhook-id` of a delivery: the event's. Notices have one for each URL. */
export function messageIdOf(row: { url: string | null; webhook_id: string; event_webhook_id: string | null }): string {
  return row.url === null ? (row.event_webhook_id ?? row.webhook_id) : row.webhook_id;
}
