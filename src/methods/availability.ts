/*
 * Map of this module: `catalog.ts` lists all payment methods, `set-methods.ts` and `enable.ts` set the methods and
 * fees of a merchant, and `availability.ts` selects the methods that an acquirer account supports. `formats/` creates
 * the payloads of QR codes and account numbers. Reasons: docs/decisions/methods.md.
 */

import { currenciesOfCountry, possibleMethods } from './catalog.ts';
import { db, statement } from './schema.ts';
import type { Runner } from '../database/engine.ts';
import { type CurrencyCode, minorUnitsOf } from '../api/currency.ts';
import type { MethodFee } from '../shared/fees.ts';
import { amountNumber } from '../shared/money.ts';
import type { PaymentMethod } from '../api/method-catalog.ts';
import type { PaymentMethodAvailability } from '../api/payment-method.ts';

export interface OfferedPaymentMethod extends PaymentMethod {
  fee: MethodFee;
}

/** The properties of a payment that determine its acquirer. */
export interface RouteQuery {
  merchantId: number;
  method: PaymentMethod;
  /** ISO 3166-1 alpha-3; absent for any country. */
  country?: string;
  currency: CurrencyCode;
  /** The charged amount; absent for any amount. */
  amountMinor?: bigint;
  /** True if the payment must be authorized first and captured later. */
  isManualCapture?: boolean;
  /** True to leave out the built-in accounts. */
  isStoredOnly?: boolean;
}

/** True if an acquirer account can process such a payment. */
export type SupportsMethod = (payment: RouteQuery) => boolean;

const NOT_ENABLED = 'Not enabled for your account yet: ask your account manager to enable it.';
export const NO_ACQUIRER = 'This installation has no acquirer for this method. Ask its operator to set one up.';

/** The query for a merchant's enabled methods in a currency, with rows for `toMethodFees`. */
export function feesQuery(reader: Runner, { merchantId, currency }: { merchantId: number; currency: string }) {
  return db(reader)
    .selectFrom('merchant_methods')
    .select(['payment_method', 'fee_fix_minor', 'fee_percent_millionths'])
    .where('merchant_id', '=', merchantId)
    .where('currency', '=', currency)
    .where('disabled_at', 'is', null);
}

const selectFees = statement((_query, values: { merchantId: number; currency: string }, reader) =>
  feesQuery(reader, values),
);

/** Fees of a merchant's enabled methods in a currency, by method code. */
export type MethodFees = ReadonlyMap<string, MethodFee>;

export function toMethodFees(
  rows: readonly { payment_method: string; fee_fix_minor: number; fee_percent_millionths: number }[],
): MethodFees {
  return new Map(
    rows.map((row) => [
      row.payment_method,
      { fixedMinor: BigInt(row.fee_fix_minor), percentMillionths: row.fee_percent_millionths },
    ]),
  );
}

/** Returns the methods of a country and currency that have a fee and a supporting acquirer. */
export function methodsWithFees(
  fees: MethodFees,
  supportsMethod: SupportsMethod,
  scope: { merchantId: number; country: string; currency: CurrencyCode },
): OfferedPaymentMethod[] {
  const isSupported = (method: PaymentMethod) => supportsMethod({ ...scope, method });
  return possibleMethods(scope.country, scope.currency, isSupported).flatMap((method) => {
    const fee = fees.get(method.code);
    return fee && isSupported(method) ? [{ ...method, fee }] : [];
  });
}

/** Lists a merchant's enabled methods in a country and currency, with their fees. */
export async function listEnabledMethods(
  database: Runner,
  supportsMethod: SupportsMethod,
  merchantId: number,
  country: string,
  currency: CurrencyCode,
): Promise<OfferedPaymentMethod[]> {
  const { rows } = await selectFees(database, { merchantId, currency });
  return methodsWithFees(toMethodFees(rows), supportsMethod, { merchantId, country, currency });
}

const selectAllFees = statement((_query, { merchantId }: { merchantId: number }, reader) =>
  db(reader)
    .selectFrom('merchant_methods')
    .select(['currency', 'payment_method', 'fee_fix_minor', 'fee_percent_millionths'])
    .where('merchant_id', '=', merchantId)
    .where('disabled_at', 'is', null)
    .orderBy('currency'),
);

/**
 * Lists all methods of a country and currency, with their availability to a merchant. Without a currency, those of each
 * currency that the catalog has for the country, or in which the merchant has a method. `isManager`: also lists
 * methods that a manager can enable with a built-in account.
 */
export async function listAvailability(
  database: Runner,
  supportsMethod: SupportsMethod,
  { merchantId, country, currency, isManager }: AvailabilityQuery,
): Promise<PaymentMethodAvailability[]> {
  const { rows } = await selectAllFees(database, { merchantId });
  const currencies = currency
    ? [currency]
    : [...currenciesOfCountry(country), ...rows.map((row) => row.currency as CurrencyCode)];
  return [...new Set(currencies)].flatMap((each) => {
    const fees = toMethodFees(rows.filter((row) => row.currency === each));
    const scope = { merchantId, country, currency: each };
    const isPossible = (method: PaymentMethod) =>
      supportsMethod({ ...scope, method, isStoredOnly: !isManager && !fees.has(method.code) });
    return possibleMethods(country, each, isPossible).map((method) => {
      const isSupported = supportsMethod({ ...scope, method });
      const fee = isSupported ? fees.get(method.code) : undefined;
      const entry = { payment_method: method.code, currency: each };
      if (!fee) return { ...entry, status: 'disable' as const, message: isSupported ? NOT_ENABLED : NO_ACQUIRER };
      return {
        ...{ ...entry, status: 'enable' as const },
        fee_fix: amountNumber(fee.fixedMinor, minorUnitsOf(each)),
        fee_percent: fee.percentMillionths / 10_000,
        ...(supportsMethod({ ...scope, method, isManualCapture: true }) && { manual_capture: true as const }),
      };
    });
  });
}

export interface AvailabilityQuery {
  merchantId: number;
  country: string;
  currency: CurrencyCode | undefined;
  isManager: boolean;
}
