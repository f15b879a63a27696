/*
 * Map of this module: `accounts.ts` defines the accounts, `entries.ts` appends entries, and `balances.ts` sums them.
 * `src/wallets/post-entries.ts` is the only writer. Reasons: docs/decisions/ledger.md.
 */

import { type Expression, type SqlBool, sql } from 'kysely';
import type { UnitOfWork } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import type { Instant } from '../shared/time.ts';
import type { Entry } from './accounts.ts';
import { db } from './schema.ts';

/**
 * Appends entries to the ledger, except those without effect (amount 0, or equal accounts); returns the
 * appended ones.
 */
export async function appendEntries(unit: UnitOfWork, entries: readonly Entry[], at: Instant): Promise<Entry[]> {
  const posted = entries.filter(({ amount, debit, credit }) => amount !== 0n && debit !== credit);
  if (posted.length === 0) return posted;
  if (posted.some(({ amount }) => amount < 0n)) throw new Error('A ledger entry has a negative amount.');
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

/** Entries of a withdrawal, oldest first. */
export async function readWithdrawalEntries(reader: Runner, withdrawalId: number) {
  return await db(reader)
    .selectFrom('ledger_entries')
    .select(['code', 'debit', 'credit', 'amount', 'wallet_id'])
    .where('withdrawal_id', '=', withdrawalId)
    .orderBy('id')
    .execute();
}

/** Query condition: the withdrawal has entries other than opening entries. */
export function hasLedgerEntries(reader: Runner, withdrawalId: Expression<number>): Expression<SqlBool> {
  const entries = db(reader)
    .selectFrom('ledger_entries')
    .select('ledger_entries.id')
    .where('ledger_entries.withdrawal_id', '=', withdrawalId)
    .where('ledger_entries.kind', '<>', 'opening');
  return sql<SqlBool>`exists ${entries}`;
}
