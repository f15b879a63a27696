import type { Selectable } from 'kysely';
import type { Runner } from '../database/engine.ts';
import { DAY, HOUR, type Instant } from '../shared/time.ts';
import type { UnitOfWork } from '../database/database.ts';
import { db, type WebhookEndpointTable } from './schema.ts';

/** An endpoint is disabled after failing for this long without a success. */
export const MAX_FAILING_TIME: Instant = 5 * DAY;

/** A failure this long after the previous one starts a new series. Longer than any backoff. */
export const FAILURE_SERIES_GAP: Instant = 30 * HOUR;

/** `gone`: the endpoint responded with 410; `no_success`: no delivery for `MAX_FAILING_TIME`. */
export type DisabledReason = 'gone' | 'no_success';

export type WebhookEndpoint = Selectable<WebhookEndpointTable>;

/** The health of a failing endpoint. */
export interface EndpointHealth {
  /** The first failure since the last success. */
  failingSince: Instant;
  /** The last failure. */
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

/** Returns null for an endpoint without a failure since its last success. */
export function healthOf(endpoint: WebhookEndpoint): EndpointHealth | null {
  const { failing_since: failingSince, failed_at: failedAt, off_at: disabledAt, off_reason: disabledReason } = endpoint;
  return failingSince === null || failedAt === null ? null : { failingSince, failedAt, disabledAt, disabledReason };
}

const healthy = { failing_since: null, failed_at: null, off_at: null, off_reason: null };

/** Changes or removes the endpoint's URL, and enables the endpoint. */
export async function setEndpointUrl(unit: UnitOfWork, merchantId: number, url: string | null): Promise<void> {
  await db(unit)
    .updateTable('webhook_endpoints')
    .set({ url, ...healthy })
    .where('merchant_id', '=', merchantId)
    .execute();
}

/** Marks an endpoint as healthy: pending webhooks are delivered again. */
export async function enableEndpoint(unit: UnitOfWork, merchantId: number): Promise<void> {
  await db(unit)
    .updateTable('webhook_endpoints')
    .set(healthy)
    .where('merchant_id', '=', merchantId)
    .where('failing_since', 'is not', null)
    .execute();
}

/** Stores the health of a failing endpoint. */
export async function updateHealth(unit: UnitOfWork, merchantId: number, health: EndpointHealth): Promise<void> {
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
