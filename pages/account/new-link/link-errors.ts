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
  for (const [index, { image }] of items.entries())
    if (isNoUrl(image)) fieldErrors[`item-image-${index}`] = i18n.text('account.new_link.url_error');
  if (parseItems(items, currency, i18n.locale) === null)
    fieldErrors.line_items = i18n.text('account.new_link.items_error');
  // These depend on the country, so they are required only once it is set.
  if (fieldErrors.country !== undefined)
    for (const name of ['currency', 'payment_method'] as const) delete fieldErrors[name];
  return typeof amount === 'string' ? { ...fieldErrors, amount: amountErrorText(amount, currency, i18n) } : fieldErrors;
}

/** Errors that remain when items change: those of other fields and of unchanged images. */
export function errorsAfterChange(
  fieldErrors: FieldErrors,
  before: readonly ItemValues[],
  after: readonly ItemValues[],
): FieldErrors {
  const { line_items: _fixed, ...others } = fieldErrors;
  for (const [index, { image }] of before.entries())
    if (after[index]?.image !== image) delete others[`item-image-${index}`];
  return others;
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
  const fieldErrors: FieldErrors = Object.fromEntries(entries);
  for (const { pointer, detail } of problem.errors) {
    const [isItem, image] = /^\/line_items(?:\/(\d+)\/image_url$)?/.exec(pointer ?? '') ?? [];
    if (image !== undefined) fieldErrors[`item-image-${Number(image)}`] ??= detail;
    else if (isItem !== undefined) fieldErrors.line_items ??= detail;
  }
  if (problem.code !== 'transaction_id_conflict') return fieldErrors;
  return { ...fieldErrors, transaction_id: i18n.text('account.new_link.reference_taken') };
}
