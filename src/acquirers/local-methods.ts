import type { CurrencyCode } from '../api/currency.ts';
import type { QuoteRequest } from './push-port.ts';

/** Finds an adapter's local method for a payment; null if it does not offer it. */
export function localMethodFinder<Local extends { method: string; country: string; currency: CurrencyCode }>(
  methods: readonly Local[],
) {
  return ({
    method,
    country,
    currency,
  }: Pick<QuoteRequest, 'country' | 'currency'> & { method: { code: string } }): Local | null =>
    methods.find((each) => each.method === method.code && each.country === country && each.currency === currency) ??
    null;
}
