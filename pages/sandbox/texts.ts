import { Wording } from '../checkout/elements/text.ts';
import sandbox from '../locales/sandbox.json' with { type: 'json' };

/*
 * What stands for banks, wallets and chains speaks to testers, in English only: in production nobody
 * sees it.
 */

const texts = Object.fromEntries(
  Object.entries(sandbox).flatMap(([group, ofGroup]) =>
    Object.entries(ofGroup).map(([key, text]) => [`${group}.${key}`, text]),
  ),
);

export const sandboxLocale = { locale: 'en', direction: 'ltr' } as const;

/** The sandbox's texts; money as the reader writes it. */
export function sandboxWording(amountLocale: string): Wording {
  return new Wording(texts, sandboxLocale.locale, amountLocale);
}
