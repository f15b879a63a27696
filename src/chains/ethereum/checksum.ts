import { addr } from 'micro-eth-signer';

/** Address in mixed case with its checksum (EIP-55), the canonical form for storage and comparison. */
export type Address = `0x${string}`;

const addressPattern = /^0[xX]([0-9a-f]{40}|[0-9A-F]{40}|[0-9a-fA-F]{40})$/;

/**
 * Returns the canonical form of an address. Accepts lower case, upper case (as in QR codes), and mixed case with a valid
 * checksum (EIP-55); null for anything else.
 */
export function normalizeAddress(text: string): Address | null {
  const digits = addressPattern.exec(text)?.[1];
  if (digits === undefined) return null;
  const address = toChecksumAddress(`0x${digits}`);
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isOneCase || address === `0x${digits}` ? address : null;
}

/** Same as `normalizeAddress`, but throws for an invalid address, because funds would be lost. */
export function requireAddress(text: string): Address {
  const address = normalizeAddress(text);
  if (!address) throw new RangeError(`Not an Ethereum address: ${text}`);
  return address;
}

/** Converts 20 bytes in hexadecimal, in any case, to the canonical form. */
export function toChecksumAddress(hex: Address): Address {
  return addr.addChecksum(hex) as Address;
}
