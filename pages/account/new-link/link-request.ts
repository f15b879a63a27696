import type { CreateTransactionInput, LineItem } from '../../../client/api.ts';
import type { CurrencyCode } from '../../../src/shared/currencies.ts';
import { type FieldValues, type ItemValues, payerCountryOf, payerFieldNames, stateFieldOf } from './link-fields.ts';
import { parseItems } from './link-items.ts';

/**
 * Builds the request for the form. The same values result in the same request: a retry after a lost response must not
 * have a later expiry.
 */
export function createRequestBuilder() {
  let last: { values: FieldValues; items: readonly ItemValues[]; request: CreateTransactionInput } | null = null;
  return (
    values: FieldValues,
    amount: number,
    items: readonly ItemValues[],
    currency: CurrencyCode,
    locale: string,
  ): CreateTransactionInput => {
    if (last?.values === values && last.items === items) return last.request;
    const request = linkRequest(values, amount, parseItems(items, currency, locale)?.items ?? [], Date.now());
    last = { values, items, request };
    return request;
  };
}

/** The request for a link with the values of the form. Empty redirects are null: the buyer stays on our page. */
function linkRequest(
  values: FieldValues,
  amount: number,
  items: readonly LineItem[],
  nowMs: number,
): CreateTransactionInput {
  const payer = payerOf(values);
  const request = {
    ...{ amount, transaction_type: 'link', transaction_id: values.transaction_id.trim() },
    ...{ country: values.country, currency: values.currency, payment_method: values.payment_method },
    ...{ description: values.description.trim(), type_of_calculation: values.type_of_calculation },
    success_redirect_url: values.success_redirect_url.trim() || null,
    fail_redirect_url: values.fail_redirect_url.trim() || null,
    ...(Object.keys(payer).length > 0 && { payer }),
    ...(items.length > 0 && { line_items: items }),
    ...(values.capture === 'manual' && { capture: 'manual' }),
    ...(values.lifetime !== '' && {
      expires_at: new Date(nowMs + Number(values.lifetime) * 60_000).toISOString(),
    }),
  };
  return request as CreateTransactionInput;
}

/** The details that are filled in. Postcode and state depend on the country, which is sent with them. */
export function payerOf(values: FieldValues): Record<string, string> {
  const country = payerCountryOf(values);
  const known = payerFieldNames.flatMap((name) => {
    const value = values[name].trim();
    const isSent = name !== 'payer_country' && value !== '' && (name !== 'state' || stateFieldOf(country));
    return isSent ? [[name, value] as const] : [];
  });
  const isCountrySent = values.payer_country !== '' || known.some(([name]) => name === 'postcode' || name === 'state');
  return Object.fromEntries(isCountrySent ? [...known, ['country', country]] : known);
}
