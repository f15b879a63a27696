/*
 * Card numbers and secrets appear in unexpected places: field names, acquirers' error messages, URLs.
 * Everything shown or logged is masked here first: log lines in `log.ts`, standard error and crashes in `cli/main.ts`,
 * errors of a charge (`payments/card/charge.ts`) by `describeCardError` in `log.ts`.
 */

const NUMBER = '[number]';
const REDACTED = '[redacted]';

/** Lengths of card numbers: ISO/IEC 7812-1 allows up to 19 digits, and none in use has fewer than 12. */
const MIN_CARD_DIGITS = 12;
const MAX_CARD_DIGITS = 19;

/** At least as many digits as a card number, with at most one separator between two. */
const adjacentDigits = new RegExp(String.raw`\d(?:[\s.\-_/+]?\d){${MIN_CARD_DIGITS - 1},}`, 'g');

/** List commas, quotes. Letters and colons are excluded, since otherwise every timestamp would match. */
const plainSeparator = '[^0-9A-Za-z:]';
/** Separators that programs write between digits: also escapes of JSON, URLs and HTML. */
const separator = String.raw`%[0-9A-Fa-f]{2}|&(?:#\d{1,4}|#x[0-9a-f]{1,4}|[a-z]{2,6});|\\+u[0-9A-Fa-f]{4}|\\+[a-z]|${plainSeparator}`;

/**
 * Digits with up to six separators between two, and the runs of separators. `(?=(…))\1` matches a separator in one way
 * only, like an atomic group: otherwise, separators that can be read in several ways would take exponential time.
 */
const spacedDigits = [separator, plainSeparator].map((each) => ({
  digits: new RegExp(String.raw`(?<!\d)\d(?:(?:(?=(${each}))\1){0,6}\d){${MIN_CARD_DIGITS - 1},}`, 'g'),
  runs: new RegExp(`(?:${each})+`, 'g'),
}));

/** Masks everything that could be a card number. */
export function maskCardNumbers(text: string): string {
  let masked = text.replace(adjacentDigits, NUMBER);
  for (const { digits, runs } of spacedDigits)
    masked = masked.replace(digits, (found) => (containsCardNumber(found.split(runs)) ? NUMBER : found));
  return masked;
}

/** Masks an email address: `ana@shop.example` becomes `a•••@shop.example`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${maskWords(email.slice(0, at))}${email.slice(at)}`;
}

/** Keeps the first character of each word. */
export function maskWords(text: string): string {
  return text.replaceAll(/(?<=^|\s)(\S)\S*/gu, '$1•••');
}

/** Masks all digits, for text written while card data was in memory. */
export function maskDigits(text: string): string {
  return text.replace(/\d+/g, '#');
}

/** Runs of characters that may be base64. */
const encodedRun = /[\w+/-]{16,}/g;

/**
 * Masks a response body of a merchant's server before it is stored. A card number can be written in too many ways to
 * recognize (other scripts and separators, a tag around each digit, character references). A body with as many digits
 * as a card number therefore keeps none.
 */
export function maskResponseBody(text: string): string {
  const masked = maskSecrets(text).replace(encodedRun, (run) => (encodesDigits(run) ? NUMBER : run));
  const digits = masked.match(/\p{N}/gu)?.length ?? 0;
  return digits < MIN_CARD_DIGITS ? masked : masked.replace(/\p{N}/gu, '#');
}

/** True if base64 starting anywhere in `run` encodes as many digits as a card number has. */
function encodesDigits(run: string): boolean {
  return [0, 1, 2, 3].some((start) => {
    const decoded = Buffer.from(run.slice(start), 'base64').toString('latin1');
    return (decoded.match(/\d/g)?.length ?? 0) >= MIN_CARD_DIGITS;
  });
}

