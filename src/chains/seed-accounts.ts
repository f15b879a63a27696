import { type ChainName, chains, isBitcoinChain } from '../shared/crypto-currency.ts';
import type { KeyOrigin } from './bitcoin/account-key.ts';

/** Extended keys of an account (BIP 32): the public key derives addresses, the private key spends. */
export interface AccountKeys {
  publicKey: string;
  privateKey: string;
  /** Master fingerprint and path. */
  origin: KeyOrigin;
}

/**
 * Path of a chain's first account: m/84'/0'/0' for native segwit (BIP 84), m/44'/60'/0' for Ethereum (BIP 44).
 * Test networks of the Bitcoin family have coin type 1' (SLIP 44).
 */
export function derivationPath(chain: ChainName, { isTest }: { isTest: boolean }): string {
  return `m/${pathSteps(chain, { isTest })
    .map((step) => `${step}'`)
    .join('/')}`;
}

function pathSteps(chain: ChainName, { isTest }: { isTest: boolean }): readonly number[] {
  const { family, coinType } = chains[chain];
  return family === 'bitcoin' ? [84, isTest ? 1 : coinType, 0] : [44, coinType, 0];
}

/** Derives the keys of a chain's first account from a seed. */
export async function deriveAccount(
  seed: Uint8Array,
  chain: ChainName,
  { isTest }: { isTest: boolean },
): Promise<AccountKeys> {
  const [{ HARDENED_OFFSET, HDKey }, { findNetwork }] = await Promise.all([
    import('@scure/bip32'),
    import('./bitcoin/networks.ts'),
  ]);
  const [versions] = isBitcoinChain(chain) ? findNetwork(chain, isTest ? 'regtest' : 'mainnet').extendedKeys : [];
  const master = HDKey.fromMasterSeed(seed, versions);
  const steps = pathSteps(chain, { isTest });
  const account = master.derive(derivationPath(chain, { isTest }));
  const origin = { fingerprint: master.fingerprint, path: steps.map((step) => step + HARDENED_OFFSET) };
  return { publicKey: account.publicExtendedKey, privateKey: account.privateExtendedKey, origin };
}

/** Returns true if two extended public keys belong to the same account, in any notation (SLIP 132). */
export async function isSameAccount(firstKey: string, secondKey: string): Promise<boolean> {
  const { base58check } = await import('@scure/base');
  const { createHash } = await import('node:crypto');
  const coder = base58check((data) => new Uint8Array(createHash('sha256').update(data).digest()));
  // Without the four version bytes, which differ between notations.
  const [first, second] = [firstKey, secondKey].map((key) => Buffer.from(coder.decode(key).subarray(4)));
  return first !== undefined && second !== undefined && first.equals(second);
}
