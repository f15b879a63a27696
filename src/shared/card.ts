import { findCardBrand } from './card-brands.ts';

/**
 * Validation rules of card fields, shared by the browser (messages next to the field) and the server (problem
 * responses). Nothing here stores or logs its input.
 */

/** A card brand: `visa`, `mastercard`, `american-express`, … */
type CardBrand = string;

export type CardFieldProblem =
  | 'required'
  | 'card_number_incomplete'
  | 'card_number_invalid'
  | 'expiry_incomplete'
  | 'expiry_invalid'
  | 'card_expired'
  | 'cvv_incomplete'
  | 'cvv_invalid';

/** Card properties derived from a number that may be incomplete. */
export interface CardNumberInfo {
  brand: CardBrand | null;
  brandName: string | null;
  /** Positions of the gaps: 4, 8, 12 for Visa. */
  gaps: readonly number[];
  /** Maximum length of the brand's numbers. */
  maxLength: number;
  cvvLength: 3 | 4;
}

const UNKNOWN_CARD: CardNumberInfo = { brand: null, brandName: null, gaps: [4, 8, 12], maxLength: 19, cvvLength: 3 };

/** Removes everything but digits; users and password managers type spaces and hyphens. */
export function cardDigits(value: string): string {
  return value.replace(/[\s\u00a0-]/g, '');
}

/** Brand, gaps and code length for the digits typed so far. */
export function inspectCardNumber(value: string): CardNumberInfo {
  const digits = cardDigits(value);
  const rules = /^\d+$/.test(digits) ? findCardBrand(digits) : null;
  if (!rules) return UNKNOWN_CARD;
  const { brand, name, gaps, lengths, cvvLength } = rules;
  return { brand, brandName: name, gaps, maxLength: Math.max(...lengths), cvvLength };
}

/** Length, brand and check digit (ISO/IEC 7812-1, Luhn). */
export function cardNumberProblem(value: string): CardFieldProblem | null {
  const digits = cardDigits(value);
  if (digits === '') return 'required';
  const rules = /^\d+$/.test(digits) ? findCardBrand(digits) : undefined;
  if (rules === undefined) return 'card_number_invalid';
  const lengths = rules?.lengths ?? [];
  if (lengths.includes(digits.length) && (rules?.brand === 'unionpay' || hasCheckDigit(digits))) return null;
  return digits.length < Math.min(16, ...lengths.slice(-1)) ? 'card_number_incomplete' : 'card_number_invalid';
}

/** UnionPay cards may have none. */
function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (1 + (index % 2));
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Three digits, four for American Express; either while the brand is unknown. */
export function cvvProblem(cvv: string, number: string): CardFieldProblem | null {
  const value = cvv.trim();
  if (value === '') return 'required';
  if (!/^\d{1,4}$/.test(value)) return 'cvv_invalid';
  const { brand, cvvLength } = inspectCardNumber(number);
  if (brand === null && cardDigits(number) === '') return value.length < 3 ? 'cvv_incomplete' : null;
  if (value.length < cvvLength) return 'cvv_incomplete';
  return value.length > cvvLength ? 'cvv_invalid' : null;
}

/** A month of two digits and a year of four. */
export interface CardExpiry {
  month: number;
  year: number;
}

/** Parses `04 / 27`, `4/2027`, `0427`, `2027-04`; null if it cannot be a month and a year. */
export function parseExpiry(value: string): CardExpiry | null {
  const compact = value.replace(/\s/g, '');
  const isoForm = /^(\d{4})-(\d{1,2})$/.exec(compact);
  if (isoForm) return expiry(isoForm[2], isoForm[1]);
  const parts = /^(\d{1,2})[/.-](\d{2}|\d{4})$/.exec(compact) ?? /^(\d{2})(\d{2}|\d{4})$/.exec(compact);
  return parts ? expiry(parts[1], parts[2]) : null;
}

/** Splits an expiry into the two fields of a card submission; empty if it is invalid. */
export function expiryFields(value: string): { card_expiry_month: string; card_expiry_year: string } {
  const expiry = parseExpiry(value);
  return {
    card_expiry_month: expiry ? String(expiry.month).padStart(2, '0') : '',
    card_expiry_year: expiry ? String(expiry.year) : '',
  };
}

function expiry(monthText = '', yearText = ''): CardExpiry | null {
  if (!/^\d{1,2}$/.test(monthText) || !/^(\d{2}|\d{4})$/.test(yearText)) return null;
  const month = Number(monthText);
  const year = Number(yearText) + (yearText.length === 2 ? 2000 : 0);
  return month >= 1 && month <= 12 ? { month, year } : null;
}

/** Month and year as separate strings, as in a card submission. */
export function parseExpiryFields(month: string, year: string): CardExpiry | null {
  return expiry(month.trim(), year.trim());
}

/** A month from 1 to 12, as one or two digits. */
export function expiryMonthProblem(month: string): CardFieldProblem | null {
  if (month.trim() === '') return 'required';
  return expiry(month.trim(), '2000') ? null : 'expiry_invalid';
}

/** A plausible expiry year of two or four digits at `nowMs`. */
export function expiryYearProblem(year: string, nowMs: number): CardFieldProblem | null {
  if (year.trim() === '') return 'required';
  const parsed = expiry('12', year.trim());
  return parsed && !isTooFarAhead(parsed, nowMs) ? null : 'expiry_invalid';
}

function isTooFarAhead({ year }: CardExpiry, nowMs: number): boolean {
  return year > new Date(nowMs).getUTCFullYear() + MAX_VALIDITY_YEARS;
}

const TWELVE_HOURS_MS = 12 * 3600 * 1000;
const MAX_VALIDITY_YEARS = 20;

/**
 * A card is valid through the last day of its month. In the westernmost time zones, that day ends at noon UTC of the
 * next day.
 */
export function expiryProblem(value: CardExpiry | null, nowMs: number): CardFieldProblem | null {
  if (!value) return 'expiry_invalid';
  const endsMs = Date.UTC(value.year, value.month, 1) + TWELVE_HOURS_MS;
  if (endsMs <= nowMs) return 'card_expired';
  return isTooFarAhead(value, nowMs) ? 'expiry_invalid' : null;
}

/** Digits with the brand's gaps: `4242 4242 4242 4242`, `3782 822463 10005`. */
export function formatCardNumber(value: string): string {
  const { gaps, maxLength } = inspectCardNumber(value);
  const digits = value.replace(/\D/g, '').slice(0, maxLength);
  return [...digits].map((digit, index) => (gaps.includes(index) ? ` ${digit}` : digit)).join('');
}
