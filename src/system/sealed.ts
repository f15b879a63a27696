import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { OperatorError } from './operator-error.ts';
import type { Random } from './random.ts';

/** Key of AES-256-GCM (NIST SP 800-38D), with a name by which what it has sealed is told apart. */
export interface SealingKey {
  /** The beginning of the key's SHA-256: tells which key it was, and nothing of it. */
  id: string;
  bytes: Uint8Array;
}

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** SP 800-38D, section 8.2.2: random, and never so many with one key that two could be the same. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'sealed1';

export function sealingKey(bytes: Uint8Array): SealingKey {
  if (bytes.length !== KEY_BYTES) throw new OperatorError(`A key that seals has ${KEY_BYTES} bytes`);
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
}

/** The keys of the setting `SEALING_KEY`, in its order: the first one seals, all of them open. */
export function sealingKeysOf({ sealingKeys }: { sealingKeys: readonly string[] }): readonly SealingKey[] {
  return sealingKeys.map((digits) => sealingKey(new Uint8Array(Buffer.from(digits, 'hex'))));
}

/**
 * A secret that can lie in the database and its backups: `sealed1.KEY.NONCE_TAG_SECRET`. It opens under the
 * same `name` only, so that it cannot be put in the place of another.
 */
export function seal(key: SealingKey, name: string, secret: Uint8Array, random: Random): string {
  const nonce = random.bytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key.bytes, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(`${VERSION}.${key.id}.${name}`));
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()]);
  return `${VERSION}.${key.id}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
}

/** Which key opens it. */
export function sealedWith(text: string): string | null {
  return /^sealed1\.([0-9a-f]{8})\.[\w-]+$/.exec(text)?.[1] ?? null;
}

/** The secret again; throws an `OperatorError` where none of the keys is the right one, or what is sealed was changed. */
export function unseal(keys: readonly SealingKey[], name: string, text: string): Uint8Array {
  const id = sealedWith(text);
  const key = keys.find((each) => each.id === id);
  if (id === null) throw new OperatorError(`What is kept as ${name} is not sealed`);
  if (!key) throw new OperatorError(`${name} is sealed with key ${id}, which is not given`);
  const all = Buffer.from(text.slice(`${VERSION}.${id}.`.length), 'base64url');
  if (all.length < NONCE_BYTES + TAG_BYTES) throw new OperatorError(`${name} is cut short`);
  const decipher = createDecipheriv(ALGORITHM, key.bytes, all.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(`${VERSION}.${id}.${name}`));
  decipher.setAuthTag(all.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return new Uint8Array(Buffer.concat([decipher.update(all.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]));
  } catch (error) {
    throw new OperatorError(`${name} was changed since it was sealed`, { cause: error });
  }
}
