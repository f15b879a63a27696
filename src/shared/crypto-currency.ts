export interface FamilyDescription {
  /** Whether transactions spend coins (outputs), or are sent by accounts with nonces. */
  model: 'coins' | 'accounts';
  /** The unit in which people read fee rates, and its decimals in the smallest unit. */
  feeUnit: string;
  feeUnitName: string;
  feeDecimals: number;
  /** The form in which a transaction is handed out to be signed. */
  unsignedFormat: string;
}

/** Chains that one adapter serves: they differ in parameters only. */
export const chainFamilies = {
  bitcoin: {
    model: 'coins',
    ...{ feeUnit: 'sat/vB', feeUnitName: 'satoshi for a virtual byte', feeDecimals: 0 },
    unsignedFormat: 'psbt',
  },
  ethereum: {
    model: 'accounts',
    // A gwei has a billion wei.
    ...{ feeUnit: 'gwei', feeUnitName: 'gwei for a unit of gas', feeDecimals: 9 },
    unsignedFormat: 'eip1559',
  },
} as const satisfies Record<string, FamilyDescription>;

export type ChainFamily = keyof typeof chainFamilies;

export interface ChainDescription {
  family: ChainFamily;
  /** As payers read it. */
  name: string;
  /** The coin that fees are paid in. Settings are named after it: `CHAIN_BTC_URL`. */
  feeCode: string;
  /** Its number in derivation paths (SLIP 44). */
  coinType: number;
  /** An unconfirmed withdrawal is replaced at a higher fee after this many blocks. */
  replaceAfterBlocks: number;
  /** The most that a withdrawal pays unless the operator says otherwise: sat/vB, or gwei for a unit of gas. */
  maxFeeRate: number;
}

/** Every chain that the service follows. */
export const chains = {
  // Withdrawals are replaced after about an hour, on Ethereum after three minutes.
  bitcoin: { family: 'bitcoin', name: 'Bitcoin', feeCode: 'btc', coinType: 0, replaceAfterBlocks: 6, maxFeeRate: 500 },
  ethereum: {
    family: 'ethereum',
    name: 'Ethereum',
    feeCode: 'eth',
    coinType: 60,
    replaceAfterBlocks: 15,
    maxFeeRate: 500,
  },
  litecoin: {
    family: 'bitcoin',
    name: 'Litecoin',
    feeCode: 'ltc',
    coinType: 2,
    replaceAfterBlocks: 24,
    maxFeeRate: 500,
  },
} as const satisfies Record<string, ChainDescription>;

export type ChainName = keyof typeof chains;

/** Chains of the bitcoin family. */
export type BitcoinChainName = {
  [Name in ChainName]: (typeof chains)[Name]['family'] extends 'bitcoin' ? Name : never;
}[ChainName];

export const chainNames = Object.keys(chains) as ChainName[];

export function isBitcoinChain(name: ChainName): name is BitcoinChainName {
  return chains[name].family === 'bitcoin';
}

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
  ltc: {
    ...{ decimals: 8, chain: 'litecoin', name: 'Litecoin', shortName: 'Litecoin', minConfirmations: 6 },
    // The dust limit of P2WPKH at Litecoin Core's rate, and 84 million coins.
    ...{ leastUnits: 2940n, mostUnits: 8_400_000_000_000_000n },
  },
} as const satisfies Record<string, CryptoCurrency>;

export type CryptoCurrencyCode = keyof typeof cryptoCurrencies;

export const cryptoCurrencyCodes = Object.keys(cryptoCurrencies) as CryptoCurrencyCode[];

/** What a chain has in common with those of its family. */
export function familyOf(chain: ChainName): (typeof chainFamilies)[ChainFamily] {
  return chainFamilies[chains[chain].family];
}

/** The coin in which fees are paid where a currency moves: its own, or of a token that of its chain. */
export function feeCodeOf(code: CryptoCurrencyCode): CryptoCurrencyCode {
  return chains[cryptoCurrencies[code].chain].feeCode;
}

/** Whether fees are paid in it: not a token. */
export function isFeeCoin(code: CryptoCurrencyCode): boolean {
  return feeCodeOf(code) === code;
}

/** Chains with accounts, whose wallets pay fees in the chain's own coin. */
export const accountChains = chainNames.filter((name) => familyOf(name).model === 'accounts');
