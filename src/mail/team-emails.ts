import type { UnitOfWork } from '../database/database.ts';
import { readDisplayName } from '../merchants/merchants.ts';
import { formatInstant, HOUR, type Instant } from '../shared/time.ts';
import type { Mailer } from './outbox.ts';

interface TeamMailContext {
  mailer: Mailer;
  publicUrl: string;
}

/** Notifies reviewers of a payment that awaits review. At most once an hour, since the email links to the whole queue. */
export async function emailReviewPending(
  { mailer, publicUrl }: TeamMailContext,
  unit: UnitOfWork,
  { merchantId, reference, now }: { merchantId: number; reference: string; now: Instant },
): Promise<void> {
  if (!mailer.isOn) return;
  const merchantName = await readDisplayName(unit, merchantId);
  await mailer.notifyMembers(unit, {
    ...{ merchantId, scope: 'approval:write', idempotencyKey: `${merchantId} ${Math.floor(now / HOUR)}` },
    content: {
      ...{ kind: 'review_waiting', merchantName, reference },
      url: `${publicUrl}/account/${merchantId}/reviews`,
    },
  });
}

/** Notifies the merchant of a webhook endpoint that was disabled. `endpoint` is its origin: a path may be secret. */
export async function emailEndpointDisabled(
  { mailer, publicUrl }: TeamMailContext,
  unit: UnitOfWork,
  { merchantId, endpoint }: { merchantId: number; endpoint: string },
): Promise<void> {
  if (!mailer.isOn) return;
  const merchantName = await readDisplayName(unit, merchantId);
  await mailer.notifyMembers(unit, {
    ...{ merchantId, scope: 'callback:send' },
    content: {
      ...{ kind: 'endpoint_disabled', merchantName, endpoint },
      url: `${publicUrl}/account/${merchantId}/webhooks`,
    },
  });
}

/** Notifies owners of a changed destination of automatic withdrawals. It cannot be turned off. */
export async function emailDestinationChanged(
  { mailer, publicUrl }: TeamMailContext,
  unit: UnitOfWork,
  change: { merchantId: number; coin: string; address: string | null; effectiveAt: Instant; now: Instant },
): Promise<void> {
  if (!mailer.isOn) return;
  const { merchantId, coin, address, effectiveAt, now } = change;
  const merchantName = await readDisplayName(unit, merchantId);
  await mailer.notifyMembers(unit, {
    ...{ merchantId, scope: 'withdrawal:write' },
    content: {
      ...{ kind: 'destination_changed', merchantName, coin, address },
      ...{ effectiveAt: effectiveAt > now ? formatInstant(effectiveAt) : null },
      url: `${publicUrl}/account/${merchantId}/settings`,
    },
  });
}
