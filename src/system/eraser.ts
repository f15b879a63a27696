/** Replaces a payer's erased data in strings. */
const ERASED = '[erased]';

/** Replaces a payer's data in stored strings. */
export interface Eraser {
  text(text: string): string;
  /** Erases in the strings of JSON text, so that it stays valid: never in numbers and names of fields. */
  json(text: string): string;
}

/**
 * Creates an eraser of the given values, matched case-insensitively. A value matches only as a whole word, so that an
 * erased `ann@shop.example` leaves `joann@shop.example`. Values shorter than three characters are not erased. In JSON,
 * all strings in the fields listed in `names` are erased too.
 */
export function createEraser(values: readonly string[], names: readonly string[] = []): Eraser {
  const spellings = values
    .map((value) => value.trim())
    .filter((value) => value.length >= 3)
    .flatMap((value) => [value, value.normalize('NFC'), value.normalize('NFD')])
    .map((value) => value.toLowerCase());
  const patterns = toPatterns([...new Set(spellings)]);
  const eraseText = (text: string) => patterns.reduce((rest, pattern) => rest.replaceAll(pattern, ERASED), text);
  const eraseString = (text: string): string => {
    const nested = /^[{[]/.test(text) ? parseJson(text) : undefined;
    return nested === undefined ? eraseText(text) : JSON.stringify(eraseIn(nested));
  };
  const eraseIn = (value: unknown): unknown => {
    if (typeof value === 'string') return eraseString(value);
    if (Array.isArray(value)) return value.map(eraseIn);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [name, names.includes(name) ? eraseAll(field) : eraseIn(field)]),
    );
  };
  return {
    text: eraseText,
    json(text) {
      const parsed = parseJson(text);
      return parsed === undefined ? eraseText(text) : JSON.stringify(eraseIn(parsed));
    },
  };
}

/** Replaces every string. */
function eraseAll(value: unknown): unknown {
  if (typeof value === 'string') return ERASED;
  if (Array.isArray(value)) return value.map(eraseAll);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, eraseAll(field)]));
}

/** Returns undefined for a string that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Scripts that are written without spaces between words. */
const UNSPACED = String.raw`[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}]`;
const isUnspaced = new RegExp(`^${UNSPACED}$`, 'u');
const WORD = String.raw`(?!${UNSPACED})[\p{L}\p{N}]`;
/** What continues an email address. */
const EMAIL_WORD = String.raw`[a-z\d]`;

/**
 * Patterns of values as whole words, in plain text, in JSON, and in URLs: one for all values with the same boundaries,
 * because the boundaries are slow to compile. Email addresses come first, as they may contain names.
 */
function toPatterns(values: readonly string[]): RegExp[] {
  const byBoundaries = Map.groupBy(values, (value) => {
    if (/^[^\s@]+@[^\s@]+$/.test(value)) return [EMAIL_WORD, EMAIL_WORD].join(' ');
    const characters = [...value];
    return [characters[0], characters.at(-1)].map((edge = '') => (isUnspaced.test(edge) ? '[]' : WORD)).join(' ');
  });
  return [...byBoundaries]
    .toSorted(([one], [other]) => Number(other.startsWith(EMAIL_WORD)) - Number(one.startsWith(EMAIL_WORD)))
    .flatMap(([boundaries, group]) => {
      const [before = '', after = ''] = boundaries.split(' ');
      // The last letter of an encoded character, such as `%3D`, is no part of a word.
      const start = String.raw`(?:(?<!${before})|(?<=%(?:25)*[\da-f]{2}))`;
      // The longest first: a value may contain another.
      const longestFirst = group.toSorted((one, other) => other.length - one.length);
      const alternatives = longestFirst.map((value) => [...value].map(toCharacterPattern).join(''));
      return chunks(alternatives).map((some) => new RegExp(`${start}(?:${some.join('|')})(?!${after})`, 'giu'));
    });
}

/** The time to compile a pattern grows faster than its length. */
const MAX_ALTERNATIVES = 100;

function chunks(alternatives: readonly string[]): string[][] {
  const count = Math.ceil(alternatives.length / MAX_ALTERNATIVES);
  return Array.from({ length: count }, (_, index) =>
    alternatives.slice(index * MAX_ALTERNATIVES, (index + 1) * MAX_ALTERNATIVES),
  );
}

/** Punctuation and letters beyond ASCII may be escaped in JSON, and encoded in a URL, also within another URL. */
function toCharacterPattern(character: string): string {
  if (/^[a-z\d]$/i.test(character)) return character;
  const encoded = Buffer.from(character).toString('hex').replaceAll(/../g, '%$&');
  const spellings = [character, JSON.stringify(character).slice(1, -1), ...(character === ' ' ? ['+', '%2B'] : [])];
  return `(?:${[...spellings.map(escapePattern), encoded.replaceAll('%', '%(?:25)?')].join('|')})`;
}

/** `RegExp.escape` is newer than Node.js 24's types. */
function escapePattern(value: string): string {
  return value.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
