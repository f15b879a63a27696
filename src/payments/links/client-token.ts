import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Instant, MINUTE } from '../../shared/time.ts';

/** Which transaction a page may submit. */
export interface ClientGrant {
  merchantId: number;
  transactionId: number;
}

const LIFETIME: Instant = 30 * MINUTE;
const PREFIX = 'pl_page_';

export interface ClientTokens {
  issue(grant: ClientGrant, now: Instant): string;
  /** The grant, or null when the token is not ours, was altered, or has run out. */
  verify(token: string, now: Instant): ClientGrant | null;
}

/**
 * Tokens for payment pages: good for submitting one transaction for half an hour and for nothing
 * else. They are signed rather than stored, so that showing a page writes nothing.
 */
export function createClientTokens(key: Uint8Array): ClientTokens {
  const sign = (payload: string) => createHmac('sha256', key).update(PREFIX).update(payload).digest('base64url');
  return {
    issue(grant, now) {
      const payload = [grant.merchantId, grant.transactionId, now + LIFETIME]
        .map((part) => part.toString(36))
        .join('.');
      return `${PREFIX}${payload}.${sign(payload)}`;
    },
    verify(token, now) {
      if (!token.startsWith(PREFIX)) return null;
      const end = token.lastIndexOf('.');
      const payload = token.slice(PREFIX.length, end);
      const given = Buffer.from(token.slice(end + 1));
      const expected = Buffer.from(sign(payload));
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      const [merchantId, transactionId, expiresAt] = payload.split('.').map((part) => Number.parseInt(part, 36));
      if (merchantId === undefined || transactionId === undefined || expiresAt === undefined) return null;
      return expiresAt > now ? { merchantId, transactionId } : null;
    },
  };
}

/** Whether a bearer credential is meant to be a page's token. */
export function isClientToken(credential: string): boolean {
  return credential.startsWith(PREFIX);
}
