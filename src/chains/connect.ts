import {
  type BitcoinChainName,
  type ChainName,
  chainNames,
  chains,
  cryptoCurrencies,
  type EthereumChainName,
  isBitcoinChain,
  isEthereumChain,
} from '../shared/crypto-currency.ts';
import type { EthereumChain } from '../shared/chains/description.ts';
import type { Clock } from '../system/clock.ts';
import { OperatorError } from '../system/operator-error.ts';
import type { BitcoinSettings } from './bitcoin/settings.ts';
import type { EthereumSettings } from './ethereum/settings.ts';
import { tokenCodesOf } from './ethereum/tokens.ts';
import type { Chain } from './port.ts';
import { type AccountKeys, deriveAccount, derivationPath, isSameAccount } from './seed-accounts.ts';
import type { ChainSettings } from './settings.ts';
import type { Spender } from './spender.ts';

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

/**
 * Creates the configured chains, without a call to their nodes. Throws an `OperatorError` if an account key does not
 * fit its network. Only the code of configured chains is loaded.
 */
export async function connectChains(
  settings: ChainSettings,
  clock: Clock,
  seed: Uint8Array | null = null,
): Promise<ChainAccount[]> {
  const keys = seed === null ? null : await deriveAccountKeys(settings, seed);
  const connected: ChainAccount[] = [];
  for (const name of chainNames.filter(isBitcoinChain)) {
    const chainSettings = settings[name];
    if (chainSettings) connected.push(await connectBitcoin(name, chainSettings, keys?.[name] ?? null));
  }
  for (const name of chainNames.filter(isEthereumChain)) {
    const chainSettings = settings[name];
    if (chainSettings)
      connected.push(await connectEthereum(name, chainSettings, clock, keys?.[name]?.privateKey ?? null));
  }
  requireDistinctAddresses(connected);
  return connected;
}

/**
 * Throws an `OperatorError` if two chains derive the same addresses, as chains of the Ethereum family do with the same
 * account key: an address must identify one wallet of a merchant.
 */
export function requireDistinctAddresses(
  accounts: readonly (Pick<ChainAccount, 'name' | 'accountKey'> & { chain: Pick<Chain, 'addresses'> })[],
): void {
  const names = new Map<string, ChainName>();
  for (const { name, accountKey, chain } of accounts) {
    const address = chain.addresses.derive(accountKey, 0);
    const other = names.get(address);
    if (other)
      throw new OperatorError(
        `${settingName(name, 'ACCOUNT_KEY')} and ${settingName(other, 'ACCOUNT_KEY')} derive the same addresses. Use another account for one of them.`,
      );
    names.set(address, name);
  }
}

/**
 * Derives the keys of the configured accounts. Throws an `OperatorError` if the seed does not match an account key:
 * it could not spend the account's deposits.
 */
export async function deriveAccountKeys(
  chainSettings: ChainSettings,
  seed: Uint8Array,
): Promise<Partial<Record<ChainName, AccountKeys>>> {
  const keys: Partial<Record<ChainName, AccountKeys>> = {};
  for (const name of chainNames) {
    const settings = chainSettings[name];
    if (!settings) continue;
    const isTest = settings.network !== 'mainnet';
    const account = await deriveAccount(seed, name, { isTest });
    if (!(await isSameAccount(account.publicKey, settings.accountKey))) {
      const path = derivationPath(name, { isTest });
      throw new OperatorError(
        `The seed does not match ${settingName(name, 'ACCOUNT_KEY')}: its account ${path} is ${account.publicKey}. Use the seed of that account.`,
      );
    }
    keys[name] = account;
  }
  return keys;
}

async function connectBitcoin(
  name: BitcoinChainName,
  { url, network: networkName, accountKey, origin: configuredOrigin }: BitcoinSettings,
  keys: AccountKeys | null,
): Promise<ChainAccount> {
  const [
    { createBitcoinChain },
    { findNetwork },
    { accountDescriptor, parseAccountKey, parseOrigin, requireAccountKey },
  ] = await Promise.all([
    import('./bitcoin/chain.ts'),
    import('./bitcoin/networks.ts'),
    import('./bitcoin/account-key.ts'),
  ]);
  const network = findNetwork(name, networkName);
  const { name: title, feeCode: code } = chains[name];
  const origin = configuredOrigin === null ? (keys?.origin ?? null) : parseOrigin(configuredOrigin);
  const chain = createBitcoinChain({ url, network, code });
  const privateKey = keys?.privateKey ?? null;
  const spender = async () =>
    (await import('./bitcoin/spender.ts')).createBitcoinSpender({ network, accountKey, privateKey, origin });
  const networkTitle = networkName === 'mainnet' ? title : `${title} ${networkName}`;
  const account = { name, chain, network: networkTitle, accountKey, descriptor: null, spender } as const;
  requireDerivableAddresses(account);
  try {
    requireAccountKey(parseAccountKey(accountKey, network), origin);
  } catch (error) {
    throw new OperatorError(
      `${settingName(name, 'ACCOUNT_KEY')} is invalid: ${error instanceof Error ? error.message : ''}`,
      {
        cause: error,
      },
    );
  }
  if (
    origin &&
    keys &&
    (origin.fingerprint !== keys.origin.fingerprint || origin.path.join() !== keys.origin.path.join())
  )
    throw new OperatorError(`${settingName(name, 'ACCOUNT_ORIGIN')} does not match the origin of the seed’s account.`);
  return { ...account, descriptor: () => accountDescriptor(accountKey, origin, network) };
}

async function connectEthereum(
  name: EthereumChainName,
  { url, network: networkName, tokens, accountKey }: EthereumSettings,
  clock: Clock,
  privateKey: string | null,
): Promise<ChainAccount> {
  const [{ createEthereumChain }, networks] = await Promise.all([
    import('./ethereum/chain.ts'),
    import('./ethereum/networks.ts'),
  ]);
  const contracts = Object.fromEntries(
    tokenCodesOf(name).flatMap((code) => {
      const address = tokens[code];
      return address === undefined ? [] : [[code, { address, decimals: cryptoCurrencies[code].decimals }]];
    }),
  );
  const network =
    typeof networkName === 'number'
      ? networks.createLocalNetwork(name, { chainId: networkName, tokens: contracts })
      : networks.findEthereumNetwork(name, networkName);
  const chain = createEthereumChain({ url, network, clock });
  const spender = async () =>
    (await import('./ethereum/spender.ts')).createEthereumSpender({ network, accountKey, privateKey, node: chain });
  return requireDerivableAddresses({
    ...{ name, chain, network: ethereumTitle(name, networkName), accountKey, descriptor: null, spender },
  });
}

function ethereumTitle(name: EthereumChainName, network: EthereumSettings['network']): string {
  const { name: title, networks }: EthereumChain = chains[name];
  return networks[network]?.title ?? `${title} (chain ${network})`;
}

function settingName(name: ChainName, setting: 'ACCOUNT_KEY' | 'ACCOUNT_ORIGIN'): string {
  return `CHAIN_${chains[name].feeCode.toUpperCase()}_${setting}`;
}

/** Derives one address, so that a wrong key fails at startup instead of at the first invoice. */
function requireDerivableAddresses(account: ChainAccount): ChainAccount {
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
