import { type ChainName, chains, isBitcoinChain } from '../contract/crypto-currency.ts';

/** An account's extended keys (BIP 32): the public one tells its addresses, the private one spends what is there. */
export interface AccountKeys {
  publicKey: string;
  privateKey: string;
}

/**
 * The path of a chain's first account: m/84'/0'/0' for native segregated witness (BIP 84), m/44'/60'/0' for
 * Ethereum (BIP 44). On test networks of the bitcoin family the coin is 1' (SLIP 44).
 */
export function accountPath(chain: ChainName, { isTest }: { isTest: boolean }): string {
  const { family, coinType } = chains[chain];
  return family === 'bitcoin' ? `m/84'/${isTest ? 1 : coinType}'/0'` : `m/44'/${coinType}'/0'`;
}

/** The keys of a chain's first account below a seed. */
export async function accountOfSeed(
  seed: Uint8Array,
  chain: ChainName,
  { isTest }: { isTest: boolean },
): Promise<AccountKeys> {
  const [{ HDKey }, { networkOf }] = await Promise.all([import('@scure/bip32'), import('./bitcoin/parameters.ts')]);
  const [versions] = isBitcoinChain(chain) ? networkOf(chain, isTest ? 'regtest' : 'mainnet').extendedKeys : [];
  const account = HDKey.fromMasterSeed(seed, versions).derive(accountPath(chain, { isTest }));
  return { publicKey: account.publicExtendedKey, privateKey: account.privateExtendedKey };
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
