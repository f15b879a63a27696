import { bitcoin } from './chains/bitcoin.ts';
import { type ChainFamily, chainFamilies, type CoinDescription, type FamilyDescription } from './chains/description.ts';
import { ethereum } from './chains/ethereum.ts';
import { litecoin } from './chains/litecoin.ts';

/** One line for each chain. */
export const chains = { bitcoin, ethereum, litecoin };

export type ChainName = keyof typeof chains;

type ChainsOf<Family extends ChainFamily> = {
  [Name in ChainName]: (typeof chains)[Name]['family'] extends Family ? Name : never;
}[ChainName];
export type BitcoinChainName = ChainsOf<'bitcoin'>;
export type EthereumChainName = ChainsOf<'ethereum'>;

export const chainNames = Object.keys(chains) as [ChainName, ...ChainName[]];

export function isBitcoinChain(name: ChainName): name is BitcoinChainName {
  return chains[name].family === 'bitcoin';
}

export function isEthereumChain(name: ChainName): name is EthereumChainName {
  return chains[name].family === 'ethereum';
}

/** A coin or token, and its chain. */
export interface CryptoCurrency extends CoinDescription {
  chain: ChainName;
}

/** The codes of a chain's coins. */
export type CoinsOf<Name extends ChainName> = keyof (typeof chains)[Name]['coins'];

export type CryptoCurrencyCode = { [Name in ChainName]: CoinsOf<Name> }[ChainName];

/** By lower-case code. */
export const cryptoCurrencies = Object.fromEntries(
  chainNames.flatMap((chain) => Object.entries(chains[chain].coins).map(([code, coin]) => [code, { ...coin, chain }])),
) as Readonly<Record<CryptoCurrencyCode, CryptoCurrency>>;

export const cryptoCurrencyCodes = Object.keys(cryptoCurrencies) as CryptoCurrencyCode[];

/** Properties shared by the chain's family. */
export function familyOf(chain: ChainName): (typeof chainFamilies)[ChainFamily] {
  return chainFamilies[chains[chain].family];
}

/** Names of a model's chains for documentation: `Bitcoin and Litecoin`. */
export function chainNamesOf(model: FamilyDescription['model']): string {
  const names = chainNames.filter((name) => familyOf(name).model === model).map((name) => chains[name].name);
  return new Intl.ListFormat('en').format(names);
}

/** Display units of fee rates for documentation: `satoshi per virtual byte on Bitcoin and Litecoin, …`. */
export function feeUnitsText(): string {
  return Object.values(chainFamilies)
    .map(({ model, feeUnitName }) => `${feeUnitName} on ${chainNamesOf(model)}`)
    .join(', ');
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
export const accountChains = chainNames.filter((name) => familyOf(name).model === 'account');
