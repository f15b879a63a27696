import { type Instant, SECOND } from '../../shared/time.ts';
import { type TimeSlices, timeSlices as portionsOfProcess } from '../../system/time-slices.ts';
import { ChainTrouble } from '../port.ts';
import { ByteReader, HASH_BYTES, readLayout, writeDoubleSha256, writeHash } from './raw-transaction.ts';

/** An output that pays to an address. */
export interface PaidOutput {
  /** The hash without the witness (BIP 141), as it is shown. */
  txid: string;
  vout: number;
  address: string;
  /** Satoshi. */
  amount: bigint;
}

/** What is in a block, as far as money and the chain go. */
export interface ParsedBlock {
  hash: string;
  parentHash: string;
  at: Instant;
  /** The hash of each transaction, in their order. The first makes new coins. */
  txids: readonly string[];
  /** Where there is an extension block (MWEB): the transaction that pays what leaves it. */
  hogEx?: string;
  outputs: readonly PaidOutput[];
}

/** Finds the address that a script pays to; null where there is none. */
export type AddressOf = (script: Uint8Array) => string | null;

/** Version, hash of the parent, root of the transactions, time, target, nonce. */
const HEADER_BYTES = 80;
const PARENT = 4;
const ROOT = 36;
const TIME = 68;

/** Reads a raw block (`getblock HASH 0`) in portions. Throws `ChainTrouble` where it is none. */
export async function parseBlock(
  bytes: Buffer,
  addressOf: AddressOf,
  portions: TimeSlices = portionsOfProcess,
): Promise<ParsedBlock> {
  const header = bytes.subarray(0, HEADER_BYTES);
  if (header.length < HEADER_BYTES) throw unreadable('block', 'it is shorter than a header');
  const { hashes, outputsAt, hasHogEx } = await decode('block', async () => await readTransactions(bytes, portions));
  const txids = outputsAt.map((_, index) => shown(hashes, index * HASH_BYTES));
  // What was read is what the header stands for, or it was read wrongly.
  if (txids.length === 0 || !(await rootOf(hashes, portions)).equals(header.subarray(ROOT, TIME))) {
    throw unreadable('block', 'its transactions are not those that its header names');
  }
  // The same root stands for a list whose end is repeated as well (CVE-2012-2459).
  if (new Set(txids).size < txids.length) throw unreadable('block', 'it has a transaction twice');
  const outputs: PaidOutput[] = [];
  for (const [index, txid] of txids.entries())
    await addPaidOutputs(outputs, txid, new ByteReader(bytes, outputsAt[index]), addressOf, portions);
  const own = Buffer.alloc(HASH_BYTES);
  writeDoubleSha256(own, 0, header);
  return {
    hash: shown(own),
    parentHash: shown(header, PARENT),
    at: header.readUInt32LE(TIME) * SECOND,
    txids,
    ...(hasHogEx && { hogEx: txids.at(-1) ?? '' }),
    outputs,
  };
}

/** Reads a raw transaction in hexadecimal (`getrawtransaction TXID`). Throws `ChainTrouble` where it is none. */
export async function parseTransaction(
  raw: string,
  addressOf: AddressOf,
): Promise<{ txid: string; outputs: readonly PaidOutput[] }> {
  const bytes = Buffer.from(raw, 'hex');
  // `Buffer.from` ends at the first character that is none of a number, and says nothing.
  if (bytes.length * 2 !== raw.length) throw unreadable('transaction', 'it is not hexadecimal');
  const reader = new ByteReader(bytes);
  const { txid, outputsAt } = await decode('transaction', async () => {
    const layout = await readLayout(reader, portionsOfProcess);
    // An MWEB part is as long as the rest, up to the lock time.
    if (layout.hasMweb) reader.skip(Math.max(0, bytes.length - 4 - reader.at));
    const lockTime = reader.skip(4);
    requireEnd(reader);
    const own = Buffer.alloc(HASH_BYTES);
    writeHash(own, 0, bytes, layout, lockTime);
    return { txid: shown(own), outputsAt: layout.outputs };
  });
  const outputs: PaidOutput[] = [];
  await addPaidOutputs(outputs, txid, new ByteReader(bytes, outputsAt), addressOf, portionsOfProcess);
  return { txid, outputs };
}

