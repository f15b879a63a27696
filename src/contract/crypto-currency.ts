/** Chains that the service follows. */
export type ChainName = 'bitcoin' | 'ethereum';

/** A cryptocurrency: the decimals of its whole coin, the chain that it is on, how it is called. */
export interface CryptoCurrency {
  decimals: number;
  chain: ChainName;
  name: string;
  /** What payers call it. */
  shortName: string;
  /** Blocks after which a payment counts, unless the merchant's manager says otherwise. */
  minConfirmations: number;
}

/** By their code in lower case. */
export const cryptoCurrencies = {
  btc: { decimals: 8, chain: 'bitcoin', name: 'Bitcoin', shortName: 'Bitcoin', minConfirmations: 2 },
  eth: { decimals: 18, chain: 'ethereum', name: 'Ether', shortName: 'Ether', minConfirmations: 12 },
  usdt: { decimals: 6, chain: 'ethereum', name: 'Tether USD', shortName: 'USDT', minConfirmations: 12 },
  usdc: { decimals: 6, chain: 'ethereum', name: 'USD Coin', shortName: 'USDC', minConfirmations: 12 },
} as const satisfies Record<string, CryptoCurrency>;

export type CryptoCurrencyCode = keyof typeof cryptoCurrencies;

export const cryptoCurrencyCodes = Object.keys(cryptoCurrencies) as CryptoCurrencyCode[];

export const chainNames: readonly ChainName[] = [...new Set(Object.values(cryptoCurrencies).map(({ chain }) => chain))];
