import { type Instant, SECOND } from '../../shared/time.ts';
import { type TimeSlices, timeSlices as portionsOfProcess } from '../../system/time-slices.ts';
import { ChainError } from '../port.ts';
import { ByteReader, HASH_BYTES, parseLayout, writeDoubleSha256, writeTxid } from './raw-transaction.ts';

/** An output that pays to an address. */
export interface AddressOutput {
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
  minedAt: Instant;
  /** The hash of each transaction, in their order. The first makes new coins. */
  txids: readonly string[];
  /** Where there is an extension block (MWEB): the transaction that pays what leaves it. */
  hogEx?: string;
  outputs: readonly AddressOutput[];
}

/** Finds the address that a script pays to; null where there is none. */
export type ScriptToAddress = (script: Uint8Array) => string | null;

/** Version, hash of the parent, root of the transactions, time, target, nonce. */
const HEADER_BYTES = 80;
const PARENT_HASH_OFFSET = 4;
const MERKLE_ROOT_OFFSET = 36;
const TIME_OFFSET = 68;

/** Reads a raw block (`getblock HASH 0`) in portions. Throws `ChainError` where it is none. */
export async function parseBlock(
  bytes: Buffer,
  addressOf: ScriptToAddress,
  timeSlices: TimeSlices = portionsOfProcess,
): Promise<ParsedBlock> {
  const header = bytes.subarray(0, HEADER_BYTES);
  if (header.length < HEADER_BYTES) throw malformed('block', 'it is shorter than a header');
  const { hashes, outputsAt, hasHogEx } = await asChainError(
    'block',
    async () => await parseTransactions(bytes, timeSlices),
  );
  const txids = outputsAt.map((_, index) => toDisplayHash(hashes, index * HASH_BYTES));
  // What was read is what the header stands for, or it was read wrongly.
  if (
    txids.length === 0 ||
    !(await merkleRoot(hashes, timeSlices)).equals(header.subarray(MERKLE_ROOT_OFFSET, TIME_OFFSET))
  ) {
    throw malformed('block', 'its transactions are not those that its header names');
  }
  // The same root stands for a list whose end is repeated as well (CVE-2012-2459).
  if (new Set(txids).size < txids.length) throw malformed('block', 'it has a transaction twice');
  const outputs: AddressOutput[] = [];
  for (const [index, txid] of txids.entries())
    await appendOutputs(outputs, txid, new ByteReader(bytes, outputsAt[index]), addressOf, timeSlices);
  const hash = Buffer.alloc(HASH_BYTES);
  writeDoubleSha256(hash, 0, header);
  return {
    hash: toDisplayHash(hash),
    parentHash: toDisplayHash(header, PARENT_HASH_OFFSET),
    minedAt: header.readUInt32LE(TIME_OFFSET) * SECOND,
    txids,
    ...(hasHogEx && { hogEx: txids.at(-1) ?? '' }),
    outputs,
  };
}

/** Reads a raw transaction in hexadecimal (`getrawtransaction TXID`). Throws `ChainError` where it is none. */
export async function parseTransaction(
  raw: string,
  addressOf: ScriptToAddress,
): Promise<{ txid: string; outputs: readonly AddressOutput[] }> {
  const bytes = Buffer.from(raw, 'hex');
  // `Buffer.from` ends at the first character that is none of a number, and says nothing.
  if (bytes.length * 2 !== raw.length) throw malformed('transaction', 'it is not hexadecimal');
  const reader = new ByteReader(bytes);
  const { txid, outputsAt } = await asChainError('transaction', async () => {
    const layout = await parseLayout(reader, portionsOfProcess);
    // An MWEB part is as long as the rest, up to the lock time.
    if (layout.hasMweb) reader.skip(Math.max(0, bytes.length - 4 - reader.offset));
    const lockTime = reader.skip(4);
    requireEnd(reader);
    const hash = Buffer.alloc(HASH_BYTES);
    writeTxid(hash, 0, bytes, layout, lockTime);
    return { txid: toDisplayHash(hash), outputsAt: layout.outputsOffset };
  });
  const outputs: AddressOutput[] = [];
  await appendOutputs(outputs, txid, new ByteReader(bytes, outputsAt), addressOf, portionsOfProcess);
  return { txid, outputs };
}

