/** Replaces the erased data of a person in texts. */
export const ERASED = '[erased]';

/** Returns a text without the erased data. */
export type Eraser = (text: string) => string;

/**
 * Creates a function that replaces values in plain text and in JSON, in any case. A value matches only as a whole word, so
 * that an erased `ann@shop.example` leaves `joann@shop.example`. Shorter values than three characters are left.
 */
export function createEraser(values: readonly string[]): Eraser {
  const inJson = (value: string) => JSON.stringify(value).slice(1, -1);
  const spellings = values
    .map((value) => value.trim())
    .filter((value) => value.length >= 3)
    .flatMap((value) => [value, value.normalize('NFC'), value.normalize('NFD')])
    .flatMap((value) => [value, inJson(value), encodeURIComponent(value)]);
  if (spellings.length === 0) return (text) => text;
  // The longest first: a value may contain another.
  const sorted = [...new Set(spellings)].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${sorted.map(escapePattern).join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  return (text) => text.replaceAll(pattern, ERASED);
}

/** `RegExp.escape` is newer than Node.js 24's types. */
function escapePattern(value: string): string {
  return value.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
