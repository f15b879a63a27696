import { type CurrencyCode, minorUnitsOf } from '../../../src/shared/currencies.ts';
import type { I18n } from '../../checkout/elements/i18n.ts';
import type { AmountMistake } from './amounts.ts';
import type { PaylatchError } from '../../../client/error.ts';
import { fieldDetail } from '../problems.ts';
import { fieldNames, type Mistakes, type FieldValues } from './link-fields.ts';

/** Message about an invalid amount. */
export function amountMistakeText(mistake: AmountMistake, currency: CurrencyCode, i18n: I18n): string {
  const decimals = minorUnitsOf(currency);
  const key = mistake === 'too_many_decimals' && decimals === 0 ? 'no_decimals' : mistake;
  return i18n.text(`account.new_link.amount_mistakes.${key}`, { currency, count: decimals });
}

/** Validates the form on the client. */
export function findMistakes(
  values: FieldValues,
  amount: number | AmountMistake,
  currency: CurrencyCode,
  i18n: I18n,
): Mistakes {
  const emptyFields = fieldNames.filter((name) => values[name].trim() === '' && name !== 'amount');
  const mistakes: Mistakes = Object.fromEntries(
    emptyFields.map((name) => [name, i18n.text(`account.new_link.missing.${name}`)]),
  );
  for (const name of ['success_redirect_url', 'fail_redirect_url'] as const)
    if (mistakes[name] === undefined && !/^https?:\/\//i.test(values[name].trim()))
      mistakes[name] = i18n.text('account.new_link.address_mistake');
  // These depend on the country, so they are required only once it is set.
  if (mistakes.country !== undefined) for (const name of ['currency', 'payment_method'] as const) delete mistakes[name];
  return typeof amount === 'string' ? { ...mistakes, amount: amountMistakeText(amount, currency, i18n) } : mistakes;
}

/** Mistakes reported by the service, by field. */
export function serviceMistakes(problem: PaylatchError, i18n: I18n): Mistakes {
  const entries = fieldNames.flatMap((name) => {
    const detail = fieldDetail(problem, name);
    return detail === null ? [] : [[name, detail] as const];
  });
  const mistakes: Mistakes = Object.fromEntries(entries);
  if (problem.code !== 'transaction_id_conflict') return mistakes;
  return { ...mistakes, transaction_id: i18n.text('account.new_link.reference_taken') };
}
