import { db } from './schema.ts';
import { sql } from 'kysely';
import { DAY, type Instant } from '../shared/time.ts';
import type { UnitOfWork } from '../database/database.ts';
import { MAX_ADDED_ENDPOINTS } from '../api/webhook-endpoint.ts';
import { CALLBACK_URL_ENDPOINT, isAddedEndpoint, listEndpoints } from './endpoint.ts';

/** For this long, previous webhook URLs are notified of changes that redirect funds or webhooks. */
const PREVIOUS_URL_NOTICE_PERIOD: Instant = DAY;

/** Limit of notified previous URLs: frequent URL changes must not multiply requests. */
const MAX_PREVIOUS_URLS = 5;

/** A URL that receives a notice, and the number of the endpoint whose secret signs it. */
interface NotifiedUrl {
  url: string;
  endpoint: number;
}

/**
 * Lists the URLs of all endpoints and previous ones of the last day, those of `callback-url` first. Each kind has its own
 * limit, so that added endpoints do not displace previous URLs of `callback-url`.
 */
export async function listNotifiedUrls(unit: UnitOfWork, merchantId: number, now: Instant): Promise<NotifiedUrl[]> {
  const endpoints = await listEndpoints(unit, merchantId);
  const notified = new Map<string, NotifiedUrl>();
  for (const isAdded of [false, true]) {
    const previous = await listPreviousUrls(unit, { merchantId, isAdded, now });
    for (const { url, number } of endpoints)
      if (url !== null && isAddedEndpoint(number) === isAdded && !notified.has(url))
        notified.set(url, { url, endpoint: number });
    for (const each of previous.filter(({ url }) => !notified.has(url)).slice(0, MAX_PREVIOUS_URLS))
      notified.set(each.url, each);
  }
  return [...notified.values()];
}

/**
 * Lists previous webhook URLs of the last day, of `callback-url` or of added endpoints: first those in use a day ago, then
 * by duration of use. Short-lived URLs cannot displace these.
 */
export async function listPreviousUrls(
  unit: UnitOfWork,
  { merchantId, isAdded, now }: { merchantId: number; isAdded: boolean; now: Instant },
): Promise<NotifiedUrl[]> {
  const start = now - PREVIOUS_URL_NOTICE_PERIOD;
  const rows = await db(unit)
    .selectFrom('callback_url_changes')
    .select(['previous_url', 'endpoint'])
    .where('merchant_id', '=', merchantId)
    .where('endpoint', isAdded ? '>' : '=', CALLBACK_URL_ENDPOINT)
    .where('created_at', '>', start)
    .where('previous_url', 'is not', null)
    .groupBy(['previous_url', 'endpoint'])
    .orderBy(sql`case when min(held_from) <= ${start} then 0 else 1 end`)
    .orderBy(sql`sum(created_at - case when held_from < ${start} then ${start} else held_from end)`, 'desc')
    // Current URLs are skipped.
    .limit(MAX_PREVIOUS_URLS + MAX_ADDED_ENDPOINTS + 1)
    .execute();
  return rows.flatMap(({ previous_url: url, endpoint }) => (url === null ? [] : [{ url, endpoint }]));
}
