import Big from 'big.js';

/** A percentage (decimal) of an amount in the smallest unit, rounded half to even. */
export function percentOf(amount: bigint, percent: string | number): bigint {
  const { c: digits, e: exponent } = new Big(percent);
  const decimals = digits.length - 1 - exponent;
  const scaled = amount * BigInt(digits.join('')) * 10n ** BigInt(Math.max(0, -decimals));
  const divisor = 100n * 10n ** BigInt(Math.max(0, decimals));
  const whole = scaled / divisor;
  const twice = 2n * (scaled % divisor);
  return twice > divisor || (twice === divisor && whole % 2n === 1n) ? whole + 1n : whole;
}

/** Stored decimals of a rate. */
export const RATE_DECIMALS = 12;

/** A decimal rate less `parts` millionths. */
export function deductFromRate(rate: string, parts: number): string {
  return roundRate(new Big(rate).times(1_000_000 - parts).div(1_000_000));
}

/** Units of `to` for one unit of `from`; both are rates in US dollars per unit. */
export function crossRate(fromInUsd: string, toInUsd: string): string {
  return roundRate(new Big(fromInUsd).div(toInUsd));
}

/** Multiplies two rates. */
export function productOf(first: string, second: string): string {
  return roundRate(new Big(first).times(second));
}

/** An exact sum of amounts, each at its own rate; rounded half to even when read. */
export class ConvertedSum {
  #sum = new Big(0);

  /** Adds a decimal amount at its rate. */
  add(amount: string, rate: string): void {
    this.#sum = this.#sum.plus(new Big(amount).times(rate));
  }

  /** Adds a sum serialized by `toString`. */
  addSum(sum: string): void {
    this.#sum = this.#sum.plus(sum);
  }

  /** The exact sum, as a decimal. */
  toString(): string {
    return this.#sum.toFixed();
  }

  /** With this number of decimals. */
  rounded(decimals: number): number {
    return Number(this.#sum.round(decimals, Big.roundHalfEven).toFixed(decimals));
  }
}

/** A decimal amount at a rate, rounded half to even to this number of decimals. */
export function multiplyByRate(amount: string, rate: string, decimals: number): string {
  return new Big(amount).times(rate).round(decimals, Big.roundHalfEven).toFixed(decimals);
}

/** A rate with the stored number of decimals. */
export function roundRate(value: Big): string {
  return value.round(RATE_DECIMALS, Big.roundHalfEven).toFixed();
}
