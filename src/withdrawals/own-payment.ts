import { statement } from '../wallets/crypto-tables.ts';
import type { Runner } from '../database/engine.ts';
import type { WithdrawalTable } from './schema.ts';

const ownOf = statement((query, { txHash }: { txHash: string }) =>
  query
    .selectFrom('withdrawal_versions')
    .innerJoin('withdrawals', 'withdrawals.id', 'withdrawal_versions.withdrawal_id')
    .select(['withdrawals.id', 'withdrawals.source', 'withdrawal_versions.cancels'])
    .where('withdrawal_versions.tx_hash', '=', txHash)
    .where(({ or, eb }) => or([eb('withdrawals.purpose', '=', 'gas'), eb('withdrawal_versions.cancels', '=', 1)])),
);

export interface OwnPayment {
  /** Of the withdrawal. */
  id: number;
  source: WithdrawalTable['source'];
  /** 1 where it returns the money of that withdrawal. */
  cancels: number;
}

/** The withdrawal by which a transaction pays a wallet of ours: gas for tokens, or money that it has returned. */
export async function findOwnPayment(on: Runner, txHash: string): Promise<OwnPayment | null> {
  const [found] = (await ownOf(on, { txHash })).rows;
  return found ?? null;
}
