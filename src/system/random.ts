import { randomBytes } from 'node:crypto';

/** The service's only source of randomness; tests pass their own. */
export interface Random {
  bytes(length: number): Uint8Array;
}

/** Bytes per system call: each call costs as much as thousands of bytes. */
const POOL_BYTES = 4096;

/** The operating system's generator. */
export const systemRandom: Random = createSystemRandom();

function createSystemRandom(): Random {
  let pool = Buffer.alloc(0);
  return {
    bytes(length) {
      if (length > POOL_BYTES) return randomBytes(length);
      if (pool.length < length) pool = randomBytes(POOL_BYTES);
      const bytes = Buffer.from(pool.subarray(0, length));
      // Returned bytes may become secrets, so no copy stays in the pool.
      pool.fill(0, 0, length);
      pool = pool.subarray(length);
      return bytes;
    },
  };
}

/** An unguessable identifier: 160 random bits in URL-safe characters. */
export function randomId(random: Random): string {
  return Buffer.from(random.bytes(20)).toString('base64url');
}

/** True if input has the form of a `randomId`; anything else needs no database lookup. */
export function isRandomId(text: string): boolean {
  return /^[\w-]{27}$/.test(text);
}
