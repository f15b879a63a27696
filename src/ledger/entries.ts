import { type Expression, type SqlBool, sql } from 'kysely';
import type { UnitOfWork } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import type { Instant } from '../shared/time.ts';
import type { Entry } from './accounts.ts';
import { db } from './schema.ts';

/** Appends entries to the ledger; returns those that move something. */
export async function appendEntries(unit: UnitOfWork, entries: readonly Entry[], at: Instant): Promise<Entry[]> {
  const posted = entries.filter(({ amount, debit, credit }) => amount !== 0n && debit !== credit);
  if (posted.length === 0) return posted;
  if (posted.some(({ amount }) => amount < 0n)) throw new Error('A ledger entry has a negative amount');
  await db(unit)
    .insertInto('ledger_entries')
    .values(
      posted.map(({ chain, code, kind, debit, credit, amount, merchantId, walletId, depositId, withdrawalId }) => ({
        ...{ at, chain, code, kind, debit, credit },
        amount: amount.toString(),
        merchant_id: merchantId,
        wallet_id: walletId,
        deposit_id: depositId,
        withdrawal_id: withdrawalId,
      })),
    )
    .execute();
  return posted;
}

/** The entries of a withdrawal, in their order. */
export async function readEntriesOf(on: Runner, withdrawalId: number) {
  return await db(on)
    .selectFrom('ledger_entries')
    .select(['code', 'debit', 'credit', 'amount', 'wallet_id'])
    .where('withdrawal_id', '=', withdrawalId)
    .orderBy('id')
    .execute();
}

/** Whether a withdrawal has entries from after the ledger was opened: a condition of a query. */
export function hasEntries(on: Runner, withdrawalId: Expression<number>): Expression<SqlBool> {
  const entries = db(on)
    .selectFrom('ledger_entries')
    .select('ledger_entries.id')
    .where('ledger_entries.withdrawal_id', '=', withdrawalId)
    .where('ledger_entries.kind', '<>', 'opening');
  return sql<SqlBool>`exists ${entries}`;
}
