import { I18n } from '../checkout/elements/i18n.ts';
import sandbox from '../locales/sandbox.json' with { type: 'json' };

/* Text of the sandbox pages, for testers. English only: production never shows them. */

const texts = Object.fromEntries(
  Object.entries(sandbox).flatMap(([group, groupTexts]) =>
    Object.entries(groupTexts).map(([key, text]) => [`${group}.${key}`, text]),
  ),
);

export const sandboxLocale = { locale: 'en', direction: 'ltr' } as const;

/** Text of the sandbox pages. Amounts use the reader's locale. */
export function sandboxTexts(amountLocale: string): I18n {
  return new I18n(texts, sandboxLocale.locale, amountLocale);
}
