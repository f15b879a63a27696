import i18next, { type i18n } from 'i18next';
import Negotiator from 'negotiator';
import type { ScriptedPage } from '../../src/api/page-state.ts';
import { accountLanguages } from './account/languages.ts';
import { languageFor, languages, type Texts } from './languages.ts';

const DEFAULT_LOCALE = 'en-US';

export interface NegotiatedLocale {
  /** BCP 47 tag with the requested region: `en-GB`. */
  locale: string;
  /** The buyer's own locale, even without texts, to format money: `de-DE-u-nu-latn`, with Latin digits. */
  amountLocale: string;
  direction: 'ltr' | 'rtl';
}

/**
 * Selects the best locale for an `Accept-Language` header: a language with texts, in the requested region.
 * `preferredTag` takes precedence over the header. `available` contains the languages to choose from.
 */
export function negotiateLocale(
  acceptLanguageHeader: string | undefined,
  preferredTag?: string,
  available: Readonly<Record<string, unknown>> = languages,
): NegotiatedLocale {
  const accepted = new Negotiator({ headers: { 'accept-language': acceptLanguageHeader ?? '' } }).languages();
  const requested = preferredTag === undefined ? accepted : [preferredTag, ...accepted];
  const locale = requested.map((tag) => supportedLocale(tag, available)).find((tag) => tag !== null) ?? DEFAULT_LOCALE;
  const amountTag = requested.map(regionalLocale).find((tag) => tag !== null) ?? locale;
  return { locale, amountLocale: `${amountTag}-u-nu-latn`, direction: directionOf(locale) };
}

function supportedLocale(tag: string, available: Readonly<Record<string, unknown>>): string | null {
  const locale = regionalLocale(tag);
  const language = locale === null ? null : languageFor(locale);
  return language !== null && Object.hasOwn(available, language) ? locale : null;
}

/**
 * Normalizes a tag to language and region, with its script if that is not the default one. Null if `Intl` does not know
 * the language.
 */
function regionalLocale(tag: string): string | null {
  try {
    const { language, script, region } = new Intl.Locale(tag).maximize();
    if (Intl.NumberFormat.supportedLocalesOf(language).length === 0) return null;
    // Drops extensions such as -u-nu-, which would select untested digits and calendars.
    const shortTag = region ? `${language}-${region}` : language;
    if (!script || new Intl.Locale(shortTag).maximize().script === script) return shortTag;
    return region ? `${language}-${script}-${region}` : `${language}-${script}`;
  } catch {
    return null;
  }
}

const rightToLeftScripts = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm', 'Rohg']);

function directionOf(locale: string): 'ltr' | 'rtl' {
  return rightToLeftScripts.has(new Intl.Locale(locale).maximize().script ?? '') ? 'rtl' : 'ltr';
}

/** Text groups that every payment page uses. */
const paymentPrefixes = ['form.', 'fields.', 'hints.', 'errors.', 'pay.', 'decline.', 'frame.'];
const linkPagePrefixes = [
  ...paymentPrefixes,
  'problems.',
  'phases.',
  'page.',
  'time.',
  'methods.',
  'return.',
  'country.',
  'received.label',
];

/** `account.BUNDLE`: a text bundle of the account area. */
type TextSet = ScriptedPage | 'restricted' | 'authorization' | `account.${string}`;

/**
 * Key prefixes of the texts that each page's script needs. Other pages need few texts, and only on the server. A page
 * that is rendered as restricted also gets the texts of `restricted`; one whose amount may be authorized first, those
 * of `authorization`.
 */
