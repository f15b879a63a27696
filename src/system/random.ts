import { randomBytes } from 'node:crypto';

/** The service's only source of randomness; tests pass their own. */
export interface Random {
  bytes(length: number): Uint8Array;
  /** Prefix of public IDs and access tokens, `aa`; none without cells. */
  readonly cell?: string;
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

/** Adds the prefix of a cell to a source of randomness; `''` is none. */
export function withCellPrefix(random: Random, cell: string): Random {
  return cell === '' ? random : { bytes: (length) => random.bytes(length), cell };
}

/** The prefix by which a proxy routes an ID or token to its cell, `aa-`; empty without cells. */
export function cellPrefix({ cell }: Pick<Random, 'cell'>): string {
  return cell === undefined ? '' : `${cell}-`;
}

/**
 * A `randomId` for a URL, with the prefix of the cell. Its length distinguishes it from an ID without a prefix, which
 * may begin with the same characters.
 */
export function publicId(random: Random): string {
  return cellPrefix(random) + randomId(random);
}

/** True if input has the form of a `publicId`, with or without a prefix. */
export function isPublicId(text: string): boolean {
  return /^(?:[a-z2-7]{2}-)?[\w-]{27}$/.test(text);
}
