import {
  cardNumberProblem,
  cvvProblem,
  expiryProblem,
  inspectCardNumber,
  parseExpiry,
} from '../../../src/shared/card.ts';
import type { CardFieldName, PayerFieldName } from '../../../src/shared/card-form.ts';
import type { I18n } from './i18n.ts';

/** Code of an error: from the card rules, or from `errors` of a problem document. */
export type FieldErrorCode = string;

/** Values of a form: of a card, or of a method's payer. */
export type FieldValues = Partial<Record<CardFieldName | PayerFieldName, string>>;

/** Returns the error in a field, or null. The server validates again; this saves a round trip. */
export function findFieldError(name: keyof FieldValues, values: FieldValues, nowMs: number): FieldErrorCode | null {
  const value = values[name]?.trim() ?? '';
  if (value === '') return 'required';
  return rules[name]?.(value, values, nowMs) ?? null;
}

const rules: Partial<
  Record<keyof FieldValues, (value: string, values: FieldValues, nowMs: number) => FieldErrorCode | null>
> = {
  card_number: cardNumberProblem,
  card_expiry: (value, _values, nowMs) => expiryProblem(parseExpiry(value), nowMs),
  card_cvv: (value, values) => cvvProblem(value, values.card_number ?? ''),
  phone: (value) => (/^\+?[\p{Nd}\s().-]{5,}$/u.test(value) ? null : 'invalid_phone'),
  email: (value) => (/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value) ? null : 'invalid_email'),
};

/** The message for an error: the reason and the fix. `field` is the field's label, which depends on the country. */
export function fieldErrorText(
  i18n: I18n,
  name: keyof FieldValues,
  code: FieldErrorCode,
  values: FieldValues,
  field: string,
): string {
  if (code === 'required') {
    const key = `errors.required.${name}`;
    return i18n.text(i18n.has(key) ? key : 'errors.required.field', { field });
  }
  if (code === 'card_expired')
    return i18n.text('errors.card_expired', { month: expiryMonth(values.card_expiry ?? '', i18n.locale) });
  const count = inspectCardNumber(values.card_number ?? '').cvvLength;
  const hasText = ['', '_one', '_other'].some((suffix) => i18n.has(`errors.${code}${suffix}`));
  return i18n.text(hasText ? `errors.${code}` : 'errors.other', { count });
}

function expiryMonth(text: string, locale: string): string {
  const expiry = parseExpiry(text);
  if (!expiry) return text;
  // As printed on the card: Gregorian calendar and Latin digits in every locale.
  const format = new Intl.DateTimeFormat(`${locale}-u-ca-gregory-nu-latn`, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return format.format(Date.UTC(expiry.year, expiry.month - 1, 15));
}
