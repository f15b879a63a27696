import { z } from 'zod';
import * as schemas from './schemas.ts';
import { toQuantity } from './transaction.ts';

/** A call of JSON-RPC, and the form that its answer must have. */
export interface RpcCall<Answer> {
  method: string;
  params: readonly unknown[];
  schema: z.ZodType<Answer>;
}

function rpcCall<Answer>(method: string, params: readonly unknown[], schema: z.ZodType<Answer>): RpcCall<Answer> {
  return { method, params, schema: schema };
}

/** The block whose state is asked about: an EIP-1898 block object, or its number in hexadecimal. */
export type BlockReference = { blockHash: string; requireCanonical: true } | `0x${string}`;

/** The event of a payment in ERC-20: keccak-256 of `Transfer(address,address,uint256)`. */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

export const chainId = () => rpcCall('eth_chainId', [], schemas.count);

export const syncing = () => rpcCall('eth_syncing', [], schemas.syncing);

export const latestHeader = () => rpcCall('eth_getBlockByNumber', ['latest', false], schemas.header);

export const headerAt = (height: number) =>
  rpcCall('eth_getBlockByNumber', [toQuantity(height), false], schemas.header.nullable());

export const blockAt = (height: number) =>
  rpcCall('eth_getBlockByNumber', [toQuantity(height), true], schemas.block.nullable());

export const transferLogs = (blockHash: string, contracts: readonly string[]) =>
  rpcCall('eth_getLogs', [{ blockHash, address: contracts, topics: [TRANSFER_TOPIC] }], z.array(schemas.log));

export const transaction = (txHash: string) =>
  rpcCall('eth_getTransactionByHash', [txHash], schemas.transaction.nullable());

export const receipt = (txHash: string) => rpcCall('eth_getTransactionReceipt', [txHash], schemas.receipt.nullable());

export const balance = (address: string, block: BlockReference) =>
  rpcCall('eth_getBalance', [address, block], schemas.quantity);

/** How many transactions an address has sent up to a block. */
export const transactionCount = (address: string, block: BlockReference) =>
  rpcCall('eth_getTransactionCount', [address, block], schemas.count);

/** A receipt with what its transaction has cost. */
export const paidReceipt = (txHash: string) =>
  rpcCall('eth_getTransactionReceipt', [txHash], schemas.paidReceipt.nullable());

/** What a contract answers to a call in a block's state. */
export const callContract = <Answer>(to: string, data: string, block: BlockReference, schema: z.ZodType<Answer>) =>
  rpcCall('eth_call', [{ to, data }, block], schema);

/** Of the last so many blocks, with what the middle one of each block's transactions gave besides the base fee. */
export const feeHistory = (blocks: number) =>
  rpcCall('eth_feeHistory', [toQuantity(blocks), 'latest', [50]], schemas.feeHistory);

/** What the node itself would pay for a unit of gas. */
export const gasPrice = () => rpcCall('eth_gasPrice', [], schemas.quantity);

export const sendRawTransaction = (raw: string) => rpcCall('eth_sendRawTransaction', [raw], schemas.hash);

/** How many transactions an address has sent, those that wait included: the next one's nonce. */
export const nextNonce = (address: string) => rpcCall('eth_getTransactionCount', [address, 'pending'], schemas.count);

export const estimateGas = (call: { from: string; to: string; value: string; data: string }) =>
  rpcCall('eth_estimateGas', [call], schemas.quantity);
