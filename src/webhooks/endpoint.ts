import type { Selectable } from 'kysely';
import type { Runner } from '../database/engine.ts';
import { DAY, HOUR, type Instant } from '../shared/time.ts';
import type { UnitOfWork } from '../database/database.ts';
import { db, type WebhookEndpointTable } from './schema.ts';

/** An endpoint that fails for this long without one success is disabled. */
export const MAX_FAILING_TIME: Instant = 5 * DAY;

/** A failure later than this after the one before begins a new series: longer than between any two attempts. */
export const SERIES_ENDS_AFTER: Instant = 30 * HOUR;

/** `gone`: it answered 410; `no_success`: nothing was delivered for five days. */
export type DisabledReason = 'gone' | 'no_success';

export type WebhookEndpoint = Selectable<WebhookEndpointTable>;

/** The health of an endpoint that fails. */
export interface EndpointHealth {
  /** The first failure since the last success. */
  failingSince: Instant;
  /** The last one. */
  failedAt: Instant;
  /** Null while the endpoint is enabled. */
  disabledAt: Instant | null;
  disabledReason: DisabledReason | null;
}

export async function findEndpoint(on: Runner, merchantId: number): Promise<WebhookEndpoint | undefined> {
  return await db(on)
    .selectFrom('webhook_endpoints')
    .select(['merchant_id', 'url', 'secret', 'previous_secret', 'previous_secret_until'])
    .select(['failing_since', 'failed_at', 'off_at', 'off_reason'])
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
}

/** Null for an endpoint that has not failed since its last success. */
export function healthOf(endpoint: WebhookEndpoint): EndpointHealth | null {
  const { failing_since: failingSince, failed_at: failedAt, off_at: disabledAt, off_reason: disabledReason } = endpoint;
  return failingSince === null || failedAt === null ? null : { failingSince, failedAt, disabledAt, disabledReason };
}

const healthy = { failing_since: null, failed_at: null, off_at: null, off_reason: null };

/** Sends webhooks to another URL, or to none, and enables the endpoint. */
export async function setEndpointUrl(unit: UnitOfWork, merchantId: number, url: string | null): Promise<void> {
  await db(unit)
    .updateTable('webhook_endpoints')
    .set({ url, ...healthy })
    .where('merchant_id', '=', merchantId)
    .execute();
}

/** Marks an endpoint as healthy: pending webhooks are sent again. */
export async function enableEndpoint(unit: UnitOfWork, merchantId: number): Promise<void> {
  await db(unit)
    .updateTable('webhook_endpoints')
    .set(healthy)
    .where('merchant_id', '=', merchantId)
    .where('failing_since', 'is not', null)
    .execute();
}

/** Stores the health of an endpoint that fails. */
export async function writeHealth(unit: UnitOfWork, merchantId: number, health: EndpointHealth): Promise<void> {
  await db(unit)
    .updateTable('webhook_endpoints')
    .set({
      failing_since: health.failingSince,
      failed_at: health.failedAt,
      off_at: health.disabledAt,
      off_reason: health.disabledReason,
    })
    .where('merchant_id', '=', merchantId)
    .execute();
}
