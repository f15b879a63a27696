import { db } from './schema.ts';
import { hkdfSync } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { type Instant, toMillis } from '../shared/time.ts';
import type { Database } from '../database/database.ts';
import type { Random } from '../system/random.ts';
import { seal, sealingKeyId, type SealingKey, sealingKey, unseal } from '../system/sealed.ts';

/** Validity of a code in seconds, and accepted time steps before and after the current one (RFC 6238, section 5.2). */
const PERIOD = 30;
const WINDOW = 1;
const SECRET_BYTES = 20;
const ISSUER = 'Paylatch';
const RECOVERY_CODE_COUNT = 10;
/** 120 random bits: enough to store an unsalted hash (OWASP ASVS 5.0.0, 6.5.2). */
const RECOVERY_CODE_LENGTH = 24;
/** Excludes ambiguous letters (Crockford’s base 32). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Authenticator secrets (TOTP, RFC 6238), stored sealed. */
export interface SecondFactors {
  /** Creates a secret: sealed for storage, and in the forms shown to the user. */
  create(userId: number, email: string): { sealed: string; secret: string; uri: string };
  /** The time step of a code, later than `after`; null if the code is wrong or was used before. */
  timeStepOf(userId: number, sealed: string, code: string, options: { now: Instant; after: number }): number | null;
  /** Reseals a secret with the first key. Throws an `OperatorError` if it cannot be opened. */
  reseal(userId: number, sealed: string): string;
}

/** Name under which a user's secret is sealed. */
export const secondFactorName = (userId: number) => `second factor of person ${userId}`;

/** The key that seals secrets if no sealing key is configured. */
export function secondFactorKey(serviceKey: Uint8Array): SealingKey {
  return sealingKey(new Uint8Array(hkdfSync('sha256', serviceKey, '', 'second factors', 32)));
}

/** Seals with the first sealing key, or with one derived from the service key if none is configured. */
export function createSecondFactors(
  random: Random,
  serviceKey: Uint8Array,
  sealingKeys: readonly SealingKey[],
): SecondFactors {
  const derivedKey = secondFactorKey(serviceKey);
  const keys = [...sealingKeys, derivedKey];
  const key = sealingKeys[0] ?? derivedKey;
  const totp = (secret: Uint8Array<ArrayBuffer>, label = '') =>
    new TOTP({ issuer: ISSUER, label, period: PERIOD, secret: new Secret({ buffer: secret.buffer }) });
  return {
    create(userId, email) {
      const secret = new Uint8Array(random.bytes(SECRET_BYTES));
      const authenticator = totp(secret, email);
      return {
        sealed: seal(key, secondFactorName(userId), secret, random),
        secret: authenticator.secret.base32,
        uri: authenticator.toString(),
      };
    },
    timeStepOf(userId, sealed, code, { now, after }) {
      const digits = code.replace(/[\s-]/g, '');
      if (!/^\d{6}$/.test(digits)) return null;
      const secret = new Uint8Array(unseal(keys, secondFactorName(userId), sealed));
      const timestamp = toMillis(now);
      const delta = totp(secret).validate({ token: digits, timestamp, window: WINDOW });
      if (delta === null) return null;
      const timeStep = Math.floor(timestamp / 1000 / PERIOD) + delta;
      return timeStep > after ? timeStep : null;
    },
    reseal(userId, sealed) {
      const secret = unseal(keys, secondFactorName(userId), sealed);
      return sealingKeyId(sealed) === key.id ? sealed : seal(key, secondFactorName(userId), secret, random);
    },
  };
}

/** Creates single-use recovery codes, for users who lose their authenticator. */
export function generateRecoveryCodes(random: Random): string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () => {
    const characters = [...random.bytes(RECOVERY_CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
    return characters.match(/.{4}/g)?.join('-') ?? '';
  });
}

/** Seals every stored authenticator secret with the first key. Throws an `OperatorError` if one cannot be opened. */
export async function sealSecondFactors(database: Database, secondFactors: SecondFactors): Promise<void> {
  const rows = await db(database)
    .selectFrom('people')
    .select(['id', 'second_factor', 'new_second_factor'])
    .where((eb) => eb.or([eb('second_factor', 'is not', null), eb('new_second_factor', 'is not', null)]))
    .execute();
  for (const { id, ...stored } of rows) {
    for (const column of ['second_factor', 'new_second_factor'] as const) {
      const current = stored[column];
      if (current === null) continue;
      const sealed = secondFactors.reseal(id, current);
      if (sealed === current) continue;
      await db(database)
        .updateTable('people')
        .set({ [column]: sealed })
        .where('id', '=', id)
        .where(column, '=', current)
        .execute();
    }
  }
}

/** Normalizes a typed recovery code: separators and ambiguous letters. */
export function normalizeRecoveryCode(text: string): string | null {
  const characters = text.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  if (/^[0-9a-hjkmnp-tv-z]{24}$/.test(characters)) return characters.match(/.{4}/g)?.join('-') ?? null;
  // The format of earlier releases.
  return /^[0-9a-hjkmnp-tv-z]{10}$/.test(characters) ? `${characters.slice(0, 5)}-${characters.slice(5)}` : null;
}
