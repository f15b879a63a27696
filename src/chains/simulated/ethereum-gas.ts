import type { Runner } from '../../database/engine.ts';
import { TransferWouldFail } from '../spender.ts';
import { requireAddress } from '../ethereum/checksum.ts';
import type { TransactionFields } from '../ethereum/transaction.ts';
import { ETHER_GAS_LIMIT } from '../ethereum/transfers.ts';
import { readTip } from './blocks.ts';
import { readBalances } from './ethereum-accounts.ts';
import { TOKEN_GAS_USED } from './ethereum-execution.ts';
import { toOutput } from './ethereum-transaction.ts';
import type { EthereumKind } from './chain-kinds.ts';
import { TransactionRejected } from './broadcast.ts';

/** Estimates the gas of a transfer after the last block. Throws if it would fail, as nodes do. */
export async function estimateGas(
  reader: Runner,
  kind: EthereumKind,
  from: string,
  { to, value, data }: Pick<TransactionFields, 'to' | 'value' | 'data'>,
): Promise<bigint> {
  const sender = requireAddress(from);
  const output = requireTransfer(kind, { to: requireAddress(to), value, data });
  if (!output) return ETHER_GAS_LIMIT;
  const { height } = await readTip(reader, kind.name);
  const balance = (await readBalances(reader, kind, [sender], height)).get(sender, output.code);
  const { code, amount } = output;
  if (balance < amount)
    throw new TransferWouldFail(`The transfer would fail: ${sender} has ${balance} of ${amount} ${code}.`);
  return code === kind.feeCode ? ETHER_GAS_LIMIT : TOKEN_GAS_USED;
}

function requireTransfer({ network }: EthereumKind, transfer: Pick<TransactionFields, 'to' | 'value' | 'data'>) {
  try {
    return toOutput(network, transfer);
  } catch (error) {
    throw error instanceof TransactionRejected ? new TransferWouldFail(error.message) : error;
  }
}
