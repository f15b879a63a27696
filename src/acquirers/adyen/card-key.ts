import { createHash, X509Certificate } from 'node:crypto';
import type { CardKey } from '../port.ts';

/** Shorter keys are insecure, and those of 1024 bits cannot encrypt the content key of a card. */
const MIN_KEY_BITS = 2048;

/**
 * Reads a certificate in PEM format. Line breaks are optional, because forms remove them. Returns null if it is
 * malformed, or its key is not an RSA key of at least `MIN_KEY_BITS`.
 */
export function readCertificate(pem: string): X509Certificate | null {
  const base64 = pem.replaceAll(/-----(?:BEGIN|END) CERTIFICATE-----|\s/g, '');
  try {
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'));
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
    const bits = asymmetricKeyDetails?.modulusLength ?? 0;
    return asymmetricKeyType === 'rsa' && bits >= MIN_KEY_BITS ? certificate : null;
  } catch {
    return null;
  }
}

/** The public key with which browsers encrypt cards for an account (Adyen's page "Card encryption with JWE"). */
export function cardKeyOf({ publicKey }: X509Certificate): CardKey {
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  const id = createHash('sha256')
    .update(JSON.stringify({ e, kty: 'RSA', n }))
    .digest('base64url');
  return { id, n, e };
}
