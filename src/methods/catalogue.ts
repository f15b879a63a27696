import type { CurrencyCode } from '../api/currency.ts';
import { methodCatalogue, type PaymentMethod } from '../api/method-catalogue.ts';
import catalogue from '../shared/method-catalogue.json' with { type: 'json' };

const { methods, homeCurrencies } = methodCatalogue.parse(catalogue);

/** Every method there is. A new one is an entry in `src/shared/method-catalogue.json` and a provider that carries it. */
export const paymentMethods: readonly PaymentMethod[] = methods;

/** The detail of an error about an unknown code. */
export const unknownMethod = `must be one of ${paymentMethods.map(({ code }) => code).join(', ')}`;

export function findPaymentMethod(code: string): PaymentMethod | undefined {
  return paymentMethods.find((method) => method.code === code);
}

/** The methods that work in a country (alpha-3) and a currency; one of several countries works in the country's own. */
export function methodsFor(country: string, currency: CurrencyCode): PaymentMethod[] {
  return paymentMethods.filter((method) => {
    if (!method.currencies.includes(currency)) return false;
    if (method.countries === 'world') return true;
    return method.countries.includes(country) && homeCurrencies[country] === currency;
  });
}

/** The name that a method goes by in a country (alpha-3), where it has one that is no word of a language. */
export function brandOf({ brand }: PaymentMethod, country: string): string | null {
  return typeof brand === 'string' ? brand : (brand?.[country] ?? null);
}
