import { db } from './tables.ts';
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { ChainError } from '../../src/chains/port.ts';
import { walletRecord } from '../../src/wallets/schema.ts';
import { readBalanceParts } from '../../src/invoices/balance-parts.ts';
import { depositAccount, selectDepositsWithFacts } from '../../src/invoices/ledger.ts';
import { needsOperator, reconcile } from '../../src/reconciliation/reconcile.ts';
import { withdrawalQueries } from '../../src/withdrawals/facts.ts';
import type { ConnectedChain } from '../../src/wallets/connected-chains.ts';
import type { DepositAccount } from '../../src/ledger/accounts.ts';
import { AccountBalances } from '../../src/ledger/balances.ts';
import type { Database } from '../../src/database/database.ts';

/** Marks queries of tests, which the service never runs. */
export const testQuery = '/* query of a test */';
const mark = sql.raw(testQuery);

/**
 * Compares the ledger with deposits, wallet balances, reported balance parts and each available chain. No unresolved
 * difference may remain.
 */
export async function assertLedger(
  database: Pick<Database, 'query' | 'inSnapshot'>,
  chains: readonly ConnectedChain[] = [],
  /** Addresses whose keys a test used outside the service: their missing ether stays an unresolved difference. */
  usedOutside: readonly string[] = [],
): Promise<void> {
  await database.inSnapshot(async (reader) => {
    const entries = await db(reader).selectFrom('ledger_entries').selectAll().orderBy('id').modifyEnd(mark).execute();
    const byDeposit = new Map<number, AccountBalances>();
    const byWallet = new Map<number, AccountBalances>();
    const sheetOf = (sheets: Map<number, AccountBalances>, id: number) => {
      const sheet = sheets.get(id) ?? new AccountBalances();
      sheets.set(id, sheet);
      return sheet;
    };
    for (const entry of entries) {
      assert.match(entry.amount, /^[1-9]\d*$/, `amount of entry ${entry.id}`);
      assert.notEqual(entry.debit, entry.credit, `accounts of entry ${entry.id}`);
      if (entry.deposit_id !== null) sheetOf(byDeposit, entry.deposit_id).add(entry);
      if (entry.wallet_id !== null) sheetOf(byWallet, entry.wallet_id).add(entry);
    }

    const deposits = await selectDepositsWithFacts(reader, withdrawalQueries)
      .select(['deposit.id', 'deposit.code', 'deposit.amount', 'deposit.written_off', 'deposit.ledger_account'])
      .select(['deposit.wallet_id', 'deposit.withdrawal_id', 'withdrawal.height', 'withdrawal.status'])
      .select(depositAccount.as('account'))
      .modifyEnd(mark)
      .execute();
    for (const { id, code, amount: whole, written_off: writtenOff, ledger_account: posted, account } of deposits) {
      const amount = BigInt(whole) - BigInt(writtenOff ?? 0);
      assert.equal(posted, account, `deposit ${id} is posted to its account`);
      const asset = account === 'incoming' ? 'mempool' : 'wallet';
      const hasNoAsset = account === null || account === 'written_off';
      const expected = hasNoAsset ? [] : [[asset, amount] as const, [account, -amount] as const];
      const held = sheetOf(byDeposit, id).nonZeroAccounts(code);
      assert.deepEqual(new Map(held), new Map(expected), `entries of deposit ${id}`);
    }

    const rows = await db(reader).selectFrom('wallets').select(walletRecord.columns).modifyEnd(mark).execute();
    const wallets = rows.map(walletRecord.read);
    const breakdowns = await readBalanceParts(reader, withdrawalQueries, wallets);
    for (const { id, code, balance } of wallets) {
      const sheet = sheetOf(byWallet, id);
      const beingSent = deposits.filter(
        (each) =>
          each.wallet_id === id &&
          each.code === code &&
          each.account !== null &&
          !['incoming', 'written_off'].includes(each.account) &&
          each.withdrawal_id !== null &&
          each.height === null &&
          each.status !== 'failed',
      );
      const sumOf = (rows: typeof deposits) =>
        rows.reduce((sum, each) => sum + BigInt(each.amount) - BigInt(each.written_off ?? 0), 0n);
      const available = (account: DepositAccount) =>
        -sheet.balanceOf(code, account) - sumOf(beingSent.filter((each) => each.account === account));
      assert.equal(sheet.balanceOf(code, 'wallet'), balance, `balance of wallet ${id}`);
      assert.deepEqual(
        {
          incoming: -sheet.balanceOf(code, 'incoming'),
          sending: sumOf(beingSent),
          confirming: available('unconfirmed'),
          in_review: available('in_review'),
          unattributed: available('unattributed'),
          rejected: available('rejected'),
          // A mined withdrawal whose deposit is not mined: the merchant is overdrawn.
          credited: available('credited') - sheet.balanceOf(code, 'withdrawn'),
        },
        breakdowns.get(id),
        `balance parts of wallet ${id}`,
      );
    }
  });
  for (const connected of chains) {
    try {
      const { differences } = await reconcile(database, connected);
      assert.deepEqual(
        differences.filter((each) => needsOperator(each) && !usedOutside.includes(each.address ?? '')),
        [],
        `${connected.name} and the ledger`,
      );
    } catch (error) {
      // The node is down, or a reorg happened since the last read.
      if (!(error instanceof ChainError)) throw error;
    }
  }
}
