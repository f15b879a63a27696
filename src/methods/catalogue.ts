import type { CurrencyCode } from '../contract/currency.ts';
import type { NextAction } from '../contract/payment-method.ts';

/** A way to pay: where it works, and what the buyer must do. */
export interface PaymentMethod {
  code: string;
  action: NextAction;
  /** ISO 3166-1 alpha-3, or every country. */
  countries: readonly string[] | 'world';
  currencies: readonly CurrencyCode[];
}

/** What is paid in where a country has no method of its own. */
const world: readonly CurrencyCode[] = ['USD', 'EUR'];

/** Every method there is. A new one is an entry here and a provider that carries it. */
export const paymentMethods: readonly PaymentMethod[] = [
  { code: 'credit_card', action: 'card', countries: 'world', currencies: world },
  { code: 'on_ramp_card', action: 'redirect', countries: 'world', currencies: world },
  { code: 'on_ramp_ideal', action: 'redirect', countries: 'world', currencies: world },
  { code: 'crypto_payment', action: 'crypto', countries: 'world', currencies: world },
  { code: 'qr_code', action: 'qr', countries: ['THA', 'VNM'], currencies: ['THB', 'VND'] },
  {
    code: 'virtual_account',
    action: 'bank_details',
    countries: ['BRA', 'IDN', 'MEX', 'NGA', 'VNM'],
    currencies: ['BRL', 'IDR', 'MXN', 'NGN', 'VND'],
  },
  {
    code: 'online_banking',
    action: 'redirect',
    countries: ['ARG', 'BGD', 'BRA', 'IND', 'IDN', 'MEX', 'MYS', 'PHL', 'THA', 'VNM'],
    currencies: ['ARS', 'BDT', 'BRL', 'INR', 'IDR', 'MXN', 'MYR', 'PHP', 'THB', 'VND'],
  },
  { code: 'upi', action: 'app_intent', countries: ['IND'], currencies: ['INR'] },
  { code: 'payid', action: 'bank_details', countries: ['AUS'], currencies: ['AUD'] },
  { code: 'online_bank_payment', action: 'redirect', countries: ['NZL'], currencies: ['NZD'] },
  { code: 'truemoney_ewallet', action: 'app_intent', countries: ['THA'], currencies: ['THB'] },
  { code: 'gcash_ewallet', action: 'app_intent', countries: ['PHL'], currencies: ['PHP'] },
  { code: 'maya_ewallet', action: 'app_intent', countries: ['PHL'], currencies: ['PHP'] },
  { code: 'grabpay_ewallet', action: 'app_intent', countries: ['PHL'], currencies: ['PHP'] },
  { code: 'momo_ewallet', action: 'app_intent', countries: ['VNM'], currencies: ['VND'] },
  { code: 'bkash_ewallet', action: 'app_intent', countries: ['BGD'], currencies: ['BDT'] },
  { code: 'nagad_ewallet', action: 'app_intent', countries: ['BGD'], currencies: ['BDT'] },
  { code: 'rocket_ewallet', action: 'app_intent', countries: ['BGD'], currencies: ['BDT'] },
];

/** The country whose own currency each is; a method of several countries works in the country's own. */
const homeCountry: Partial<Record<CurrencyCode, string>> = {
  ARS: 'ARG',
  AUD: 'AUS',
  BDT: 'BGD',
  BRL: 'BRA',
  IDR: 'IDN',
  INR: 'IND',
  KES: 'KEN',
  MXN: 'MEX',
  MYR: 'MYS',
  NGN: 'NGA',
  NZD: 'NZL',
  PHP: 'PHL',
  THB: 'THA',
  VND: 'VNM',
};

export function findPaymentMethod(code: string): PaymentMethod | undefined {
  return paymentMethods.find((method) => method.code === code);
}

/** The methods that work in a country (alpha-3) and a currency. */
export function methodsFor(country: string, currency: CurrencyCode): PaymentMethod[] {
  return paymentMethods.filter((method) => {
    if (!method.currencies.includes(currency)) return false;
    if (method.countries === 'world') return true;
    return method.countries.includes(country) && homeCountry[currency] === country;
  });
}
