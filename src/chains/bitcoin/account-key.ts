import { HARDENED_OFFSET, HDKey } from '@scure/bip32';
import type { NetworkParameters } from './parameters.ts';

/** Change index of addresses that are given to others (BIP 44). */
export const EXTERNAL_CHAIN = 0;

/**
 * An account's extended key (BIP 32) in any of the forms that wallets of the network write: xpub and
 * zpub, tpub and vpub, and the same of private keys. Throws where it is none; what it was given is not in
 * the error, since it may be private.
 */
export function readAccountKey(text: string, network: NetworkParameters): HDKey {
  for (const versions of network.extendedKeys) {
    try {
      return HDKey.fromExtendedKey(text, versions);
    } catch {
      // Another form, another network, or no key.
    }
  }
  throw new Error(`This is no extended key of an account on ${network.name}`);
}

/** The public key at `/0/INDEX` below an account for each index asked. Throws where an index is none. */
export function createExternalKeys(account: HDKey): (index: number) => HDKey & { publicKey: Uint8Array } {
  const chain = account.deriveChild(EXTERNAL_CHAIN);
  return (index) => {
    if (!Number.isSafeInteger(index) || index < 0 || index >= HARDENED_OFFSET)
      throw new RangeError(`An address has an index from 0 to ${HARDENED_OFFSET - 1}, not ${index}`);
    const key = chain.deriveChild(index);
    if (!hasPublicKey(key)) throw new Error('A derived key has no public part');
    return key;
  };
}

function hasPublicKey(key: HDKey): key is HDKey & { publicKey: Uint8Array } {
  return key.publicKey !== null;
}
