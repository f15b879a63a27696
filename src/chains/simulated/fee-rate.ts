import { db } from './schema.ts';
import type { Runner } from '../../database/engine.ts';
import type { FeeRate } from '../port.ts';
import type { ChainChange } from './store.ts';

export async function readFeeRate(reader: Runner, chain: string): Promise<FeeRate> {
  const { fee_rate, priority_fee } = await db(reader)
    .selectFrom('simulated_chains')
    .select(['fee_rate', 'priority_fee'])
    .where('chain', '=', chain)
    .executeTakeFirstOrThrow();
  const amount = BigInt(fee_rate);
  return priority_fee === null
    ? { unit: 'sat/vB', amount }
    : { unit: 'wei/gas', amount, priority: BigInt(priority_fee) };
}

export async function updateFeeRate({ tables, kind, announce }: ChainChange, rate: FeeRate): Promise<void> {
  const { unit } = kind.initialFeeRate;
  if (rate.unit !== unit)
    throw new RangeError(`Fee rates on the simulated chain ${kind.name} must be in ${unit}, not ${rate.unit}.`);
  if (rate.amount < 1n) throw new RangeError(`The fee rate must be at least 1 ${unit}, not ${rate.amount}.`);
  const priority = rate.unit === 'wei/gas' ? rate.priority : null;
  if (priority !== null && (priority < 0n || priority > rate.amount))
    throw new RangeError(`The priority fee must be from 0 to ${rate.amount} wei per unit of gas, not ${priority}.`);
  await tables
    .updateTable('simulated_chains')
    .set({ fee_rate: String(rate.amount), priority_fee: priority === null ? null : String(priority) })
    .where('chain', '=', kind.name)
    .execute();
  announce();
}
