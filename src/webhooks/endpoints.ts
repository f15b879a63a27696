import { db } from './schema.ts';
import {
  CALLBACK_URL_ENDPOINT_ID,
  MAX_ADDED_ENDPOINTS,
  RECENT_DELIVERY_COUNT,
  type WebhookEndpointEntry,
} from '../api/webhook-endpoint.ts';
import { Problem, validationProblem } from '../api/problem-error.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import { wakeJob } from '../jobs/runner.ts';
import { lockMerchant } from '../merchants/merchants.ts';
import { parseValue } from '../merchants/preferences/values.ts';
import { formatInstant, type Instant } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import { type Random, randomId } from '../system/random.ts';
import type { Environment } from '../system/settings.ts';
import { recordEndpointChange } from './endpoint-changes.ts';
import {
  CALLBACK_URL_ENDPOINT,
  endpointIdOf,
  findEndpointById,
  healthy,
  isAddedEndpoint,
  listEndpoints,
  parseEventTypes,
  statusOf,
  type WebhookEndpoint,
} from './endpoint.ts';
import { DELIVERY_JOB, type Outbox } from './outbox.ts';
import { limitUrlChanges } from './url-changes.ts';
import type { WebhookSecrets } from './secrets.ts';

/** Dependencies of the endpoints that merchants manage. */
export interface EndpointsContext {
  clock: Clock;
  random: Random;
  environment: Environment;
  outbox: Outbox;
  webhookSecrets: WebhookSecrets;
}

/** An endpoint that has a URL. */
type UsableEndpoint = WebhookEndpoint & { url: string };

/** Lists a merchant's endpoints with their recent deliveries, the `callback-url` endpoint first, if it is set. */
export async function readEndpointEntries(reader: Runner, merchantId: number): Promise<WebhookEndpointEntry[]> {
  const endpoints = (await listEndpoints(reader, merchantId)).filter(isUsable);
  return await Promise.all(endpoints.map(async (endpoint) => await readEndpointEntry(reader, endpoint)));
}

/** Finds an endpoint by its ID; one without a URL does not exist. */
export async function requireEndpoint(reader: Runner, merchantId: number, id: string): Promise<UsableEndpoint> {
  const endpoint = await findEndpointById(reader, merchantId, id);
  if (endpoint && isUsable(endpoint)) return endpoint;
  throw new Problem('not_found', 'There is no webhook endpoint with this `id`.');
}

/** Returns an endpoint with its recent deliveries. */
export async function readEndpointEntry(reader: Runner, endpoint: UsableEndpoint): Promise<WebhookEndpointEntry> {
  const { number, off_reason: offReason, off_at: offAt, paused_at: pausedAt } = endpoint;
  const deliveries = await db(reader)
    .selectFrom('callbacks')
    .select(['state', 'finished_at'])
    .where('merchant_id', '=', endpoint.merchant_id)
    .where('endpoint', '=', number)
    // The index of added endpoints excludes the `callback-url` endpoint.
    .$if(isAddedEndpoint(number), (qb) => qb.where('endpoint', '>', CALLBACK_URL_ENDPOINT))
    .where('url', 'is', null)
    .orderBy('id', 'desc')
    .limit(RECENT_DELIVERY_COUNT)
    .execute();
  const countOf = (state: string) => deliveries.filter((each) => each.state === state).length;
  const deliveredAt = deliveries.flatMap((each) => (each.state === 'delivered' ? [each.finished_at ?? 0] : []));
  return {
    id: endpointIdOf(endpoint),
    url: endpoint.url,
    description: endpoint.description,
    event_types: parseEventTypes(endpoint),
    from_preferences: !isAddedEndpoint(number),
    status: statusOf(endpoint),
    disabled_reason: pausedAt === null ? offReason : 'merchant',
    disabled_at: formatInstantOrNull(pausedAt ?? offAt),
    failing_since: formatInstantOrNull(endpoint.failing_since),
    last_delivered_at: deliveredAt.length === 0 ? null : formatInstant(Math.max(...deliveredAt)),
    last_failed_at: formatInstantOrNull(endpoint.failed_at),
    recent: { delivered: countOf('delivered'), failed: countOf('failed'), pending: countOf('pending') },
    created_at: formatInstantOrNull(endpoint.created_at),
    updated_at: formatInstantOrNull(endpoint.updated_at),
  };
}

