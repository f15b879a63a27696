import { db } from './schema.ts';
import { sql } from 'kysely';
import { DAY, type Instant } from '../shared/time.ts';
import type { UnitOfWork } from '../database/database.ts';
import { findEndpoint } from './endpoint.ts';

/** For this long, former webhook URLs are notified of changes that redirect funds or webhooks. */
const FORMER_URL_NOTICE_PERIOD: Instant = DAY;

/** Limit of notified former URLs: frequent URL changes must not multiply requests. */
const MAX_FORMER_URLS = 5;

/** Lists the webhook URL and the former ones of the last day. */
export async function listNotifiedUrls(unit: UnitOfWork, merchantId: number, now: Instant): Promise<string[]> {
  const current = (await findEndpoint(unit, merchantId))?.url ?? null;
  const former = await listFormerUrls(unit, merchantId, now);
  if (current === null) return former.slice(0, MAX_FORMER_URLS);
  return [current, ...former.filter((url) => url !== current).slice(0, MAX_FORMER_URLS)];
}

/**
 * Lists former webhook URLs of the last day: first the one in use a day ago, then by duration of use. Short-lived URLs
 * cannot displace these.
 */
export async function listFormerUrls(unit: UnitOfWork, merchantId: number, now: Instant): Promise<string[]> {
  const start = now - FORMER_URL_NOTICE_PERIOD;
  const rows = await db(unit)
    .selectFrom('callback_url_changes')
    .select('previous_url')
    .where('merchant_id', '=', merchantId)
    .where('created_at', '>', start)
    .where('previous_url', 'is not', null)
    .groupBy('previous_url')
    .orderBy(sql`case when min(held_from) <= ${start} then 0 else 1 end`)
    .orderBy(sql`sum(created_at - case when held_from < ${start} then ${start} else held_from end)`, 'desc')
    .limit(MAX_FORMER_URLS + 1)
    .execute();
  return rows.flatMap(({ previous_url: url }) => (url === null ? [] : [url]));
}
