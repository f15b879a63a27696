import Big from 'big.js';
import { z } from 'zod';
import { crossRate, productOf, roundRate } from '../shared/rate-arithmetic.ts';
import { type CurrencyCode, currencyCodes } from '../shared/currencies.ts';
import type { Instant } from '../shared/time.ts';
import { fiatPair } from './pairs.ts';
import type { Quote } from './port.ts';

const isPositive = (text: string) => new Big(text).gt(0);

/** A positive decimal as text. */
export const decimalText = z
  .string()
  .regex(/^\d{1,20}(?:\.\d{1,30})?$/)
  .refine(isPositive);

/** A positive number, as the decimal that the source wrote. */
export const decimalNumber = z
  .number()
  .positive()
  .transform((value) => new Big(value).toFixed());

/** The middle of the best bid and ask: unlike the last trade, it is current on a market without trades. */
export function midPrice(bid: string, ask: string): string {
  return roundRate(new Big(bid).plus(ask).div(2));
}

/** Pegged currencies that some sources omit: the value of one unit in another currency. */
const pegs: Partial<Record<CurrencyCode, readonly [CurrencyCode, value: string]>> = {
  ...{ BMD: ['USD', '1'], BTN: ['INR', '1'], FKP: ['GBP', '1'], KYD: ['USD', '1.2'], SHP: ['GBP', '1'] },
};

/**
 * Quotes in US dollars from rates that a source publishes in another currency. `valueOf` is the value of one unit of a
 * currency in the source's own. Currencies that the source does not publish are omitted, unless they are pegged to
 * another one.
 */
export function dollarQuotes(valueOf: (code: CurrencyCode) => string | undefined, at: Instant): Quote[] {
  const dollar = valueOf('USD');
  if (dollar === undefined) throw new Error('The response contains no US dollar rate.');
  return currencyCodes.flatMap((code) => {
    const value = code === 'USD' ? undefined : (valueOf(code) ?? peggedValue(code, valueOf));
    return code === 'USD' || value === undefined ? [] : [{ pair: fiatPair(code), rate: crossRate(value, dollar), at }];
  });
}

function peggedValue(code: CurrencyCode, valueOf: (code: CurrencyCode) => string | undefined): string | undefined {
  const [other, value] = pegs[code] ?? [];
  const otherValue = other && valueOf(other);
  return otherValue === undefined || value === undefined ? undefined : productOf(otherValue, value);
}
