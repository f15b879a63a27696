import { z } from 'zod';
import { countryAlpha3 } from './country.ts';
import { currencyCode } from './currency.ts';

/** What the buyer must do next; one shape for every method, so that a method needs no page of its own. */
export const nextActions = ['card', 'qr', 'bank_details', 'redirect', 'app_intent', 'crypto'] as const;
export type NextAction = (typeof nextActions)[number];

/** A way to pay: where it works, and what the buyer must do. */
export const paymentMethod = z.strictObject({
  code: z.string().regex(/^[a-z][a-z0-9_]{1,62}$/),
  /** The name that it goes by in every language, where it has one; it may be another in each country. */
  brand: z.union([z.string(), z.record(countryAlpha3, z.string())]).optional(),
  action: z.enum(nextActions),
  /** Its picture, a file of `public/methods/` without `.svg`. */
  mark: z.string(),
  /** What the buyer chooses first. */
  choice: z.enum(['bank', 'currency']).optional(),
  /** ISO 3166-1 alpha-3, or every country. */
  countries: z.union([z.literal('world'), z.array(countryAlpha3).nonempty()]),
  currencies: z.array(currencyCode).nonempty(),
});
export type PaymentMethod = z.infer<typeof paymentMethod>;

/** Every method, and the currency of each country that has methods of its own. */
export const methodCatalogue = z
  .strictObject({ homeCurrencies: z.record(countryAlpha3, currencyCode), methods: z.array(paymentMethod) })
  .superRefine(({ methods, homeCurrencies }, context) => {
    const codes = methods.map(({ code }) => code);
    for (const { code, countries, currencies } of methods) {
      if (codes.indexOf(code) !== codes.lastIndexOf(code)) context.addIssue(`${code} stands twice`);
      if (countries === 'world') continue;
      const homes = countries.map((country) => homeCurrencies[country]);
      if (homes.some((home) => home === undefined || !currencies.includes(home)))
        context.addIssue(`${code} lacks the currency of one of its countries`);
      if (currencies.some((currency) => !homes.includes(currency)))
        context.addIssue(`${code} has a currency of none of its countries`);
    }
  });
