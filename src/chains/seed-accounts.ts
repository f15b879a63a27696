import { type ChainName, chains, isBitcoinChain } from '../shared/crypto-currency.ts';
import type { KeyOrigin } from './bitcoin/account-key.ts';

/** An account's extended keys (BIP 32): the public one tells its addresses, the private one spends what is there. */
export interface AccountKeys {
  publicKey: string;
  privateKey: string;
  /** Master fingerprint and path. */
  origin: KeyOrigin;
}

/**
 * The path of a chain's first account: m/84'/0'/0' for native segregated witness (BIP 84), m/44'/60'/0' for
 * Ethereum (BIP 44). On test networks of the bitcoin family the coin is 1' (SLIP 44).
 */
export function accountPath(chain: ChainName, { isTest }: { isTest: boolean }): string {
  return `m/${pathSteps(chain, { isTest })
    .map((step) => `${step}'`)
    .join('/')}`;
}

function pathSteps(chain: ChainName, { isTest }: { isTest: boolean }): readonly number[] {
  const { family, coinType } = chains[chain];
  return family === 'bitcoin' ? [84, isTest ? 1 : coinType, 0] : [44, coinType, 0];
}

/** The keys of a chain's first account below a seed. */
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
  const account = master.derive(accountPath(chain, { isTest }));
  const origin = { fingerprint: master.fingerprint, path: steps.map((step) => step + HARDENED_OFFSET) };
  return { publicKey: account.publicExtendedKey, privateKey: account.privateExtendedKey, origin };
}

/** Whether two extended public keys are of one account, in whatever form wallets write them (SLIP 132). */
export async function isSameAccount(firstKey: string, secondKey: string): Promise<boolean> {
  const { base58check } = await import('@scure/base');
  const { createHash } = await import('node:crypto');
  const coder = base58check((data) => new Uint8Array(createHash('sha256').update(data).digest()));
  // Without the four bytes that name the form.
  const [first, second] = [firstKey, secondKey].map((key) => Buffer.from(coder.decode(key).subarray(4)));
  return first !== undefined && second !== undefined && first.equals(second);
}
