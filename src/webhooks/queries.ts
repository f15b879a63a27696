import { type CallbackTable, db } from './schema.ts';
import { type Selectable, sql } from 'kysely';
import type {
  CallbackDetail,
  CallbackEndpointSummary,
  CallbacksQuery,
  CallbackState,
  CallbackSummary,
} from '../api/callback.ts';
import { formatInstant, type Instant, toMillis } from '../shared/time.ts';
import { messageIdOf } from './claim.ts';
import { toApiStatus, type TransactionStatus } from '../api/fiat-transaction.ts';
import { WEBHOOK_HEADERS } from './deliver.ts';
import {
  enableEndpoint,
  endpointIdOf,
  endpointNameOf,
  findEndpoint,
  findEndpointById,
  isAddedEndpoint,
} from './endpoint.ts';
import { eventData } from './event-data.ts';
import type { Principal } from '../operations/principal.ts';
import type { Database } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import { hasAnyId, isAnyOf, unindexed } from '../database/search.ts';
import { wakeJob } from '../jobs/runner.ts';
import { Problem } from '../api/problem-error.ts';
import { pagingOf } from '../http/cursor.ts';
import { type EventSubjectKind, eventSubjectKinds } from '../api/webhook-events.ts';
import { DELIVERY_JOB } from './outbox.ts';
import type { EventSubjects } from './subject.ts';

/** The number of an endpoint that does not exist: no webhook has it. */
const NO_ENDPOINT = -1;

type WebhookRow = Selectable<CallbackTable> & {
  type: string;
  status: string;
  previous_status: string | null;
  detail: string | null;
  event_webhook_id: string | null;
  endpoint_key: string | null;
  description: string | null;
  endpoint_url: string | null;
  attempted_at: Instant | null;
  attempt_status: number | null;
  attempt_error: string | null;
};

/** Payments have their own scope: without `transaction:read`, webhooks have no payload, status or detail. */
type Reader = Pick<Principal, 'merchantId' | 'scopes'>;

/** Dependencies of webhook queries. Subjects belong to other modules. */
export interface WebhookReadContext {
  database: Database;
  subjects: EventSubjects;
}

/** Lists a merchant's webhooks, newest first. */
export async function listWebhooks(context: WebhookReadContext, reader: Reader, query: CallbacksQuery) {
  const { database } = context;
  const { merchantId } = reader;
  const { cursor, limit, pageOf } = pagingOf(query);
  const ids = query.transaction_id === undefined ? null : await findWebhooks(context, merchantId, query.transaction_id);
  const endpoint =
    query.endpoint_id === undefined ? null : await findEndpointNumber(database, merchantId, query.endpoint_id);
  const rows = await webhooksQuery(database, merchantId, ids)
    .$if(endpoint !== null, (qb) => qb.where('callback.endpoint', '=', endpoint))
    // Lets the partial index of added endpoints apply, which excludes the `callback-url` endpoint.
    .$if(endpoint !== null && isAddedEndpoint(endpoint), (qb) => qb.where('callback.endpoint', '>', sql.lit(0)))
    .$if(query.type !== undefined, (qb) => qb.where(isAnyOf('event.type', query.type ?? [])))
    // A literal, not a parameter: only then do the partial indexes of pending and failed webhooks apply.
    .$if(query.state !== undefined, (qb) => qb.where(hasState(query.state ?? [])))
    .$if(cursor !== null, (qb) => qb.where('callback.id', '<', cursor ?? 0))
    .orderBy('callback.id', 'desc')
    .limit(limit)
    .execute();
  const { shown, nextCursor } = pageOf(rows);
  const referenceOf = await readReferences(context, merchantId, shown);
  return {
    callbacks: shown.map((row) => toSummary(row, reader, referenceOf(row))),
    next_cursor: nextCursor,
    endpoint: await readEndpointSummary(database, merchantId),
  };
}

/** One state is an equality: only then do the partial indexes of pending and failed webhooks apply. */
function hasState(states: readonly CallbackState[]) {
  const [first = 'pending', ...others] = states;
  return others.length === 0
    ? sql<boolean>`callback.state = ${sql.lit(first)}`
    : sql<boolean>`callback.state in (${sql.join(states.map((state) => sql.lit(state)))})`;
}

async function findEndpointNumber(database: Database, merchantId: number, id: string): Promise<number> {
  return (await findEndpointById(database, merchantId, id))?.number ?? NO_ENDPOINT;
}

