import { type CurrencyCode, currencyCodes } from '../../api/currency.ts';
import { NotProcessed } from '../port.ts';

/**
 * Currencies that are not sent, because the meaning of an amount is not certain. Hyperswitch passes minor units on to
 * its connectors, which disagree with it or each other on the decimals of CLP, CVE, IDR, ISK, MGA and UGX (the currency
 * pages of Adyen, Checkout.com and Stripe). Its own decimals for IQD and LYD depend on the release
 * (`Currency::is_zero_decimal_currency`, `is_three_decimal_currency`).
 */
const ambiguous: readonly CurrencyCode[] = ['CLP', 'CVE', 'IDR', 'IQD', 'ISK', 'LYD', 'MGA', 'UGX'];

/** Our currencies that Hyperswitch's schema `Currency` does not have. */
const unlisted: readonly CurrencyCode[] = ['XCG', 'ZWG'];

/** Card currencies. */
export const hyperswitchCardCurrencies = currencyCodes.filter((code) => ![...ambiguous, ...unlisted].includes(code));

/** Thrown for a new payment in a currency that this adapter does not send. */
class UnsupportedCurrency extends NotProcessed {}

/** True if Hyperswitch's minor units of a currency equal ours, with every release and connector. */
export function hasSameMinorUnits(currency: CurrencyCode): boolean {
  return !ambiguous.includes(currency) && !unlisted.includes(currency);
}

/** Throws for a new payment in a currency that is not sent. Payments of earlier releases can have it. */
export function requireSameMinorUnits(currency: CurrencyCode): void {
  if (!hasSameMinorUnits(currency)) throw new UnsupportedCurrency(`Amounts in ${currency} are not sent to Hyperswitch`);
}
