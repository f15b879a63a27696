import { HARDENED_OFFSET, HDKey } from '@scure/bip32';
import type { NetworkParameters } from '../../shared/chains/description.ts';
import type { KeyOrigin } from '../family.ts';

/** Chain index of deposit addresses (BIP 44). */
export const EXTERNAL_CHAIN = 0;

/**
 * Parses an account's extended key (BIP 32), public or private, in any notation of the network: xpub and zpub, tpub
 * and vpub. Throws if it is not a key. The error does not contain the text, because it may be a private key.
 */
export function parseAccountKey(text: string, network: NetworkParameters): HDKey {
  for (const versions of network.extendedKeys) {
    try {
      return HDKey.fromExtendedKey(text, versions);
    } catch {
      // A different notation or network, or not a key.
    }
  }
  throw new Error(`This is not an extended account key of ${network.name}.`);
}

/** Parses an origin in descriptor notation (BIP 380): `d34db33f/84h/0h/0h`. */
export function parseOrigin(text: string): KeyOrigin {
  const [fingerprint = '', ...steps] = text.split('/');
  return {
    fingerprint: Number.parseInt(fingerprint, 16),
    path: steps.map((step) => Number.parseInt(step, 10) + (/[h']$/.test(step) ? HARDENED_OFFSET : 0)),
  };
}

function formatOrigin({ fingerprint, path }: KeyOrigin): string {
  const steps = path.map((step) => (step >= HARDENED_OFFSET ? `${step - HARDENED_OFFSET}h` : String(step)));
  return [fingerprint.toString(16).padStart(8, '0'), ...steps].join('/');
}

/** m/84'/COIN'/ACCOUNT' (BIP 84) is three steps below the master key. */
const ACCOUNT_DEPTH = 3;

/** Throws if a key is not an account key, or does not match the origin. */
export function requireAccountKey({ depth, index }: HDKey, origin: KeyOrigin | null): void {
  if (depth !== ACCOUNT_DEPTH)
    throw new Error(`its key has depth ${depth}; an account key (m/84h/0h/0h, BIP 84) has depth ${ACCOUNT_DEPTH}`);
  if (origin && (origin.path.length !== depth || origin.path.at(-1) !== index))
    throw new Error(
      `it is not at ${formatOrigin(origin)}: the path must have ${depth} steps and end with the key’s index`,
    );
}

/**
 * The descriptor of an account's addresses with its checksum (BIP 380, BIP 382), for import into wallet software.
 * Its key is always in BIP 32 notation: xpub or tpub.
 */
export function accountDescriptor(accountKey: string, origin: KeyOrigin | null, network: NetworkParameters): string {
  const { publicKey, chainCode, depth, index, parentFingerprint } = parseAccountKey(accountKey, network);
  const [versions] = network.extendedKeys;
  if (!publicKey || !chainCode || !versions) throw new Error('The account key lacks a public key or a chain code.');
  const key = new HDKey({ versions, publicKey, chainCode, depth, index, parentFingerprint });
  const text = `wpkh(${origin ? `[${formatOrigin(origin)}]` : ''}${key.publicExtendedKey}/${EXTERNAL_CHAIN}/*)`;
  return `${text}#${descriptorChecksum(text)}`;
}

const INPUT_CHARACTERS =
  '0123456789()[],\'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#"\\ ';
const CHECKSUM_CHARACTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATORS = [0xf5dee51989n, 0xa9fdca3312n, 0x1bab10e32dn, 0x3706b1677an, 0x644d626ffdn];

/** Checksum of BIP 380: a code over 32 symbols, like that of bech32. */
function descriptorChecksum(text: string): string {
  const symbols: number[] = [];
  let groups: number[] = [];
  for (const character of text) {
    const position = INPUT_CHARACTERS.indexOf(character);
    if (position < 0) throw new Error('The descriptor contains an invalid character.');
    symbols.push(position & 31);
    groups.push(position >> 5);
    if (groups.length === 3) {
      const [a = 0, b = 0, c = 0] = groups;
      symbols.push(a * 9 + b * 3 + c);
      groups = [];
    }
  }
  const [a, b] = groups;
  if (a !== undefined) symbols.push(b === undefined ? a : a * 3 + b);
  let code = 1n;
  for (const symbol of [...symbols, 0, 0, 0, 0, 0, 0, 0, 0]) {
    const top = code >> 35n;
    code = ((code & 0x7ffffffffn) << 5n) ^ BigInt(symbol);
    for (const [bit, generator] of GENERATORS.entries()) if ((top >> BigInt(bit)) & 1n) code ^= generator;
  }
  code ^= 1n;
  return Array.from(
    { length: 8 },
    (_, index) => CHECKSUM_CHARACTERS[Number((code >> BigInt(5 * (7 - index))) & 31n)],
  ).join('');
}

/** Derives the keys at `/0/INDEX` below an account. Throws if the index is invalid. */
export function createExternalKeys(account: HDKey): (index: number) => HDKey & { publicKey: Uint8Array } {
  const chain = account.deriveChild(EXTERNAL_CHAIN);
  return (index) => {
    if (!Number.isSafeInteger(index) || index < 0 || index >= HARDENED_OFFSET)
      throw new RangeError(`The index of an address must be from 0 to ${HARDENED_OFFSET - 1}, not ${index}.`);
    const key = chain.deriveChild(index);
    if (!hasPublicKey(key)) throw new Error('The derived key has no public key.');
    return key;
  };
}

function hasPublicKey(key: HDKey): key is HDKey & { publicKey: Uint8Array } {
  return key.publicKey !== null;
}
