import { chains, type CoinsOf, type CryptoCurrencyCode } from '../../shared/crypto-currency.ts';

/** Currencies that are ERC-20 contracts on Ethereum. */
export type TokenCode = Exclude<CoinsOf<'ethereum'>, 'eth'>;

const { coins, feeCode } = chains.ethereum;

export const tokenCodes = Object.keys(coins).filter((code) => code !== feeCode) as TokenCode[];

export function isToken(code: CryptoCurrencyCode): code is TokenCode {
  return tokenCodes.some((each) => each === code);
}
