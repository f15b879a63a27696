import type { ChainName } from '../shared/crypto-currency.ts';
import { familyFor } from './families.ts';
import type { AccountKeys } from './family.ts';

/** Path of a chain's first account: m/84'/0'/0' for native segwit (BIP 84), m/44'/60'/0' for Ethereum (BIP 44). */
export function derivationPath(chain: ChainName, options: { isTest: boolean }): string {
  return `m/${familyFor(chain)
    .accountPath(chain, options)
    .map((step) => `${step}'`)
    .join('/')}`;
}

/** Derives the keys of a chain's first account from a seed. */
export async function deriveAccount(
  seed: Uint8Array,
  chain: ChainName,
  options: { isTest: boolean },
): Promise<AccountKeys> {
  const { HARDENED_OFFSET, HDKey } = await import('@scure/bip32');
  const family = familyFor(chain);
  const master = HDKey.fromMasterSeed(seed, family.keyVersions?.(chain, options));
  const account = master.derive(derivationPath(chain, options));
  const path = family.accountPath(chain, options).map((step) => step + HARDENED_OFFSET);
  const origin = { fingerprint: master.fingerprint, path };
  return { publicKey: account.publicExtendedKey, privateKey: account.privateExtendedKey, origin };
}

/** The coder of extended keys. The first four bytes are the version, which differs between notations (SLIP 132). */
export async function extendedKeyCoder() {
  const { createBase58check } = await import('@scure/base');
  const { sha256 } = await import('@noble/hashes/sha2.js');
  return createBase58check(sha256);
}

/** Returns true if two extended public keys belong to the same account, in any notation. */
export async function isSameAccount(firstKey: string, secondKey: string): Promise<boolean> {
  const coder = await extendedKeyCoder();
  const [first, second] = [firstKey, secondKey].map((key) => Buffer.from(coder.decode(key).subarray(4)));
  return first !== undefined && second !== undefined && first.equals(second);
}
