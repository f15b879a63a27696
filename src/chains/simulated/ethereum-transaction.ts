import { readTransferCall } from '../ethereum/erc20.ts';
import type { FeeCaps } from '../ethereum/fees.ts';
import { tokenCodes } from '../ethereum/tokens.ts';
import { keccak256, readSigned } from '../ethereum/transaction.ts';
import type { Transfer } from '../ethereum/transfers.ts';
import { type SimulatedOutput, simulatedEthereumNetwork } from './kinds.ts';
import { Refusal } from './sending.ts';

/** A transaction of type 2, as it was signed. */
export interface SignedCall extends FeeCaps {
  txHash: string;
  sender: string;
  chainId: number;
  nonce: number;
  gas: bigint;
  /** Wei that it sends. */
  value: bigint;
  /** What it pays; null where it moves nothing. */
  output: SimulatedOutput | null;
}

const rawForm = /^0x(?:[0-9a-f]{2})+$/i;

/** Reads what was signed, and who did. Throws a `Refusal` where it is nothing that is simulated, and other errors where it cannot be read. */
export async function readCall(raw: string): Promise<SignedCall> {
  if (!rawForm.test(raw)) throw new Refusal('It is not in hexadecimal, with 0x before it.');
  if (!raw.startsWith('0x02')) throw new Refusal('Only transactions of type 2 (EIP-1559) are taken here.');
  const serialized = raw.toLowerCase();
  const signed = readSigned(serialized);
  if (!signed) throw new Refusal('It is not signed.');
  const { sender, fields } = signed;
  const { to, value, data, nonce, gas, chainId, maxFeePerGas, maxPriorityFeePerGas } = fields;
  const output = outputOf({ to, value, data });
  return {
    ...{ txHash: keccak256(serialized), sender, chainId, nonce, gas, value },
    ...{ maxFeePerGas, maxPriorityFeePerGas, output },
  };
}

/** What a call pays; null where it moves nothing. Throws a `Refusal` where it is no transfer. */
export function outputOf({ to, value, data }: Pick<Transfer, 'to' | 'value' | 'data'>): SimulatedOutput | null {
  const code = tokenCodes.find((each) => simulatedEthereumNetwork.tokens[each]?.address === to);
  const transfer = code && readTransferCall(data);
  const isTransfer = code ? transfer && value === 0n : data === '0x';
  if (!isTransfer) throw new Refusal('Only transfers of ether and of tokens of this network can be simulated.');
  const output = transfer
    ? { address: transfer.to, code, amount: transfer.amount }
    : { address: to, code: 'eth' as const, amount: value };
  return output.amount > 0n ? output : null;
}
