import type { Runner } from '../../database/engine.ts';
import { ChainTrouble } from '../port.ts';
import { addressFrom } from '../ethereum/checksum.ts';
import { ETHER_GAS, type Transfer } from '../ethereum/transfers.ts';
import { readTip } from './blocks.ts';
import { readHoldings } from './ethereum-accounts.ts';
import { TOKEN_GAS_USED } from './ethereum-execution.ts';
import { outputOf } from './ethereum-transaction.ts';
import { ethereumKind } from './kinds.ts';
import { Refusal } from './sending.ts';

/** Gas that a transfer would use after the last block. Throws where it would fail, as nodes do that try it. */
export async function gasFor(
  on: Runner,
  from: string,
  { to, value, data }: Pick<Transfer, 'to' | 'value' | 'data'>,
): Promise<bigint> {
  const sender = addressFrom(from);
  const output = paymentOf({ to: addressFrom(to), value, data });
  if (!output) return ETHER_GAS;
  const { height } = await readTip(on, ethereumKind.name);
  const has = (await readHoldings(on, [sender], height)).of(sender, output.code);
  const { code, amount } = output;
  if (has < amount)
    throw new ChainTrouble('down', `The transfer would fail: ${sender} has ${has} ${code} of ${amount}.`);
  return code === 'eth' ? ETHER_GAS : TOKEN_GAS_USED;
}

function paymentOf(transfer: Pick<Transfer, 'to' | 'value' | 'data'>) {
  try {
    return outputOf(transfer);
  } catch (error) {
    throw error instanceof Refusal ? new ChainTrouble('down', error.message) : error;
  }
}
