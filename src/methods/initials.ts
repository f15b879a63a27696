/** Width and height of a mark, the same as those of the logos in `public/methods/`. */
const WIDTH = 38;
const HEIGHT = 24;

/** Dull tints, which tell marks apart: a clear color would suggest the bank that has it. */
const tints = ['#4b5563', '#3a5a7c', '#2c6264', '#4a5f33', '#6b5a2a', '#7a4a35', '#7a4058', '#5f4b7d'] as const;

/** Font size by the number of letters. */
const fontSizes = [13, 13, 12, 11, 9.5] as const;

/**
 * Draws the mark of a brand or bank without a logo: its initials on a tint that
 * depends on the name. With `second`, the initials are the first letter and the one at that index.
 */
export function initialsMark(name: string, second = 0): string {
  const letters = initials(name, second);
  const fontSize = fontSizes[Math.min([...letters].length, 4)];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}"><path fill="${tintOf(name)}" d="M0 0h${WIDTH}v${HEIGHT}H0z"/><text x="${WIDTH / 2}" y="${HEIGHT / 2}" fill="#fff" font-family="system-ui,sans-serif" font-size="${fontSize}" font-weight="700" text-anchor="middle" dominant-baseline="central">${letters}</text></svg>`;
}

function tintOf(name: string): string {
  let hash = 0;
  for (const character of name) hash = (hash * 397 + (character.codePointAt(0) ?? 0)) % 65_521;
  return tints[hash % tints.length] ?? tints[0];
}

/**
 * Up to four letters or digits: a short name as it is (`UPI`, `MoMo`), the capitals of one word (`PP` for
 * `PromptPay`) or its first two letters (`Na` for `Nagad`), otherwise the first letters of up to three words (`BC` for
 * `Banco de Chile`).
 */
export function initials(name: string, second = 0): string {
  if (second > 0) return [0, second].map((index) => lettersOf(name)[index]).join('');
  const words = name
    .split(/\s+/)
    .map((word) => word.replaceAll(NO_LETTER, ''))
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

/**
 * Returns the marks of names that are listed together, as paths below `/methods/` without `.svg`. Names with the same
 * initials get their first letter and the first one that the others do not have there: `Kt` and `Ks` for `Krungthai`
 * and `Krungsri`.
 */
export function listedMarks(names: readonly string[]): string[] {
  const groups = Map.groupBy(names, (name) => inCapitals(initials(name)));
  const used = new Set([...groups].filter(([, group]) => group.length === 1).map(([letters]) => letters));
  return names.map((name) => {
    const others = (groups.get(inCapitals(initials(name))) ?? []).filter((other) => other !== name).map(lettersOf);
    if (others.length === 0) return `initials/${encodeURIComponent(name)}`;
    const letters = lettersOf(name);
    const indexes = [...letters.keys()].slice(1);
    const differing = indexes.filter((index) => others.every((other) => other[index] !== letters[index]));
    const isFree = (index: number) => !used.has(inCapitals(initials(name, index)));
    const second = [...differing, ...indexes].find(isFree) ?? 0;
    used.add(inCapitals(initials(name, second)));
    return `initials/${second}/${encodeURIComponent(name)}`;
  });
}

function inCapitals(letters: string): string {
  return letters.toLocaleUpperCase('und');
}

/** The letters of all words, each with its combining marks. */
function lettersOf(name: string): string[] {
  const letters = new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(name.replaceAll(NO_LETTER, ''));
  return Array.from(letters, ({ segment }) => segment);
}

const NO_LETTER = /[^\p{L}\p{M}\p{N}]/gu;

/** The article, and lower-case words such as `of` and `de`. */
const SMALL_WORD = /^(?:The|\p{Ll}{1,3})$/u;

/** The first letter with its combining marks. */
function firstLetter(word: string): string {
  return lettersOf(word)[0] ?? '';
}
