import type { ChainName } from '../contract/crypto-currency.ts';
import { cryptoCurrencies } from '../contract/crypto-currency.ts';
import type { Clock } from '../platform/clock.ts';
import type { BitcoinSettings, Config, EthereumSettings } from '../platform/config.ts';
import { OperatorError } from '../platform/operator-error.ts';
import type { Chain } from './port.ts';
import { type AccountKeys, accountOfSeed, samePublicKey } from './seed-accounts.ts';
import type { Spender } from './spender.ts';

/** A chain and the account whose addresses payers get: its extended public key (BIP 32). */
export interface AccountOnChain {
  name: ChainName;
  chain: Chain;
  /** Its network as payers read it: `Bitcoin`, `Ethereum Sepolia`. */
  network: string;
  accountKey: string;
  /** By which wallet software finds its addresses; null where there is no such language. */
  descriptor: string | null;
  /** What its money is moved by; loaded when there is something to move. */
  spender(): Promise<Spender>;
}

/**
 * The chains that have a node, ready to be asked; nothing is asked yet. Throws an `OperatorError` where an
 * account's key is none of its network. What a chain needs is loaded only where there is one.
 */
export async function connectChains(
  { bitcoin, ethereum }: Pick<Config, 'bitcoin' | 'ethereum'>,
  clock: Clock,
  seed: Uint8Array | null = null,
): Promise<AccountOnChain[]> {
  const keys = seed === null ? null : await keysOfSeed({ bitcoin, ethereum }, seed);
  const chains: AccountOnChain[] = [];
  if (bitcoin) chains.push(await connectBitcoin(bitcoin, keys?.bitcoin ?? null));
  if (ethereum) chains.push(await connectEthereum(ethereum, clock, keys?.ethereum?.privateKey ?? null));
  return chains;
}

/**
 * The keys of the accounts that are set up. Throws an `OperatorError` where the seed is not
 * theirs: what comes to them could not be moved with it.
 */
export async function keysOfSeed(
  { bitcoin, ethereum }: Pick<Config, 'bitcoin' | 'ethereum'>,
  seed: Uint8Array,
): Promise<Partial<Record<ChainName, AccountKeys>>> {
  const keys: Partial<Record<ChainName, AccountKeys>> = {};
  for (const [name, settings] of [
    ['bitcoin', bitcoin],
    ['ethereum', ethereum],
  ] as const) {
    if (!settings) continue;
    const isTest = settings.network !== 'mainnet';
    const account = await accountOfSeed(seed, name, { isTest });
    if (!(await samePublicKey(account.publicKey, settings.accountKey))) {
      const setting = name === 'bitcoin' ? 'CHAIN_BTC_ACCOUNT_KEY' : 'CHAIN_ETH_ACCOUNT_KEY';
      const path = name === 'bitcoin' ? `m/84'/${isTest ? 1 : 0}'/0'` : `m/44'/60'/0'`;
      throw new OperatorError(`The seed is not that of ${setting}: its account ${path} is ${account.publicKey}`);
    }
    keys[name] = account;
  }
  return keys;
}

async function connectBitcoin(
  { url, network: name, accountKey, origin: given }: BitcoinSettings,
  keys: AccountKeys | null,
): Promise<AccountOnChain> {
  const [{ createBitcoinChain }, { bitcoinNetworks }, { describeAccount, readAccountKey, readOrigin, requireAccount }] =
    await Promise.all([
      import('./bitcoin/chain.ts'),
      import('./bitcoin/parameters.ts'),
      import('./bitcoin/account-key.ts'),
    ]);
  const network = bitcoinNetworks[name];
  const origin = given === null ? (keys?.origin ?? null) : readOrigin(given);
  const chain = createBitcoinChain({ url, network });
  const privateKey = keys?.privateKey ?? null;
  const spender = async () =>
    (await import('./bitcoin/spender.ts')).createBitcoinSpender({ network, accountKey, privateKey, origin });
  const named = name === 'mainnet' ? 'Bitcoin' : `Bitcoin ${name}`;
  const account = { name: 'bitcoin', chain, network: named, accountKey, descriptor: null, spender } as const;
  requireAddresses(account, 'CHAIN_BTC_ACCOUNT_KEY');
  try {
    requireAccount(readAccountKey(accountKey, network), origin);
  } catch (error) {
    throw new OperatorError(`CHAIN_BTC_ACCOUNT_KEY cannot be used: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    });
  }
  if (
    origin &&
    keys &&
    (origin.fingerprint !== keys.origin.fingerprint || origin.path.join() !== keys.origin.path.join())
  )
    throw new OperatorError('CHAIN_BTC_ACCOUNT_ORIGIN is not where the seed has its account.');
  return { ...account, descriptor: describeAccount(accountKey, origin, network) };
}

async function connectEthereum(
  settings: EthereumSettings,
  clock: Clock,
  privateKey: string | null,
): Promise<AccountOnChain> {
  const [{ createEthereumChain }, networks] = await Promise.all([
    import('./ethereum/chain.ts'),
    import('./ethereum/networks.ts'),
  ]);
  const { url, network: name, tokens, accountKey } = settings;
  const contracts = Object.fromEntries(
    networks.tokenCodes.flatMap((code) => {
      const address = tokens[code];
      return address === undefined ? [] : [[code, { address, decimals: cryptoCurrencies[code].decimals }]];
    }),
  );
  const network =
    typeof name === 'number' ? networks.localNetwork({ chainId: name, tokens: contracts }) : networks[name];
  const chain = createEthereumChain({ url, network, clock });
  const spender = async () =>
    (await import('./ethereum/spender.ts')).createEthereumSpender({ network, accountKey, privateKey, node: chain });
  return requireAddresses(
    { name: 'ethereum', chain, network: ethereumName(name), accountKey, descriptor: null, spender },
    'CHAIN_ETH_ACCOUNT_KEY',
  );
}

function ethereumName(network: EthereumSettings['network']): string {
  if (typeof network === 'number') return `Ethereum (chain ${network})`;
  return network === 'mainnet' ? 'Ethereum' : 'Ethereum Sepolia';
}

/** A wrong key is told at the start, not at the first invoice. */
function requireAddresses(account: AccountOnChain, setting: string): AccountOnChain {
  try {
    account.chain.addresses.derive(account.accountKey, 0);
    return account;
  } catch (error) {
    throw new OperatorError(`${setting} gives no addresses: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    });
  }
}
