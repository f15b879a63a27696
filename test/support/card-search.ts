import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dumpRows } from './rows.ts';
import type { World } from './world.ts';

export interface SoughtCard {
  number: string;
  cvv: string;
}

/** Between two digits: nothing, or up to six of anything that is no letter or digit, also escaped (`%20`, `&nbsp;`, `\n`, `\u00a0`). */
const separator = String.raw`(?:%[0-9A-Fa-f]{2}|&#?\w{1,6};|\\u[0-9A-Fa-f]{4}|\\[a-z]|[^0-9A-Za-z]){0,6}?`;

/** The ways in which a place holds a card; empty when it holds none. */
export function findCard(haystack: Buffer | string, { number, cvv }: SoughtCard): string[] {
  const bytes = typeof haystack === 'string' ? Buffer.from(haystack) : haystack;
  // Each byte one character, so that nothing is lost of what is no text. UTF-16 is text with a zero between digits.
  const text = bytes.toString('latin1');
  const spaced = number.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
  const found = {
    'the number': new RegExp([...number].join(separator)).test(text),
    'the number backwards': text.includes([...number].reverse().join('')),
    'the number in base64': [number, spaced].some((form) => base64Cores(form).some((core) => text.includes(core))),
    'the number in hex': [number, spaced].some((form) =>
      text.toLowerCase().includes(Buffer.from(form).toString('hex')),
    ),
    'the number as an integer': bytes.includes(int64(number)),
    'the number as packed digits': bytes.includes(Buffer.from(number.padStart(16, '0'), 'hex')) && number.length === 16,
    'the code beside a word for it': new RegExp(
      `(?:cvv|cvc|cvn|csc|security.?code)[^0-9]{0,12}${cvv}(?!\\d)`,
      'i',
    ).test(text),
    'the code as a text of its own': new RegExp(`["'>]${cvv}["'<]`).test(text),
    // Three digits stand everywhere by chance; four that stand alone do not. Moments, ports and identifiers hold more.
    'the code alone': cvv.length === 4 && new RegExp(`(?<![\\w.:+/=-])${cvv}(?![\\w.:+/=-])`).test(text),
  };
  return Object.entries(found).flatMap(([form, isThere]) => (isThere ? [form] : []));
}

/** What base64 makes of a text wherever it stands in a longer one: three alignments, without the digits that its neighbours share. */
function base64Cores(text: string): string[] {
  return [0, 1, 2].map((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
    return padded.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((padded.length * 8) / 6));
  });
}

/** As SQLite keeps a whole number of this size. */
function int64(number: string): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
}

/** Everything that a world keeps, by the place where it is: rows, files and log. */
export async function placesOf(world: World): Promise<Map<string, Buffer | string>> {
  const places = new Map<string, Buffer | string>([['log', world.log()]]);
  for (const [table, rows] of Object.entries(await dumpRows(world.service().database))) {
    places.set(`table ${table}`, rows.join('\n'));
  }
  for (const [name, bytes] of filesIn(world.databaseFolder)) places.set(`file ${name}`, bytes);
  return places;
}

/** Every file of a folder, by name; none for a database that is a server's. */
export function filesIn(folder: string | null): Map<string, Buffer> {
  if (folder === null) return new Map();
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(entries.map((entry) => [entry.name, readFileSync(join(folder, entry.name))]));
}

/** Where any of the cards is, in words; empty when none is anywhere. */
export function searchCards(places: ReadonlyMap<string, Buffer | string>, cards: readonly SoughtCard[]): string[] {
  return [...places].flatMap(([place, content]) =>
    cards.flatMap((card) =>
      findCard(content, card).map((form) => `${place} holds ${form} of …${card.number.slice(-4)}`),
    ),
  );
}
