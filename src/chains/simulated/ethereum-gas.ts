import type { Runner } from '../../database/engine.ts';
import { ChainError } from '../port.ts';
import { requireAddress } from '../ethereum/checksum.ts';
import { ETHER_GAS_LIMIT, type Transfer } from '../ethereum/transfers.ts';
import { readTip } from './blocks.ts';
import { readBalances } from './ethereum-accounts.ts';
import { TOKEN_GAS_USED } from './ethereum-execution.ts';
import { toOutput } from './ethereum-transaction.ts';
import { ethereumKind } from './chain-kinds.ts';
import { TransactionRejected } from './broadcast.ts';

/** Estimates the gas of a transfer after the last block. Throws if it would fail, as nodes do. */
export async function estimateGas(
  reader: Runner,
  from: string,
  { to, value, data }: Pick<Transfer, 'to' | 'value' | 'data'>,
): Promise<bigint> {
  const sender = requireAddress(from);
  const output = requireTransfer({ to: requireAddress(to), value, data });
  if (!output) return ETHER_GAS_LIMIT;
  const { height } = await readTip(reader, ethereumKind.name);
  const balance = (await readBalances(reader, [sender], height)).get(sender, output.code);
  const { code, amount } = output;
  if (balance < amount)
    throw new ChainError('down', `The transfer would fail: ${sender} has ${balance} of ${amount} ${code}.`);
  return code === 'eth' ? ETHER_GAS_LIMIT : TOKEN_GAS_USED;
}

function requireTransfer(transfer: Pick<Transfer, 'to' | 'value' | 'data'>) {
  try {
    return toOutput(transfer);
  } catch (error) {
    throw error instanceof TransactionRejected ? new ChainError('down', error.message) : error;
  }
}
