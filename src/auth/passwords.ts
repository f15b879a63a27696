import { scrypt, timingSafeEqual } from 'node:crypto';
import type { Random } from '../system/random.ts';

/** Cost of scrypt (RFC 7914), as OWASP’s password storage cheat sheet recommends: 128 MiB per hash. */
const COST = { log2N: 17, r: 8, p: 1 } as const;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** Concurrent hashes per process: each occupies 128 MiB and a thread of Node's small thread pool. */
const MAX_CONCURRENT = 2;

/** Hashes and verifies passwords, with limited concurrency. */
export interface Passwords {
  /** `scrypt$log2N$r$p$salt$key`. */
  hash(password: string): Promise<string>;
  /** Takes the same time for users without a password and for unknown users. */
  verify(password: string, hash: string | null): Promise<boolean>;
}

export function createPasswords(random: Random, cost: { log2N: number; r: number; p: number } = COST): Passwords {
  const limit = createConcurrencyLimit(MAX_CONCURRENT);
  const derive = async (password: string, salt: Buffer, parameters: typeof cost) =>
    await limit(
      async () =>
        await new Promise<Buffer>((resolve, reject) => {
          const options = {
            N: 2 ** parameters.log2N,
            r: parameters.r,
            p: parameters.p,
            maxmem: 256 * 2 ** parameters.log2N * parameters.r,
          };
          scrypt(password.normalize('NFC'), salt, KEY_BYTES, options, (error, key) => {
            if (error) reject(error);
            else resolve(key);
          });
        }),
    );
  const format = (salt: Buffer, key: Buffer) =>
    ['scrypt', cost.log2N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');

  return {
    async hash(password) {
      const salt = Buffer.from(random.bytes(SALT_BYTES));
      return format(salt, await derive(password, salt, cost));
    },
    async verify(password, hash) {
      const [, log2N, r, p, salt = '', key = ''] = hash?.split('$') ?? [];
      const parameters = hash === null ? cost : { log2N: Number(log2N), r: Number(r), p: Number(p) };
      const derived = await derive(password, Buffer.from(salt, 'base64url'), parameters);
      const expected = Buffer.from(key, 'base64url');
      return hash !== null && expected.length === KEY_BYTES && timingSafeEqual(derived, expected);
    },
  };
}

/** Limits concurrency; waiting work runs in order of arrival. */
function createConcurrencyLimit(max: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}

/** Returns the reason if a password is easy to guess; otherwise null (NIST SP 800-63B-4, section 3.1.1.2). */
export function passwordWeakness(password: string, context: readonly string[]): string | null {
  const folded = password.toLowerCase();
  if (new Set(folded).size < 5) return 'must not repeat the same few characters';
  const personalWords = context
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length > 3);
  const rest = personalWords.reduce((text, word) => text.replaceAll(word, ''), folded);
  if (rest.replace(/[^\p{L}\p{N}]/gu, '').length < 6)
    return 'must not consist of your name, your email address or our name';
  if (/^(?:0123456789|1234567890|qwertyuiop|password|passwort|abcdefghij)/.test(folded) && folded.length < 20)
    return 'is one of the most common passwords';
  return null;
}
