import { execFileSync } from 'node:child_process';
import { constants, createDecipheriv, createHmac, privateDecrypt } from 'node:crypto';
import { z } from 'zod';
import { mismatches } from '../contract.ts';
import { card, type EncryptedCard } from './contract.ts';

/** The key pair of a merchant account that accepts only encrypted cards. Only the simulator has the private key. */
export interface CardEncryption {
  certificate: string;
  privateKey: string;
}

/** Creates a key pair, as Adyen does for a merchant account. */
export function createCardEncryption(bits = 2048): CardEncryption {
  const options = ['-x509', '-newkey', `rsa:${bits}`, '-nodes', '-keyout', '-', '-out', '-', '-days', '3650'];
  const subject = ['-subj', '/CN=PaylatchTest'];
  const pem = execFileSync('openssl', ['req', ...options, ...subject], { encoding: 'utf8', stdio: 'pipe' });
  const part = (name: string) => new RegExp(`-----BEGIN ${name}-----[^]+-----END ${name}-----`).exec(pem)?.[0] ?? '';
  return { certificate: part('CERTIFICATE'), privateKey: part('PRIVATE KEY') };
}

const header = z.strictObject({
  alg: z.literal('RSA-OAEP-256'),
  enc: z.literal('A256CBC-HS512'),
  version: z.literal('1'),
});
/** Adyen refuses fields that were encrypted long ago. */
const MAX_AGE_MS = 24 * 3600 * 1000;

/** Decrypts a card and validates it like a raw one. Returns its fields, or the violations of the contract. */
export function decryptCard(
  { privateKey }: CardEncryption,
  encrypted: EncryptedCard,
  nowMs: number,
): { card: z.infer<typeof card> } | { reasons: readonly string[] } {
  const { encryptedCardNumber, encryptedExpiryMonth, encryptedExpiryYear, encryptedSecurityCode, ...rest } = encrypted;
  const decrypt = (jwe: string, name: string): string => {
    const schema = z.strictObject({ [name]: z.string(), generationtime: z.iso.datetime() });
    const { generationtime, [name]: value } = schema.parse(JSON.parse(decryptText(jwe, privateKey)));
    const ageMs = nowMs - Date.parse(generationtime ?? '');
    if (Math.abs(ageMs) > MAX_AGE_MS) throw new Error(`${name} was encrypted ${ageMs} ms ago`);
    return value ?? '';
  };
  try {
    const fields = {
      ...rest,
      number: decrypt(encryptedCardNumber, 'number'),
      expiryMonth: decrypt(encryptedExpiryMonth, 'expiryMonth'),
      expiryYear: decrypt(encryptedExpiryYear, 'expiryYear'),
      ...(encryptedSecurityCode !== undefined && { cvc: decrypt(encryptedSecurityCode, 'cvc') }),
    };
    const reasons = mismatches(card, fields);
    return reasons.length > 0 ? { reasons } : { card: fields };
  } catch (error) {
    return { reasons: [`the card cannot be decrypted: ${String(error)}`] };
  }
}

/** RFC 7516 and RFC 7518, section 5.2. Throws for another algorithm, another key, and changed data. */
function decryptText(jwe: string, privateKey: string): string {
  const [head = '', ...parts] = jwe.split('.');
  header.parse(JSON.parse(Buffer.from(head, 'base64url').toString()));
  const [wrapped, iv, ciphertext, tag] = parts.map((part) => Buffer.from(part, 'base64url'));
  if (!wrapped || !iv || !ciphertext || !tag) throw new Error('no JWE');
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const key = privateDecrypt({ key: privateKey, padding, oaepHash: 'sha256' }, wrapped);
  if (key.length !== 64) throw new Error('the content key has not 512 bits');
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(head.length * 8));
  const mac = createHmac('sha512', key.subarray(0, 32))
    .update(Buffer.concat([Buffer.from(head, 'ascii'), iv, ciphertext, length]))
    .digest();
  if (!mac.subarray(0, 32).equals(tag)) throw new Error('the authentication tag is wrong');
  const decipher = createDecipheriv('aes-256-cbc', key.subarray(32), iv);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString();
}
