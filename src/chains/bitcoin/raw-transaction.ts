import { hash } from 'node:crypto';
import type { TimeSlices } from '../../system/time-slices.ts';
import { MWEB_FLAG } from './mweb.ts';

/** Offsets of the parts of a raw transaction. */
export interface TransactionLayout {
  versionOffset: number;
  hasMweb: boolean;
  inputsOffset: number;
  outputsOffset: number;
  outputsEndOffset: number;
}

export const HASH_BYTES = 32;
const MARKER = 0x00;
const WITNESS = 0x01;
/** Witness items parsed between checks of the time slice: a fraction of a millisecond. */
const ITEMS_PER_SLICE = 4096;

/** Reads bytes in order. Throws `RangeError` at the end of the buffer. */
export class ByteReader {
  readonly bytes: Buffer;
  offset: number;

  constructor(bytes: Buffer, offset = 0) {
    this.bytes = bytes;
    this.offset = offset;
  }

  /** Returns the offset of the skipped bytes. */
  skip(length: number): number {
    const start = this.offset;
    if (start + length > this.bytes.length) throw new RangeError('it is truncated');
    this.offset = start + length;
    return start;
  }

  /** Reads the count before a list (CompactSize), in its shortest form. Counts of eight bytes do not occur in blocks. */
  readCount(): number {
    const start = this.skip(1);
    const first = this.bytes.readUInt8(start);
    if (first < 0xfd) return first;
    if (first === 0xff) throw new RangeError('a list is too long');
    const isShort = first === 0xfd;
    const valueOffset = this.skip(isShort ? 2 : 4);
    const count = isShort ? this.bytes.readUInt16LE(valueOffset) : this.bytes.readUInt32LE(valueOffset);
    if (count < (isShort ? 0xfd : 0x1_0000)) throw new RangeError('a count is not in its shortest form');
    return count;
  }

  /** Skips a length-prefixed byte string. Returns the offset of its first byte. */
  skipBytes(): number {
    return this.skip(this.readCount());
  }
}

/** Parses a transaction to the end of its witnesses (BIP 144). An optional MWEB part and the lock time follow. */
export async function parseLayout(reader: ByteReader, timeSlices: TimeSlices): Promise<TransactionLayout> {
  const version = reader.skip(4);
  let flags = 0;
  if (reader.bytes[reader.offset] === MARKER) {
    flags = reader.bytes[reader.skip(2) + 1] ?? 0;
    if (flags === 0 || flags & ~(WITNESS | MWEB_FLAG))
      throw new RangeError(`a transaction has the invalid flags ${flags}`);
  }
  const inputs = reader.offset;
  const inputCount = reader.readCount();
  for (let left = inputCount; left > 0; left -= 1) {
    // Hash and index of the output, script, sequence.
    reader.skip(36);
    reader.skipBytes();
    reader.skip(4);
  }
  const outputs = reader.offset;
  for (let left = reader.readCount(); left > 0; left -= 1) {
    // Amount, script.
    reader.skip(8);
    reader.skipBytes();
  }
  const outputsEnd = reader.offset;
  if (flags & WITNESS) await skipWitnesses(reader, inputCount, timeSlices);
  return {
    versionOffset: version,
    hasMweb: (flags & MWEB_FLAG) !== 0,
    inputsOffset: inputs,
    outputsOffset: outputs,
    outputsEndOffset: outputsEnd,
  };
}

async function skipWitnesses(reader: ByteReader, inputs: number, timeSlices: TimeSlices): Promise<void> {
  let isEmpty = true;
  for (let input = 0; input < inputs; input += 1) {
    const items = reader.readCount();
    isEmpty &&= items === 0;
    for (let item = 1; item <= items; item += 1) {
      reader.skipBytes();
      if (item % ITEMS_PER_SLICE === 0 && timeSlices.isUsedUp()) await timeSlices.next();
    }
  }
  if (isEmpty) throw new RangeError('a transaction has an empty witness');
}

/** Writes the hash without the witness (BIP 141). */
export function writeTxid(
  target: Buffer,
  offset: number,
  bytes: Buffer,
  { versionOffset, inputsOffset, outputsEndOffset }: TransactionLayout,
  lockTime: number,
): void {
  const hasNoWitness = inputsOffset === versionOffset + 4 && lockTime === outputsEndOffset;
  const withoutWitness = hasNoWitness
    ? bytes.subarray(versionOffset, lockTime + 4)
    : Buffer.concat([
        bytes.subarray(versionOffset, versionOffset + 4),
        bytes.subarray(inputsOffset, outputsEndOffset),
        bytes.subarray(lockTime, lockTime + 4),
      ]);
  writeDoubleSha256(target, offset, withoutWitness);
}

/**
 * Writes a hash into a buffer. A block has thousands of hashes; an object for each would keep the garbage collector busy
 * for longer than a time slice.
 */
export function writeDoubleSha256(target: Buffer, offset: number, bytes: Uint8Array): void {
  target.write(hash('sha256', bytes, 'hex'), offset, HASH_BYTES, 'hex');
  target.write(hash('sha256', target.subarray(offset, offset + HASH_BYTES), 'hex'), offset, HASH_BYTES, 'hex');
}
