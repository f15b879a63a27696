import { randomBytes } from 'node:crypto';

/** Where every part of the service gets unpredictable bytes from. */
export interface Random {
  bytes(length: number): Uint8Array;
}

export const systemRandom: Random = { bytes: (length) => randomBytes(length) };

/** A name that nobody guesses: 160 random bits in URL-safe characters. */
export function randomId(random: Random): string {
  return Buffer.from(random.bytes(20)).toString('base64url');
}

/** Whether a text from outside has the form of such a name; anything else is asked of no database. */
export function isRandomId(text: string): boolean {
  return /^[\w-]{27}$/.test(text);
}
