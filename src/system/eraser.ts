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
    .flatMap((value) => [value, value.normalize('NFC'), value.normalize('NFD')]);
  // The longest first: a value may contain another.
  const sorted = [...new Set(spellings)].sort((one, other) => other.length - one.length);
  const pattern = sorted.length > 0 ? new RegExp(sorted.map(toPattern).join('|'), 'giv') : null;
  const eraseText = (text: string) => (pattern ? text.replaceAll(pattern, ERASED) : text);
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
const isUnspaced = new RegExp(UNSPACED, 'v');

/** A pattern of a value as a whole word, in plain text, in JSON, and in URLs. */
function toPattern(value: string): string {
  const isEmail = /^[^\s@]+@[^\s@]+$/.test(value);
  const characters = [...value];
  /** What must not be next to a character at the start or end. */
  const wordBy = (character = '') =>
    isEmail ? String.raw`[a-z\d]` : isUnspaced.test(character) ? '[]' : String.raw`[[\p{L}\p{N}]--${UNSPACED}]`;
  // The last letter of an encoded character, such as `%3D`, is no part of a word.
  const start = String.raw`(?:(?<!${wordBy(characters[0])})|(?<=%(?:25)*[\da-f]{2}))`;
  return `${start}${characters.map(toCharacterPattern).join('')}(?!${wordBy(characters.at(-1))})`;
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
