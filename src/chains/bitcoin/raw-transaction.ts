import { hash } from 'node:crypto';
import type { TimeSlices } from '../../system/time-slices.ts';
import { MWEB } from './mweb.ts';

/** Where the parts of a raw transaction are. */
export interface Layout {
  version: number;
  hasMweb: boolean;
  inputs: number;
  outputs: number;
  outputsEnd: number;
}

export const HASH_BYTES = 32;
const MARKER = 0x00;
const WITNESS = 0x01;
/** Items of a witness between which other work may run: a fraction of a millisecond. */
const ITEMS_AT_ONCE = 4096;

/** Reads bytes from the first to the last. Throws `RangeError` where there are not as many as there should be. */
export class ByteReader {
  readonly bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  /** Returns where the skipped bytes begin. */
  skip(length: number): number {
    const start = this.at;
    if (start + length > this.bytes.length) throw new RangeError('it ends in the middle');
    this.at = start + length;
    return start;
  }

  /** The number before a list, in its shortest form. Nothing in a block is as long as what takes eight bytes to say. */
  count(): number {
    const start = this.skip(1);
    const first = this.bytes.readUInt8(start);
    if (first < 0xfd) return first;
    if (first === 0xff) throw new RangeError('a list is too long');
    const isShort = first === 0xfd;
    const place = this.skip(isShort ? 2 : 4);
    const count = isShort ? this.bytes.readUInt16LE(place) : this.bytes.readUInt32LE(place);
    if (count < (isShort ? 0xfd : 0x1_0000)) throw new RangeError('a number is longer than it need be');
    return count;
  }

  /** Skips bytes behind their number; returns where they begin. */
  skipText(): number {
    return this.skip(this.count());
  }
}

/** Reads up to the end of the witnesses (BIP 144); what follows is an MWEB part, where there is one, and the lock time. */
export async function readLayout(reader: ByteReader, portions: TimeSlices): Promise<Layout> {
  const version = reader.skip(4);
  let flags = 0;
  if (reader.bytes[reader.at] === MARKER) {
    flags = reader.bytes[reader.skip(2) + 1] ?? 0;
    if (flags === 0 || flags & ~(WITNESS | MWEB)) throw new RangeError(`a transaction has the flags ${flags}`);
  }
  const inputs = reader.at;
  const inputCount = reader.count();
  for (let left = inputCount; left > 0; left -= 1) {
    // Hash and number of the output, script, sequence.
    reader.skip(36);
    reader.skipText();
    reader.skip(4);
  }
  const outputs = reader.at;
  for (let left = reader.count(); left > 0; left -= 1) {
    // Amount, script.
    reader.skip(8);
    reader.skipText();
  }
  const outputsEnd = reader.at;
  if (flags & WITNESS) await skipWitnesses(reader, inputCount, portions);
  return { version, hasMweb: (flags & MWEB) !== 0, inputs, outputs, outputsEnd };
}

async function skipWitnesses(reader: ByteReader, inputs: number, portions: TimeSlices): Promise<void> {
  let isEmpty = true;
  for (let input = 0; input < inputs; input += 1) {
    const items = reader.count();
    isEmpty &&= items === 0;
    for (let item = 1; item <= items; item += 1) {
      reader.skipText();
      if (item % ITEMS_AT_ONCE === 0 && portions.isUsedUp()) await portions.next();
    }
  }
  if (isEmpty) throw new RangeError('a transaction has a witness with nothing in it');
}

/** The hash without the witness (BIP 141). */
export function writeHash(
  target: Buffer,
  at: number,
  bytes: Buffer,
  { version, inputs, outputsEnd }: Layout,
  lockTime: number,
): void {
  const isWhole = inputs === version + 4 && lockTime === outputsEnd;
  const plain = isWhole
    ? bytes.subarray(version, lockTime + 4)
    : Buffer.concat([
        bytes.subarray(version, version + 4),
        bytes.subarray(inputs, outputsEnd),
        bytes.subarray(lockTime, lockTime + 4),
      ]);
  writeDoubleSha256(target, at, plain);
}

/**
 * Writes a hash to its place. A block has thousands: as many hash objects and buffers would keep the garbage collector
 * busy for longer than a portion of the work.
 */
export function writeDoubleSha256(target: Buffer, at: number, bytes: Uint8Array): void {
  target.write(hash('sha256', bytes, 'hex'), at, HASH_BYTES, 'hex');
  target.write(hash('sha256', target.subarray(at, at + HASH_BYTES), 'hex'), at, HASH_BYTES, 'hex');
}
