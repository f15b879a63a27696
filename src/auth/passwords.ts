import { scrypt, timingSafeEqual } from 'node:crypto';
import type { Random } from '../system/random.ts';

/** Of scrypt (RFC 7914): as OWASP’s password storage cheat sheet has it, 128 MiB for each. */
const COST = { log2N: 17, r: 8, p: 1 } as const;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** Side by side in one process: each takes its memory, and a thread of the few that there are. */
const MOST_AT_ONCE = 2;

/** Hashes and compares passwords, a few at a time. */
export interface Passwords {
  /** `scrypt$log2N$r$p$salt$key`. */
  hash(password: string): Promise<string>;
  /** Takes as long for somebody who has no password, and for nobody. */
  isRight(password: string, hash: string | null): Promise<boolean>;
}

export function createPasswords(random: Random, cost: { log2N: number; r: number; p: number } = COST): Passwords {
  const inTurn = createTurns(MOST_AT_ONCE);
  const derive = async (password: string, salt: Buffer, of: typeof cost) =>
    await inTurn(
      async () =>
        await new Promise<Buffer>((resolve, reject) => {
          const options = { N: 2 ** of.log2N, r: of.r, p: of.p, maxmem: 256 * 2 ** of.log2N * of.r };
          scrypt(password.normalize('NFC'), salt, KEY_BYTES, options, (error, key) => {
            if (error) reject(error);
            else resolve(key);
          });
        }),
    );
  const write = (salt: Buffer, key: Buffer) =>
    ['scrypt', cost.log2N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');

  return {
    async hash(password) {
      const salt = Buffer.from(random.bytes(SALT_BYTES));
      return write(salt, await derive(password, salt, cost));
    },
    async isRight(password, hash) {
      const [, log2N, r, p, salt = '', key = ''] = hash?.split('$') ?? [];
      const of = hash === null ? cost : { log2N: Number(log2N), r: Number(r), p: Number(p) };
      const derived = await derive(password, Buffer.from(salt, 'base64url'), of);
      const expected = Buffer.from(key, 'base64url');
      return hash !== null && expected.length === KEY_BYTES && timingSafeEqual(derived, expected);
    },
  };
}

/** Lets so many run at once; the others wait in the order in which they came. */
function createTurns(most: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}

/** Why a password would be guessed at once, or null when nothing is known against it (NIST SP 800-63B-4, section 3.1.1.2). */
export function passwordWeakness(password: string, about: readonly string[]): string | null {
  const folded = password.toLowerCase();
  if (new Set(folded).size < 5) return 'must not repeat the same few characters';
  const own = about.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u)).filter((word) => word.length > 3);
  const rest = own.reduce((text, word) => text.replaceAll(word, ''), folded);
  if (rest.replace(/[^\p{L}\p{N}]/gu, '').length < 6) return 'must not be made of your name, your address or ours';
  if (/^(?:0123456789|1234567890|qwertyuiop|password|passwort|abcdefghij)/.test(folded) && folded.length < 20)
    return 'is among the first that anybody tries';
  return null;
}
