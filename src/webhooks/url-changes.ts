import { db, statement } from './schema.ts';
import { formatInstant, HOUR, type Instant } from '../shared/time.ts';
import type { PreferenceWatcher } from '../merchants/preferences/set.ts';
import type { Clock } from '../system/clock.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { Random } from '../system/random.ts';
import { CALLBACK_URL_ENDPOINT_ID } from '../api/webhook-endpoint.ts';
import { enforceChangeLimit } from './change-limit.ts';
import { CALLBACK_URL_ENDPOINT, isAddedEndpoint, listEndpoints, setEndpointUrl } from './endpoint.ts';
import { listPreviousUrls } from './notified-urls.ts';
import type { Outbox } from './outbox.ts';
import { recordEvent } from './record-event.ts';
import { rowSubject, type SubjectOwner } from './subject.ts';

/**
 * Applies a changed `callback-url` to the endpoint, records the change, and notifies the merchant at the new and the
 * previous URLs.
 */
export function watchCallbackUrl(context: { clock: Clock; random: Random; outbox: Outbox }): PreferenceWatcher {
  return {
    async onStored(unit, { merchantId, key, value, previous, by, requireStepUp }) {
      if (key !== 'callback-url') return;
      const url = value === null ? null : String(value);
      await setEndpointUrl(unit, merchantId, url);
      const previousUrl = previous === null ? null : String(previous.value);
      const now = context.clock.now();
      if (url === previousUrl) return;
      requireStepUp?.();
      // The first URL replaces none, so there is no other URL to notify.
      if (previousUrl === null && !(await hasOtherUrl(unit, merchantId, now))) return;
      if (url !== null) await limitUrlChanges(unit, { merchantId, isAdded: false, now });
      const { id } = await db(unit)
        .insertInto('callback_url_changes')
        .values({
          merchant_id: merchantId,
          previous_url: previousUrl,
          url,
          held_from:
            previous && Math.max(previous.createdAt, await findLastChange(unit, merchantId, CALLBACK_URL_ENDPOINT)),
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

/** Limits changes of the added endpoints, or of `callback-url`. */
export async function limitUrlChanges(
  unit: UnitOfWork,
  { merchantId, isAdded, now }: { merchantId: number; isAdded: boolean; now: Instant },
): Promise<void> {
  await enforceChangeLimit(
    isAdded ? 'webhook_endpoints' : 'callback_url',
    isAdded ? 'its webhook endpoints' : '`callback-url`',
    db(unit)
      .selectFrom('callback_url_changes')
      .select('id')
      .where('merchant_id', '=', merchantId)
      .where('endpoint', isAdded ? '>' : '=', CALLBACK_URL_ENDPOINT)
      .where('created_at', '>', now - HOUR),
  );
}

/** Removes path and query: they may contain a secret, and previous URLs also receive the event. */
export function originOf(url: string | null): string | null {
  return url === null ? null : new URL(url).origin;
}

/** True if the merchant has added endpoints, or had a URL in the last day. */
async function hasOtherUrl(unit: UnitOfWork, merchantId: number, now: Instant): Promise<boolean> {
  if ((await listPreviousUrls(unit, { merchantId, isAdded: false, now })).length > 0) return true;
  return (await listEndpoints(unit, merchantId)).some(({ number }) => isAddedEndpoint(number));
}

/** The time of the last change of an endpoint's URL; 0 if there was none. */
export async function findLastChange(unit: UnitOfWork, merchantId: number, endpoint: number): Promise<Instant> {
  const row = await db(unit)
    .selectFrom('callback_url_changes')
    .select('created_at')
    .where('merchant_id', '=', merchantId)
    .where('endpoint', '=', endpoint)
    .$if(isAddedEndpoint(endpoint), (qb) => qb.where('previous_url', 'is not', null))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.created_at ?? 0;
}

/** Changes of the callback URL and of other endpoints as subjects of events. */
export const callbackUrlChangeSubject: SubjectOwner = {
  ...rowSubject({ db, statement }, 'callback_url_changes', { findBy: [] }),
  async readReferences(reader, merchantId, ids) {
    const rows = await db(reader)
      .selectFrom('callback_url_changes as change')
      .innerJoin('webhook_endpoints as endpoint', (join) =>
        join.onRef('endpoint.merchant_id', '=', 'change.merchant_id').onRef('endpoint.number', '=', 'change.endpoint'),
      )
      .select(['change.id', 'endpoint.endpoint_key'])
      .where('change.merchant_id', '=', merchantId)
      .where('change.id', 'in', ids)
      .execute();
    return new Map(rows.map(({ id, endpoint_key: key }) => [id, key ?? CALLBACK_URL_ENDPOINT_ID]));
  },
};
