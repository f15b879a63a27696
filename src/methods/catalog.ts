import type { CurrencyCode } from '../api/currency.ts';
import type { MethodChoice } from '../api/instructions.ts';
import { methodCatalog, type PaymentMethod } from '../api/method-catalog.ts';
import type { MarkedChoice } from '../api/page-state.ts';
import catalog from '../shared/method-catalog.json' with { type: 'json' };
import { listedMarks } from './initials.ts';

const { methods, homeCurrencies } = methodCatalog.parse(catalog);

/** All payment methods. A new one needs an entry in `src/shared/method-catalog.json` and an acquirer that supports it. */
export const paymentMethods: readonly PaymentMethod[] = methods;

/** Error detail for an unknown method code. */
export const UNKNOWN_METHOD_DETAIL = `must be one of ${paymentMethods.map(({ code }) => code).join(', ')}`;

export function findPaymentMethod(code: string): PaymentMethod | undefined {
  return paymentMethods.find((method) => method.code === code);
}

/**
 * Returns the methods of a country (alpha-3) and currency. A method with a list of countries is available in the
 * country's home currency only.
 */
export function methodsForCountry(country: string, currency: CurrencyCode): PaymentMethod[] {
  return paymentMethods.filter((method) => {
    if (!method.currencies.includes(currency)) return false;
    if (method.countries === 'world') return true;
    return method.countries.includes(country) && homeCurrencies[country] === currency;
  });
}

/** Returns the currencies with methods in a country (alpha-3), its home currency first. */
export function currenciesOfCountry(country: string): CurrencyCode[] {
  const home = homeCurrencies[country];
  const world = paymentMethods.flatMap((method) => (method.countries === 'world' ? method.currencies : []));
  return [...new Set([...(home ? [home] : []), ...world])];
}

/** True if a currency is available only through accounts with a route for it, and the sandbox's own account. */
export function needsOwnRoute({ currencies, moreCurrencies }: PaymentMethod, currency: CurrencyCode): boolean {
  return moreCurrencies === true && !currencies.includes(currency);
}

/** Returns the methods of a country and currency, and those that need a route in this currency and have one. */
export function possibleMethods(
  country: string,
  currency: CurrencyCode,
  isRouted: (method: PaymentMethod) => boolean,
): PaymentMethod[] {
  const regular = methodsForCountry(country, currency);
  return paymentMethods.filter(
    (method) => regular.includes(method) || (needsOwnRoute(method, currency) && isRouted(method)),
  );
}

/** Returns a method's mark: a file of `/methods/` without `.svg`. */
export function markOf(method: PaymentMethod, country: string): string {
  return method.mark ?? `initials/${encodeURIComponent(brandOf(method, country) ?? method.code)}`;
}

/** Adds the marks of banks or coins, and the buyer's last choice. */
export function markChoices(
  { choice }: PaymentMethod,
  choices: readonly MethodChoice[],
  lastChoice: string | null,
): MarkedChoice[] {
  const marks =
    choice === 'currency' ? choices.map(({ code }) => `coin-${code}`) : listedMarks(choices.map(({ name }) => name));
  return choices.map((each, index) => ({
    ...each,
    mark: marks[index] ?? '',
    ...(each.code === lastChoice && { isChosen: true }),
  }));
}

/** Returns a method's brand name in a country (alpha-3); null for a method with a translated name. */
export function brandOf({ brand }: PaymentMethod, country: string): string | null {
  return typeof brand === 'string' ? brand : (brand?.[country] ?? null);
}
