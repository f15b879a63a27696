import { createHash } from 'node:crypto';
import { BTCArray, RawOldTx, RawTx } from '@scure/btc-signer/script.js';
import { type Instant, SECOND } from '../../contract/time.ts';
import { ChainTrouble } from '../port.ts';
import { withoutExtensionBlock, withoutMweb } from './mweb.ts';

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

const transactions = BTCArray(RawTx);

/** Reads a raw block in hexadecimal (`getblock HASH 0`). Throws `ChainTrouble` where it is none. */
export function parseBlock(raw: string, addressOf: AddressOf): ParsedBlock {
  const bytes = bytesOf(raw, 'block');
  const header = bytes.subarray(0, HEADER_BYTES);
  if (header.length < HEADER_BYTES) throw unreadable('block', 'it is shorter than a header');
  const { body, hasHogEx } = decode('block', () => withoutExtensionBlock(bytes.subarray(HEADER_BYTES)));
  const decoded = decode('block', () => transactions.decode(body));
  const hashes = decoded.map(hashOf);
  // What was read is what the header stands for, or it was read wrongly.
  if (!rootOf(hashes).equals(header.subarray(ROOT, TIME))) {
    throw unreadable('block', 'its transactions are not those that its header names');
  }
  const txids = hashes.map(shown);
  // The same root stands for a list whose end is repeated as well (CVE-2012-2459).
  if (new Set(txids).size < txids.length) throw unreadable('block', 'it has a transaction twice');
  return {
    hash: shown(doubleSha256(header)),
    parentHash: shown(header.subarray(PARENT, ROOT)),
    at: header.readUInt32LE(TIME) * SECOND,
    txids,
    ...(hasHogEx && { hogEx: txids.at(-1) ?? '' }),
    outputs: decoded.flatMap((transaction, index) => paidOutputs(transaction, txids[index] ?? '', addressOf)),
  };
}

/** Reads a raw transaction in hexadecimal (`getrawtransaction TXID`). Throws `ChainTrouble` where it is none. */
export function parseTransaction(raw: string, addressOf: AddressOf): { txid: string; outputs: readonly PaidOutput[] } {
  const bytes = bytesOf(raw, 'transaction');
  const transaction = decode('transaction', () => RawTx.decode(withoutMweb(bytes)));
  const txid = shown(hashOf(transaction));
  return { txid, outputs: paidOutputs(transaction, txid, addressOf) };
}

type Transaction = ReturnType<typeof RawTx.decode>;

function paidOutputs(transaction: Transaction, txid: string, addressOf: AddressOf): PaidOutput[] {
  const paid: PaidOutput[] = [];
  for (const [vout, { amount, script }] of transaction.outputs.entries()) {
    const address = amount > 0n ? addressOf(script) : null;
    if (address !== null) paid.push({ txid, vout, address, amount });
  }
  return paid;
}

function hashOf({ version, inputs, outputs, lockTime }: Transaction): Buffer {
  return doubleSha256(RawOldTx.encode({ version, inputs, outputs, lockTime }));
}

/** The root of the tree of hashes in which an odd one is paired with itself. */
function rootOf(hashes: readonly Buffer[]): Buffer {
  let level = hashes;
  while (level.length > 1) {
    const above: Buffer[] = [];
    for (let index = 0; index < level.length; index += 2) {
      const left = level[index] ?? Buffer.alloc(0);
      above.push(doubleSha256(Buffer.concat([left, level[index + 1] ?? left])));
    }
    level = above;
  }
  return level[0] ?? Buffer.alloc(0);
}

function doubleSha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest();
}

/** Hashes are shown with their last byte first. */
function shown(hash: Uint8Array): string {
  return Buffer.from(hash).reverse().toString('hex');
}

/** `Buffer.from` would end at the first character that is none of a number, and say nothing. */
function bytesOf(raw: string, what: string): Buffer {
  const bytes = Buffer.from(raw, 'hex');
  if (bytes.length * 2 !== raw.length) throw unreadable(what, 'it is not hexadecimal');
  return bytes;
}

function decode<Decoded>(what: string, read: () => Decoded): Decoded {
  try {
    return read();
  } catch (error) {
    throw unreadable(what, error instanceof Error ? error.message : String(error));
  }
}

function unreadable(what: string, why: string): ChainTrouble {
  return new ChainTrouble('down', `The node sent a ${what} that cannot be read: ${why}`);
}
