import type { Selectable } from 'kysely';
import type { Runner } from '../database/engine.ts';
import { CALLBACK_URL_ENDPOINT_ID } from '../api/webhook-endpoint.ts';
import { DAY, HOUR, type Instant } from '../shared/time.ts';
import { lockRows, type UnitOfWork } from '../database/database.ts';
import { db, type WebhookEndpointTable } from './schema.ts';

/** An endpoint is disabled after failing for this long without a success. */
export const MAX_FAILING_TIME: Instant = 5 * DAY;

/** A longer time between two failures had no attempts and does not count. Longer than any backoff. */
export const FAILURE_SERIES_GAP: Instant = 30 * HOUR;

/** `gone`: the endpoint responded with 410; `no_success`: no delivery for `MAX_FAILING_TIME`. */
type DisabledReason = 'gone' | 'no_success';

/** The number of the endpoint of the preference `callback-url`. */
export const CALLBACK_URL_ENDPOINT = 0;

/** True for the number of an endpoint that the merchant added to that of `callback-url`. */
export function isAddedEndpoint(number: number): boolean {
  return number > CALLBACK_URL_ENDPOINT;
}

export type WebhookEndpoint = Selectable<WebhookEndpointTable>;

/** The health of a failing endpoint. */
export interface EndpointHealth {
  /** The first failure since the last success, later by the time without attempts. */
  failingSince: Instant;
  /** The last failure. */
  failedAt: Instant;
  /** Null while the endpoint is enabled. */
  disabledAt: Instant | null;
  disabledReason: DisabledReason | null;
}

/** Finds an endpoint by its number. */
export async function findEndpoint(
  reader: Runner,
  merchantId: number,
  number = CALLBACK_URL_ENDPOINT,
): Promise<WebhookEndpoint | undefined> {
  return await db(reader)
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('number', '=', number)
    .executeTakeFirst();
}

/** Locks an endpoint that still has the URL `url`; undefined if its URL was changed, or it was removed. */
export async function lockEndpointAt(
  unit: UnitOfWork,
  { merchantId, number }: { merchantId: number; number: number },
  url: string | null,
): Promise<WebhookEndpoint | undefined> {
  return await lockRows(
    unit,
    db(unit)
      .selectFrom('webhook_endpoints')
      .selectAll()
      .where('merchant_id', '=', merchantId)
      .where('number', '=', number)
      .where('removed_at', 'is', null)
      .where('url', url === null ? 'is' : '=', url),
  ).executeTakeFirst();
}

/** Finds an endpoint that was not removed by its ID. */
export async function findEndpointById(
  reader: Runner,
  merchantId: number,
  id: string,
): Promise<WebhookEndpoint | undefined> {
  return await db(reader)
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('removed_at', 'is', null)
    .$if(id === CALLBACK_URL_ENDPOINT_ID, (qb) => qb.where('number', '=', CALLBACK_URL_ENDPOINT))
    .$if(id !== CALLBACK_URL_ENDPOINT_ID, (qb) => qb.where('endpoint_key', '=', id))
    .executeTakeFirst();
}

/** Lists a merchant's endpoints that were not removed, the `callback-url` endpoint first. */
export async function listEndpoints(reader: Runner, merchantId: number): Promise<WebhookEndpoint[]> {
  return await db(reader)
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('removed_at', 'is', null)
    .orderBy('number')
    .execute();
}

/** The ID of an endpoint in the API. */
export function endpointIdOf({ endpoint_key: key }: Pick<WebhookEndpoint, 'endpoint_key'>): string {
  return key ?? CALLBACK_URL_ENDPOINT_ID;
}

/** How an endpoint is shown to people. */
export function endpointNameOf(endpoint: Pick<WebhookEndpoint, 'description' | 'url' | 'endpoint_key'>): string {
  return endpoint.description ?? (endpoint.url === null ? endpointIdOf(endpoint) : new URL(endpoint.url).host);
}

/** Returns the types of events that are sent to an endpoint; null: all. */
export function parseEventTypes({ event_types: types }: Pick<WebhookEndpoint, 'event_types'>): string[] | null {
  return types === null ? null : (JSON.parse(types) as string[]);
}

export function statusOf({ paused_at: pausedAt, off_at: offAt }: WebhookEndpoint): 'enabled' | 'disabled' {
  return pausedAt === null && offAt === null ? 'enabled' : 'disabled';
}

/** Returns null for an endpoint without a failure since its last success. */
export function healthOf(endpoint: WebhookEndpoint): EndpointHealth | null {
  const { failing_since: failingSince, failed_at: failedAt, off_at: disabledAt, off_reason: disabledReason } = endpoint;
  return failingSince === null || failedAt === null ? null : { failingSince, failedAt, disabledAt, disabledReason };
}

/** The health columns of a healthy endpoint. */
export const healthy = { failing_since: null, failed_at: null, off_at: null, off_reason: null };

/** Changes or removes the URL of the `callback-url` endpoint, and enables the endpoint. */
export async function setEndpointUrl(unit: UnitOfWork, merchantId: number, url: string | null): Promise<void> {
  await db(unit)
    .updateTable('webhook_endpoints')
    .set({ url, ...healthy })
    .where('merchant_id', '=', merchantId)
    .where('number', '=', CALLBACK_URL_ENDPOINT)
    .execute();
}

/** Marks an endpoint as healthy: pending webhooks are delivered again. */
export async function enableEndpoint(unit: UnitOfWork, merchantId: number, number: number): Promise<void> {
  await db(unit)
    .updateTable('webhook_endpoints')
    .set(healthy)
    .where('merchant_id', '=', merchantId)
    .where('number', '=', number)
    .where('failing_since', 'is not', null)
    .execute();
}

/** Stores the health of a failing endpoint. */
export async function updateHealth(
  unit: UnitOfWork,
  { merchantId, number, health }: { merchantId: number; number: number; health: EndpointHealth },
): Promise<void> {
  await db(unit)
    .updateTable('webhook_endpoints')
    .set({
      failing_since: health.failingSince,
      failed_at: health.failedAt,
      off_at: health.disabledAt,
      off_reason: health.disabledReason,
    })
    .where('merchant_id', '=', merchantId)
    .where('number', '=', number)
    .execute();
}
