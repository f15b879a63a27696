import {
  chainNames,
  chains,
  type CoinsOf,
  type EthereumChainName,
  isEthereumChain,
} from '../../shared/crypto-currency.ts';
import type { CryptoCurrencyCode } from '../../shared/crypto-currency.ts';

/** Currencies that are ERC-20 contracts on a chain of the Ethereum family. */
export type TokenCode = {
  [Name in EthereumChainName]: Exclude<CoinsOf<Name>, (typeof chains)[Name]['feeCode']>;
}[EthereumChainName];

export function tokenCodesOf(chain: EthereumChainName): TokenCode[] {
  const { coins, feeCode } = chains[chain];
  return Object.keys(coins).filter((code) => code !== feeCode) as TokenCode[];
}

const tokenCodes = chainNames.filter(isEthereumChain).flatMap(tokenCodesOf);

export function isToken(code: CryptoCurrencyCode): code is TokenCode {
  return tokenCodes.some((each) => each === code);
}
