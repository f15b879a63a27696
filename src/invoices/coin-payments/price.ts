import Big from 'big.js';
import { type CryptoCurrencyCode, cryptoCurrencies } from '../../contract/crypto-currency.ts';
import { type CurrencyCode, minorUnitsOf } from '../../contract/currency.ts';
import { formatMinor } from '../../contract/money.ts';
import { RATE_DECIMALS } from '../../platform/money.ts';
import { isExact } from '../judge.ts';

/** Decimals of whole coins that people are asked to type at most. */
const MOST_DECIMALS = 8;
/** Half of the last decimal that a rate is kept with. */
const RATE_ROUNDING = new Big(10).pow(-RATE_DECIMALS).div(2);
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
  // What lies within the rounding of the rate is not asked for: EUR 20 are 23.068 USDT, and not a millionth more.
  const coins = price.div(new Big(rate).plus(RATE_ROUNDING)).round(Math.min(decimals, MOST_DECIMALS), Big.roundUp);
  return BigInt(coins.times(new Big(10).pow(decimals)).toFixed(0));
}

/** The price in its currency and in coins, and how far from these an amount may be to pay it exactly. */
interface PriceTerms {
  priceMinor: bigint;
  coins: bigint;
  tolerance: bigint;
}

/** Value of an amount of coins: the price within the tolerance, otherwise in proportion. */
export function worthOf(amount: bigint, { priceMinor, coins, tolerance }: PriceTerms): bigint {
  if (isExact({ amountRequired: coins, tolerance }, amount)) return priceMinor;
  const worth = (amount * priceMinor) / coins;
  return worth > MOST_MINOR ? MOST_MINOR : worth;
}

/** Value that a deposit adds to those before it: rounding and tolerance apply to the sum, so parts add up to the price. */
export function worthAdded(before: bigint, amount: bigint, terms: PriceTerms): bigint {
  return worthOf(before + amount, terms) - worthOf(before, terms);
}
