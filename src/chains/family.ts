import { type ChainName, chains } from '../shared/crypto-currency.ts';
import type { Clock } from '../system/clock.ts';
import { OperatorError } from '../system/operator-error.ts';
import type { SettingsOf } from '../system/settings.ts';
import type { Chain } from './port.ts';
import type { SimulatedChain, SimulatedChainOptions } from './simulated/base-chain.ts';
import type { Spender } from './spender.ts';

/** Path from the master key to an account. */
export interface KeyOrigin {
  /** First four bytes of the master key's hash. */
  fingerprint: number;
  /** Steps such as 84', 0', 0', with the hardened bit. */
  path: readonly number[];
}

/** Extended keys of an account (BIP 32): the public key derives addresses, the private key spends. */
export interface AccountKeys {
  publicKey: string;
  privateKey: string;
  /** Master fingerprint and path. */
  origin: KeyOrigin;
}

/** A chain, and the account that derives its deposit addresses. */
export interface ChainAccount {
  name: ChainName;
  chain: Chain;
  /** Network name for payers: `Bitcoin`, `Ethereum Sepolia`. */
  network: string;
  accountKey: string;
  /** Computes the descriptor for import into wallet software (BIP 380); null on chains without descriptors. */
  descriptor: (() => string) | null;
  /** Loads the code that builds and signs withdrawals. */
  spender(): Promise<Spender>;
}

/** Settings that every family has. */
export interface NodeSettings {
  url: string;
  /** `mainnet`, or another network. */
  network: string | number;
  /** Extended public key of the account. */
  accountKey: string;
}

/** The code of one protocol. `families.ts` lists all. Code for a node or a simulated chain is loaded on first use. */
export interface Family<Name extends ChainName = ChainName, Settings extends NodeSettings = NodeSettings> {
  /** Settings of a chain; null if it has no node. */
  settings(name: Name): SettingsOf<Settings | null>;
  /** Hardened steps from the master key to the first account: 44, 60, 0 for m/44'/60'/0'. */
  accountPath(name: Name, options: { isTest: boolean }): readonly number[];
  /** Version bytes of extended keys, if they differ from those of `xpub` and `xprv`. */
  keyVersions?(name: Name, options: { isTest: boolean }): { public: number; private: number };
  /**
   * Creates a chain with a node, without a call to it. Throws an `OperatorError` if the account key does not fit its
   * network. `keys`: those of the account, if the service holds the seed.
   */
  connect(name: Name, settings: Settings, options: { clock: Clock; keys: AccountKeys | null }): Promise<ChainAccount>;
  /** Creates a simulated chain, and the spender of an account. */
  simulate(
    name: Name,
    options: SimulatedChainOptions,
    account: Pick<AccountKeys, 'origin'> & { accountKey: string; privateKey: string | null },
  ): Promise<Pick<ChainAccount, 'descriptor' | 'spender'> & { chain: SimulatedChain }>;
}

export function settingName(name: ChainName, setting: 'ACCOUNT_KEY' | 'ACCOUNT_ORIGIN'): string {
  return `CHAIN_${chains[name].feeCode.toUpperCase()}_${setting}`;
}

/** Derives one address, so that a wrong key fails at startup instead of at the first invoice. */
export function requireDerivableAddresses(account: ChainAccount): ChainAccount {
  try {
    account.chain.addresses.derive(account.accountKey, 0);
    return account;
  } catch (error) {
    throw new OperatorError(
      `${settingName(account.name, 'ACCOUNT_KEY')} cannot derive addresses: ${error instanceof Error ? error.message : ''}`,
      {
        cause: error,
      },
    );
  }
}
