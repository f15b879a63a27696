import type { AccountOnChain } from '../chains/connect.ts';
import { cryptoCurrencies, type CryptoCurrencyCode } from '../shared/crypto-currency.ts';

/** A chain that the service follows, and the account whose addresses payers get. */
export interface ConnectedChain extends AccountOnChain {
  /** Its row among the accounts. */
  accountId: number;
  /** By which that row, and its marks, are known. */
  accountName: string;
}

/** The chains that are set up. */
export interface ConnectedChains {
  all: readonly ConnectedChain[];
  /** Every currency that can be paid with. */
  currencies: readonly CryptoCurrencyCode[];
  /** That of a currency; null where it is not set up. */
  ofCurrency(code: CryptoCurrencyCode): ConnectedChain | null;
}

export function connectedChains(all: readonly ConnectedChain[]): ConnectedChains {
  const ofCurrency = (code: CryptoCurrencyCode) =>
    all.find(({ name, chain }) => name === cryptoCurrencies[code].chain && chain.currencies.includes(code)) ?? null;
  const codes = Object.keys(cryptoCurrencies) as CryptoCurrencyCode[];
  return { all, ofCurrency, currencies: codes.filter((code) => ofCurrency(code) !== null) };
}
