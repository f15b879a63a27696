import { z } from 'zod';
import { countryAlpha3 } from './country.ts';
import { currencyCode } from './currency.ts';

/** Next action of the buyer. All methods share these, so a new method needs no separate page. */
const nextActions = ['card', 'qr', 'bank_details', 'redirect', 'app_intent', 'crypto'] as const;
export type NextAction = (typeof nextActions)[number];

/** A payment method: countries, currencies and next action. */
const paymentMethod = z.strictObject({
  code: z.string().regex(/^[a-z][a-z0-9_]{1,62}$/),
  /** Brand name in every language, if it has one; may differ by country. */
  brand: z.union([z.string(), z.record(countryAlpha3, z.string())]).optional(),
  action: z.enum(nextActions),
  /** Logo: a file of `public/methods/` without `.svg`. Without one, the brand's initials. */
  mark: z.string().optional(),
  /** Kind of choice that the buyer makes first. */
  choice: z.enum(['bank', 'currency']).optional(),
  /** Brand name of the payer's handle for the method, in every language. */
  handle: z.string().optional(),
  /** ISO 3166-1 alpha-3, or every country. */
  countries: z.union([z.literal('world'), z.array(countryAlpha3).nonempty()]),
  currencies: z.array(currencyCode).nonempty(),
  /** True if a route of an acquirer account can add currencies. */
  moreCurrencies: z.boolean().optional(),
});
export type PaymentMethod = z.infer<typeof paymentMethod>;

/** All methods, and the currency of each country with local methods. */
export const methodCatalog = z
  .strictObject({ homeCurrencies: z.record(countryAlpha3, currencyCode), methods: z.array(paymentMethod) })
  .superRefine(({ methods, homeCurrencies }, context) => {
    const codes = methods.map(({ code }) => code);
    for (const { code, countries, currencies } of methods) {
      if (codes.indexOf(code) !== codes.lastIndexOf(code)) context.addIssue(`${code} is listed twice`);
      if (countries === 'world') continue;
      const localCurrencies = countries.map((country) => homeCurrencies[country]);
      if (localCurrencies.some((home) => home === undefined || !currencies.includes(home)))
        context.addIssue(`${code} lacks the currency of one of its countries`);
      if (currencies.some((currency) => !localCurrencies.includes(currency)))
        context.addIssue(`${code} has a currency of none of its countries`);
    }
  });
