import { db } from './schema.ts';
import { minorUnitsOf } from '../api/currency.ts';
import { amountNumber, parseAmount } from '../shared/money.ts';
import type { SetPaymentMethodsRequest, SetPaymentMethodsResponse } from '../api/payment-method.ts';
import type { FieldProblem } from '../api/problem.ts';
import type { Principal } from '../operations/principal.ts';
import type { Clock } from '../system/clock.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import { Problem, validationProblem } from '../api/problem-error.ts';
import type { MethodFee } from '../shared/fees.ts';
import { type CanCarry, NO_PROVIDER } from './availability.ts';
import { findPaymentMethod, unknownMethod } from './catalogue.ts';
import { disableMethod, enableMethod } from './enable.ts';

type Setting = SetPaymentMethodsRequest['payment_methods'][number];
type Outcome = SetPaymentMethodsResponse['payment_methods'][number];

interface SetMethodsContext {
  database: Database;
  clock: Clock;
  canCarry: CanCarry;
}

/** Sets what a merchant may use and at which fee: all that is asked for, or none of it. */
export async function setMethods(
  context: SetMethodsContext,
  who: Pick<Principal, 'merchantId' | 'role'>,
  settings: readonly Setting[],
): Promise<Outcome[]> {
  if (who.role !== 'manager') {
    throw new Problem(
      'manager_only',
      'Only a manager of the service may set the methods of a merchant and their fees.',
    );
  }
  const errors = settings.flatMap((setting, index) => problemsOf(setting, index, settings));
  if (errors.length > 0) throw validationProblem(errors);
  return await context.database.inTransaction(async (unit) => {
    const outcomes: Outcome[] = [];
    for (const setting of settings) outcomes.push(await setMethod(context, unit, who.merchantId, setting));
    return outcomes;
  });
}

function problemsOf(setting: Setting, index: number, all: readonly Setting[]): FieldProblem[] {
  const { payment_method: code, currency, status, fee_fix: feeFix, fee_percent: feePercent } = setting;
  const method = findPaymentMethod(code);
  const problem = (field: keyof Setting, problemCode: string, detail: string) => [
    { pointer: `/payment_methods/${index}/${field}`, code: problemCode, detail },
  ];
  if (!method) return problem('payment_method', 'unknown_payment_method', unknownMethod);
  if (!method.currencies.includes(currency)) {
    const detail = `does not go with ${code}; possible: ${method.currencies.join(', ')}`;
    return problem('currency', 'currency_not_of_payment_method', detail);
  }
  const isSame = (other: Setting) => other.payment_method === code && other.currency === currency;
  if (all.findIndex(isSame) < index) return problem('payment_method', 'repeated', 'is given more than once');
  if (status === 'disable' && (feeFix !== undefined || feePercent !== undefined))
    return problem(
      feeFix === undefined ? 'fee_percent' : 'fee_fix',
      'not_with_disable',
      'is set together with status enable only; a disabled method keeps its fees',
    );
  if (feeFix === undefined || minorOf(feeFix, currency) !== null) return [];
  return problem('fee_fix', 'invalid_value', `must be an amount of ${currency}, or 0`);
}

function minorOf(amount: number, currency: Setting['currency']): bigint | null {
  if (amount === 0) return 0n;
  const minor = parseAmount(amount, minorUnitsOf(currency));
  return typeof minor === 'bigint' ? minor : null;
}

async function setMethod(
  context: SetMethodsContext,
  unit: UnitOfWork,
  merchantId: number,
  setting: Setting,
): Promise<Outcome> {
  const { payment_method: paymentMethod, currency, status } = setting;
  const scope = { merchantId, paymentMethod, currency };
  const outcome = { payment_method: paymentMethod, currency, status };
  if (status === 'disable') {
    await disableMethod(unit, { ...scope, now: context.clock.now() });
    return outcome;
  }
  const before = await feeOf(unit, scope);
  const fee = {
    fixMinor: setting.fee_fix === undefined ? before.fixMinor : (minorOf(setting.fee_fix, currency) ?? 0n),
    percentMillionths:
      setting.fee_percent === undefined ? before.percentMillionths : Math.round(setting.fee_percent * 10_000),
  };
  await enableMethod(unit, { ...scope, fee, now: context.clock.now() });
  return {
    ...outcome,
    fee_fix: amountNumber(fee.fixMinor, minorUnitsOf(currency)),
    fee_percent: fee.percentMillionths / 10_000,
    ...(!isCarried(context.canCarry, paymentMethod) && { message: NO_PROVIDER }),
  };
}

function isCarried(canCarry: CanCarry, code: string): boolean {
  const method = findPaymentMethod(code);
  return method !== undefined && canCarry(method);
}

async function feeOf(
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
  return { fixMinor: BigInt(row?.fee_fix_minor ?? 0), percentMillionths: row?.fee_percent_millionths ?? 0 };
}
