import { type Instant, SECOND } from '../../shared/time.ts';
import { type TimeSlices, timeSlices as processTimeSlices } from '../../system/time-slices.ts';
import { ChainError } from '../port.ts';
import { ByteReader, HASH_BYTES, parseLayout, writeDoubleSha256, writeTxid } from './raw-transaction.ts';

/** An output that pays an address. */
export interface AddressOutput {
  /** Transaction hash without the witness (BIP 141), in display order. */
  txid: string;
  vout: number;
  address: string;
  /** Satoshi. */
  amount: bigint;
}

/** The parts of a block that the service uses. */
export interface ParsedBlock {
  hash: string;
  parentHash: string;
  minedAt: Instant;
  /** Transaction hashes in block order. The first is the coinbase. */
  txids: readonly string[];
  /** The transaction that pays out of the extension block (MWEB), if the block has one. */
  hogEx?: string;
  outputs: readonly AddressOutput[];
}

/** Returns the address that a script pays; null if there is none. */
export type ScriptToAddress = (script: Uint8Array) => string | null;

/** Version, parent hash, Merkle root, time, target, nonce. */
const HEADER_BYTES = 80;
const PARENT_HASH_OFFSET = 4;
const MERKLE_ROOT_OFFSET = 36;
const TIME_OFFSET = 68;

/** Parses a raw block (`getblock HASH 0`) in time slices. Throws `ChainError` if it is malformed. */
export async function parseBlock(
  bytes: Buffer,
  scriptToAddress: ScriptToAddress,
  timeSlices: TimeSlices = processTimeSlices,
): Promise<ParsedBlock> {
  const header = bytes.subarray(0, HEADER_BYTES);
  if (header.length < HEADER_BYTES) throw malformed('block', 'it is shorter than a header');
  const { hashes, outputOffsets, hasHogEx } = await asChainError(
    'block',
    async () => await parseTransactions(bytes, timeSlices),
  );
  const txids = outputOffsets.map((_, index) => toDisplayHash(hashes, index * HASH_BYTES));
  // Detects a block that is incomplete or was parsed wrongly.
  if (
    txids.length === 0 ||
    !(await merkleRoot(hashes, timeSlices)).equals(header.subarray(MERKLE_ROOT_OFFSET, TIME_OFFSET))
  ) {
    throw malformed('block', 'its transactions do not match the Merkle root of its header');
  }
  // A list with its end repeated has the same root (CVE-2012-2459).
  if (new Set(txids).size < txids.length) throw malformed('block', 'it contains a transaction twice');
  const outputs: AddressOutput[] = [];
  for (const [index, txid] of txids.entries())
    await appendOutputs(outputs, txid, new ByteReader(bytes, outputOffsets[index]), scriptToAddress, timeSlices);
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

/** Parses a raw transaction in hexadecimal (`getrawtransaction TXID`). Throws `ChainError` if it is malformed. */
export async function parseTransaction(
  raw: string,
  scriptToAddress: ScriptToAddress,
): Promise<{ txid: string; outputs: readonly AddressOutput[] }> {
  const bytes = Buffer.from(raw, 'hex');
  // `Buffer.from` stops silently at the first character that is not hexadecimal.
  if (bytes.length * 2 !== raw.length) throw malformed('transaction', 'it is not hexadecimal');
  const reader = new ByteReader(bytes);
  const { txid, outputOffsets } = await asChainError('transaction', async () => {
    const layout = await parseLayout(reader, processTimeSlices);
    // The MWEB part fills the bytes up to the lock time.
    if (layout.hasMweb) reader.skip(Math.max(0, bytes.length - 4 - reader.offset));
    const lockTime = reader.skip(4);
    requireEnd(reader);
    const hash = Buffer.alloc(HASH_BYTES);
    writeTxid(hash, 0, bytes, layout, lockTime);
    return { txid: toDisplayHash(hash), outputOffsets: layout.outputsOffset };
  });
  const outputs: AddressOutput[] = [];
  await appendOutputs(outputs, txid, new ByteReader(bytes, outputOffsets), scriptToAddress, processTimeSlices);
  return { txid, outputs };
}

/** Shortest transaction: version, no inputs, no outputs, lock time. */
const MIN_TRANSACTION_BYTES = 10;

/** Returns the transaction hashes of a block, the offsets of their outputs, and whether the last one is a HogEx. */
async function parseTransactions(
  bytes: Buffer,
  timeSlices: TimeSlices,
): Promise<{ hashes: Buffer; outputOffsets: number[]; hasHogEx: boolean }> {
  const reader = new ByteReader(bytes, HEADER_BYTES);
  const count = reader.readCount();
  if (count * MIN_TRANSACTION_BYTES > bytes.length) throw new RangeError('it is truncated');
  const hashes = Buffer.alloc(count * HASH_BYTES);
  const outputOffsets: number[] = [];
  for (let index = 0; index < count; index += 1) {
    if (timeSlices.isUsedUp()) await timeSlices.next();
    const layout = await parseLayout(reader, timeSlices);
    const isLast = index === count - 1;
    // In a block only the HogEx has an MWEB part, and it is empty.
    if (layout.hasMweb && (!isLast || bytes[reader.skip(1)] !== 0)) {
      throw new RangeError('a transaction has an MWEB part');
    }
    writeTxid(hashes, index * HASH_BYTES, bytes, layout, reader.skip(4));
    outputOffsets.push(layout.outputsOffset);
    // The extension block follows.
    if (layout.hasMweb) return { hashes, outputOffsets, hasHogEx: true };
  }
  requireEnd(reader);
  return { hashes, outputOffsets, hasHogEx: false };
}

function requireEnd({ offset, bytes }: ByteReader): void {
  if (offset < bytes.length) throw new RangeError('it has extra bytes at its end');
}

/** Parses outputs, starting with their count. */
async function appendOutputs(
  outputs: AddressOutput[],
  txid: string,
  reader: ByteReader,
  scriptToAddress: ScriptToAddress,
  timeSlices: TimeSlices,
): Promise<void> {
  const count = reader.readCount();
  for (let vout = 0; vout < count; vout += 1) {
    if (timeSlices.isUsedUp()) await timeSlices.next();
    const amount = reader.bytes.readBigUInt64LE(reader.skip(8));
    const script = reader.bytes.subarray(reader.skipBytes(), reader.offset);
    const address = amount > 0n ? scriptToAddress(script) : null;
    if (address !== null) outputs.push({ txid, vout, address, amount });
  }
}

/** Merkle root; a hash without a partner is paired with itself. */
async function merkleRoot(hashes: Buffer, timeSlices: TimeSlices): Promise<Buffer> {
  const level = Buffer.concat([hashes, Buffer.alloc(HASH_BYTES)]);
  for (let count = hashes.length / HASH_BYTES; count > 1; count = Math.ceil(count / 2)) {
    level.copy(level, count * HASH_BYTES, (count - 1) * HASH_BYTES, count * HASH_BYTES);
    for (let offset = 0; offset < count * HASH_BYTES; offset += 2 * HASH_BYTES) {
      if (timeSlices.isUsedUp()) await timeSlices.next();
      writeDoubleSha256(level, offset / 2, Buffer.from(level.subarray(offset, offset + 2 * HASH_BYTES)));
    }
  }
  return level.subarray(0, HASH_BYTES);
}

/** Hashes are displayed in reverse byte order. */
function toDisplayHash(bytes: Buffer, offset = 0): string {
  return Buffer.from(bytes.subarray(offset, offset + HASH_BYTES))
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
  return new ChainError('down', `The node sent a malformed ${subject}: ${reason}`);
}
