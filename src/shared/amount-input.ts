import { asciiDigits } from './digits.ts';

/**
 * Parses a typed amount: digits of any script, a decimal comma or point, grouped thousands, spaces and
 * a currency sign. Returns minor units, or null if it is not an amount of the currency. `locale` determines the meaning of a single
 * separator before three digits, such as `1,234`.
 */
export function parseAmountText(text: string, minorUnits: number, locale: string): bigint | null {
  const digits = asciiDigits(text.normalize('NFKC'))
    .replaceAll('٫', '.')
    .replaceAll(/[\u066C'\u2019\s\p{Cf}]/gu, '')
    .replace(/^(?:\p{L}[\p{L}.]*)?\p{Sc}?(?=\d)|\p{Sc}?(?:\p{L}[\p{L}.]*)?$/gu, '');
  const match = /^(\d[\d.,]*)$/.exec(digits);
  if (!match || digits.length > 24) return null;
  const decimalAt = decimalPosition(digits, locale);
  const whole = digits.slice(0, decimalAt ?? undefined);
  const fraction = decimalAt === null ? '' : digits.slice(decimalAt + 1);
  if (!isGrouped(whole) || !/^\d*$/.test(fraction) || fraction.length > minorUnits) return null;
  const minor = BigInt(whole.replaceAll(/[.,]/g, '') + fraction.padEnd(minorUnits, '0'));
  return minor <= 999_999_999_999_999n ? minor : null;
}

/** Position of the decimal separator; null for a whole number. */
function decimalPosition(digits: string, locale: string): number | null {
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  if (last === -1) return null;
  const separator = digits[last] ?? '';
  const hasOther = digits.includes(separator === '.' ? ',' : '.');
  if (digits.indexOf(separator) !== last) return null;
  if (hasOther) return last;
  // No thousands begin with a zero.
  const isAmbiguous = digits.length - last - 1 === 3 && last <= 3 && !digits.startsWith('0');
  return isAmbiguous && decimalSeparator(locale) !== separator ? null : last;
}

/** True for digits, and for groups of thousands; Indian groups have two digits. */
function isGrouped(whole: string): boolean {
  return /^\d+$/.test(whole) || /^\d{1,3}([.,])(?:\d{2,3}\1)*\d{3}$/.test(whole);
}

/** The decimal separator of a language: `.` or `,`. */
export function decimalSeparator(locale: string): string {
  try {
    const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1.5);
    return parts.find(({ type }) => type === 'decimal')?.value ?? '.';
  } catch {
    return '.';
  }
}
