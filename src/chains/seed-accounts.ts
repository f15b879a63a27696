import type { ChainName } from '../contract/crypto-currency.ts';
import type { KeyOrigin } from './bitcoin/account-key.ts';

/** An account's extended keys (BIP 32): the public one tells its addresses, the private one spends what is there. */
export interface AccountKeys {
  publicKey: string;
  privateKey: string;
  /** Master fingerprint and path. */
  origin: KeyOrigin;
}

/**
 * The first account of a chain below a seed: m/84'/0'/0' for native segregated witness (BIP 84), m/44'/60'/0' for
 * Ethereum (BIP 44); on test networks of the bitcoin family the coin is 1' (SLIP 44).
 */
export async function accountOfSeed(
  seed: Uint8Array,
  chain: ChainName,
  { isTest }: { isTest: boolean },
): Promise<AccountKeys> {
  const [{ HARDENED_OFFSET, HDKey }, { bitcoinNetworks }] = await Promise.all([
    import('@scure/bip32'),
    import('./bitcoin/parameters.ts'),
  ]);
  const [versions] = bitcoinNetworks[isTest ? 'regtest' : 'mainnet'].extendedKeys;
  const master = chain === 'bitcoin' ? HDKey.fromMasterSeed(seed, versions) : HDKey.fromMasterSeed(seed);
  const steps = chain === 'bitcoin' ? [84, isTest ? 1 : 0, 0] : [44, 60, 0];
  const account = master.derive(`m/${steps.map((step) => `${step}'`).join('/')}`);
  const origin = { fingerprint: master.fingerprint, path: steps.map((step) => step + HARDENED_OFFSET) };
  return { publicKey: account.publicExtendedKey, privateKey: account.privateExtendedKey, origin };
}

/** Whether two extended public keys are of one account, in whatever form wallets write them (SLIP 132). */
export async function samePublicKey(one: string, other: string): Promise<boolean> {
  const { base58check } = await import('@scure/base');
  const { createHash } = await import('node:crypto');
  const coder = base58check((data) => new Uint8Array(createHash('sha256').update(data).digest()));
  // Without the four bytes that name the form.
  const [first, second] = [one, other].map((key) => Buffer.from(coder.decode(key).subarray(4)));
  return first !== undefined && second !== undefined && first.equals(second);
}
