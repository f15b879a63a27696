import { randomBytes } from 'node:crypto';

/** Where every part of the service gets unpredictable bytes from. */
export interface Random {
  bytes(length: number): Uint8Array;
}

/** How many bytes are asked of the system at once: each time costs as much as thousands of bytes. */
const AT_ONCE = 4096;

/** The system's own generator. */
export const systemRandom: Random = createSystemRandom();

function createSystemRandom(): Random {
  let reserve = Buffer.alloc(0);
  return {
    bytes(length) {
      if (length > AT_ONCE) return randomBytes(length);
      if (reserve.length < length) reserve = randomBytes(AT_ONCE);
      const taken = Buffer.from(reserve.subarray(0, length));
      // What was given out is nobody else's, and stays nowhere here.
      reserve.fill(0, 0, length);
      reserve = reserve.subarray(length);
      return taken;
    },
  };
}

/** A name that nobody guesses: 160 random bits in URL-safe characters. */
export function randomId(random: Random): string {
  return Buffer.from(random.bytes(20)).toString('base64url');
}

/** Whether a text from outside has the form of such a name; anything else is asked of no database. */
export function isRandomId(text: string): boolean {
  return /^[\w-]{27}$/.test(text);
}
