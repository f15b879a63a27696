import { db } from './schema.ts';
import { sql } from 'kysely';
import { DAY, type Instant } from '../shared/time.ts';
import { readPreferences } from '../merchants/preferences/store.ts';
import type { UnitOfWork } from '../database/database.ts';

/** How long a former callback URL is still notified of changes that redirect money or webhooks. */
const NOTIFIED_FOR: Instant = DAY;

/** Former URLs that are notified at most: changing the URL often must not multiply requests. */
const MOST_FORMER_URLS = 5;

/** The callback URL, and those that were the callback URL within the last day. */
export async function notifiedUrls(unit: UnitOfWork, merchantId: number, now: Instant): Promise<string[]> {
  const { 'callback-url': present } = await readPreferences(unit, merchantId, ['callback-url']);
  const former = await formerUrls(unit, merchantId, now);
  if (typeof present !== 'string') return former.slice(0, MOST_FORMER_URLS);
  return [present, ...former.filter((url) => url !== present).slice(0, MOST_FORMER_URLS)];
}

/**
 * Former callback URLs of the last day: first the one that held a day ago, then those that held longest since: short-lived ones
 * displace neither.
 */
export async function formerUrls(unit: UnitOfWork, merchantId: number, now: Instant): Promise<string[]> {
  const start = now - NOTIFIED_FOR;
  const rows = await db(unit)
    .selectFrom('callback_url_changes')
    .select('previous_url')
    .where('merchant_id', '=', merchantId)
    .where('created_at', '>', start)
    .where('previous_url', 'is not', null)
    .groupBy('previous_url')
    .orderBy(sql`case when min(held_from) <= ${start} then 0 else 1 end`)
    .orderBy(sql`sum(created_at - case when held_from < ${start} then ${start} else held_from end)`, 'desc')
    .limit(MOST_FORMER_URLS + 1)
    .execute();
  return rows.flatMap(({ previous_url: url }) => (url === null ? [] : [url]));
}
