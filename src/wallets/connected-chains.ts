import type { ChainAccount } from '../chains/family.ts';
import { cryptoCurrencies, type CryptoCurrencyCode } from '../shared/crypto-currency.ts';

/** A chain that the service scans, and the account whose addresses are issued to payers. */
export interface ConnectedChain extends ChainAccount {
  /** ID in `wallet_accounts`. */
  accountId: number;
  /** Name of the account's row and of its address marks. */
  accountName: string;
}

/** All configured chains. */
export interface ConnectedChains {
  all: readonly ConnectedChain[];
  /** Currencies that payers can use. */
  currencies: readonly CryptoCurrencyCode[];
  /** The chain of a currency; null if it is not configured. */
  forCurrency(code: CryptoCurrencyCode): ConnectedChain | null;
}

export function createConnectedChains(all: readonly ConnectedChain[]): ConnectedChains {
  const findByCurrency = (code: CryptoCurrencyCode) =>
    all.find(({ name, chain }) => name === cryptoCurrencies[code].chain && chain.currencies.includes(code)) ?? null;
  const codes = Object.keys(cryptoCurrencies) as CryptoCurrencyCode[];
  return { all, forCurrency: findByCurrency, currencies: codes.filter((code) => findByCurrency(code) !== null) };
}
