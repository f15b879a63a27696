import { parseTransferCall } from '../ethereum/erc20.ts';
import type { FeeCaps } from '../ethereum/fees.ts';
import { type EthereumNetwork, findToken } from '../ethereum/networks.ts';
import { tokenCodesOf } from '../ethereum/tokens.ts';
import { keccak256, parseSigned, type TransactionFields } from '../ethereum/transaction.ts';
import type { SimulatedOutput } from './chain-kinds.ts';
import { TransactionRejected } from './broadcast.ts';

/** A signed transaction of type 2. */
export interface SignedTransfer extends FeeCaps {
  txHash: string;
  sender: string;
  chainId: number;
  nonce: number;
  gasLimit: bigint;
  /** Wei sent. */
  value: bigint;
  /** Its payment; null if it moves nothing. */
  output: SimulatedOutput | null;
}

const rawTransactionPattern = /^0x(?:[0-9a-f]{2})+$/i;

/** Parses a signed transfer. Throws `TransactionRejected` for other transactions, and other errors for malformed ones. */
export async function parseRawTransfer(network: EthereumNetwork, raw: string): Promise<SignedTransfer> {
  if (!rawTransactionPattern.test(raw))
    throw new TransactionRejected('The transaction must be in hexadecimal, with 0x.');
  if (!raw.startsWith('0x02')) throw new TransactionRejected('Only transactions of type 2 (EIP-1559) are supported.');
  const serialized = raw.toLowerCase();
  const signed = parseSigned(serialized);
  if (!signed) throw new TransactionRejected('The transaction is not signed.');
  const { sender, fields } = signed;
  const { to, value, data, nonce, gasLimit: gas, chainId, maxFeePerGas, maxPriorityFeePerGas } = fields;
  const output = toOutput(network, { to, value, data });
  return {
    ...{ txHash: keccak256(serialized), sender, chainId, nonce, gasLimit: gas, value },
    ...{ maxFeePerGas, maxPriorityFeePerGas, output },
  };
}

/** Returns a transfer's payment; null if it moves nothing. Throws `TransactionRejected` for other calls. */
export function toOutput(
  network: EthereumNetwork,
  { to, value, data }: Pick<TransactionFields, 'to' | 'value' | 'data'>,
): SimulatedOutput | null {
  const code = tokenCodesOf(network.chain).find((each) => findToken(network, each)?.address === to);
  const transfer = code && parseTransferCall(data);
  const isTransfer = code ? transfer && value === 0n : data === '0x';
  if (!isTransfer) throw new TransactionRejected('Only transfers of ether and of this network’s tokens are supported.');
  const output = transfer
    ? { address: transfer.to, code, amount: transfer.amount }
    : { address: to, code: network.feeCode, amount: value };
  return output.amount > 0n ? output : null;
}
