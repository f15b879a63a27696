import { z } from 'zod';
import { SECOND } from '../../shared/time.ts';
import { toChecksumAddress } from './checksum.ts';

/*
 * Schemas of the execution API's results (https://ethereum.github.io/execution-apis). They convert numbers to bigint,
 * hashes to lower case, and addresses to checksum case.
 */

const hex = (pattern: RegExp) => z.string().regex(pattern);

/** An integer of up to 256 bits. */
export const quantity = hex(/^0x[0-9a-f]{1,64}$/i).transform((text) => BigInt(text));

/** An integer that fits into a number. */
export const count = hex(/^0x0*[0-9a-f]{1,13}$/i).transform((text) => Number(text));

/** Unix time in seconds, as an `Instant`. */
const timestamp = hex(/^0x0*[0-9a-f]{1,8}$/i).transform((text) => Number(text) * SECOND);

export const hash = hex(/^0x[0-9a-f]{64}$/i).transform((text) => text.toLowerCase());

const address = hex(/^0x[0-9a-f]{40}$/i).transform((text) => toChecksumAddress(text as `0x${string}`));

export const bytes = hex(/^0x(?:[0-9a-f]{2})*$/i).transform((text) => text.toLowerCase());

/** Length of 32 bytes in hexadecimal, with 0x. */
export const WORD_LENGTH = 2 + 64;

/** A `uint256` returned by a contract. */
export const word = hex(/^0x[0-9a-f]{64}$/i).transform((text) => BigInt(text));

/** `false`, or the progress of a syncing node; nodes report different fields. */
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
  /** `to` is null for contract creation. */
  transactions: z.array(z.object({ hash, to: address.nullish(), value: quantity })),
});
export type Block = z.infer<typeof block>;

/** A log in a receipt. */
const receiptLog = z.object({ address, topics: z.array(hash), data: bytes });
export type TransferLog = z.infer<typeof receiptLog>;

export const log = receiptLog.extend({ blockHash: hash, transactionHash: hash, removed: z.boolean().optional() });

/** `status` is 1 for success, 0 for failure (EIP-658). */
export const receipt = z.object({
  transactionHash: hash,
  blockHash: hash,
  blockNumber: count,
  status: count,
  logs: z.array(receiptLog),
});

/** `effectiveGasPrice` is the price paid per unit of gas (EIP-1559). */
export const receiptWithFee = receipt.extend({ gasUsed: quantity, effectiveGasPrice: quantity });

/** `blockHash` is null in the mempool. */
export const transaction = z.object({ hash, blockHash: hash.nullish() });

/** `baseFeePerGas` also contains the next block's fee. Rewards are missing if there are no blocks. */
export const feeHistory = z.object({
  baseFeePerGas: z.array(quantity).min(1),
  gasUsedRatio: z.array(z.number()).nullish(),
  reward: z.array(z.array(quantity).length(1)).nullish(),
});
export type FeeHistory = z.infer<typeof feeHistory>;