/** The shortest transaction: version, no inputs, no outputs, lock time. */
const MIN_TRANSACTION_BYTES = 10;

/** The hashes of a block's transactions, where the outputs of each begin, and whether the last one is a HogEx. */
async function parseTransactions(
  bytes: Buffer,
  timeSlices: TimeSlices,
): Promise<{ hashes: Buffer; outputsAt: number[]; hasHogEx: boolean }> {
  const reader = new ByteReader(bytes, HEADER_BYTES);
  const count = reader.readCount();
  if (count * MIN_TRANSACTION_BYTES > bytes.length) throw new RangeError('it ends in the middle');
  const hashes = Buffer.alloc(count * HASH_BYTES);
  const outputsAt: number[] = [];
  for (let index = 0; index < count; index += 1) {
    if (timeSlices.isUsedUp()) await timeSlices.next();
    const layout = await parseLayout(reader, timeSlices);
    const isLast = index === count - 1;
    // Other transactions have no MWEB part in blocks, and the HogEx an empty one.
    if (layout.hasMweb && (!isLast || bytes[reader.skip(1)] !== 0)) {
      throw new RangeError('a transaction has an MWEB part');
    }
    writeTxid(hashes, index * HASH_BYTES, bytes, layout, reader.skip(4));
    outputsAt.push(layout.outputsOffset);
    // The extension block follows.
    if (layout.hasMweb) return { hashes, outputsAt, hasHogEx: true };
  }
  requireEnd(reader);
  return { hashes, outputsAt, hasHogEx: false };
}

function requireEnd({ offset, bytes }: ByteReader): void {
  if (offset < bytes.length) throw new RangeError('it goes on behind its end');
}

/** Reads outputs from their number on. */
async function appendOutputs(
  found: AddressOutput[],
  txid: string,
  reader: ByteReader,
  addressOf: ScriptToAddress,
  timeSlices: TimeSlices,
): Promise<void> {
  const count = reader.readCount();
  for (let vout = 0; vout < count; vout += 1) {
    if (timeSlices.isUsedUp()) await timeSlices.next();
    const amount = reader.bytes.readBigUInt64LE(reader.skip(8));
    const script = reader.bytes.subarray(reader.skipBytes(), reader.offset);
    const address = amount > 0n ? addressOf(script) : null;
    if (address !== null) found.push({ txid, vout, address, amount });
  }
}

/** The root of the tree of hashes in which an odd one is paired with itself. */
async function merkleRoot(hashes: Buffer, timeSlices: TimeSlices): Promise<Buffer> {
  const level = Buffer.concat([hashes, Buffer.alloc(HASH_BYTES)]);
  for (let count = hashes.length / HASH_BYTES; count > 1; count = Math.ceil(count / 2)) {
    level.copy(level, count * HASH_BYTES, (count - 1) * HASH_BYTES, count * HASH_BYTES);
    for (let at = 0; at < count * HASH_BYTES; at += 2 * HASH_BYTES) {
      if (timeSlices.isUsedUp()) await timeSlices.next();
      writeDoubleSha256(level, at / 2, Buffer.from(level.subarray(at, at + 2 * HASH_BYTES)));
    }
  }
  return level.subarray(0, HASH_BYTES);
}

/** Hashes are shown with their last byte first. */
function toDisplayHash(bytes: Buffer, at = 0): string {
  return Buffer.from(bytes.subarray(at, at + HASH_BYTES))
    .reverse()
    .toString('hex');
}

async function asChainError<Decoded>(subject: string, parse: () => Promise<Decoded>): Promise<Decoded> {
  try {
    return await parse();
  } catch (error) {
    throw malformed(subject, error instanceof Error ? error.message : String(error));
  }
}

function malformed(subject: string, reason: string): ChainError {
  return new ChainError('down', `The node sent a ${subject} that cannot be read: ${reason}`);
}
