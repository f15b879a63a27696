import type { CurrencyCode } from '../../api/currency.ts';
import type { MethodChoice } from '../../api/instructions.ts';
import { DAY } from '../../shared/time.ts';
import type { MethodCapability } from '../adapter.ts';
import { localMethodFinder } from '../local-methods.ts';
import { hyperswitchCardCurrencies } from './amounts.ts';
import { fpxBanks, thaiBanks } from './banks.ts';

/** A push payment method in Hyperswitch's terms. */
export interface MethodData {
  payment_method: string;
  payment_method_type: string;
  payment_method_data: object;
}

/** A push payment method in a country. */
interface LocalMethod extends Pick<MethodCapability, 'refunds' | 'payerFields'> {
  method: string;
  /** ISO 3166-1 alpha-3. */
  country: string;
  currency: CurrencyCode;
  /** Banks that the buyer can choose. */
  banks?: readonly MethodChoice[];
  data(selection: { bank: string }): MethodData;
}

/**
 * The local methods whose next action we can show. Hyperswitch declares refunds by connector, not by method: `none` is
 * for methods that their usual connector, Adyen, does not refund. A connector can refuse a refund of the others.
 */
export const localMethods: readonly LocalMethod[] = [
  {
    ...localMethod('on_ramp_ideal', 'NLD', 'EUR', 'partial'),
    // The schema requires a bank. Since iDEAL 2.0 the buyer chooses it on iDEAL's page; some connectors still send this
    // one, and iDEAL ignores it.
    data: () => methodData('bank_redirect', 'ideal', { ideal: { bank_name: 'ing', country: 'NL' } }),
  },
  {
    ...localMethod('qr_code', 'THA', 'THB', 'partial'),
    data: () => methodData('real_time_payment', 'prompt_pay', { prompt_pay: {} }),
  },
  {
    ...localMethod('qr_code', 'VNM', 'VND', 'partial'),
    data: () => methodData('real_time_payment', 'viet_qr', { viet_qr: {} }),
  },
  {
    ...localMethod('online_banking', 'MYS', 'MYR', 'partial'),
    banks: fpxBanks,
    data: ({ bank }) => methodData('bank_redirect', 'online_banking_fpx', { online_banking_fpx: { issuer: bank } }),
  },
  {
    ...localMethod('online_banking', 'THA', 'THB', 'none'),
    banks: thaiBanks,
    data: ({ bank }) =>
      methodData('bank_redirect', 'online_banking_thailand', { online_banking_thailand: { issuer: bank } }),
  },
  {
    ...localMethod('upi', 'IND', 'INR', 'partial'),
    data: () => methodData('upi', 'upi_intent', { upi_intent: {} }),
  },
  {
    ...localMethod('gcash_ewallet', 'PHL', 'PHP', 'partial'),
    data: () => methodData('wallet', 'gcash', { gcash_redirect: {} }),
  },
  {
    ...localMethod('momo_ewallet', 'VNM', 'VND', 'partial'),
    data: () => methodData('wallet', 'momo', { momo_redirect: {} }),
  },
];

function localMethod(
  method: string,
  country: string,
  currency: CurrencyCode,
  refunds: MethodCapability['refunds'],
  payerFields: MethodCapability['payerFields'] = [],
) {
  return { method, country, currency, refunds, payerFields };
}

function methodData(method: string, type: string, data: object): MethodData {
  return { payment_method: method, payment_method_type: type, payment_method_data: { [method]: data } };
}

/**
 * The methods that Hyperswitch offers. A connector may still send the funds of a payment that was canceled at
 * Hyperswitch, so push payments can be late.
 */
export const capabilities: readonly MethodCapability[] = [
  {
    method: 'credit_card',
    countries: 'all',
    currencies: hyperswitchCardCurrencies,
    refunds: 'partial',
    // Connectors hold an authorization for different periods, most of them for 7 days.
    manualCapture: { validity: 7 * DAY },
    latePayments: false,
    payerFields: [],
  },
  ...localMethods.map(({ method, country, currency, refunds, payerFields }): MethodCapability => {
    return { method, countries: [country], currencies: [currency], refunds, latePayments: true, payerFields };
  }),
];

/** Finds the local method of a payment; null if the adapter does not offer it. */
export const findLocalMethod = localMethodFinder(localMethods);
