import { type ChainName, chainNames } from '../shared/crypto-currency.ts';
import type { Clock } from '../system/clock.ts';
import { OperatorError } from '../system/operator-error.ts';
import { familyFor } from './families.ts';
import { type AccountKeys, type ChainAccount, settingName } from './family.ts';
import type { Chain } from './port.ts';
import type { connectSimulated } from './simulated/connect.ts';
import { deriveAccount, derivationPath, isSameAccount } from './seed-accounts.ts';
import type { ChainSettings } from './settings.ts';

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
  for (const name of chainNames) {
    const chainSettings = settings[name];
    if (chainSettings)
      connected.push(await familyFor(name).connect(name, chainSettings, { clock, keys: keys?.[name] ?? null }));
  }
  requireDistinctAddresses(connected);
  return connected;
}

/** Simulates the chains without a configured node. */
export async function simulateUnconfigured(
  accounts: readonly ChainAccount[],
  {
    accountKeys = {},
    ...options
  }: Omit<Parameters<typeof connectSimulated>[0], 'name' | 'accountKey'> & {
    /** Account keys in another notation. */
    accountKeys?: Partial<Record<ChainName, string>> | undefined;
  },
) {
  const simulated = await import('./simulated/connect.ts');
  const missing = chainNames.filter((name) => accounts.every((each) => each.name !== name));
  return await Promise.all(
    missing.map(async (name) => await simulated.connectSimulated({ ...options, name, accountKey: accountKeys[name] })),
  );
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
