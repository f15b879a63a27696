/** Words of a name in any of the API's notations: `transaction_id`, `txId`, `fiat.transaction.updated`. */
export const wordsOf = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);

export const pascalCase = (name) =>
  wordsOf(name)
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join('');

export const snakeCase = (name) => wordsOf(name).join('_').toLowerCase();

/** A value of an enumeration without the enumeration's name, which is already the prefix of its constants. */
export const shortValue = (name, value) => value.replace(new RegExp(`^${snakeCase(name)}_`), '');

/** Required fields first, as parameters with a default must come last. */
export const requiredFirst = (fields) => fields.toSorted((one, other) => Number(other.required) - Number(one.required));

/** Breaks text into lines of a width; paragraphs stay apart. */
export function wrap(text, width) {
  return text.split('\n').flatMap((paragraph) => {
    const lines = [''];
    for (const word of paragraph.split(' ')) {
      const last = lines.at(-1);
      if (last !== '' && last.length + word.length + 1 > width) lines.push(word);
      else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
    }
    return lines;
  });
}
