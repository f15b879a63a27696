import { formatCardNumber, parseExpiry } from '../../../src/shared/card.ts';
import type { CardFieldName } from '../../../src/shared/card-form.ts';

/** Text of a field and its caret position. */
export interface TextWithCaret {
  text: string;
  caret: number;
}

type Formatter = (typed: TextWithCaret) => TextWithCaret;

/** Formatters of fields, applied while the buyer types, pastes or autofills. */
export const formatters: Partial<Record<CardFieldName, Formatter>> = {
  card_number: ({ text, caret }) => placeCaret(formatCardNumber(text), countDigitsBefore(text, caret)),
  card_expiry: formatExpiry,
  card_cvv: ({ text, caret }) => placeCaret(text.replace(/\D/g, '').slice(0, 4), countDigitsBefore(text, caret)),
};

function countDigits(text: string): number {
  return text.replace(/\D/g, '').length;
}

function countDigitsBefore(text: string, caret: number): number {
  return countDigits(text.slice(0, caret));
}

/** Places the caret after the same number of digits as before, and after a gap at the end of the text. */
function placeCaret(text: string, digits: number): TextWithCaret {
  let caret = 0;
  for (let passed = 0; caret < text.length && passed < digits; caret++) {
    if (isDigit(text, caret)) passed++;
  }
  if (!/\d/.test(text.slice(caret))) caret = text.length;
  return { text, caret };
}

function isDigit(text: string, index: number): boolean {
  return /\d/.test(text.charAt(index));
}

/** `4` → `04 / `, `12` → `12 / `, `13` → `01 / 3`, `4/27`, `04/2027` and `2027-04` → `04 / 27`. */
function formatExpiry({ text, caret }: TextWithCaret): TextWithCaret {
  const parsed = parseExpiry(text);
  const { month, year } = parsed
    ? { month: String(parsed.month), year: twoDigits(parsed.year % 100) }
    : splitExpiry(text, caret);
  // While the buyer edits the month, a single digit is not padded.
  const isEditingMonth = !parsed && caret < text.length && year !== '';
  const paddedMonth =
    month.length === 1 && !isEditingMonth && (year !== '' || /^[2-9]$|^\d\D/.test(text.trim())) ? `0${month}` : month;
  const formatted = paddedMonth.length === 2 || year !== '' ? `${paddedMonth} / ${year}` : paddedMonth;
  if (caret >= text.length) return { text: formatted, caret: formatted.length };
  return placeCaret(formatted, countDigitsBefore(text, caret) + (countDigits(formatted) > countDigits(text) ? 1 : 0));
}

function splitExpiry(text: string, caret: number): { month: string; year: string } {
  const parts = /^\D*(\d{0,2})\D+(\d*)/.exec(text);
  const digits = text.replace(/\D/g, '');
  const monthLength = parts ? (parts[1] ?? '').length : /^([2-9]|1[3-9])/.test(digits) ? 1 : 2;
  const year = digits.slice(monthLength);
  // A four-digit year is kept while it is being typed, then shortened to two digits.
  const maxYearDigits = year.startsWith('20') && caret >= text.length ? 4 : 2;
  return { month: digits.slice(0, monthLength), year: year.slice(0, maxYearDigits) };
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/**
 * Deletes across a gap that formatting inserted: removes the digit beyond the gap, since formatting would restore the
 * gap. Returns null if the caret is not next to a gap.
 */
export function deleteAcrossGap(
  { text, caret }: TextWithCaret,
  direction: 'backward' | 'forward',
): TextWithCaret | null {
  if (direction === 'backward') {
    const gap = /[ /]+$/.exec(text.slice(0, caret));
    if (!gap || gap.index === 0) return null;
    return { text: text.slice(0, gap.index - 1) + text.slice(caret), caret: gap.index - 1 };
  }
  const gap = /^[ /]+/.exec(text.slice(caret));
  if (!gap) return null;
  const digitAt = caret + gap[0].length;
  return { text: text.slice(0, caret) + text.slice(digitAt + 1), caret };
}
