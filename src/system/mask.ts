/*
 * Card numbers and secrets turn up where nobody expects them: as a field's name, in a provider's error
 * message, in an address. What is shown or logged passes through here first.
 */

const NUMBER = '[number]';
const REDACTED = '[redacted]';

/** The digits of a card number: ISO/IEC 7812-1 has up to 19, and none in use has fewer than 12. */
const FEWEST_DIGITS = 12;
const MOST_DIGITS = 19;

/** So many digits as a card number has, or more, with at most one of what people put between them. */
const closeDigits = new RegExp(String.raw`\d(?:[\s.\-_/+]?\d){${FEWEST_DIGITS - 1},}`, 'g');

/**
 * Digits with more between them, as programs write it: escapes of JSON, URLs and HTML, list commas,
 * quotes. Neither letters nor colons, or every moment would be one.
 */
const between = String.raw`%[0-9A-Fa-f]{2}|&(?:#\d{1,4}|#x[0-9a-f]{1,4}|[a-z]{2,6});|\\+u[0-9A-Fa-f]{4}|\\+[a-z]|[^0-9A-Za-z:]`;
const spacedDigits = new RegExp(String.raw`(?<!\d)\d(?:(?:${between}){0,6}\d){${FEWEST_DIGITS - 1},}`, 'g');
const groupsOf = new RegExp(`(?:${between})+`, 'g');

/** A text with everything that could be a card number taken out. */
export function maskCardNumbers(text: string): string {
  return text
    .replace(closeDigits, NUMBER)
    .replace(spacedDigits, (found) => (holdsCardNumber(found.split(groupsOf)) ? NUMBER : found));
}

/** A text without any digits; for what was said while a card was in hand. */
export function maskDigits(text: string): string {
  return text.replace(/\d+/g, '#');
}

/** Runs of characters that may be base64. */
const encodedRun = /[\w+/-]{16,}/g;

/**
 * What a merchant's server answered, as it may be kept. A card number can be written in too many ways to recognise
 * (other scripts and separators, a tag around each digit, character references), so a text with as many digits as
 * one has keeps none.
 */
export function maskAnswer(text: string): string {
  const masked = maskSecrets(text).replace(encodedRun, (run) => (encodesDigits(run) ? NUMBER : run));
  const digits = masked.match(/\p{N}/gu)?.length ?? 0;
  return digits < FEWEST_DIGITS ? masked : masked.replace(/\p{N}/gu, '#');
}

/** Whether base64 that begins anywhere in `run` holds as many digits as a card number has. */
function encodesDigits(run: string): boolean {
  return [0, 1, 2, 3].some((start) => {
    const decoded = Buffer.from(run.slice(start), 'base64').toString('latin1');
    return (decoded.match(/\d/g)?.length ?? 0) >= FEWEST_DIGITS;
  });
}

/** Whether groups that stand side by side make a number of a card's length with a right check digit. */
function holdsCardNumber(groups: readonly string[]): boolean {
  return groups.some((_group, from) => {
    let digits = '';
    for (let index = from; index < groups.length && digits.length < MOST_DIGITS; index += 1) {
      digits += groups[index] ?? '';
      if (digits.length >= FEWEST_DIGITS && digits.length <= MOST_DIGITS && hasCheckDigit(digits)) return true;
    }
    return false;
  });
}

/** The check digit of ISO/IEC 7812-1, annex B. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]) * (index % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/** Names whose values are secret wherever they stand, also behind others: `newAccessToken`, `PAYLATCH_SECRET_KEY`. */
const secretName =
  'card[_-]?(?:number|cvv|code)|card[_-]?expiry(?:[_-]?(?:month|year))?|cvv2?|cvc2?|csc|security[_-]?code|authorization|cookie|token|secret|secret[_-]?key|private[_-]?key|api[_-]?key|password|passphrase|passwd|pwd';
/** Too short to be sought within other names. */
const wholeSecretNames = new Set(['card', 'pan', 'pin', 'track1', 'track2', 'expirymonth', 'expiryyear']);
const secretField = new RegExp(`(?:${secretName})$`, 'i');

