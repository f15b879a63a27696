import { createHmac } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { ProofChallenge } from '../api/challenge.ts';
import type { Database } from '../database/database.ts';
import { SECOND } from '../shared/time.ts';
import { type LimitName, limitNames, type Quota } from '../shared/limits.ts';
import { createMemoryLimiter, createSharedLimiter, type RateLimiter, type RateLimitResult } from './rate-limiter.ts';
import type { Clock } from '../system/clock.ts';
import type { Metrics } from '../system/metrics.ts';
import { Problem } from '../api/problem-error.ts';
import { rateLimitAddress } from './address.ts';
import type { HttpEnv } from './context.ts';

/**
 * Counts a request against a rate limit and returns the RateLimit header fields
 * (draft-ietf-httpapi-ratelimit-headers). Throws `rate_limited` above the limit.
 */
export type EnforceRateLimit = (
  limit: LimitName,
  subject: string,
  /** Creates a challenge as an alternative to waiting; called only above the limit. */
  createChallenge?: () => Promise<ProofChallenge | null>,
) => Promise<Readonly<Record<string, string>>>;

const details: Record<LimitName, string> = {
  token: 'Too many requests with this access token',
  oauth_client: 'Too many tokens were requested with this client; reuse a token until it expires',
  oauth_address: 'Too many tokens were requested from this IP address',
  page: 'Too many pages were opened from this IP address',
  page_state: 'Too many requests by open pages from this IP address',
  submit_address: 'Too many payment attempts from this IP address; nothing was charged',
  submit_card: 'Too many payment attempts with this card; nothing was charged',
  sign_in_address: 'Too many sign-in attempts from this IP address',
  sign_in_user: 'Too many sign-in attempts of this user; a passkey may still work',
  email_merchant: 'Too many emails were sent',
  email_address: 'Too many emails were sent to this address',
  webhook_test: 'Too many test webhooks were sent',
};

/** Limits whose subject is an IP address. */
const addressLimits: ReadonlySet<LimitName> = new Set([
  'oauth_address',
  'page',
  'page_state',
  'submit_address',
  'sign_in_address',
]);

/** Limits of frequent requests, counted by each process. The others are counted in the database. */
const memoryLimits: ReadonlySet<LimitName> = new Set(['token', 'oauth_client', 'oauth_address', 'page', 'page_state']);

export function createRateLimitEnforcer(options: {
  quotas: Readonly<Record<LimitName, Quota>>;
  database: Database;
  clock: Clock;
  metrics: Metrics;
  /** Only keyed hashes are stored, so that the database reveals no addresses. */
  key: Uint8Array;
}): EnforceRateLimit {
  const { quotas, database, clock } = options;
  const createLimiter = (limit: LimitName) =>
    memoryLimits.has(limit)
      ? createMemoryLimiter(quotas[limit], clock)
      : createSharedLimiter(quotas[limit], clock, database);
  const limiters = Object.fromEntries(limitNames.map((limit) => [limit, createLimiter(limit)])) as Record<
    LimitName,
    RateLimiter
  >;
  return async (limit, subject, createChallenge) => {
    const { quota, consume } = limiters[limit];
    if (quota.amount === 0) return {};
    const countedSubject = addressLimits.has(limit) ? rateLimitAddress(subject) : subject;
    const key = createHmac('sha256', options.key).update(`limit ${limit} ${countedSubject}`).digest('base64url');
    const result = await consume(key);
    const headers = rateLimitHeaders(limit, quota, result);
    if (result.isAllowed) return headers;
    options.metrics.rateLimited.inc({ limit });
    const seconds = toSeconds(result.resetAfter);
    const challenge = (await createChallenge?.()) ?? null;
    throw new Problem('rate_limited', `${details[limit]}. Try again in ${seconds} s.`, {
      headers: { ...headers, 'Retry-After': String(seconds) },
      limit,
      ...(challenge && { challenge }),
    });
  };
}

/** Counts a request against a limit of its IP address. */
export function limitByAddress(
  enforceRateLimit: EnforceRateLimit,
  limit: 'page' | 'page_state',
): MiddlewareHandler<HttpEnv> {
  return async (context, next) => {
    const headers = await enforceRateLimit(limit, context.get('client').address);
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    await next();
  };
}

function rateLimitHeaders(
  limit: LimitName,
  { amount, window }: RateLimiter['quota'],
  result: RateLimitResult,
): Record<string, string> {
  return {
    'RateLimit-Policy': `"${limit}";q=${amount};w=${toSeconds(window)}`,
    RateLimit: `"${limit}";r=${result.remaining};t=${toSeconds(result.resetAfter)}`,
  };
}

function toSeconds(duration: number): number {
  return Math.max(1, Math.ceil(duration / SECOND));
}
