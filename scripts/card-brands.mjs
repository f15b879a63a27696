/*
 * Reads the card brands from the package credit-card-type, and writes the data for the card form in its shortest form:
 * the package would make up a tenth of the form's size.
 */
import creditCardType from 'credit-card-type';

/** Defaults that most brands share. */
const usual = { gaps: '4,8,12', code: 3 };

/** `4`; `51-5` for 51 to 55: the end without the digits that it shares with the start. */
function rangeText(pattern) {
  const [first, last = first] = [pattern].flat().map(String);
  if (first.length !== last.length) throw new Error(`${first} and ${last} have different lengths`);
  if (first === last) return first;
  const shared = [...first].findIndex((digit, index) => digit !== last[index]);
  return `${first}-${last.slice(shared)}`;
}

function brandEntry({ type, niceType, patterns, lengths, gaps, code }) {
  if (niceType.toLowerCase().replace(' ', '-') !== type) throw new Error(`${type} is not named like ${niceType}`);
  const entry = [niceType, patterns.map(rangeText).join(' '), lengths];
  const isUsual = String(gaps) === usual.gaps && code.size === usual.code;
  return isUsual ? entry : [...entry, gaps, code.size];
}

/** Contents of the file. */
export function cardBrandTable() {
  return `/* Generated from the package credit-card-type by \`npm run generate\`. */

/**
 * Card brands: display name, IIN ranges (51-5: 51 to 55), lengths of the number; gaps and length of the security code
 * if they are not 4, 8, 12 and 3.
 */
export const cardBrandTable: readonly (readonly [
  name: string,
  ranges: string,
  lengths: readonly number[],
  gaps?: readonly number[],
  codeLength?: number,
])[] = ${JSON.stringify(creditCardType('').map(brandEntry))};
`;
}