/** How secrets look in a text, and what is left of them. */
const secretForms: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic|digest)(\s+|%20|\+)[\w.~+/=-]{4,}/gi, `$1 ${REDACTED}`],
  // Tokens of the API, of pages, secrets of clients; the identifier of a client is none.
  [/pl_(live|test|page|secret)_[\w.-]+/g, `pl_$1_${REDACTED}`],
  [/whs(ec|k)_[\w+/=-]+/g, `whs$1_${REDACTED}`],
  // A password may hold what should have been escaped: in a database's address everything up to the last @ is one.
  [/(\bpostgres(?:ql)?:\/\/[^\s:/@]*:)[^\s"']{1,1024}@/gi, `$1${REDACTED}@`],
  [/(:\/\/[^\s:/@"'<>]*:)[^\s/@"'<>]+@/g, `$1${REDACTED}@`],
  // Who knows a link may see its payment, and pay.
  [/(\/(?:p|e|i|sandbox\/\w+)\/)[\w-]{27}(?![\w-])/g, '$1[link]'],
  // Keys, and seeds of twice their length.
  [/(?<![0-9a-f])(?:[0-9a-f]{64}){1,2}(?![0-9a-f])/gi, '[key]'],
  // Extended private keys (BIP 32, SLIP 132).
  [/[xyztuv]prv[1-9A-HJ-NP-Za-km-z]{40,}/gi, '[key]'],
  // `token:manage` is a scope.
  [
    new RegExp(
      String.raw`((?:${secretName})["'\\]*\s*(?:[:=]|%3D)\s*["'\\]*)(?!\[redacted\]|manage\b)[^\s"'\\,;&{}\[\]()]+`,
      'gi',
    ),
    `$1${REDACTED}`,
  ],
];

/** Any of them begins with one of these; most texts hold none. */
const secretBegin = new RegExp(
  String.raw`bearer|basic|digest|pl_|whs|://|/(?:p|e|i|sandbox)/|[0-9a-f]{64}|[xyztuv]prv|${secretName}`,
  'i',
);

/**
 * Digits in base64 (each three of them make four such characters, wherever the text around them begins)
 * and in hexadecimal digits.
 */
const encodedDigits = /(?:[MNO][DTjz][AEIMQUYcgk][w-z0-5]){3}[\w+/=-]*|(?:3\d(?:2[0de])?){12,}/g;

/** An address of an account or a contract (EIP-55): public, and what an operator has to compare. */
const ethereumAddress = /(?<![0-9A-Za-z])0x[0-9a-f]{40}(?![0-9A-Za-z])/gi;
/** Stand for addresses while the rest is masked; a text that holds such characters itself keeps no address. */
const placeholder = /[\uE000-\uF8FF]/g;
const FIRST_PLACEHOLDER = 0xe000;

/** A text without card numbers and without what has the form of a secret. */
export function maskSecrets(text: string): string {
  const addresses = text.match(ethereumAddress) ?? [];
  if (addresses.length === 0 || addresses.length > 1000 || text.search(placeholder) >= 0) return maskAll(text);
  let next = FIRST_PLACEHOLDER;
  const masked = maskAll(text.replace(ethereumAddress, () => String.fromCharCode(next++)));
  return masked.replace(placeholder, (found) => addresses[found.charCodeAt(0) - FIRST_PLACEHOLDER] ?? found);
}

function maskAll(text: string): string {
  let masked = text.replace(encodedDigits, NUMBER);
  if (secretBegin.test(masked)) for (const [form, rest] of secretForms) masked = masked.replace(form, rest);
  return maskCardNumbers(masked);
}

/** A value as JSON has them without anything secret in it: by the names of fields, and by the form of texts and numbers. */
export function redact(value: unknown): unknown {
  if (typeof value === 'string') return maskSecrets(value);
  if (typeof value === 'number') return Math.abs(value) >= 1e11 ? orNumber(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return redactList(value);
  // How JSON has a Buffer; bytes tell nobody anything but what they should not.
  if ('type' in value && value.type === 'Buffer' && 'data' in value) return '[bytes]';
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => {
      const known = judgeName(name);
      return [known.shown, known.isSecret ? REDACTED : redact(entry)];
    }),
  );
}

function orNumber(value: number): unknown {
  const text = String(value);
  return maskCardNumbers(text) === text ? value : NUMBER;
}

/** A list is also looked at as a whole: its items may be the digits. */
function redactList(items: readonly unknown[]): unknown {
  const isFlat = items.every((item) => typeof item === 'string' || typeof item === 'number');
  if (isFlat && items.length > 1) {
    const text = items.join(',');
    if (maskCardNumbers(text) !== text) return NUMBER;
  }
  return items.map(redact);
}

/** What was found out of names: the same few come in every line. */
const judgedNames = new Map<string, { shown: string; isSecret: boolean }>();
const MOST_JUDGED_NAMES = 1000;

function judgeName(name: string): { shown: string; isSecret: boolean } {
  const known = judgedNames.get(name);
  if (known) return known;
  const isSecret = secretField.test(name) || wholeSecretNames.has(name.toLowerCase().replaceAll(/[_-]/g, ''));
  const judged = { shown: maskSecrets(name), isSecret };
  if (judgedNames.size < MOST_JUDGED_NAMES) judgedNames.set(name, judged);
  return judged;
}
