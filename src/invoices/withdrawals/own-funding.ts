import type { Runner } from '../../platform/database/engine.ts';
import { statement } from '../../platform/database/statement.ts';

const fundingOf = statement((query, { txHash }: { txHash: string }) =>
  query
    .selectFrom('withdrawal_versions')
    .innerJoin('withdrawals', 'withdrawals.id', 'withdrawal_versions.withdrawal_id')
    .select('withdrawals.id')
    .where('withdrawal_versions.tx_hash', '=', txHash)
    .where('withdrawals.purpose', '=', 'gas'),
);

/** Whether a transaction is ether of the operator's, for moving tokens: that is nobody's payment. */
export async function isOwnFunding(on: Runner, txHash: string): Promise<boolean> {
  return (await fundingOf(on, { txHash })).rows.length > 0;
}
