/** The setting `CELL`: two characters of base32 (RFC 4648) in lower case. */
export const CELL_PATTERN = /^[a-z2-7]{2}$/;

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** Number of IDs that each table of a cell can generate. */
const IDS_PER_CELL = 10 ** 12;

/** Number of a cell, which orders cells: 0 without a prefix, then 1 (`aa`) to 1024 (`77`). */
export function cellNumber(cell: string): number {
  if (cell === '') return 0;
  const [high = '', low = ''] = cell;
  return 1 + ALPHABET.indexOf(high) * ALPHABET.length + ALPHABET.indexOf(low);
}

/**
 * Generated IDs of a cell are greater than this. IDs of two cells never collide, and the digits of an ID before the
 * last twelve are the number of its cell. The highest is below 2^53.
 */
export function idBaseOf(cell: string): number {
  return cellNumber(cell) * IDS_PER_CELL;
}

/**
 * An ID for logs and messages, with the cell as in `aa-1`: all its digits would be masked as a card number. `parseId`
 * reads it.
 */
export function formatId(id: number): number | string {
  const number = Math.floor(id / IDS_PER_CELL);
  if (number < 1 || number > ALPHABET.length ** 2) return id;
  const [high, low] = [Math.floor((number - 1) / ALPHABET.length), (number - 1) % ALPHABET.length];
  return `${ALPHABET[high]}${ALPHABET[low]}-${id % IDS_PER_CELL}`;
}

/** Parses an ID, in full or as in `aa-1`; null if it is invalid. */
export function parseId(text: string): number | null {
  const [, id, cell = '', rest] = /^(?:([1-9]\d{0,15})|([a-z2-7]{2})-([1-9]\d{0,11}))$/.exec(text) ?? [];
  const number = idBaseOf(cell) + Number(id ?? rest);
  return Number.isSafeInteger(number) ? number : null;
}

/**
 * Returns the ID after which a cleanup in the order of IDs continues after a full batch of `size` rows; null at the end.
 * IDs increase with time only among rows of one cell: younger rows of a moved merchant may precede older ones.
 */
export function nextAfter<Row extends { id: number }>(
  rows: readonly Row[],
  size: number,
  isOld: (row: Row) => boolean,
): number | null {
  const last = rows[size - 1];
  if (!last) return null;
  return isOld(last) ? last.id : (Math.floor(last.id / IDS_PER_CELL) + 1) * IDS_PER_CELL;
}
