import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dumpRows } from './rows.ts';
import type { Fixture } from './fixture.ts';

export interface SearchedCard {
  number: string;
  cvv: string;
}

/** Separator of two digits: up to six non-alphanumeric characters, also escaped (`%20`, `&nbsp;`, `\n`, `\u00a0`). */
const separator = String.raw`(?:%[0-9A-Fa-f]{2}|&#?\w{1,6};|\\u[0-9A-Fa-f]{4}|\\[a-z]|[^0-9A-Za-z]){0,6}?`;

/** Returns the forms in which a place contains a card; empty when it contains none. */
export function findCard(haystack: Buffer | string, { number, cvv }: SearchedCard): string[] {
  const bytes = typeof haystack === 'string' ? Buffer.from(haystack) : haystack;
  // One character per byte, to keep binary data. UTF-16 digits then have a zero byte in between.
  const text = bytes.toString('latin1');
  const spaced = number.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
  const matches = {
    'the number': new RegExp([...number].join(separator)).test(text),
    'the number backwards': text.includes([...number].reverse().join('')),
    'the number in base64': [number, spaced].some((form) => base64Cores(form).some((core) => text.includes(core))),
    'the number in hex': [number, spaced].some((form) =>
      text.toLowerCase().includes(Buffer.from(form).toString('hex')),
    ),
    'the number as an integer': bytes.includes(int64(number)),
    'the number as packed digits': bytes.includes(Buffer.from(number.padStart(16, '0'), 'hex')) && number.length === 16,
    'the code after its label': new RegExp(`(?:cvv|cvc|cvn|csc|security.?code)[^0-9]{0,12}${cvv}(?!\\d)`, 'i').test(
      text,
    ),
    'the code as a separate text': new RegExp(`["'>]${cvv}["'<]`).test(text),
    // Three digits occur everywhere by chance, four separate digits do not. Times, ports and IDs have more characters.
    'the code alone': cvv.length === 4 && new RegExp(`(?<![\\w.:+/=-])${cvv}(?![\\w.:+/=-])`).test(text),
  };
  return Object.entries(matches).flatMap(([form, isMatch]) => (isMatch ? [form] : []));
}

/** Returns a text's base64 form within a longer text: three alignments, without the digits shared with neighbors. */
function base64Cores(text: string): string[] {
  return [0, 1, 2].map((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
    return padded.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((padded.length * 8) / 6));
  });
}

/** SQLite's storage of an integer of this size. */
function int64(number: string): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
}

/** Reads all stored data of a fixture by place: rows, files and log. */
export async function readStoredData(fixture: Fixture): Promise<Map<string, Buffer | string>> {
  const places = new Map<string, Buffer | string>([['log', fixture.log()]]);
  for (const [table, rows] of Object.entries(await dumpRows(fixture.service().database))) {
    places.set(`table ${table}`, rows.join('\n'));
  }
  for (const [name, bytes] of readFiles(fixture.databaseFolder)) places.set(`file ${name}`, bytes);
  return places;
}

/** Reads every file of a folder, by name; none for a database server. */
export function readFiles(folder: string | null): Map<string, Buffer> {
  if (folder === null) return new Map();
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(entries.map((entry) => [entry.name, readFileSync(join(folder, entry.name))]));
}

/** Describes the places that contain a card; empty when none does. */
export function searchCards(places: ReadonlyMap<string, Buffer | string>, cards: readonly SearchedCard[]): string[] {
  return [...places].flatMap(([place, content]) =>
    cards.flatMap((card) =>
      findCard(content, card).map((form) => `${place} contains ${form} of …${card.number.slice(-4)}`),
    ),
  );
}
