/*
 * Litecoin's extension blocks (MWEB, LIP 2 and 3). Since their activation the last transaction of a block (the HogEx)
 * holds everything that is in the extension block, pays what leaves it, and is followed by the extension block itself.
 * All of that is removed here: what remains is in Bitcoin's format, with every ordinary output.
 */

const MARKER = 0x00;
const WITNESS = 0x01;
const MWEB = 0x08;

/** Where the parts of a raw transaction begin, and where its witnesses end. */
interface Layout {
  flags: number;
  version: number;
  inputs: number;
  end: number;
}

/** The transactions of a raw block, behind its header, without an extension block; and whether the last one is a HogEx. */
export function withoutExtensionBlock(body: Buffer): { body: Buffer; hasHogEx: boolean } {
  const [count, first] = readCount(body, 0);
  let start = first;
  for (let left = count; left > 0; left -= 1) {
    const layout = layoutOf(body, start);
    if (!(layout.flags & MWEB)) {
      start = skip(body, layout.end, 4);
      continue;
    }
    // Other transactions have no MWEB part in blocks, and the HogEx an empty one.
    if (left > 1 || body[layout.end] !== 0) throw new RangeError('a transaction has an MWEB part');
    const lockTime = layout.end + 1;
    skip(body, lockTime, 4);
    return { body: Buffer.concat([body.subarray(0, start), plain(body, layout, lockTime)]), hasHogEx: true };
  }
  return { body, hasHogEx: false };
}

/** A raw transaction without its MWEB part. */
export function withoutMweb(transaction: Buffer): Buffer {
  const layout = layoutOf(transaction, 0);
  if (!(layout.flags & MWEB)) return transaction;
  // The part is as long as the rest, up to the lock time.
  return plain(transaction, layout, transaction.length - 4);
}

/** Whether a raw transaction in hexadecimal stays within the extension block: its name is that of a kernel. */
export function isWithinMweb(raw: string): boolean {
  // Version, marker, flag, no inputs, no outputs.
  return raw.startsWith('00080000', 8);
}

function plain(bytes: Buffer, { flags, version, inputs, end }: Layout, lockTime: number): Buffer {
  const marker = flags & WITNESS ? [MARKER, WITNESS] : [];
  return Buffer.concat([
    bytes.subarray(version, version + 4),
    Buffer.from(marker),
    bytes.subarray(inputs, end),
    bytes.subarray(lockTime, lockTime + 4),
  ]);
}

function layoutOf(bytes: Buffer, version: number): Layout {
  let at = skip(bytes, version, 4);
  let flags = 0;
  if (bytes[at] === MARKER) {
    flags = bytes[at + 1] ?? 0;
    at += 2;
    if (flags === 0 || flags & ~(WITNESS | MWEB)) throw new RangeError(`a transaction has the flags ${flags}`);
  }
  const inputs = at;
  const [inputCount, firstInput] = readCount(bytes, at);
  at = firstInput;
  // Hash and number of the output, script, sequence.
  for (let left = inputCount; left > 0; left -= 1) at = skip(bytes, skipText(bytes, skip(bytes, at, 36)), 4);
  const [outputs, firstOutput] = readCount(bytes, at);
  at = firstOutput;
  // Amount, script.
  for (let left = outputs; left > 0; left -= 1) at = skipText(bytes, skip(bytes, at, 8));
  for (let left = flags & WITNESS ? inputCount : 0; left > 0; left -= 1) {
    const [items, firstItem] = readCount(bytes, at);
    at = firstItem;
    for (let item = 0; item < items; item += 1) at = skipText(bytes, at);
  }
  return { flags, version, inputs, end: at };
}

function skip(bytes: Buffer, at: number, length: number): number {
  if (at + length > bytes.length) throw new RangeError('it ends in the middle');
  return at + length;
}

function skipText(bytes: Buffer, at: number): number {
  const [length, start] = readCount(bytes, at);
  return skip(bytes, start, length);
}

/** A number before a list, and the place behind it. Nothing in a block is as long as what takes eight bytes to say. */
function readCount(bytes: Buffer, at: number): [count: number, next: number] {
  const first = bytes.readUInt8(at);
  if (first < 0xfd) return [first, at + 1];
  if (first === 0xfd) return [bytes.readUInt16LE(at + 1), at + 3];
  if (first === 0xfe) return [bytes.readUInt32LE(at + 1), at + 5];
  throw new RangeError('a list is too long');
}