/** The shortest transaction: version, no inputs, no outputs, lock time. */
const LEAST_BYTES = 10;

/** The hashes of a block's transactions, where the outputs of each begin, and whether the last one is a HogEx. */
async function readTransactions(
  bytes: Buffer,
  portions: TimeSlices,
): Promise<{ hashes: Buffer; outputsAt: number[]; hasHogEx: boolean }> {
  const reader = new ByteReader(bytes, HEADER_BYTES);
  const count = reader.count();
  if (count * LEAST_BYTES > bytes.length) throw new RangeError('it ends in the middle');
  const hashes = Buffer.alloc(count * HASH_BYTES);
  const outputsAt: number[] = [];
  for (let index = 0; index < count; index += 1) {
    if (portions.isUsedUp()) await portions.next();
    const layout = await readLayout(reader, portions);
    const isLast = index === count - 1;
    // Other transactions have no MWEB part in blocks, and the HogEx an empty one.
    if (layout.hasMweb && (!isLast || bytes[reader.skip(1)] !== 0)) {
      throw new RangeError('a transaction has an MWEB part');
    }
    writeHash(hashes, index * HASH_BYTES, bytes, layout, reader.skip(4));
    outputsAt.push(layout.outputs);
    // The extension block follows.
    if (layout.hasMweb) return { hashes, outputsAt, hasHogEx: true };
  }
  requireEnd(reader);
  return { hashes, outputsAt, hasHogEx: false };
}

function requireEnd({ at, bytes }: ByteReader): void {
  if (at < bytes.length) throw new RangeError('it goes on behind its end');
}

/** Reads outputs from their number on. */
async function addPaidOutputs(
  paid: PaidOutput[],
  txid: string,
  reader: ByteReader,
  addressOf: AddressOf,
  portions: TimeSlices,
): Promise<void> {
  const count = reader.count();
  for (let vout = 0; vout < count; vout += 1) {
    if (portions.isUsedUp()) await portions.next();
    const amount = reader.bytes.readBigUInt64LE(reader.skip(8));
    const script = reader.bytes.subarray(reader.skipText(), reader.at);
    const address = amount > 0n ? addressOf(script) : null;
    if (address !== null) paid.push({ txid, vout, address, amount });
  }
}

/** The root of the tree of hashes in which an odd one is paired with itself. */
async function rootOf(hashes: Buffer, portions: TimeSlices): Promise<Buffer> {
  const level = Buffer.concat([hashes, Buffer.alloc(HASH_BYTES)]);
  for (let count = hashes.length / HASH_BYTES; count > 1; count = Math.ceil(count / 2)) {
    level.copy(level, count * HASH_BYTES, (count - 1) * HASH_BYTES, count * HASH_BYTES);
    for (let at = 0; at < count * HASH_BYTES; at += 2 * HASH_BYTES) {
      if (portions.isUsedUp()) await portions.next();
      writeDoubleSha256(level, at / 2, Buffer.from(level.subarray(at, at + 2 * HASH_BYTES)));
    }
  }
  return level.subarray(0, HASH_BYTES);
}

/** Hashes are shown with their last byte first. */
function shown(bytes: Buffer, at = 0): string {
  return Buffer.from(bytes.subarray(at, at + HASH_BYTES))
    .reverse()
    .toString('hex');
}

async function decode<Decoded>(what: string, read: () => Promise<Decoded>): Promise<Decoded> {
  try {
    return await read();
  } catch (error) {
    throw unreadable(what, error instanceof Error ? error.message : String(error));
  }
}

function unreadable(what: string, why: string): ChainTrouble {
  return new ChainTrouble('down', `The node sent a ${what} that cannot be read: ${why}`);
}
