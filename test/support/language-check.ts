import type { Texts } from '../../pages/locales/languages.ts';

/** Texts by their whole keys, `page.title`. */
export function flatten(texts: Texts, prefix = ''): Map<string, string> {
  const entries = Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${prefix}${key}`, value] as const] : [...flatten(value, `${prefix}${key}.`)],
  );
  return new Map(entries);
}

const PLURAL = /_(zero|one|two|few|many|other)$/;

/** Plural forms of integers up to a hundred in a language; others are allowed. */
function neededForms(locale: string): string[] {
  const rules = new Intl.PluralRules(locale);
  return [...new Set(Array.from({ length: 101 }, (_, count) => rules.select(count)))];
}

/** Keys that a language must have, from those of English. */
function neededKeys(english: ReadonlyMap<string, string>, locale: string): string[] {
  const keys = [...english.keys()].flatMap((key) =>
    PLURAL.test(key) ? [...neededForms(locale), 'other'].map((form) => key.replace(PLURAL, `_${form}`)) : [key],
  );
  return [...new Set(keys)];
}

const placesIn = (text: string) => [...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, name]) => name ?? '').sort();

/** The scripts that languages are not written in Latin letters with, by the locale's own script. */
const scripts: Record<string, RegExp> = {
  Arab: /\p{Script=Arabic}/u,
  Beng: /\p{Script=Bengali}/u,
  Cyrl: /\p{Script=Cyrillic}/u,
  Deva: /\p{Script=Devanagari}/u,
  Grek: /\p{Script=Greek}/u,
  Guru: /\p{Script=Gurmukhi}/u,
  Gujr: /\p{Script=Gujarati}/u,
  Hans: /\p{Script=Han}/u,
  Hant: /\p{Script=Han}/u,
  Hebr: /\p{Script=Hebrew}/u,
  Jpan: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  Knda: /\p{Script=Kannada}/u,
  Kore: /\p{Script=Hangul}/u,
  Mlym: /\p{Script=Malayalam}/u,
  Taml: /\p{Script=Tamil}/u,
  Telu: /\p{Script=Telugu}/u,
  Thai: /\p{Script=Thai}/u,
};

/** Problems of the texts of a language, compared with the English ones; empty without any. */
export function findLanguageProblems(locale: string, texts: Texts, englishTexts: Texts): string[] {
  const english = flatten(englishTexts);
  const own = flatten(texts);
  const faults: string[] = [];
  const needed = neededKeys(english, locale);
  for (const key of needed) if (!own.has(key)) faults.push(`${key} is missing`);
  const allowedForms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories as string[];
  const isAllowed = (key: string) => {
    const form = PLURAL.exec(key)?.[1];
    if (english.has(key) && !form) return true;
    return form !== undefined && allowedForms.includes(form) && english.has(key.replace(PLURAL, '_other'));
  };
  for (const [key, text] of own) {
    if (!isAllowed(key)) faults.push(`${key} is not a key of the English texts`);
    else
      faults.push(
        ...faultsOfText(key, text, english.get(key) ?? english.get(key.replace(PLURAL, '_other')) ?? '', locale),
      );
  }
  return faults;
}

/** Words that are the same in most languages, such as names. */
const names = /^(?:UPI|CLABE|CNPJ|MM \/ YY)$/;

function faultsOfText(key: string, text: string, english: string, locale: string): string[] {
  const faults: string[] = [];
  if (text.trim() === '' || text !== text.trim()) faults.push(`${key} is empty or begins or ends with a space`);
  // A form for one or two may spell out the number.
  const mayLeaveOutCount = /_(?:zero|one|two)$/.test(key);
  const places = placesIn(text).filter((name) => !(mayLeaveOutCount && name === 'count'));
  const expected = placesIn(english).filter((name) => !(mayLeaveOutCount && name === 'count'));
  if (places.join() !== expected.join())
    faults.push(`${key} has the places ${places.join()} instead of ${expected.join()}`);
  if (/[<>{}]/.test(text.replaceAll(/\{\{\s*\w+\s*\}\}/g, '')))
    faults.push(`${key} has a broken place or markup: ${text}`);
  const isEnglish = locale.split('-')[0] === 'en';
  if (isEnglish || names.test(english)) return faults;
  const script = scripts[new Intl.Locale(locale).maximize().script ?? ''];
  const words = text.replaceAll(/\{\{\s*\w+\s*\}\}|UPI|CLABE|CNPJ|QR|VPN|JavaScript|PIN|Webhook|URL|3-D Secure/g, '');
  if (script && /\p{L}{2,}/u.test(words) && !script.test(words)) faults.push(`${key} is in Latin letters: ${text}`);
  if (text === english && english.split(/\s+/).length >= 3) faults.push(`${key} is English: ${text}`);
  if (/!/.test(text) && !/!/.test(english)) faults.push(`${key} shouts: ${text}`);
  return faults;
}
