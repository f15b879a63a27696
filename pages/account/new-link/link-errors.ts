import { type CurrencyCode, minorUnitsOf } from '../../../src/shared/currencies.ts';
import type { I18n } from '../../checkout/elements/i18n.ts';
import type { AmountError } from './amounts.ts';
import type { PaylatchError } from '../../../client/error.ts';
import { fieldDetail } from '../problems.ts';
import {
  fieldNames,
  type ItemValues,
  payerFieldNames,
  requiredFields,
  type FieldErrors,
  type FieldValues,
} from './link-fields.ts';
import { parseItems } from './link-items.ts';

/** Message about an invalid amount. */
export function amountErrorText(fieldError: AmountError, currency: CurrencyCode, i18n: I18n): string {
  const decimals = minorUnitsOf(currency);
  const key = fieldError === 'too_many_decimals' && decimals === 0 ? 'no_decimals' : fieldError;
  return i18n.text(`account.new_link.amount_errors.${key}`, { currency, count: decimals });
}

/** Validates the form on the client. */
export function findErrors(
  values: FieldValues,
  amount: number | AmountError,
  items: readonly ItemValues[],
  currency: CurrencyCode,
  i18n: I18n,
): FieldErrors {
  const emptyFields = requiredFields.filter((name) => values[name].trim() === '' && name !== 'amount');
  const fieldErrors: FieldErrors = Object.fromEntries(
    emptyFields.map((name) => [name, i18n.text(`account.new_link.missing.${name}`)]),
  );
  const isNoUrl = (value: string) => value.trim() !== '' && !/^https?:\/\//i.test(value.trim());
  for (const name of ['success_redirect_url', 'fail_redirect_url'] as const)
    if (isNoUrl(values[name])) fieldErrors[name] = i18n.text('account.new_link.url_error');
  if (items.some(({ image }) => isNoUrl(image))) fieldErrors.line_items = i18n.text('account.new_link.url_error');
  if (parseItems(items, currency, i18n.locale) === null)
    fieldErrors.line_items = i18n.text('account.new_link.items_error');
  // These depend on the country, so they are required only once it is set.
  if (fieldErrors.country !== undefined)
    for (const name of ['currency', 'payment_method'] as const) delete fieldErrors[name];
  return typeof amount === 'string' ? { ...fieldErrors, amount: amountErrorText(amount, currency, i18n) } : fieldErrors;
}

/** Pointers of fields that have another name or place in the request. */
const pointers: Readonly<Record<string, string>> = {
  lifetime: 'expires_at',
  ...Object.fromEntries(payerFieldNames.map((name) => [name, `payer/${name.replace('payer_', '')}`])),
};

/** Errors reported by the service, by field. */
export function serviceErrors(problem: PaylatchError, i18n: I18n): FieldErrors {
  const entries = fieldNames.flatMap((name) => {
    const detail = fieldDetail(problem, pointers[name] ?? name);
    return detail === null ? [] : [[name, detail] as const];
  });
  const items = problem.errors.find(({ pointer }) => pointer?.startsWith('/line_items'));
  const fieldErrors: FieldErrors = { ...Object.fromEntries(entries), ...(items && { line_items: items.detail }) };
  if (problem.code !== 'transaction_id_conflict') return fieldErrors;
  return { ...fieldErrors, transaction_id: i18n.text('account.new_link.reference_taken') };
}
