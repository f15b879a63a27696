import { cardBrandTable } from './card-brand-table.ts';

/** Rules of a card brand's numbers. */
export interface CardBrandRules {
  /** `visa`, `american-express`. */
  brand: string;
  /** `Visa`, `American Express`. */
  name: string;
  /** IIN ranges: first and last prefix, of equal length. */
  ranges: readonly (readonly [first: string, last: string])[];
  lengths: readonly number[];
  /** Positions of the gaps: 4, 8, 12 for Visa. */
  gaps: readonly number[];
  cvvLength: 3 | 4;
}

export const cardBrands: readonly CardBrandRules[] = cardBrandTable.map(
  ([name, ranges, lengths, gaps = [4, 8, 12], codeLength = 3]) => ({
    brand: name.toLowerCase().replace(' ', '-'),
    name,
    ranges: ranges.split(' ').map((range) => {
      const [first = '', end = ''] = range.split('-');
      return [first, first.slice(0, first.length - end.length) + end] as const;
    }),
    lengths,
    gaps,
    cvvLength: codeLength === 4 ? 4 : 3,
  }),
);

/** Finds the brand's IIN range that matches a number. A number that is still being typed may be shorter than an IIN. */
function matchingRange({ ranges }: CardBrandRules, digits: string) {
  return ranges.find(([first, last]) => {
    const start = digits.slice(0, first.length);
    return start >= first.slice(0, start.length) && start <= last.slice(0, start.length);
  });
}

/**
 * Finds the brand of a number that may be incomplete: null while several are possible, undefined if none is. Of several
 * ranges, the longest is the most specific.
 */
export function findCardBrand(digits: string): CardBrandRules | null | undefined {
  const matches = cardBrands.flatMap((rules) => {
    const range = matchingRange(rules, digits);
    return range ? [{ rules, length: range[0].length }] : [];
  });
  if (matches.length > 1 && matches.some(({ length }) => length > digits.length)) return null;
  return matches.toSorted((one, other) => other.length - one.length)[0]?.rules;
}
