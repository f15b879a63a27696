import { db } from './schema.ts';
import { formatInstant, type Instant } from '../shared/time.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { Clock } from '../system/clock.ts';
import type { Random } from '../system/random.ts';
import { endpointIdOf, parseEventTypes, statusOf, type WebhookEndpoint } from './endpoint.ts';
import type { Outbox } from './outbox.ts';
import { recordEvent } from './record-event.ts';
import { findLastChange, originOf } from './url-changes.ts';

/**
 * Records an added, changed or removed endpoint, and notifies the merchant at every endpoint and the previous URLs. A
 * changed description has no effect on deliveries and is not reported.
 */
export async function recordEndpointChange(
  context: { clock: Clock; random: Random; outbox: Outbox },
  unit: UnitOfWork,
  { before, after, by }: { before: WebhookEndpoint | null; after: WebhookEndpoint | null; by: string },
): Promise<void> {
  const endpoint = after ?? before;
  if (!endpoint || (before && after && !isReported(before, after))) return;
  const { merchant_id: merchantId, number } = endpoint;
  const now = context.clock.now();
  const isReplaced = before !== null && before.url !== after?.url;
  const { id } = await db(unit)
    .insertInto('callback_url_changes')
    .values({
      ...{ merchant_id: merchantId, endpoint: number, url: after?.url ?? null },
      // Set only for a URL that is no longer used: it then belongs to the previous URLs.
      previous_url: isReplaced ? before.url : null,
      held_from: isReplaced ? await findInUseSince(unit, before) : null,
      ...{ requested_by: by, created_at: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordEvent(context, unit, {
    ...{ merchantId, subject: { kind: 'callback_url_change', id }, sequence: 1 },
    ...{ type: 'callback.endpoint_changed', at: now, status: 'changed', previousStatus: null, detail: null },
    data: {
      endpoint_id: endpointIdOf(endpoint),
      change: before === null ? 'added' : after === null ? 'removed' : 'updated',
      url: originOf(after?.url ?? null),
      previous_url: originOf(before?.url ?? null),
      status: after && statusOf(after),
      event_types: parseEventTypes(endpoint),
      requested_by: by,
      created_at: formatInstant(now),
      previous_status: null,
      sequence: 1,
    },
  });
}

function isReported(before: WebhookEndpoint, after: WebhookEndpoint): boolean {
  return before.url !== after.url || before.event_types !== after.event_types || statusOf(before) !== statusOf(after);
}

async function findInUseSince(unit: UnitOfWork, { merchant_id: merchantId, number, created_at }: WebhookEndpoint) {
  const changed: Instant = await findLastChange(unit, merchantId, number);
  return Math.max(created_at ?? 0, changed);
}
