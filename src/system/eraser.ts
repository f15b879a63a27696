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
  const inJson = (value: string) => JSON.stringify(value).slice(1, -1);
  const inUrl = (value: string) => [encodeURIComponent(value), encodeURIComponent(value).replaceAll('%20', '+')];
  const spellings = values
    .map((value) => value.trim())
    .filter((value) => value.length >= 3)
    .flatMap((value) => [value, value.normalize('NFC'), value.normalize('NFD')])
    .flatMap((value) => [value, inJson(value), ...inUrl(value)]);
  // The longest first: a value may contain another.
  const sorted = [...new Set(spellings)].sort((one, other) => other.length - one.length);
  const pattern =
    sorted.length > 0
      ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${sorted.map(escapePattern).join('|')})(?![\\p{L}\\p{N}])`, 'giu')
      : null;
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

/** `RegExp.escape` is newer than Node.js 24's types. */
function escapePattern(value: string): string {
  return value.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
