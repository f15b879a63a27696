import Big from 'big.js';
import { type CryptoCurrencyCode, cryptoCurrencies } from '../../contract/crypto-currency.ts';
import { type CurrencyCode, minorUnitsOf } from '../../contract/currency.ts';
import { formatMinor } from '../../contract/money.ts';
import { isExact } from '../judge.ts';

/** Decimals of whole coins that people are asked to type at most. */
const MOST_DECIMALS = 8;
/** The most that is reckoned with as a number. */
const MOST_MINOR = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * What a price is in a coin at a rate (units of the currency for one whole coin): in its smallest unit, and upwards,
 * so that what is asked for is never worth less than the price.
 */
export function priceInCoins(
  { amountMinor, currency }: { amountMinor: bigint; currency: CurrencyCode },
  code: CryptoCurrencyCode,
  rate: string,
): bigint {
  const { decimals } = cryptoCurrencies[code];
  const price = new Big(formatMinor(amountMinor, minorUnitsOf(currency)));
  const coins = price.div(rate).round(Math.min(decimals, MOST_DECIMALS), Big.roundUp);
  return BigInt(coins.times(new Big(10).pow(decimals)).toFixed(0));
}

/** What coins are worth where so many of them are the price: the price for just that many, in proportion for others. */
export function worthOf(
  amount: bigint,
  { priceMinor, coins, tolerance }: { priceMinor: bigint; coins: bigint; tolerance: bigint },
): bigint {
  if (isExact({ amountRequired: coins, tolerance }, amount)) return priceMinor;
  const worth = (amount * priceMinor) / coins;
  return worth > MOST_MINOR ? MOST_MINOR : worth;
}
