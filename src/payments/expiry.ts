import type { CreateTransactionRequest } from '../api/fiat-transaction.ts';
import { validationProblem } from '../api/problem-error.ts';
import { DAY, type Instant, MINUTE, parseMoment } from '../shared/time.ts';
import type { FiatTransaction } from './schema.ts';

const MIN_LIFETIME = MINUTE;
const MAX_LIFETIME = 365 * DAY;

/** Returns the lifetime until the requested expiry, null for the default; throws a `Problem` outside the limits. */
export function requireLifetime({ expires_at: expiry }: CreateTransactionRequest, now: Instant): Instant | null {
  const end = expiry === undefined ? null : parseMoment(expiry);
  if (end === null) return null;
  const lifetime = end.at - now;
  if (lifetime >= MIN_LIFETIME && lifetime <= MAX_LIFETIME) return lifetime;
  const [code, detail] =
    lifetime < MIN_LIFETIME
      ? ['too_early', 'must be at least 1 minute from now']
      : ['too_late', 'must be at most 365 days from now'];
  throw validationProblem([{ pointer: '/expires_at', code, detail }]);
}

/** The expiry of a transaction's new link: after its own lifetime or the merchant's, but at most the maximum. */
export function expiryOf(
  { linkLifetime }: Omit<FiatTransaction, 'id' | 'expiresAt'>,
  {
    issuedAt,
    defaultLifetime,
    maximumLifetime,
  }: { issuedAt: Instant; defaultLifetime: Instant; maximumLifetime: Instant | null },
): Instant {
  const lifetime = linkLifetime ?? defaultLifetime;
  return issuedAt + (maximumLifetime === null ? lifetime : Math.min(lifetime, maximumLifetime));
}

/** The expiry rule of transactions, instructions and authorizations: expired from `expiresAt` on, inclusive. */
export function isExpired({ expiresAt }: { expiresAt: Instant | null }, now: Instant): boolean {
  return expiresAt !== null && expiresAt <= now;
}
