import { addr } from 'micro-eth-signer';

/** In the mixed case that carries its check (EIP-55): the one form that is kept and compared. */
export type Address = `0x${string}`;

const addressPattern = /^0[xX]([0-9a-f]{40}|[0-9A-F]{40}|[0-9a-fA-F]{40})$/;

/**
 * An address in its kept form. Takes lower case, upper case (as in QR codes) and mixed case whose check
 * (EIP-55) is right; null for anything else.
 */
export function normalizeAddress(text: string): Address | null {
  const digits = addressPattern.exec(text)?.[1];
  if (digits === undefined) return null;
  const address = toChecksumAddress(`0x${digits}`);
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isOneCase || address === `0x${digits}` ? address : null;
}

/** The same for what can be nothing but an address; throws where it is none, since money would go astray. */
export function requireAddress(text: string): Address {
  const address = normalizeAddress(text);
  if (!address) throw new RangeError(`No Ethereum address: ${text}`);
  return address;
}

/** Twenty bytes in hexadecimal, of whatever case, in the kept form. */
export function toChecksumAddress(hex: Address): Address {
  return addr.addChecksum(hex) as Address;
}
