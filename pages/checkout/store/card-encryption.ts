import type { CardKey } from '../../../src/api/page-state.ts';
import { cardDigits } from '../../../src/shared/card.ts';

/*
 * Encrypts card fields for an acquirer that accepts only encrypted ones: one JSON Web Encryption each (RFC 7516), with
 * the algorithms of Adyen's own apps. Loaded only for such accounts.
 */

const HEADER = { alg: 'RSA-OAEP-256', enc: 'A256CBC-HS512', version: '1' };

export interface CardFields {
  card_number: string;
  card_expiry_month: string;
  card_expiry_year: string;
  card_cvv: string;
}

/** Encrypts a card. `nowMs` is the server's time: the acquirer rejects fields that were encrypted too long ago. */
export async function encryptCard(card: CardFields, { id, n, e }: CardKey, nowMs: number) {
  const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('jwk', { kty: 'RSA', n, e }, algorithm, false, ['encrypt']);
  const generationtime = new Date(nowMs).toISOString();
  const encrypt = (field: object) => encryptText(JSON.stringify({ ...field, generationtime }), key);
  const number = cardDigits(card.card_number);
  return {
    key_id: id,
    number: await encrypt({ number }),
    expiry_month: await encrypt({ expiryMonth: card.card_expiry_month }),
    expiry_year: await encrypt({ expiryYear: card.card_expiry_year }),
    security_code: await encrypt({ cvc: card.card_cvv }),
    first6: number.slice(0, 6),
    last4: number.slice(-4),
  };
}

/** A JWE of A256CBC-HS512 (RFC 7518, section 5.2): half of the content key is for the MAC, half for AES. */
async function encryptText(text: string, publicKey: CryptoKey): Promise<string> {
  const { subtle } = crypto;
  const contentKey = crypto.getRandomValues(new Uint8Array(64));
  const iv = crypto.getRandomValues(new Uint8Array(16));
  const macAlgorithm = { name: 'HMAC', hash: 'SHA-512' };
  const macKey = await subtle.importKey('raw', contentKey.slice(0, 32), macAlgorithm, false, ['sign']);
  const aesKey = await subtle.importKey('raw', contentKey.slice(32), 'AES-CBC', false, ['encrypt']);
  const header = base64url(utf8(JSON.stringify(HEADER)));
  const ciphertext = new Uint8Array(await subtle.encrypt({ name: 'AES-CBC', iv }, aesKey, utf8(text)));
  // The header's length in bits, as a number of 64 bits.
  const headerLength = new Uint8Array(8);
  new DataView(headerLength.buffer).setUint32(4, header.length * 8);
  const signed = new Uint8Array([...utf8(header), ...iv, ...ciphertext, ...headerLength]);
  const tag = new Uint8Array(await subtle.sign('HMAC', macKey, signed)).slice(0, 32);
  const encryptedKey = new Uint8Array(await subtle.encrypt('RSA-OAEP', publicKey, contentKey));
  return [header, ...[encryptedKey, iv, ciphertext, tag].map(base64url)].join('.');
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
