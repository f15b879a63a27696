import { createHmac } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { ProofChallenge } from '../api/challenge.ts';
import { SECOND } from '../shared/time.ts';
import type { LimitName } from '../shared/limits.ts';
import type { Limiter, Verdict } from './rate-limiter.ts';
import type { Metrics } from '../system/metrics.ts';
import { Problem } from '../api/problem-error.ts';
import { limitedAddress } from './address.ts';
import type { HttpEnv } from './context.ts';

/**
 * Counts one more against a limit, and answers the header fields that tell whoever sent it where they
 * stand (RateLimit header fields for HTTP, draft-ietf-httpapi-ratelimit-headers); throws the problem
 * when it is one too many.
 */
export type RequireWithin = (
  limit: LimitName,
  who: string,
  /** What may be done in place of waiting; asked for only when it is one too many. */
  offer?: () => Promise<ProofChallenge | null>,
) => Promise<Readonly<Record<string, string>>>;

const details: Record<LimitName, string> = {
  token: 'Too many requests with this access token',
  oauth_client: 'Too many tokens were requested with this client; use one for as long as it lives',
  oauth_address: 'Too many tokens were requested from this address',
  page: 'Too many pages were opened from this address',
  page_state: 'Too many requests of open pages from this address',
  submit_address: 'Too many payments were tried from this address; nothing was charged',
  submit_card: 'This card was tried too often; nothing was charged',
  sign_in_address: 'Too many tries to sign in from this address',
  sign_in_person: 'Too many tries to sign in with this e-mail address; a passkey still works',
};

/** Limits whose `who` is an IP address. */
const ofAddress: ReadonlySet<LimitName> = new Set([
  'oauth_address',
  'page',
  'page_state',
  'submit_address',
  'sign_in_address',
]);

export function createRequireWithin(options: {
  limiters: Record<LimitName, Limiter>;
  metrics: Metrics;
  /** Only keyed hashes are kept: who came from where is nobody's business that reads the database. */
  key: Uint8Array;
}): RequireWithin {
  return async (limit, who, offer) => {
    const { quota, take } = options.limiters[limit];
    if (quota.amount === 0) return {};
    const counted = ofAddress.has(limit) ? limitedAddress(who) : who;
    const name = createHmac('sha256', options.key).update(`limit ${limit} ${counted}`).digest('base64url');
    const verdict = await take(name);
    const headers = headersOf(limit, quota, verdict);
    if (verdict.isAllowed) return headers;
    options.metrics.limited.inc({ limit });
    const seconds = secondsOf(verdict.resetAfter);
    const challenge = (await offer?.()) ?? null;
    throw new Problem('rate_limited', `${details[limit]}. Try again in ${seconds} s.`, {
      headers: { ...headers, 'Retry-After': String(seconds) },
      limit,
      ...(challenge && { challenge }),
    });
  };
}

/** Counts a request against a limit of its address. */
export function limitByAddress(requireWithin: RequireWithin, limit: 'page' | 'page_state'): MiddlewareHandler<HttpEnv> {
  return async (context, next) => {
    const headers = await requireWithin(limit, context.get('client').address);
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    await next();
  };
}

function headersOf(limit: LimitName, { amount, window }: Limiter['quota'], verdict: Verdict): Record<string, string> {
  return {
    'RateLimit-Policy': `"${limit}";q=${amount};w=${secondsOf(window)}`,
    RateLimit: `"${limit}";r=${verdict.remaining};t=${secondsOf(verdict.resetAfter)}`,
  };
}

function secondsOf(duration: number): number {
  return Math.max(1, Math.ceil(duration / SECOND));
}
