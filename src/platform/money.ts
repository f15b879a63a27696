import Big from 'big.js';

/** `parts` millionths of an amount in minor units, rounded half to even (IEEE 754 roundTiesToEven). */
export function millionthsOf(minor: bigint, parts: number): bigint {
  const scaled = minor * BigInt(parts);
  const whole = scaled / 1_000_000n;
  const rest = scaled % 1_000_000n;
  if (rest > 500_000n || (rest === 500_000n && whole % 2n === 1n)) return whole + 1n;
  return whole;
}

/** Decimals that a rate is kept with. */
const RATE_DECIMALS = 12;

/** A decimal rate after `parts` millionths were taken off it. */
export function rateLess(rate: string, parts: number): string {
  return decimal(new Big(rate).times(1_000_000 - parts).div(1_000_000));
}

/** Units of `to` for one unit of `from`, both given in US dollars for one unit. */
export function crossRate(fromInUsd: string, toInUsd: string): string {
  return decimal(new Big(fromInUsd).div(toInUsd));
}

function decimal(value: Big): string {
  return value.round(RATE_DECIMALS, Big.roundHalfEven).toFixed();
}