/** Adds an endpoint, and returns it with its secret. */
export async function addEndpoint(
  context: EndpointsContext,
  unit: UnitOfWork,
  caller: { merchantId: number; identity: string },
  body: {
    url: string;
    description?: string | null | undefined;
    event_types?: readonly string[] | null | undefined;
  },
): Promise<WebhookEndpointEntry & { secret: string }> {
  const { merchantId } = caller;
  const url = parseUrl(context, body.url);
  const now = context.clock.now();
  await lockMerchant(unit, merchantId);
  await limitUrlChanges(unit, { merchantId, isAdded: true, now });
  const added = (await listEndpoints(unit, merchantId)).filter(({ number }) => isAddedEndpoint(number));
  if (added.length >= MAX_ADDED_ENDPOINTS)
    throw new Problem('too_many_endpoints', `A merchant can add at most ${MAX_ADDED_ENDPOINTS} webhook endpoints.`);
  const endpoint = {
    ...{ merchant_id: merchantId, number: await nextNumber(unit, merchantId), url },
    endpoint_key: `we_${randomId(context.random)}`,
    description: body.description ?? null,
    event_types: body.event_types ? JSON.stringify(body.event_types) : null,
    ...{ created_at: now, updated_at: now },
  };
  const secret = await context.webhookSecrets.add(unit, endpoint);
  const stored = await requireEndpoint(unit, merchantId, endpoint.endpoint_key);
  await recordEndpointChange(context, unit, { before: null, after: stored, by: caller.identity });
  return { ...(await readEndpointEntry(unit, stored)), secret };
}

/** Changes an added endpoint. A new URL resets its failures, as enabling it does. */
export async function updateEndpoint(
  context: EndpointsContext,
  unit: UnitOfWork,
  caller: { merchantId: number; identity: string },
  body: {
    id: string;
    url?: string | undefined;
    description?: string | null | undefined;
    event_types?: readonly string[] | null | undefined;
    enabled?: boolean | undefined;
  },
): Promise<WebhookEndpointEntry> {
  const { merchantId } = caller;
  const url = body.url === undefined ? undefined : parseUrl(context, body.url);
  const now = context.clock.now();
  await lockMerchant(unit, merchantId);
  const before = await requireAddedEndpoint(unit, merchantId, body.id);
  await limitUrlChanges(unit, { merchantId, isAdded: true, now });
  const isMoved = url !== undefined && url !== before.url;
  await db(unit)
    .updateTable('webhook_endpoints')
    .set({
      ...(url !== undefined && { url }),
      ...(body.description !== undefined && { description: body.description }),
      ...(body.event_types !== undefined && { event_types: body.event_types && JSON.stringify(body.event_types) }),
      ...(body.enabled !== undefined && { paused_at: body.enabled ? null : (before.paused_at ?? now) }),
      ...((isMoved || body.enabled === true) && healthy),
      updated_at: now,
    })
    .where('merchant_id', '=', merchantId)
    .where('number', '=', before.number)
    .execute();
  const after = await requireEndpoint(unit, merchantId, body.id);
  await recordEndpointChange(context, unit, { before, after, by: caller.identity });
  wakeJob(unit, DELIVERY_JOB);
  return await readEndpointEntry(unit, after);
}

/** Removes an added endpoint. Nothing more is sent to it, except notices. */
export async function removeEndpoint(
  context: EndpointsContext,
  unit: UnitOfWork,
  caller: { merchantId: number; identity: string },
  id: string,
): Promise<{ id: string; removed_at: string }> {
  const { merchantId } = caller;
  const now = context.clock.now();
  await lockMerchant(unit, merchantId);
  const before = await requireAddedEndpoint(unit, merchantId, id);
  await db(unit)
    .updateTable('webhook_endpoints')
    .set({ removed_at: now, updated_at: now })
    .where('merchant_id', '=', merchantId)
    .where('number', '=', before.number)
    .execute();
  await recordEndpointChange(context, unit, { before, after: null, by: caller.identity });
  return { id, removed_at: formatInstant(now) };
}

async function requireAddedEndpoint(reader: Runner, merchantId: number, id: string): Promise<UsableEndpoint> {
  if (id !== CALLBACK_URL_ENDPOINT_ID) return await requireEndpoint(reader, merchantId, id);
  const detail = 'is the endpoint of the preference `callback-url`: change that preference';
  throw validationProblem([{ pointer: '/id', code: 'from_preferences', detail }]);
}

function isUsable(endpoint: WebhookEndpoint): endpoint is UsableEndpoint {
  return endpoint.url !== null;
}

function parseUrl({ environment }: EndpointsContext, url: string): string {
  const parsed = parseValue({ type: 'url' }, url, environment);
  if ('value' in parsed) return String(parsed.value);
  throw validationProblem([{ pointer: '/url', code: 'invalid_value', detail: parsed.problem }]);
}

/** Numbers of removed endpoints are not used again: their webhooks remain. */
async function nextNumber(unit: UnitOfWork, merchantId: number): Promise<number> {
  const last = await db(unit)
    .selectFrom('webhook_endpoints')
    .select('number')
    .where('merchant_id', '=', merchantId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (last?.number ?? CALLBACK_URL_ENDPOINT) + 1;
}

function formatInstantOrNull(moment: Instant | null): string | null {
  return moment === null ? null : formatInstant(moment);
}
