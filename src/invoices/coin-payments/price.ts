import Big from 'big.js';
import { type CryptoCurrencyCode, cryptoCurrencies } from '../../shared/crypto-currency.ts';
import { type CurrencyCode, minorUnitsOf } from '../../api/currency.ts';
import { formatMinor } from '../../shared/money.ts';
import { RATE_DECIMALS } from '../../shared/rate-arithmetic.ts';
import { isExact } from '../evaluate.ts';

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
export function fiatValueOf(amount: bigint, { priceMinor, coins, tolerance }: PriceTerms): bigint {
  return isExact({ amountRequired: coins, tolerance }, amount) ? priceMinor : atMost((amount * priceMinor) / coins);
}

function atMost(minor: bigint): bigint {
  return minor > MOST_MINOR ? MOST_MINOR : minor;
}

/** The least that an amount in coins differs from another one where people are asked for it. */
function stepOf(code: CryptoCurrencyCode): bigint {
  const { decimals } = cryptoCurrencies[code];
  return 10n ** BigInt(Math.max(0, decimals - MOST_DECIMALS));
}

/** A deposit to one of the addresses of a link, with the terms of that address: one object for each address. */
export interface ValuedDeposit {
  terms: PriceTerms & { code: CryptoCurrencyCode };
  amount: bigint;
  /** Value of one that arrived late; null for one that counts at the fixed rate. */
  lateMinor: bigint | null;
}

/**
 * Values of the deposits of a link, in their order. Their exact sum is rounded once. Where a rest is asked for, what was
 * received is rounded down by less than a minor unit and the rest in coins up by less than a step, so a sum of
 * several that differs from what is owed by no more than that pays it exactly, to whichever of the addresses it was sent.
 */
export function valueDeposits(deposits: readonly ValuedDeposit[], owedMinor: bigint): bigint[] {
  const sums = new Map(deposits.map(({ terms }) => [terms, 0n]));
  // Fractions of minor units, with one denominator for all addresses.
  const whole = [...sums.keys()].reduce((product, { coins }) => product * coins, 1n);
  const shareOf = (amount: bigint, { priceMinor, coins }: PriceTerms) => amount * priceMinor * (whole / coins);
  const steps = [...sums.keys()].map((terms) => shareOf(stepOf(terms.code), terms));
  const allSteps = steps.reduce((sum, step) => sum + step, 0n);
  const lateCount = BigInt(deposits.filter(({ lateMinor }) => lateMinor !== null).length);
  const leastStep = steps.reduce((least, step) => (step < least ? step : least), allSteps);
  const mostOver = whole + allSteps;
  // With one address nothing is lost to rounding; each late deposit was rounded down separately.
  const mostUnder = lateCount * whole + allSteps - (lateCount === 0n ? leastStep : 0n);
  const roundedOf = (exact: bigint): bigint => {
    const over = exact - owedMinor * whole;
    return deposits.length > 1 && over > -mostUnder && over < mostOver ? owedMinor : atMost(exact / whole);
  };
  let lateMinor = 0n;
  let before = 0n;
  return deposits.map((deposit) => {
    if (deposit.lateMinor === null) sums.set(deposit.terms, (sums.get(deposit.terms) ?? 0n) + deposit.amount);
    else lateMinor += deposit.lateMinor;
    const exact = [...sums].reduce((sum, [terms, amount]) => {
      const isPrice = isExact({ amountRequired: terms.coins, tolerance: terms.tolerance }, amount);
      return sum + (isPrice ? terms.priceMinor * whole : shareOf(amount, terms));
    }, lateMinor * whole);
    const rounded = roundedOf(exact);
    const value = rounded - before;
    before = rounded;
    return value;
  });
}
