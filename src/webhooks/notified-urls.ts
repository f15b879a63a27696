import { db } from './schema.ts';
import { sql } from 'kysely';
import { DAY, type Instant } from '../shared/time.ts';
import type { UnitOfWork } from '../database/database.ts';
import { findEndpoint } from './endpoint.ts';

/** How long a former webhook URL is still notified of changes that redirect money or webhooks. */
const NOTIFIED_FOR: Instant = DAY;

/** Former URLs that are notified at most: changing the URL often must not multiply requests. */
const MOST_FORMER_URLS = 5;

/** The webhook URL, and the former ones of the last day. */
export async function notifiedUrls(unit: UnitOfWork, merchantId: number, now: Instant): Promise<string[]> {
  const present = (await findEndpoint(unit, merchantId))?.url ?? null;
  const former = await formerUrls(unit, merchantId, now);
  if (present === null) return former.slice(0, MOST_FORMER_URLS);
  return [present, ...former.filter((url) => url !== present).slice(0, MOST_FORMER_URLS)];
}

/**
 * Former webhook URLs of the last day: first the one in use a day ago, then by the time for which they were in use.
 * Short-lived URLs displace neither.
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
