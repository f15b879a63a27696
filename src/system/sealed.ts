import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { OperatorError } from './operator-error.ts';
import type { Random } from './random.ts';

/** An AES-256-GCM key (NIST SP 800-38D). Its ID is part of every sealed secret. */
export interface SealingKey {
  /** Prefix of the key's SHA-256: identifies the key without revealing it. */
  id: string;
  bytes: Uint8Array;
}

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** SP 800-38D, section 8.2.2: random, and few enough per key that no two are equal. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'sealed1';

export function sealingKey(bytes: Uint8Array): SealingKey {
  if (bytes.length !== KEY_BYTES) throw new OperatorError(`A sealing key must have ${KEY_BYTES} bytes`);
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
}

/** The keys of the setting `SEALING_KEY`, in its order: the first key seals, all of them unseal. */
export function parseSealingKeys({ sealingKeys }: { sealingKeys: readonly string[] }): readonly SealingKey[] {
  return sealingKeys.map((digits) => sealingKey(new Uint8Array(Buffer.from(digits, 'hex'))));
}

/**
 * Encrypts a secret for storage in the database and its backups: `sealed1.KEY.NONCE_TAG_SECRET`. It can be unsealed
 * only under the same `name`, so that it cannot replace another secret.
 */
export function seal(key: SealingKey, name: string, secret: Uint8Array, random: Random): string {
  const nonce = random.bytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key.bytes, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(`${VERSION}.${key.id}.${name}`));
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()]);
  return `${VERSION}.${key.id}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
}

/** The ID of the key that a secret is sealed with; null if the text is not sealed. */
export function sealingKeyId(text: string): string | null {
  return /^sealed1\.([0-9a-f]{8})\.[\w-]+$/.exec(text)?.[1] ?? null;
}

/** Decrypts a sealed secret. Throws an `OperatorError` if the key is missing or the sealed text was modified. */
export function unseal(keys: readonly SealingKey[], name: string, text: string): Uint8Array {
  const id = sealingKeyId(text);
  const key = keys.find((each) => each.id === id);
  if (id === null) throw new OperatorError(`The stored value of ${name} is not sealed`);
  if (!key) throw new OperatorError(`${name} is sealed with key ${id}, which SEALING_KEY does not contain`);
  const all = Buffer.from(text.slice(`${VERSION}.${id}.`.length), 'base64url');
  if (all.length < NONCE_BYTES + TAG_BYTES) throw new OperatorError(`The stored value of ${name} is truncated`);
  const decipher = createDecipheriv(ALGORITHM, key.bytes, all.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(`${VERSION}.${id}.${name}`));
  decipher.setAuthTag(all.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return new Uint8Array(Buffer.concat([decipher.update(all.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]));
  } catch (error) {
    throw new OperatorError(`The stored value of ${name} was modified after it was sealed`, { cause: error });
  }
}
