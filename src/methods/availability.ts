import { db, statement } from './schema.ts';
import type { Runner } from '../database/engine.ts';
import { type CurrencyCode, minorUnitsOf } from '../api/currency.ts';
import type { MethodFee } from '../shared/fees.ts';
import { amountNumber } from '../shared/money.ts';
import type { PaymentMethod } from '../api/method-catalogue.ts';
import type { PaymentMethodAvailability } from '../api/payment-method.ts';
import { methodsFor } from './catalogue.ts';

export interface OfferedPaymentMethod extends PaymentMethod {
  fee: MethodFee;
}

/** Tells which methods some provider of this installation can carry. */
export type CanCarry = (method: PaymentMethod) => boolean;

export const NO_PROVIDER = 'This installation has no provider for this method yet: ask its operator.';

/** The methods that a merchant may use in a currency, as rows for `toFees`. */
export function feesOf(on: Runner, { merchantId, currency }: { merchantId: number; currency: string }) {
  return db(on)
    .selectFrom('merchant_methods')
    .select(['payment_method', 'fee_fix_minor', 'fee_percent_millionths'])
    .where('merchant_id', '=', merchantId)
    .where('currency', '=', currency)
    .where('disabled_at', 'is', null);
}

const enabledIn = statement((_query, values: { merchantId: number; currency: string }, on) => feesOf(on, values));

/** What a merchant pays for each method that it may use in a currency, by the method's code. */
export type Fees = ReadonlyMap<string, MethodFee>;

export function toFees(
  rows: readonly { payment_method: string; fee_fix_minor: number; fee_percent_millionths: number }[],
): Fees {
  return new Map(
    rows.map((row) => [
      row.payment_method,
      { fixMinor: BigInt(row.fee_fix_minor), percentMillionths: row.fee_percent_millionths },
    ]),
  );
}

/** The methods of a country and currency that have a fee, and that a provider carries. */
export function methodsAt(
  fees: Fees,
  canCarry: CanCarry,
  country: string,
  currency: CurrencyCode,
): OfferedPaymentMethod[] {
  return methodsFor(country, currency).flatMap((method) => {
    const fee = fees.get(method.code);
    return fee && canCarry(method) ? [{ ...method, fee }] : [];
  });
}

/** The methods of a country and currency that this merchant may use, each with its fee. */
export async function enabledMethods(
  database: Runner,
  canCarry: CanCarry,
  merchantId: number,
  country: string,
  currency: CurrencyCode,
): Promise<OfferedPaymentMethod[]> {
  const { rows } = await enabledIn(database, { merchantId, currency });
  return methodsAt(toFees(rows), canCarry, country, currency);
}

/** Every method of a country and currency, each marked for this merchant. */
export async function listAvailability(
  database: Runner,
  canCarry: CanCarry,
  merchantId: number,
  country: string,
  currency: CurrencyCode,
): Promise<PaymentMethodAvailability[]> {
  const enabled = await enabledMethods(database, canCarry, merchantId, country, currency);
  const fees = new Map(enabled.map(({ code, fee }) => [code, fee]));
  return methodsFor(country, currency).map((method) => {
    const fee = fees.get(method.code);
    if (fee) {
      return {
        ...{ payment_method: method.code, currency, status: 'enable' },
        fee_fix: amountNumber(fee.fixMinor, minorUnitsOf(currency)),
        fee_percent: fee.percentMillionths / 10_000,
      };
    }
    const message = canCarry(method)
      ? 'Not enabled for your account yet: ask your account manager to enable it.'
      : NO_PROVIDER;
    return { payment_method: method.code, currency, status: 'disable', message };
  });
}
