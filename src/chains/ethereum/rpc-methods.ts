import { z } from 'zod';
import * as schemas from './schemas.ts';
import { toQuantity } from './transaction.ts';

/** A JSON-RPC call, with the schema of its result. */
export interface RpcCall<Result> {
  method: string;
  params: readonly unknown[];
  schema: z.ZodType<Result>;
}

function rpcCall<Result>(method: string, params: readonly unknown[], schema: z.ZodType<Result>): RpcCall<Result> {
  return { method, params, schema: schema };
}

/** Selects the block whose state is read: an EIP-1898 block object, or a block number in hexadecimal. */
export type BlockReference = { blockHash: string; requireCanonical: true } | `0x${string}`;

/** Topic of ERC-20 transfers: keccak-256 of `Transfer(address,address,uint256)`. */
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

/** Number of transactions that an address has sent up to a block. */
export const transactionCount = (address: string, block: BlockReference) =>
  rpcCall('eth_getTransactionCount', [address, block], schemas.count);

/** Receipt with the cost of its transaction. */
export const receiptWithFee = (txHash: string) =>
  rpcCall('eth_getTransactionReceipt', [txHash], schemas.receiptWithFee.nullable());

/** Calls a contract in the state of a block. */
export const callContract = <Result>(to: string, data: string, block: BlockReference, schema: z.ZodType<Result>) =>
  rpcCall('eth_call', [{ to, data }, block], schema);

/** Fee history of recent blocks, with the median priority fee of each. */
export const feeHistory = (blocks: number) =>
  rpcCall('eth_feeHistory', [toQuantity(blocks), 'latest', [50]], schemas.feeHistory);

/** Gas price that the node would use itself. */
export const gasPrice = () => rpcCall('eth_gasPrice', [], schemas.quantity);

export const sendRawTransaction = (raw: string) => rpcCall('eth_sendRawTransaction', [raw], schemas.hash);

/** Number of transactions of an address including its mempool: the next nonce. */
export const nextNonce = (address: string) => rpcCall('eth_getTransactionCount', [address, 'pending'], schemas.count);

interface SimulatedCall {
  from: string;
  to: string;
  value: string;
  data: string;
}

export const estimateGas = (call: SimulatedCall) => rpcCall('eth_estimateGas', [call], schemas.quantity);

/** Output of a call after the last block. */
export const simulate = (call: SimulatedCall) => rpcCall('eth_call', [call, 'latest'], schemas.bytes);
