import type { CurrencyCode } from '../../api/currency.ts';
import { DAY } from '../../shared/time.ts';
import type { MethodCapability, PayerField } from '../adapter.ts';
import { localMethodFinder } from '../local-methods.ts';
import { adyenCurrencies, adyenIncrements } from './amounts.ts';

/** A push payment method in a country, with Adyen's type for it. */
interface LocalMethod {
  method: string;
  /** ISO 3166-1 alpha-3. */
  country: string;
  currency: CurrencyCode;
  /** `paymentMethod.type`; null if it depends on the bank that is set for the account. */
  type: string | null;
  refunds: MethodCapability['refunds'];
  payerFields: readonly PayerField[];
}

/**
 * The local methods. Refunds follow the table on Adyen's page of each method; `none` if it lists none, or if we could
 * not read it.
 */
export const localMethods: readonly LocalMethod[] = [
  local('on_ramp_ideal', 'NLD', 'EUR', 'ideal', 'partial'),
  local('qr_code', 'THA', 'THB', 'promptpay', 'none'),
  local('virtual_account', 'IDN', 'IDR', null, 'none', ['name', 'email']),
  local('online_banking', 'IND', 'INR', 'onlinebanking_IN', 'partial'),
  local('online_banking', 'MYS', 'MYR', 'molpay_ebanking_fpx_MY', 'partial'),
  local('online_banking', 'PHL', 'PHP', 'dragonpay_ebanking', 'none'),
  local('online_banking', 'THA', 'THB', 'molpay_ebanking_TH', 'none'),
  local('online_banking', 'VNM', 'VND', 'molpay_ebanking_VN', 'none'),
  // Shown as a code and as a link to the UPI app. UPI Collect and UPI Intent need the buyer's VPA or choice of app
  // first.
  local('upi', 'IND', 'INR', 'upi_qr', 'partial'),
  local('instant_bank_payment', 'AUS', 'AUD', 'payto', 'partial', ['name', 'handle']),
  local('truemoney_ewallet', 'THA', 'THB', 'truemoney', 'partial'),
  local('gcash_ewallet', 'PHL', 'PHP', 'gcash', 'partial'),
  local('maya_ewallet', 'PHL', 'PHP', 'paymaya_wallet', 'partial'),
  local('grabpay_ewallet', 'PHL', 'PHP', 'grabpay_PH', 'partial'),
  local('momo_ewallet', 'VNM', 'VND', 'momo_wallet', 'partial'),
];

function local(
  method: string,
  country: string,
  currency: CurrencyCode,
  type: string | null,
  refunds: MethodCapability['refunds'],
  payerFields: readonly PayerField[] = [],
): LocalMethod {
  return { method, country, currency, type, refunds, payerFields };
}

/** The methods that Adyen offers. Most local methods cannot be withdrawn, so late payments are possible. */
export const capabilities: readonly MethodCapability[] = [
  {
    method: 'credit_card',
    countries: 'all',
    currencies: adyenCurrencies,
    increments: adyenIncrements,
    refunds: 'partial',
    // Adyen expires an authorization after 28 days by default, but recommends a capture within 7, while schemes and
    // issuers still hold the amount (Adyen's page "Capture").
    manualCapture: { validity: 7 * DAY },
    latePayments: false,
    payerFields: [],
  },
  ...localMethods.map(({ method, country, currency, refunds, payerFields }): MethodCapability => {
    const scope = { countries: [country], currencies: [currency], increments: adyenIncrements };
    return { method, ...scope, refunds, latePayments: true, payerFields };
  }),
];

/** Finds the local method of a payment; null if Adyen does not offer it. */
export const findLocalMethod = localMethodFinder(localMethods);
