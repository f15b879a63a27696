import { z } from 'zod';
import * as forms from './forms.ts';
import { quantityOf } from './transaction.ts';

/** A call of JSON-RPC, and the form that its answer must have. */
export interface Question<Answer> {
  method: string;
  params: readonly unknown[];
  form: z.ZodType<Answer>;
}

function question<Answer>(method: string, params: readonly unknown[], form: z.ZodType<Answer>): Question<Answer> {
  return { method, params, form };
}

/** The block whose state is asked about: an EIP-1898 block object, or its number in hexadecimal. */
export type StateBlock = { blockHash: string; requireCanonical: true } | `0x${string}`;

/** The event of a payment in ERC-20: keccak-256 of `Transfer(address,address,uint256)`. */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

export const chainId = () => question('eth_chainId', [], forms.count);

export const syncing = () => question('eth_syncing', [], forms.syncing);

export const lastHeader = () => question('eth_getBlockByNumber', ['latest', false], forms.header);

export const headerAt = (height: number) =>
  question('eth_getBlockByNumber', [quantityOf(height), false], forms.header.nullable());

export const blockAt = (height: number) =>
  question('eth_getBlockByNumber', [quantityOf(height), true], forms.block.nullable());

export const transfersIn = (blockHash: string, contracts: readonly string[]) =>
  question('eth_getLogs', [{ blockHash, address: contracts, topics: [TRANSFER_TOPIC] }], z.array(forms.log));

export const transaction = (txHash: string) =>
  question('eth_getTransactionByHash', [txHash], forms.transaction.nullable());

export const receipt = (txHash: string) => question('eth_getTransactionReceipt', [txHash], forms.receipt.nullable());

export const balance = (address: string, block: StateBlock) =>
  question('eth_getBalance', [address, block], forms.quantity);

/** How many transactions an address has sent up to a block. */
export const sentCount = (address: string, block: StateBlock) =>
  question('eth_getTransactionCount', [address, block], forms.count);

/** A receipt with what its transaction has cost. */
export const paidReceipt = (txHash: string) =>
  question('eth_getTransactionReceipt', [txHash], forms.paidReceipt.nullable());

/** What a contract answers to a call in a block's state. */
export const read = <Answer>(to: string, data: string, block: StateBlock, form: z.ZodType<Answer>) =>
  question('eth_call', [{ to, data }, block], form);

/** Of the last so many blocks, with what the middle one of each block's transactions gave besides the base fee. */
export const feeHistory = (blocks: number) =>
  question('eth_feeHistory', [quantityOf(blocks), 'latest', [50]], forms.feeHistory);

/** What the node itself would pay for a unit of gas. */
export const gasPrice = () => question('eth_gasPrice', [], forms.quantity);

export const sendRaw = (raw: string) => question('eth_sendRawTransaction', [raw], forms.hash);

/** How many transactions an address has sent, those that wait included: the next one's nonce. */
export const nextNonce = (address: string) => question('eth_getTransactionCount', [address, 'pending'], forms.count);

export const gasFor = (call: { from: string; to: string; value: string; data: string }) =>
  question('eth_estimateGas', [call], forms.quantity);
