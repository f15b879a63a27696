import { z } from 'zod';
import { SECOND } from '../../shared/time.ts';
import { toChecksumAddress } from './checksum.ts';

/*
 * What a node answers with, as the execution API writes it (https://ethereum.github.io/execution-apis).
 * Read here, once; behind this door numbers are bigints, hashes lower case and addresses checksummed.
 */

const hex = (pattern: RegExp) => z.string().regex(pattern);

/** A whole number of up to 256 bits. */
export const quantity = hex(/^0x[0-9a-f]{1,64}$/i).transform((text) => BigInt(text));

/** A whole number that counts something. */
export const count = hex(/^0x0*[0-9a-f]{1,13}$/i).transform((text) => Number(text));

/** Seconds since 1970, as our moments. */
const timestamp = hex(/^0x0*[0-9a-f]{1,8}$/i).transform((text) => Number(text) * SECOND);

export const hash = hex(/^0x[0-9a-f]{64}$/i).transform((text) => text.toLowerCase());

const address = hex(/^0x[0-9a-f]{40}$/i).transform((text) => toChecksumAddress(text as `0x${string}`));

export const bytes = hex(/^0x(?:[0-9a-f]{2})*$/i).transform((text) => text.toLowerCase());

/** Of 32 bytes in hexadecimal, with 0x. */
export const WORD_LENGTH = 2 + 64;

/** A `uint256` as contracts give it. */
export const word = hex(/^0x[0-9a-f]{64}$/i).transform((text) => BigInt(text));

/** `false`, or how far a node is that is catching up; some tell more, some less. */
export const syncing = z.union([
  z.literal(false),
  z.looseObject({ currentBlock: count.optional(), highestBlock: count.optional() }),
]);

export const header = z.object({
  number: count,
  hash,
  parentHash: hash,
  timestamp: timestamp,
  baseFeePerGas: quantity.nullish(),
});

export const block = header.extend({
  /** `to` is null where a contract is made. */
  transactions: z.array(z.object({ hash, to: address.nullish(), value: quantity })),
});
export type Block = z.infer<typeof block>;

/** An event as a receipt has it. */
const receiptLog = z.object({ address, topics: z.array(hash), data: bytes });
export type TransferLog = z.infer<typeof receiptLog>;

export const log = receiptLog.extend({ blockHash: hash, transactionHash: hash, removed: z.boolean().optional() });

/** `status` is 1 where a transaction did what it was to do, 0 where it failed (EIP-658). */
export const receipt = z.object({
  transactionHash: hash,
  blockHash: hash,
  blockNumber: count,
  status: count,
  logs: z.array(receiptLog),
});

/** `effectiveGasPrice` is what a unit of gas has cost (EIP-1559). */
export const paidReceipt = receipt.extend({ gasUsed: quantity, effectiveGasPrice: quantity });

/** `blockHash` is null while a transaction waits. */
export const transaction = z.object({ hash, blockHash: hash.nullish() });

/** `baseFeePerGas` has one more than there were blocks: the next one's. No blocks, no rewards. */
export const feeHistory = z.object({
  baseFeePerGas: z.array(quantity).min(1),
  gasUsedRatio: z.array(z.number()).nullish(),
  reward: z.array(z.array(quantity).length(1)).nullish(),
});
export type FeeHistory = z.infer<typeof feeHistory>;
