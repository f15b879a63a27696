export interface FamilyDescription {
  /** `coins`: transactions spend outputs; `accounts`: accounts send transactions with nonces. */
  model: 'coins' | 'accounts';
  /** Display unit of fee rates, and its decimals in the smallest unit. */
  feeUnit: string;
  feeUnitName: string;
  feeDecimals: number;
  /** Format of transactions to sign elsewhere. */
  unsignedFormat: string;
}

/** Chains served by one adapter, which differ only in parameters. */
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
  /** Display name for payers. */
  name: string;
  /** Coin of the fees. Settings are named after it: `CHAIN_BTC_URL`. */
  feeCode: string;
  /** Its number in derivation paths (SLIP 44). */
  coinType: number;
  /** Blocks after which an unconfirmed withdrawal is replaced at a higher fee. */
  replaceAfterBlocks: number;
  /** Default maximum fee rate of a withdrawal: sat/vB, or gwei per unit of gas. */
  maxFeeRate: number;
}

/** All supported chains. */
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

/** A cryptocurrency: decimals, chain, names and limits. */
export interface CryptoCurrency {
  decimals: number;
  chain: ChainName;
  name: string;
  /** Short display name for payers. */
  shortName: string;
  /** Default number of confirmations. */
  minConfirmations: number;
  /** Minimum invoice amount in the smallest unit: nodes do not relay smaller payments to deposit addresses. */
  leastUnits: bigint;
  /** Upper bound of amounts, above the total supply. */
  mostUnits: bigint;
}

/** By lower-case code. */
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

/** Properties shared by the chain's family. */
export function familyOf(chain: ChainName): (typeof chainFamilies)[ChainFamily] {
  return chainFamilies[chains[chain].family];
}

/** Coin of the network fee: the currency itself, or the chain's coin for tokens. */
export function feeCodeOf(code: CryptoCurrencyCode): CryptoCurrencyCode {
  return chains[cryptoCurrencies[code].chain].feeCode;
}

/** True for coins that pay network fees, false for tokens. */
export function isFeeCoin(code: CryptoCurrencyCode): boolean {
  return feeCodeOf(code) === code;
}

/** Account-based chains, whose wallets pay fees in the chain's coin. */
export const accountChains = chainNames.filter((name) => familyOf(name).model === 'accounts');