/** True if adjacent groups form a number with a card's length and a valid check digit. */
function containsCardNumber(groups: readonly string[]): boolean {
  return groups.some((_group, from) => {
    let digits = '';
    for (let index = from; index < groups.length && digits.length < MAX_CARD_DIGITS; index += 1) {
      digits += groups[index] ?? '';
      if (digits.length >= MIN_CARD_DIGITS && digits.length <= MAX_CARD_DIGITS && hasCheckDigit(digits)) return true;
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

/** Names whose values are secret, including as the end of a longer name: `newAccessToken`, `PAYLATCH_SECRET_KEY`. */
const secretName =
  'card[_-]?(?:number|cvv|code)|card[_-]?expiry(?:[_-]?(?:month|year))?|cvv2?|cvc2?|csc|security[_-]?code|authorization|cookie|token|secret|secret[_-]?key|private[_-]?key|api[_-]?key|password|passphrase|passwd|pwd';
/** Too short to match within other names. */
const exactSecretNames = new Set(['card', 'pan', 'pin', 'track1', 'track2', 'expirymonth', 'expiryyear']);
const secretField = new RegExp(`(?:${secretName})$`, 'i');

/** Patterns of secrets in text, and their replacements. */
const secretPatterns: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic|digest)(\s+|%20|\+)[\w.~+/=-]{4,}/gi, `$1 ${REDACTED}`],
  // API tokens, page tokens and client secrets. Client identifiers are not secret.
  [/pl_(live|test|page|secret)_[\w.-]+/g, `pl_$1_${REDACTED}`],
  [/whs(ec|k)_[\w+/=-]+/g, `whs$1_${REDACTED}`],
  // A password may contain unescaped characters: in a database URL it extends to the last @.
  [/(\bpostgres(?:ql)?:\/\/[^\s:/@]*:)[^\s"']{1,1024}@/gi, `$1${REDACTED}@`],
  [/(:\/\/[^\s:/@"'<>]*:)[^\s/@"'<>]+@/g, `$1${REDACTED}@`],
  // A payment link gives access to its payment.
  [/(\/(?:p|e|i|sandbox\/\w+)\/)(?:[a-z2-7]{2}-)?[\w-]{27}(?![\w-])/g, '$1[link]'],
  // Keys, and seeds of twice that length.
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

/** Prefixes of all these patterns. Most strings contain none, so the patterns are skipped. */
const secretPrefix = new RegExp(
  String.raw`bearer|basic|digest|pl_|whs|://|/(?:p|e|i|sandbox)/|[0-9a-f]{64}|[xyztuv]prv|${secretName}`,
  'i',
);

/**
 * Digits encoded in base64 (three digits become four characters, at any alignment) and in hexadecimal.
 */
const encodedDigits = /(?:[MNO][DTjz][AEIMQUYcgk][w-z0-5]){3}[\w+/=-]*|(?:3\d(?:2[0de])?){12,}/g;

/** An account or contract address in hexadecimal: public, and operators need to compare it. */
const hexAddress = /(?<![0-9A-Za-z])0x[0-9a-f]{40}(?![0-9A-Za-z])/gi;
/**
 * Placeholders for addresses while the rest is masked. If the input already contains such characters, its addresses are
 * not protected from masking.
 */
const placeholder = /[\uE000-\uF8FF]/g;
const FIRST_PLACEHOLDER = 0xe000;

/** Masks card numbers and everything that looks like a secret. */
export function maskSecrets(text: string): string {
  const addresses = text.match(hexAddress) ?? [];
  if (addresses.length === 0 || addresses.length > 1000 || text.search(placeholder) >= 0) return maskPatterns(text);
  let next = FIRST_PLACEHOLDER;
  const masked = maskPatterns(text.replace(hexAddress, () => String.fromCharCode(next++)));
  return masked.replace(placeholder, (found) => addresses[found.charCodeAt(0) - FIRST_PLACEHOLDER] ?? found);
}

function maskPatterns(text: string): string {
  let masked = text.replace(encodedDigits, NUMBER);
  if (secretPrefix.test(masked)) for (const [form, rest] of secretPatterns) masked = masked.replace(form, rest);
  return maskCardNumbers(masked);
}

/** Masks a JSON value by field names and by the patterns of its strings and numbers. */
export function redact(value: unknown): unknown {
  if (typeof value === 'string') return maskSecrets(value);
  if (typeof value === 'number') return Math.abs(value) >= 1e11 ? maskNumber(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return redactList(value);
  // A Buffer as JSON: its bytes are useless in a log and may be secret.
  if ('type' in value && value.type === 'Buffer' && 'data' in value) return '[bytes]';
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => {
      const classified = classifyKey(name);
      return [classified.shown, classified.isSecret ? REDACTED : redact(entry)];
    }),
  );
}

function maskNumber(value: number): unknown {
  const text = String(value);
  return maskCardNumbers(text) === text ? value : NUMBER;
}

/** Also checks the list as a whole: each item may be one digit. */
function redactList(items: readonly unknown[]): unknown {
  const isFlat = items.every((item) => typeof item === 'string' || typeof item === 'number');
  if (isFlat && items.length > 1) {
    const text = items.join(',');
    if (maskCardNumbers(text) !== text) return NUMBER;
  }
  return items.map(redact);
}

/** Cache: the same few field names occur in every line. */
const classifiedKeys = new Map<string, { shown: string; isSecret: boolean }>();
const MAX_CLASSIFIED_KEYS = 1000;

function classifyKey(name: string): { shown: string; isSecret: boolean } {
  const cached = classifiedKeys.get(name);
  if (cached) return cached;
  const isSecret = secretField.test(name) || exactSecretNames.has(name.toLowerCase().replaceAll(/[_-]/g, ''));
  const classified = { shown: maskSecrets(name), isSecret };
  if (classifiedKeys.size < MAX_CLASSIFIED_KEYS) classifiedKeys.set(name, classified);
  return classified;
}
