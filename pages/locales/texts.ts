import i18next, { type i18n } from 'i18next';
import Negotiator from 'negotiator';
import type { ScriptedPage } from '../../src/api/page-state.ts';
import { accountLanguages } from './account/languages.ts';
import { languageFor, languages, type Texts } from './languages.ts';

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
 * region. A `wish` goes before what the header says; `among` are the languages that there are.
 */
export function negotiateLocale(
  acceptLanguageHeader: string | undefined,
  wish?: string,
  among: Readonly<Record<string, unknown>> = languages,
): NegotiatedLocale {
  const accepted = new Negotiator({ headers: { 'accept-language': acceptLanguageHeader ?? '' } }).languages();
  const asked = wish === undefined ? accepted : [wish, ...accepted];
  const found = asked.map((tag) => supportedLocale(tag, among)).find((locale) => locale !== null) ?? DEFAULT_LOCALE;
  const own = asked.map(regionalLocale).find((locale) => locale !== null) ?? found;
  return { locale: found, amountLocale: `${own}-u-nu-latn`, direction: directionOf(found) };
}

function supportedLocale(tag: string, among: Readonly<Record<string, unknown>>): string | null {
  const locale = regionalLocale(tag);
  const language = locale === null ? null : languageFor(locale);
  return language !== null && Object.hasOwn(among, language) ? locale : null;
}

/**
 * Language and region of a tag that a header holds, and its script where that is not the usual one;
 * null when it names no language that `Intl` knows.
 */
function regionalLocale(tag: string): string | null {
  try {
    const { language, script, region } = new Intl.Locale(tag).maximize();
    if (Intl.NumberFormat.supportedLocalesOf(language).length === 0) return null;
    // Extensions such as -u-nu- would let a header choose digits and calendars that nobody has looked at.
    const usual = region ? `${language}-${region}` : language;
    if (!script || new Intl.Locale(usual).maximize().script === script) return usual;
    return region ? `${language}-${script}-${region}` : `${language}-${script}`;
  } catch {
    return null;
  }
}

const rightToLeftScripts = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm', 'Rohg']);

function directionOf(locale: string): 'ltr' | 'rtl' {
  return rightToLeftScripts.has(new Intl.Locale(locale).maximize().script ?? '') ? 'rtl' : 'ltr';
}

/** What every page of a payment says. */
const ofPayments = ['form.', 'fields.', 'hints.', 'mistakes.', 'pay.', 'decline.', 'frame.'];
const ofLinkPage = [
  ...[...ofPayments, 'problems.', 'phases.', 'page.', 'time.', 'methods.', 'return.', 'country.'],
  'received.fact',
];

type TextSet = ScriptedPage | 'restricted';

/**
 * The texts that a page's script reads, by how their keys begin; every page that is not here reads
 * few, on the server. What `restricted` has comes on top, where a page is drawn as that.
 */
const readByScript = {
  card: [
    ...ofPayments,
    // Texts of `frame` stand in place of the others.
    'phases.challenge.',
    'phases.checking.title',
    'phases.cancelled.title',
    'phases.failed.title',
    'phases.restricted.',
    'problems.title',
    'problems.fields',
    'problems.no_connection',
    'problems.not_received',
    'problems.rate_limited',
    'problems.try_again',
    'problems.abandon_failed',
    'page.card',
    'page.reference',
    'page.amount',
    'page.offline',
    'page.assurance',
  ],
  link: ofLinkPage,
  methods: [
    ...ofLinkPage,
    ...['start.', 'choices.', 'instructions.', 'details.', 'copy.', 'received.', 'ended.', 'sent.'],
    ...['refunding_title', 'refunded_title', 'ask', 'review_title', 'decides', 'simulator'].map(
      (name) => `invoice.${name}`,
    ),
  ],
  invoice: [
    'invoice.',
    ...['title', 'sandbox', 'summary', 'payment', 'amount', 'reference'].map((name) => `page.${name}`),
    ...['offline_status', 'language', 'no_script', 'reload'].map((name) => `page.${name}`),
    ...['minutes', 'clock', 'over', 'announce'].map((name) => `time.${name}`),
    ...['paid.title', 'paid.text', 'expired.title', 'restricted.'].map((name) => `phases.${name}`),
    ...['app_other_device', 'crypto', 'qr_label', 'waiting'].map((name) => `instructions.${name}`),
    ...['address', 'amount', 'network'].map((name) => `details.${name}`),
    'copy.',
    ...['received.fact', 'choices.currency.test_rates'],
    ...['confirmations', 'merchant', 'failed_part_title', 'late'].map((name) => `sent.${name}`),
  ],
  restricted: ['restricted.'],
  account: ['account.', 'copy.', 'methods.'],
} as const satisfies Record<TextSet, readonly string[]>;

const resolved = new Map<string, Readonly<Record<string, string>>>();

/**
 * Texts in the best language for `locale`, flattened with dots; gaps are filled from English. All of
 * them, or those of one set.
 */
export function resolveTexts(locale: string, set?: TextSet): Record<string, string> {
  const language = languageFor(locale) ?? 'en';
  const name = `${language} ${set ?? ''}`;
  let texts = resolved.get(name);
  if (!texts) {
    const all = Object.entries(flattenFor(language, set === 'account' ? 'account' : 'translation'));
    const isRead = ([key]: [string, string]) => !set || readByScript[set].some((start) => key.startsWith(start));
    texts = Object.fromEntries(all.filter(isRead));
    resolved.set(name, texts);
  }
  return { ...texts };
}

/** Texts of the account area are in few languages, and no page of buyers reads them. */
type Namespace = 'translation' | 'account';

let translator: i18n | undefined;

function flattenFor(language: string, namespace: Namespace): Record<string, string> {
  translator ??= createTranslator();
  const translate = translator.getFixedT(language, namespace);
  const own = namespaces[namespace];
  const keys = new Set([...keysOf(own['en'] ?? {}), ...keysOf(own[language] ?? {})]);
  return Object.fromEntries([...keys].map((key) => [key, translate(key, { skipInterpolation: true })]));
}

/** The account area says some of what pages of payments say. */
const namespaces: Readonly<Record<Namespace, Readonly<Record<string, Texts>>>> = {
  translation: languages,
  account: Object.fromEntries(
    Object.entries(accountLanguages).map(([tag, account]) => [tag, { ...languages[tag], account }]),
  ),
};

function createTranslator(): i18n {
  const instance = i18next.createInstance();
  const tags = Object.keys(languages);
  // With resources at hand and initAsync off, init has finished when it returns.
  void instance.init({
    resources: Object.fromEntries(
      tags.map((tag) => [
        tag,
        { translation: namespaces.translation[tag] ?? {}, account: namespaces.account[tag] ?? {} },
      ]),
    ),
    fallbackLng: 'en',
    initAsync: false,
    interpolation: { escapeValue: false },
  });
  return instance;
}

function keysOf(texts: Texts, prefix = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [`${prefix}${key}`] : keysOf(value, `${prefix}${key}.`),
  );
}
