import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Instant, MINUTE } from '../../shared/time.ts';

/** The transaction that a page may pay. */
interface ClientGrant {
  merchantId: number;
  transactionId: number;
}

const LIFETIME: Instant = 30 * MINUTE;
const PREFIX = 'pl_page_';

export interface ClientTokens {
  issue(grant: ClientGrant, now: Instant): string;
  /** Returns the grant; null for a forged, altered or expired token. */
  verify(token: string, now: Instant): ClientGrant | null;
}

/**
 * Tokens for payment pages. A token allows paying one transaction for half an hour, and nothing else. Tokens are signed,
 * not stored, so that rendering a page writes nothing.
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
      const signature = Buffer.from(token.slice(end + 1));
      const expected = Buffer.from(sign(payload));
      if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return null;
      const [merchantId, transactionId, expiresAt] = payload.split('.').map((part) => Number.parseInt(part, 36));
      if (merchantId === undefined || transactionId === undefined || expiresAt === undefined) return null;
      return expiresAt > now ? { merchantId, transactionId } : null;
    },
  };
}

/** True if a bearer credential has the form of a page token. */
export function isClientToken(credential: string): boolean {
  return credential.startsWith(PREFIX);
}