/** Finds the webhooks whose subject has a reference. */
async function findWebhooks(
  { database, subjects }: WebhookReadContext,
  merchantId: number,
  reference: string,
): Promise<number[]> {
  const ids: number[] = [];
  for (const kind of eventSubjectKinds) {
    const subjectIds = await subjects[kind].findByReference(database, merchantId, reference);
    if (subjectIds.length === 0) continue;
    const rows = await db(database)
      .selectFrom('callbacks')
      .select('id')
      .where('merchant_id', '=', merchantId)
      .where('subject_kind', '=', kind)
      .where('subject_id', 'in', subjectIds)
      // The index of subjects excludes notices, whose subjects have no reference.
      .where('url', 'is', null)
      .execute();
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

/** Reads the references of the webhooks' subjects. */
async function readReferences(
  { database, subjects }: WebhookReadContext,
  merchantId: number,
  rows: readonly WebhookRow[],
): Promise<(row: WebhookRow) => string> {
  const references = new Map<EventSubjectKind, Map<number, string>>();
  for (const kind of new Set(rows.map((row) => row.subject_kind))) {
    const ids = rows.filter((row) => row.subject_kind === kind).map((row) => row.subject_id);
    references.set(kind, await subjects[kind].readReferences(database, merchantId, ids));
  }
  return (row) => references.get(row.subject_kind)?.get(row.subject_id) ?? '';
}

/** Returns the endpoint of `callback-url` and its health. */
async function readEndpointSummary(database: Database, merchantId: number): Promise<CallbackEndpointSummary> {
  const endpoint = await findEndpoint(database, merchantId);
  const instant = (moment: Instant | null = null) => (moment === null ? null : formatInstant(moment));
  return {
    url: endpoint?.url ?? null,
    failing_since: instant(endpoint?.failing_since),
    disabled_at: instant(endpoint?.off_at),
    disabled_reason: endpoint?.off_reason ?? null,
  };
}

/** The query for a merchant's failed webhooks, for counts in other modules. */
export function failedWebhooksQuery(reader: Runner, merchantId: number, limit: number) {
  return (
    db(reader)
      .selectFrom('callbacks as callback')
      .innerJoin('webhook_endpoints as endpoint', (join) =>
        join
          .onRef('endpoint.merchant_id', '=', 'callback.merchant_id')
          .onRef('endpoint.number', '=', 'callback.endpoint'),
      )
      .select('callback.id')
      .where('callback.merchant_id', '=', merchantId)
      // A literal, not a parameter, for the partial index.
      .where('callback.state', '=', sql.lit('failed'))
      .where(isShown)
      .limit(limit)
  );
}

/** Returns a webhook with its delivery attempts. */
export async function readWebhook(context: WebhookReadContext, reader: Reader, id: string): Promise<CallbackDetail> {
  const { database } = context;
  const { merchantId } = reader;
  const row = await findWebhook(database, merchantId, id);
  const attempts = await db(database)
    .selectFrom('callback_attempts')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('callback_id', '=', row.id)
    .orderBy('number')
    .execute();
  return {
    ...(await readSummary(context, reader, row)),
    attempts: attempts.map((attempt) => ({
      number: attempt.number,
      at: formatInstant(attempt.at),
      url: attempt.url === '' ? null : attempt.url,
      duration_ms: attempt.duration_ms,
      status: attempt.status_code,
      error: attempt.error,
      response_body: attempt.answer,
      request_headers: requestHeaders(row, attempt.at),
      response_headers: parseHeaders(attempt.response_headers),
    })),
    payload: reader.scopes.has('transaction:read') ? await readPayload(database, row) : null,
  };
}

/** The headers of an attempt. Its signatures are not stored. */
function requestHeaders(row: WebhookRow, at: Instant): { name: string; value: string }[] {
  const headers = {
    ...WEBHOOK_HEADERS,
    'webhook-id': messageIdOf(row),
    'webhook-timestamp': String(Math.floor(toMillis(at) / 1000)),
  };
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function parseHeaders(stored: string | null): { name: string; value: string }[] | null {
  if (stored === null) return null;
  return (JSON.parse(stored) as [string, string][]).map(([name, value]) => ({ name, value }));
}

/** Reads the body that is sent. */
async function readPayload(database: Database, { merchant_id: merchantId, event_id: id }: WebhookRow) {
  const event = await db(database)
    .selectFrom('events')
    .select(['merchant_id', 'type', 'at', 'data'])
    .where('id', '=', id)
    .where(unindexed('merchant_id'), '=', merchantId)
    .executeTakeFirstOrThrow();
  // As it was sent: earlier releases had fewer fields.
  return { type: event.type, timestamp: formatInstant(event.at), data: eventData(event) } as CallbackDetail['payload'];
}

/**
 * Redelivers a webhook: immediately, then on the rest of its backoff schedule. Enables the endpoint, except for a
 * notice, which has its own URL.
 */
export async function redeliver(
  context: WebhookReadContext,
  reader: Reader,
  webhookId: string,
  now: Instant,
): Promise<CallbackSummary> {
  const { database } = context;
  const { merchantId } = reader;
  const { id, url, endpoint } = await findWebhook(database, merchantId, webhookId);
  await database.inTransaction(async (unit) => {
    await db(unit)
      .updateTable('callbacks')
      .set({ state: 'pending', held: 0, next_attempt_at: now, finished_at: null })
      .where('merchant_id', '=', merchantId)
      .where('id', '=', id)
      .execute();
    if (url === null) await enableEndpoint(unit, merchantId, endpoint);
    wakeJob(unit, DELIVERY_JOB);
  });
  return await readSummary(context, reader, await findWebhook(database, merchantId, webhookId));
}

async function findWebhook(database: Database, merchantId: number, webhookId: string): Promise<WebhookRow> {
  const row = await webhooksQuery(database, merchantId).where('callback.webhook_id', '=', webhookId).executeTakeFirst();
  if (!row) throw new Problem('not_found', 'There is no webhook with this `id`.');
  return row;
}

/** The query for a merchant's webhooks, optionally limited to `ids`. */
function webhooksQuery(database: Database, merchantId: number, ids: readonly number[] | null = null) {
  return db(database)
    .selectFrom('callbacks as callback')
    .innerJoin('events as event', 'event.id', 'callback.event_id')
    .innerJoin('webhook_endpoints as endpoint', (join) =>
      join
        .onRef('endpoint.merchant_id', '=', 'callback.merchant_id')
        .onRef('endpoint.number', '=', 'callback.endpoint'),
    )
    .leftJoin('callback_attempts as attempt', (join) =>
      join
        .onRef('attempt.merchant_id', '=', 'callback.merchant_id')
        .onRef('attempt.callback_id', '=', 'callback.id')
        .onRef('attempt.number', '=', 'callback.attempts_made'),
    )
    .selectAll('callback')
    .select(['event.type', 'event.status', 'event.previous_status', 'event.detail'])
    .select(['event.webhook_id as event_webhook_id', 'endpoint.endpoint_key'])
    .select(['endpoint.description', 'endpoint.url as endpoint_url'])
    .select('attempt.at as attempted_at')
    .select(['attempt.status_code as attempt_status', 'attempt.error as attempt_error'])
    .where(ids === null ? 'callback.merchant_id' : unindexed('callback.merchant_id'), '=', merchantId)
    .$if(ids !== null, (qb) => qb.where(hasAnyId(database.engine, 'callback.id', ids ?? [])))
    .where(unindexed('event.merchant_id'), '=', merchantId)
    .where(isShown);
}

/** Webhooks of removed endpoints are not shown, except notices. */
const isShown = sql<boolean>`(endpoint.removed_at is null or callback.url is not null)`;

async function readSummary(context: WebhookReadContext, reader: Reader, row: WebhookRow): Promise<CallbackSummary> {
  const referenceOf = await readReferences(context, row.merchant_id, [row]);
  return toSummary(row, reader, referenceOf(row));
}

/** Notices report no status. */
const isNotice = ({ subject_kind: kind }: WebhookRow) =>
  kind === 'withdrawal_destination' || kind === 'callback_url_change';

function apiStatusOf({ subject_kind: kind }: WebhookRow, status: string | null): string | null {
  return status !== null && kind === 'fiat_transaction' ? toApiStatus(status as TransactionStatus) : status;
}

function toSummary(row: WebhookRow, { scopes }: Reader, reference: string): CallbackSummary {
  const hasStatus = !isNotice(row) && scopes.has('transaction:read');
  return {
    id: row.webhook_id,
    webhook_id: messageIdOf(row),
    endpoint_id: endpointIdOf(row),
    endpoint_name: endpointNameOf({ ...row, url: row.endpoint_url }),
    type: row.type,
    transaction_id: reference,
    sequence: row.sequence,
    status: hasStatus ? apiStatusOf(row, row.status) : null,
    previous_status: hasStatus ? apiStatusOf(row, row.previous_status) : null,
    detail: hasStatus ? row.detail : null,
    url: row.url,
    state: row.state,
    attempts_made: row.attempts_made,
    last_attempt:
      row.attempted_at === null
        ? null
        : { at: formatInstant(row.attempted_at), status: row.attempt_status, error: row.attempt_error },
    next_attempt_at: row.state === 'pending' && row.held === 0 ? formatInstant(row.next_attempt_at) : null,
    created_at: formatInstant(row.created_at),
    finished_at: row.finished_at === null ? null : formatInstant(row.finished_at),
  };
}
