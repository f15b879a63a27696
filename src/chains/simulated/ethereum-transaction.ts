import { parseTransferCall } from '../ethereum/erc20.ts';
import type { FeeCaps } from '../ethereum/fees.ts';
import { tokenCodes } from '../ethereum/tokens.ts';
import { keccak256, parseSigned } from '../ethereum/transaction.ts';
import type { Transfer } from '../ethereum/transfers.ts';
import { type SimulatedOutput, simulatedEthereumNetwork } from './chain-kinds.ts';
import { TransactionRejected } from './broadcast.ts';

/** A transaction of type 2, as it was signed. */
export interface SignedTransfer extends FeeCaps {
  txHash: string;
  sender: string;
  chainId: number;
  nonce: number;
  gasLimit: bigint;
  /** Wei that it sends. */
  value: bigint;
  /** What it pays; null where it moves nothing. */
  output: SimulatedOutput | null;
}

const rawTransactionPattern = /^0x(?:[0-9a-f]{2})+$/i;

/** Reads what was signed, and who did. Throws a `TransactionRejected` where it is nothing that is simulated, and other errors where it cannot be read. */
export async function parseRawTransfer(raw: string): Promise<SignedTransfer> {
  if (!rawTransactionPattern.test(raw)) throw new TransactionRejected('It is not in hexadecimal, with 0x before it.');
  if (!raw.startsWith('0x02')) throw new TransactionRejected('Only transactions of type 2 (EIP-1559) are taken here.');
  const serialized = raw.toLowerCase();
  const signed = parseSigned(serialized);
  if (!signed) throw new TransactionRejected('It is not signed.');
  const { sender, fields } = signed;
  const { to, value, data, nonce, gasLimit: gas, chainId, maxFeePerGas, maxPriorityFeePerGas } = fields;
  const output = toOutput({ to, value, data });
  return {
    ...{ txHash: keccak256(serialized), sender, chainId, nonce, gasLimit: gas, value },
    ...{ maxFeePerGas, maxPriorityFeePerGas, output },
  };
}

/** What a call pays; null where it moves nothing. Throws a `TransactionRejected` where it is no transfer. */
export function toOutput({ to, value, data }: Pick<Transfer, 'to' | 'value' | 'data'>): SimulatedOutput | null {
  const code = tokenCodes.find((each) => simulatedEthereumNetwork.tokens[each]?.address === to);
  const transfer = code && parseTransferCall(data);
  const isTransfer = code ? transfer && value === 0n : data === '0x';
  if (!isTransfer)
    throw new TransactionRejected('Only transfers of ether and of tokens of this network can be simulated.');
  const output = transfer
    ? { address: transfer.to, code, amount: transfer.amount }
    : { address: to, code: 'eth' as const, amount: value };
  return output.amount > 0n ? output : null;
}
