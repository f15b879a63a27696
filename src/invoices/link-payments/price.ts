import Big from 'big.js';
import { type CryptoCurrencyCode, cryptoCurrencies } from '../../shared/crypto-currency.ts';
import { type CurrencyCode, minorUnitsOf } from '../../api/currency.ts';
import { formatMinor } from '../../shared/money.ts';
import { RATE_DECIMALS } from '../../shared/rate-arithmetic.ts';
import { isExactAmount } from '../evaluate.ts';

/** Maximum number of decimals of an amount in whole coins, since payers may have to type it. */
const MAX_DECIMALS = 8;
/** Half of the last decimal of a stored rate. */
const RATE_ROUNDING = new Big(10).pow(-RATE_DECIMALS).div(2);
/** Largest amount in minor units that JSON numbers represent exactly. */
const MAX_MINOR = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Converts a price into coins at a rate (units of the currency per whole coin). Returns the smallest unit, rounded up,
 * so the requested amount is never worth less than the price.
 */
export function priceInCrypto(
  { amountMinor, currency }: { amountMinor: bigint; currency: CurrencyCode },
  code: CryptoCurrencyCode,
  rate: string,
): bigint {
  const { decimals } = cryptoCurrencies[code];
  const price = new Big(formatMinor(amountMinor, minorUnitsOf(currency)));
  // Ignores the rounding of the rate: EUR 20 is 23.068 USDT, not 0.000001 more.
  const coins = price.div(new Big(rate).plus(RATE_ROUNDING)).round(Math.min(decimals, MAX_DECIMALS), Big.roundUp);
  return BigInt(coins.times(new Big(10).pow(decimals)).toFixed(0));
}

/** A price in its currency and in coins, and the tolerance for an exact payment. */
interface Quote {
  priceMinor: bigint;
  cryptoAmount: bigint;
  tolerance: bigint;
}

/** Value of an amount of coins: the price within the tolerance, otherwise in proportion. */
export function fiatValueOf(amount: bigint, { priceMinor, cryptoAmount, tolerance }: Quote): bigint {
  return isExactAmount({ amountRequired: cryptoAmount, tolerance }, amount)
    ? priceMinor
    : capMinor((amount * priceMinor) / cryptoAmount);
}

function capMinor(minor: bigint): bigint {
  return minor > MAX_MINOR ? MAX_MINOR : minor;
}

/** Smallest step between requested amounts of coins. */
function amountStep(code: CryptoCurrencyCode): bigint {
  const { decimals } = cryptoCurrencies[code];
  return 10n ** BigInt(Math.max(0, decimals - MAX_DECIMALS));
}

/** A deposit to an address of a link, with the quote of that address (one shared object per address). */
export interface ValuedDeposit {
  quote: Quote & { code: CryptoCurrencyCode };
  amount: bigint;
  /** Value of a late deposit; null if it arrived in time and counts at the locked rate. */
  lateMinor: bigint | null;
}

/**
 * Values the deposits of a link, in order. Their exact sum is rounded once. A request for the remainder rounds the
 * received value down by less than a minor unit, and the remainder in coins up by less than a step. So several deposits
 * that differ from the amount owed by no more than that pay it exactly, at any of the addresses.
 */
export function valueDeposits(deposits: readonly ValuedDeposit[], owedMinor: bigint): bigint[] {
  const sums = new Map(deposits.map(({ quote }) => [quote, 0n]));
  // Fractions of minor units, with one denominator for all addresses.
  const denominator = [...sums.keys()].reduce((product, { cryptoAmount }) => product * cryptoAmount, 1n);
  const shareOf = (amount: bigint, { priceMinor, cryptoAmount }: Quote) =>
    amount * priceMinor * (denominator / cryptoAmount);
  const steps = [...sums.keys()].map((quote) => shareOf(amountStep(quote.code), quote));
  const stepSum = steps.reduce((sum, step) => sum + step, 0n);
  const lateCount = BigInt(deposits.filter(({ lateMinor }) => lateMinor !== null).length);
  const smallestStep = steps.reduce((smallest, step) => (step < smallest ? step : smallest), stepSum);
  const maxExcess = denominator + stepSum;
  // A single address loses nothing by rounding; each late deposit was rounded down separately.
  const maxShortfall = lateCount * denominator + stepSum - (lateCount === 0n ? smallestStep : 0n);
  const roundSum = (exact: bigint): bigint => {
    const excess = exact - owedMinor * denominator;
    const isExactPayment = deposits.length > 1 && excess > -maxShortfall && excess < maxExcess;
    return isExactPayment ? owedMinor : capMinor(exact / denominator);
  };
  let lateMinor = 0n;
  let previous = 0n;
  return deposits.map((deposit) => {
    if (deposit.lateMinor === null) sums.set(deposit.quote, (sums.get(deposit.quote) ?? 0n) + deposit.amount);
    else lateMinor += deposit.lateMinor;
    const exact = [...sums].reduce((sum, [quote, amount]) => {
      const isFullPrice = isExactAmount({ amountRequired: quote.cryptoAmount, tolerance: quote.tolerance }, amount);
      return sum + (isFullPrice ? quote.priceMinor * denominator : shareOf(amount, quote));
    }, lateMinor * denominator);
    const rounded = roundSum(exact);
    const value = rounded - previous;
    previous = rounded;
    return value;
  });
}
