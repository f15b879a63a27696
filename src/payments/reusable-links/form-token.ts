import { createHmac, timingSafeEqual } from 'node:crypto';
import { HOUR, type Instant } from '../../shared/time.ts';
import type { Random } from '../../system/random.ts';

const LIFETIME: Instant = 4 * HOUR;

export interface FormTokens {
  issue(publicId: string, now: Instant): string;
  /** Returns the token's nonce; null for a forged or expired token, or one of another link. */
  verify(token: string, publicId: string, now: Instant): string | null;
}

/**
 * Tokens in the form of a reusable link. A token is valid for that link and four hours, and its nonce makes a form that
 * is sent twice create one transaction. Tokens are signed, not stored, and need no cookie.
 */
export function createFormTokens(key: Uint8Array, random: Random): FormTokens {
  const sign = (publicId: string, payload: string) =>
    createHmac('sha256', key).update(`reusable link ${publicId} ${payload}`).digest('base64url');
  return {
    issue(publicId, now) {
      const nonce = Buffer.from(random.bytes(12)).toString('base64url');
      const payload = `${nonce}.${(now + LIFETIME).toString(36)}`;
      return `${payload}.${sign(publicId, payload)}`;
    },
    verify(token, publicId, now) {
      const [nonce, expiresAt, signature] = token.split('.');
      if (!nonce || !expiresAt || !signature) return null;
      const expected = Buffer.from(sign(publicId, `${nonce}.${expiresAt}`));
      const actual = Buffer.from(signature);
      if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return null;
      return Number.parseInt(expiresAt, 36) > now ? nonce : null;
    },
  };
}
