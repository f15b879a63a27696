/** Width and height of a mark, the same as those of the logos in `public/methods/`. */
const WIDTH = 38;
const HEIGHT = 24;

/** Backgrounds: white text on each has a contrast of at least 5:1. */
const backgrounds = ['#1f5f4a', '#1d4f91', '#6b3fa0', '#8a2f5d', '#9a3412', '#7a4a08', '#3f5b16', '#0f5f6b', '#4b5563'];

/** Font size by the number of letters. */
const fontSizes = [13, 13, 12, 11, 9.5] as const;

/** Draws the mark of a brand or bank without a logo: its initials, on a color that depends on its name only. */
export function initialsMark(name: string): string {
  const letters = initials(name);
  const fontSize = fontSizes[Math.min([...letters].length, 4)];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}"><path fill="${backgroundOf(name)}" d="M0 0h${WIDTH}v${HEIGHT}H0z"/><text x="${WIDTH / 2}" y="${HEIGHT / 2}" fill="#fff" font-family="system-ui,sans-serif" font-size="${fontSize}" font-weight="700" text-anchor="middle" dominant-baseline="central">${letters}</text></svg>`;
}

/**
 * Up to four letters or digits: a short name as it is (`UPI`, `MoMo`), the capitals of one word (`PP` for
 * `PromptPay`) or its first two letters (`Na` for `Nagad`), otherwise the first letters of up to three words (`BC` for
 * `Banco de Chile`).
 */
export function initials(name: string): string {
  const words = name
    .split(/\s+/)
    .map((word) => word.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, ''))
    .filter((word) => word !== '');
  const main = words.filter((word) => !SMALL_WORD.test(word));
  const [first = '', ...others] = main.length > 0 ? main : words;
  if (others.length > 0)
    return [first, ...others.slice(0, 2)].map((word) => firstLetter(word).toLocaleUpperCase('und')).join('');
  if ([...first].length <= 4) return first;
  const start = firstLetter(first);
  const rest = first.slice(start.length);
  const capitals = rest.match(/\p{Lu}/gu) ?? [firstLetter(rest)];
  return [start, ...capitals.slice(0, 2)].join('');
}

/** The article, and lower-case words such as `of` and `de`. */
const SMALL_WORD = /^(?:The|\p{Ll}{1,3})$/u;

/** The first letter with its combining marks. */
function firstLetter(word: string): string {
  const [first] = new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(word);
  return first?.segment ?? '';
}

function backgroundOf(name: string): string {
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return backgrounds[hash % backgrounds.length] as string;
}
