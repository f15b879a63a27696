import type { ProofChallenge } from '../../../src/api/challenge.ts';
import { PROOF_BITS } from '../../../src/shared/limits.ts';

/**
 * Solves a proof-of-work challenge and returns the proof; rejects if the browser cannot. The browser derives keys on
 * its own threads, so the page stays responsive.
 */
export async function solve({ seed, iterations, most, digest, token }: ProofChallenge): Promise<string> {
  const { subtle } = crypto;
  const text = new TextEncoder();
  const key = await subtle.importKey('raw', text.encode(seed), 'PBKDF2', false, ['deriveBits']);
  for (let number = 0; number < most; number += 1) {
    const parameters = { name: 'PBKDF2', hash: 'SHA-256', salt: text.encode(`${number}`), iterations };
    if (base64url(await subtle.deriveBits(parameters, key, PROOF_BITS)) === digest) return `${token}:${number}`;
  }
  throw new Error('The proof-of-work challenge has no solution');
}

function base64url(bits: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bits)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
