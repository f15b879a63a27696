import { db } from './schema.ts';
import { hkdfSync } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { type Instant, toMillis } from '../shared/time.ts';
import type { Database } from '../database/database.ts';
import type { Random } from '../system/random.ts';
import { seal, sealingKeyId, type SealingKey, sealingKey, unseal } from '../system/sealed.ts';

/** Seconds that a code is good for, and periods before and after the present one whose codes are taken too (RFC 6238, section 5.2). */
const PERIOD = 30;
const WINDOW = 1;
const SECRET_BYTES = 20;
const ISSUER = 'Paylatch';
const RECOVERY_CODES = 10;
/** 120 random bits: too many to find from the plain hash that is stored (OWASP ASVS 5.0.0, 6.5.2). */
const RECOVERY_LETTERS = 24;
/** Without letters that look alike (Crockford’s base 32). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Secrets of authenticators (RFC 6238), sealed where they lie. */
export interface SecondFactors {
  /** A new one: as it is kept, and as a person gets it. */
  make(personId: number, email: string): { kept: string; secret: string; uri: string };
  /** The period whose code it is, later than `after`; null for a code that is wrong or was taken before. */
  periodOf(personId: number, kept: string, code: string, options: { now: Instant; after: number }): number | null;
  /** The same secret sealed with the first key. Throws an `OperatorError` where it cannot be opened. */
  reseal(personId: number, kept: string): string;
}

/** Sealed with the first sealing key, with one derived from the service's key where none is set. */
export function createSecondFactors(
  random: Random,
  serviceKey: Uint8Array,
  sealingKeys: readonly SealingKey[],
): SecondFactors {
  const ownKey = sealingKey(new Uint8Array(hkdfSync('sha256', serviceKey, '', 'second factors', 32)));
  const keys = [...sealingKeys, ownKey];
  const key = sealingKeys[0] ?? ownKey;
  const nameOf = (personId: number) => `second factor of person ${personId}`;
  const totp = (secret: Uint8Array<ArrayBuffer>, label = '') =>
    new TOTP({ issuer: ISSUER, label, period: PERIOD, secret: new Secret({ buffer: secret.buffer }) });
  return {
    make(personId, email) {
      const secret = new Uint8Array(random.bytes(SECRET_BYTES));
      const authenticator = totp(secret, email);
      return {
        kept: seal(key, nameOf(personId), secret, random),
        secret: authenticator.secret.base32,
        uri: authenticator.toString(),
      };
    },
    periodOf(personId, kept, code, { now, after }) {
      const digits = code.replace(/[\s-]/g, '');
      if (!/^\d{6}$/.test(digits)) return null;
      const secret = new Uint8Array(unseal(keys, nameOf(personId), kept));
      const timestamp = toMillis(now);
      const delta = totp(secret).validate({ token: digits, timestamp, window: WINDOW });
      if (delta === null) return null;
      const period = Math.floor(timestamp / 1000 / PERIOD) + delta;
      return period > after ? period : null;
    },
    reseal(personId, kept) {
      const secret = unseal(keys, nameOf(personId), kept);
      return sealingKeyId(kept) === key.id ? kept : seal(key, nameOf(personId), secret, random);
    },
  };
}

/** Codes for who has lost their authenticator; each is good once. */
export function newRecoveryCodes(random: Random): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters = [...random.bytes(RECOVERY_LETTERS)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
    return letters.match(/.{4}/g)?.join('-') ?? '';
  });
}

/** Seals every stored authenticator secret with the first key. Throws an `OperatorError` where one cannot be opened. */
export async function sealSecondFactors(database: Database, secondFactors: SecondFactors): Promise<void> {
  const rows = await db(database)
    .selectFrom('people')
    .select(['id', 'second_factor', 'new_second_factor'])
    .where((row) => row.or([row('second_factor', 'is not', null), row('new_second_factor', 'is not', null)]))
    .execute();
  for (const { id, ...stored } of rows) {
    for (const column of ['second_factor', 'new_second_factor'] as const) {
      const kept = stored[column];
      if (kept === null) continue;
      const sealed = secondFactors.reseal(id, kept);
      if (sealed === kept) continue;
      await db(database)
        .updateTable('people')
        .set({ [column]: sealed })
        .where('id', '=', id)
        .where(column, '=', kept)
        .execute();
    }
  }
}

/** A recovery code as it was written down, whatever was typed between and in place of its letters. */
export function plainRecoveryCode(text: string): string | null {
  const letters = text.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  if (/^[0-9a-hjkmnp-tv-z]{24}$/.test(letters)) return letters.match(/.{4}/g)?.join('-') ?? null;
  // As they were issued before.
  return /^[0-9a-hjkmnp-tv-z]{10}$/.test(letters) ? `${letters.slice(0, 5)}-${letters.slice(5)}` : null;
}
