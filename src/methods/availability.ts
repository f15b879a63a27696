/*
 * Map of this module: `catalog.ts` lists all payment methods, `set-methods.ts` and `enable.ts` set the methods and
 * fees of a merchant, and `availability.ts` selects the methods that an acquirer account supports. `formats/` creates
 * the payloads of QR codes and account numbers. Reasons: docs/decisions/methods.md.
 */

import { db, statement } from './schema.ts';
import type { Runner } from '../database/engine.ts';
import { type CurrencyCode, minorUnitsOf } from '../api/currency.ts';
import type { MethodFee } from '../shared/fees.ts';
import { amountNumber } from '../shared/money.ts';
import type { PaymentMethod } from '../api/method-catalog.ts';
import type { PaymentMethodAvailability } from '../api/payment-method.ts';
import { possibleMethods } from './catalog.ts';

export interface OfferedPaymentMethod extends PaymentMethod {
  fee: MethodFee;
}

/**
 * True if an acquirer account can process a merchant's payments by a method; without `country`, in any country; without
 * `amountMinor`, of any amount.
 */
export type SupportsMethod = (payment: {
  merchantId: number;
  method: PaymentMethod;
  country?: string;
  currency: CurrencyCode;
  amountMinor?: bigint;
  isManualCapture?: boolean;
}) => boolean;

export const NO_ACQUIRER = 'This installation has no acquirer for this method. Ask its operator to set one up.';

/** The query for a merchant's enabled methods in a currency, with rows for `toMethodFees`. */
export function feesQuery(on: Runner, { merchantId, currency }: { merchantId: number; currency: string }) {
  return db(on)
    .selectFrom('merchant_methods')
    .select(['payment_method', 'fee_fix_minor', 'fee_percent_millionths'])
    .where('merchant_id', '=', merchantId)
    .where('currency', '=', currency)
    .where('disabled_at', 'is', null);
}

const selectFees = statement((_query, values: { merchantId: number; currency: string }, on) => feesQuery(on, values));

/** Fees of a merchant's enabled methods in a currency, by method code. */
export type MethodFees = ReadonlyMap<string, MethodFee>;

export function toMethodFees(
  rows: readonly { payment_method: string; fee_fix_minor: number; fee_percent_millionths: number }[],
): MethodFees {
  return new Map(
    rows.map((row) => [
      row.payment_method,
      { fixMinor: BigInt(row.fee_fix_minor), percentMillionths: row.fee_percent_millionths },
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

/** Lists all methods of a country and currency, with their availability to a merchant. */
export async function listAvailability(
  database: Runner,
  supportsMethod: SupportsMethod,
  merchantId: number,
  country: string,
  currency: CurrencyCode,
): Promise<PaymentMethodAvailability[]> {
  const enabled = await listEnabledMethods(database, supportsMethod, merchantId, country, currency);
  const fees = new Map(enabled.map(({ code, fee }) => [code, fee]));
  const isSupported = (method: PaymentMethod) => supportsMethod({ merchantId, method, country, currency });
  return possibleMethods(country, currency, isSupported).map((method) => {
    const fee = fees.get(method.code);
    if (fee) {
      return {
        ...{ payment_method: method.code, currency, status: 'enable' },
        fee_fix: amountNumber(fee.fixMinor, minorUnitsOf(currency)),
        fee_percent: fee.percentMillionths / 10_000,
        ...(supportsMethod({ merchantId, method, country, currency, isManualCapture: true }) && {
          manual_capture: true as const,
        }),
      };
    }
    const message = isSupported(method)
      ? 'Not enabled for your account yet: ask your account manager to enable it.'
      : NO_ACQUIRER;
    return { payment_method: method.code, currency, status: 'disable', message };
  });
}
