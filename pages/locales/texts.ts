import i18next, { type i18n } from 'i18next';
import Negotiator from 'negotiator';
import english from './en.json' with { type: 'json' };

/** Languages that have texts. Any region of them is served, for its own number and date formats. */
const resources = { en: { translation: english } } as const;
const DEFAULT_LOCALE = 'en-US';

export interface NegotiatedLocale {
  /** BCP 47 with the region that the reader asked for: `en-GB`. */
  locale: string;
  /** The reader's own, whether it has texts or not, for money: `de-DE`, with the digits of our texts. */
  amountLocale: string;
  direction: 'ltr' | 'rtl';
}

/**
 * The best locale for an `Accept-Language` header: a language that has texts, in the reader's own
 * region. A `wish` goes before what the header says.
 */
export function negotiateLocale(acceptLanguageHeader: string | undefined, wish?: string): NegotiatedLocale {
  const accepted = new Negotiator({ headers: { 'accept-language': acceptLanguageHeader ?? '' } }).languages();
  const asked = wish === undefined ? accepted : [wish, ...accepted];
  const found = asked.map(supportedLocale).find((locale) => locale !== null) ?? DEFAULT_LOCALE;
  const own = asked.map(regionalLocale).find((locale) => locale !== null) ?? found;
  return { locale: found, amountLocale: `${own}-u-nu-latn`, direction: directionOf(found) };
}

function supportedLocale(tag: string): string | null {
  const locale = regionalLocale(tag);
  return locale !== null && Object.hasOwn(resources, new Intl.Locale(locale).language) ? locale : null;
}

/** Language and region of a tag that a header holds; null when it names no language that `Intl` knows. */
function regionalLocale(tag: string): string | null {
  try {
    const { language, region } = new Intl.Locale(tag).maximize();
    if (Intl.NumberFormat.supportedLocalesOf(language).length === 0) return null;
    // Extensions such as -u-nu- would let a header choose digits and calendars that nobody has looked at.
    return region ? `${language}-${region}` : language;
  } catch {
    return null;
  }
}

const rightToLeftScripts = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm', 'Rohg']);

function directionOf(locale: string): 'ltr' | 'rtl' {
  return rightToLeftScripts.has(new Intl.Locale(locale).maximize().script ?? '') ? 'rtl' : 'ltr';
}

/** The texts that a page's script reads, by how their keys begin; every page that is not here reads few, on the server. */
const readByScript = {
  card: [
    'form.',
    'fields.',
    'hints.',
    'mistakes.',
    'pay.',
    'decline.',
    'problems.',
    'phases.',
    'frame.',
    'page.card',
    'page.reference',
    'page.amount',
    'page.offline',
    'page.assurance',
    'page.script_needed',
  ],
  link: [
    'page.',
    'time.',
    'methods.',
    'form.',
    'fields.',
    'hints.',
    'mistakes.',
    'pay.',
    'decline.',
    'problems.',
    'phases.',
    'return.',
    'frame.',
  ],
} as const;
export type ScriptedPage = keyof typeof readByScript;

const resolved = new Map<string, Readonly<Record<string, string>>>();

/**
 * Texts in the best language for `locale`, flattened with dots; gaps are filled from English. All of
 * them, or those that the script of `page` reads.
 */
export function resolveTexts(locale: string, page?: ScriptedPage): Record<string, string> {
  const language = new Intl.Locale(locale).language;
  const name = `${language} ${page ?? ''}`;
  let texts = resolved.get(name);
  if (!texts) {
    const all = Object.entries(flattenFor(language));
    const isRead = ([key]: [string, string]) => !page || readByScript[page].some((start) => key.startsWith(start));
    texts = Object.fromEntries(all.filter(isRead));
    resolved.set(name, texts);
  }
  return { ...texts };
}

let translator: i18n | undefined;

function flattenFor(language: string): Record<string, string> {
  translator ??= createTranslator();
  const translate = translator.getFixedT(language);
  const known = Object.hasOwn(resources, language) ? resources[language as keyof typeof resources].translation : {};
  const keys = new Set([...keysOf(english), ...keysOf(known)]);
  return Object.fromEntries([...keys].map((key) => [key, translate(key, { skipInterpolation: true })]));
}

function createTranslator(): i18n {
  const instance = i18next.createInstance();
  // With resources at hand and initAsync off, init has finished when it returns.
  void instance.init({
    resources,
    fallbackLng: 'en',
    initAsync: false,
    showSupportNotice: false,
    interpolation: { escapeValue: false },
  });
  return instance;
}

function keysOf(texts: object, prefix = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null ? keysOf(value, `${prefix}${key}.`) : [`${prefix}${key}`],
  );
}