const textPrefixes = {
  card: [
    ...paymentPrefixes,
    // Texts under `frame` replace the others.
    ...['title', 'continue', 'abandon'].map((name) => `phases.challenge.${name}`),
    'phases.checking.title',
    'phases.paid.title',
    'phases.paid.authorized',
    'phases.cancelled.title',
    'phases.failed.title',
    'phases.restricted.',
    'problems.title',
    'problems.fields',
    'problems.no_connection',
    'problems.not_received',
    'problems.rate_limited',
    'problems.amount_changed',
    'problems.try_again',
    'problems.abandon_failed',
    'page.card',
    'page.reference',
    'page.amount',
    'page.offline',
    'page.assurance',
  ],
  link: linkPagePrefixes,
  methods: [
    ...linkPagePrefixes,
    ...['start.', 'choices.', 'instructions.', 'details.', 'copy.', 'received.', 'ended.', 'sent.'],
    ...['refunding_title', 'refunded_title', 'contact', 'review_title', 'in_review', 'simulator', 'transaction'].map(
      (name) => `invoice.${name}`,
    ),
  ],
  invoice: [
    'invoice.',
    ...['title', 'sandbox', 'summary', 'payment', 'amount', 'reference', 'terms', 'privacy'].map(
      (name) => `page.${name}`,
    ),
    ...['offline_status', 'language', 'no_script', 'reload', 'print', 'paid_at'].map((name) => `page.${name}`),
    ...['minutes', 'clock', 'expired', 'announce'].map((name) => `time.${name}`),
    ...['paid.title', 'expired.title', 'restricted.', 'back'].map((name) => `phases.${name}`),
    ...['app_other_device', 'crypto', 'qr_label', 'waiting'].map((name) => `instructions.${name}`),
    ...['address', 'amount', 'deadline'].map((name) => `details.${name}`),
    ...['copy.', 'ended.expired'],
    ...['received.label', 'frame.paid'],
    ...['confirmations', 'overpaid', 'underpaid_title', 'late'].map((name) => `sent.${name}`),
  ],
  restricted: ['restricted.'],
  authorization: ['authorization.'],
  'account.shell': ['account.shell.', 'copy.', 'methods.'],
  'account.new_link': ['account.new_link.', 'fields.', 'pay.button', 'instructions.qr_save_failed'],
} as const satisfies Partial<Record<TextSet, readonly string[]>>;

const prefixesOf = (set: TextSet): readonly string[] =>
  set in textPrefixes ? textPrefixes[set as keyof typeof textPrefixes] : [`${set}.`];

/** Texts that match a prefix, but that the page's script never shows: those without a script, or of other methods. */
const unusedTexts: Partial<Record<TextSet, readonly string[]>> = {
  card: ['problems.titles.method_unavailable', 'frame.label_link', 'pay.continue'],
  link: [
    ...['page.no_script', 'page.script_needed', 'frame.label', 'country.required', 'pay.continue'],
    ...['problems.titles.method_unavailable', 'problems.method_unavailable'],
  ],
  methods: ['page.no_script', 'page.script_needed', 'frame.label'],
};

const resolved = new Map<string, Readonly<Record<string, string>>>();

/**
 * Returns the texts in the best language for `locale`, with dotted keys: all of them, or one set. Missing texts are in
 * English.
 */
export function resolveTexts(locale: string, set?: TextSet): Record<string, string> {
  const language = languageFor(locale) ?? 'en';
  const name = `${language} ${set ?? ''}`;
  let texts = resolved.get(name);
  if (!texts) {
    const all = Object.entries(flattenFor(language, set?.startsWith('account.') ? 'account' : 'translation'));
    const prefixes = set ? prefixesOf(set) : [''];
    const omitted = (set && unusedTexts[set]) ?? [];
    texts = Object.fromEntries(
      all.filter(([key]) => prefixes.some((prefix) => key.startsWith(prefix)) && !omitted.includes(key)),
    );
    resolved.set(name, texts);
  }
  return { ...texts };
}

/** Text in the given bundles of the account area; each must exist. */
export function resolveAccountTexts(locale: string, bundles: readonly string[]): Record<string, string> {
  const texts = bundles.map((bundle) => resolveTexts(locale, `account.${bundle}`));
  return Object.assign({}, ...texts) as Record<string, string>;
}

/** The account area has texts in few languages, which buyers' pages never use. */
type Namespace = 'translation' | 'account';

let translator: i18n | undefined;

function flattenFor(language: string, namespace: Namespace): Record<string, string> {
  translator ??= createTranslator();
  const translate = translator.getFixedT(language, namespace);
  const textsByLanguage = namespaces[namespace];
  const keys = new Set([...keysOf(textsByLanguage['en'] ?? {}), ...keysOf(textsByLanguage[language] ?? {})]);
  return Object.fromEntries([...keys].map((key) => [key, translate(key, { skipInterpolation: true })]));
}

/** The account area also uses some texts of the payment pages. */
const namespaces: Readonly<Record<Namespace, Readonly<Record<string, Texts>>>> = {
  translation: languages,
  account: Object.fromEntries(
    Object.entries(accountLanguages).map(([tag, account]) => [tag, { ...languages[tag], account }]),
  ),
};

function createTranslator(): i18n {
  const instance = i18next.createInstance();
  const tags = Object.keys(languages);
  // With preloaded resources and without initAsync, init is synchronous.
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
