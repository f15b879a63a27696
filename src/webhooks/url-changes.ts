import { db } from './schema.ts';
import { formatInstant, type Instant } from '../shared/time.ts';
import type { PreferenceWatcher } from '../merchants/preferences/set.ts';
import type { Clock } from '../system/clock.ts';
import { lockRows, type UnitOfWork } from '../database/database.ts';
import type { Random } from '../system/random.ts';
import { setEndpointUrl } from './endpoint.ts';
import { listFormerUrls } from './notified-urls.ts';
import type { Outbox } from './outbox.ts';
import { recordEvent } from './record-event.ts';
import type { SubjectOwner } from './subject.ts';

/**
 * Applies a changed `callback-url` to the endpoint, records the change, and notifies the merchant at the new and the
 * former URLs.
 */
export function watchCallbackUrl(context: { clock: Clock; random: Random; outbox: Outbox }): PreferenceWatcher {
  return {
    async onStored(unit, { merchantId, key, value, previous, by }) {
      if (key !== 'callback-url') return;
      const url = value === null ? null : String(value);
      await setEndpointUrl(unit, merchantId, url);
      const previousUrl = previous === null ? null : String(previous.value);
      const now = context.clock.now();
      // The first URL replaces no other.
      if (url === previousUrl || (previousUrl === null && (await listFormerUrls(unit, merchantId, now)).length === 0))
        return;
      const { id } = await db(unit)
        .insertInto('callback_url_changes')
        .values({
          merchant_id: merchantId,
          previous_url: previousUrl,
          url,
          held_from: previous && Math.max(previous.createdAt, await findLastChange(unit, merchantId)),
          requested_by: by,
          created_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await recordEvent(context, unit, {
        ...{
          merchantId,
          subject: { kind: 'callback_url_change', id },
          sequence: 1,
          type: 'callback.url_changed',
          at: now,
        },
        ...{ status: 'changed', previousStatus: null, detail: null },
        data: {
          url: originOf(url),
          previous_url: originOf(previousUrl),
          requested_by: by,
          created_at: formatInstant(now),
          previous_status: null,
          sequence: 1,
        },
      });
    },
  };
}

/** Removes path and query: they may contain a secret, and former endpoints also receive the event. */
function originOf(url: string | null): string | null {
  return url === null ? null : new URL(url).origin;
}

async function findLastChange(unit: UnitOfWork, merchantId: number): Promise<Instant> {
  const row = await db(unit)
    .selectFrom('callback_url_changes')
    .select('created_at')
    .where('merchant_id', '=', merchantId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.created_at ?? 0;
}

/** Changes of the callback URL as subjects of events. */
export const callbackUrlChangeSubject: SubjectOwner = {
  async lock(unit, merchantId, id) {
    const change = db(unit).selectFrom('callback_url_changes').select('id').where('merchant_id', '=', merchantId);
    await lockRows(unit, change.where('id', '=', id)).execute();
  },
  async findByReference() {
    return await Promise.resolve([]);
  },
  async readReferences(_on, _merchantId, ids) {
    return await Promise.resolve(new Map(ids.map((id) => [id, 'callback-url'])));
  },
};
