import { db } from './schema.ts';
import { type CurrencyCode, minorUnitsOf } from '../api/currency.ts';
import { amountNumber, parseAmount } from '../shared/money.ts';
import type { SetPaymentMethodsRequest, SetPaymentMethodsResponse } from '../api/payment-method.ts';
import type { FieldProblem } from '../api/problem.ts';
import type { Clock } from '../system/clock.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import { validationProblem } from '../api/problem-error.ts';
import type { MethodFee } from '../shared/fees.ts';
import { type SupportsMethod, NO_ACQUIRER } from './availability.ts';
import { findPaymentMethod, UNKNOWN_METHOD_DETAIL } from './catalog.ts';
import { disableMethod, enableMethod } from './enable.ts';

type MethodSetting = SetPaymentMethodsRequest['payment_methods'][number];
type SettingResult = SetPaymentMethodsResponse['payment_methods'][number];

interface SetMethodsContext {
  database: Database;
  clock: Clock;
  supportsMethod: SupportsMethod;
}

/** Enables or disables a merchant's methods and sets their fees. Applies all of the given settings, or none. */
export async function setMethods(
  context: SetMethodsContext,
  merchantId: number,
  settings: readonly MethodSetting[],
): Promise<SettingResult[]> {
  const errors = settings.flatMap((setting, index) => validateSetting(setting, index, settings));
  if (errors.length > 0) throw validationProblem(errors);
  return await context.database.inTransaction(async (unit) => {
    const results: SettingResult[] = [];
    for (const setting of settings) results.push(await applySetting(context, unit, merchantId, setting));
    return results;
  });
}

function validateSetting(setting: MethodSetting, index: number, settings: readonly MethodSetting[]): FieldProblem[] {
  const { payment_method: code, currency, status, fee_fix: feeFix, fee_percent: feePercent } = setting;
  const method = findPaymentMethod(code);
  const problem = (field: keyof MethodSetting, problemCode: string, detail: string) => [
    { pointer: `/payment_methods/${index}/${field}`, code: problemCode, detail },
  ];
  if (!method) return problem('payment_method', 'unknown_payment_method', UNKNOWN_METHOD_DETAIL);
  if (!method.currencies.includes(currency) && !method.moreCurrencies) {
    const detail = `is not a currency of ${code}; must be one of ${method.currencies.join(', ')}`;
    return problem('currency', 'currency_not_of_payment_method', detail);
  }
  const isSame = (other: MethodSetting) => other.payment_method === code && other.currency === currency;
  if (settings.findIndex(isSame) < index) return problem('payment_method', 'repeated', 'is listed more than once');
  if (status === 'disable' && (feeFix !== undefined || feePercent !== undefined))
    return problem(
      feeFix === undefined ? 'fee_percent' : 'fee_fix',
      'not_with_disable',
      'requires status enable; a disabled method keeps its fees',
    );
  if (feeFix === undefined || parseFee(feeFix, currency) !== null) return [];
  return problem('fee_fix', 'invalid_value', `must be 0 or a valid amount in ${currency}`);
}

function parseFee(amount: number, currency: MethodSetting['currency']): bigint | null {
  if (amount === 0) return 0n;
  const minor = parseAmount(amount, minorUnitsOf(currency));
  return typeof minor === 'bigint' ? minor : null;
}

async function applySetting(
  context: SetMethodsContext,
  unit: UnitOfWork,
  merchantId: number,
  setting: MethodSetting,
): Promise<SettingResult> {
  const { payment_method: paymentMethod, currency, status } = setting;
  const scope = { merchantId, paymentMethod, currency };
  const result = { payment_method: paymentMethod, currency, status };
  if (status === 'disable') {
    await disableMethod(unit, { ...scope, now: context.clock.now() });
    return result;
  }
  const currentFee = await readFee(unit, scope);
  const fee = {
    fixedMinor: setting.fee_fix === undefined ? currentFee.fixedMinor : (parseFee(setting.fee_fix, currency) ?? 0n),
    percentMillionths:
      setting.fee_percent === undefined ? currentFee.percentMillionths : Math.round(setting.fee_percent * 10_000),
  };
  await enableMethod(unit, { ...scope, fee, now: context.clock.now() });
  return {
    ...result,
    fee_fix: amountNumber(fee.fixedMinor, minorUnitsOf(currency)),
    fee_percent: fee.percentMillionths / 10_000,
    ...(!isSupported(context.supportsMethod, scope) && { message: NO_ACQUIRER }),
  };
}

function isSupported(
  supportsMethod: SupportsMethod,
  { merchantId, paymentMethod, currency }: { merchantId: number; paymentMethod: string; currency: CurrencyCode },
): boolean {
  const method = findPaymentMethod(paymentMethod);
  return method !== undefined && supportsMethod({ merchantId, method, currency });
}

async function readFee(
  unit: UnitOfWork,
  scope: { merchantId: number; paymentMethod: string; currency: string },
): Promise<MethodFee> {
  const row = await db(unit)
    .selectFrom('merchant_methods')
    .select(['fee_fix_minor', 'fee_percent_millionths'])
    .where('merchant_id', '=', scope.merchantId)
    .where('payment_method', '=', scope.paymentMethod)
    .where('currency', '=', scope.currency)
    .executeTakeFirst();
  return { fixedMinor: BigInt(row?.fee_fix_minor ?? 0), percentMillionths: row?.fee_percent_millionths ?? 0 };
}
