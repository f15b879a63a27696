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
  /** The least that an invoice may ask for, in the smallest unit: nodes relay no smaller payment to the addresses given out. */
  leastUnits: bigint;
  /** More than there is of it: no amount is larger. */
  mostUnits: bigint;
}

/** By their code in lower case. */
export const cryptoCurrencies = {
  btc: {
    ...{ decimals: 8, chain: 'bitcoin', name: 'Bitcoin', shortName: 'Bitcoin', minConfirmations: 2 },
    // The dust limit of P2WPKH, and 21 million coins.
    ...{ leastUnits: 294n, mostUnits: 2_100_000_000_000_000n },
  },
  eth: {
    ...{ decimals: 18, chain: 'ethereum', name: 'Ether', shortName: 'Ether', minConfirmations: 12 },
    // A billion.
    ...{ leastUnits: 1n, mostUnits: 1_000_000_000_000_000_000_000_000_000n },
  },
  usdt: {
    ...{ decimals: 6, chain: 'ethereum', name: 'Tether USD', shortName: 'USDT', minConfirmations: 12 },
    // A trillion.
    ...{ leastUnits: 1n, mostUnits: 1_000_000_000_000_000_000n },
  },
  usdc: {
    ...{ decimals: 6, chain: 'ethereum', name: 'USD Coin', shortName: 'USDC', minConfirmations: 12 },
    ...{ leastUnits: 1n, mostUnits: 1_000_000_000_000_000_000n },
  },
} as const satisfies Record<string, CryptoCurrency>;

export type CryptoCurrencyCode = keyof typeof cryptoCurrencies;

export const cryptoCurrencyCodes = Object.keys(cryptoCurrencies) as CryptoCurrencyCode[];

export const chainNames: readonly ChainName[] = [...new Set(Object.values(cryptoCurrencies).map(({ chain }) => chain))];
