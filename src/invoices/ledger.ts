import type { Runner } from '../database/engine.ts';
import { sql } from 'kysely';
import { selectHeights } from '../chains/cursor.ts';
import type { WithdrawalFacts } from '../deposits/context.ts';
import { selectDeposits, setLedgerAccount } from '../deposits/deposit.ts';
import type { DepositAccount, Entry, EntryKind } from '../ledger/accounts.ts';
import { type LockedWallet, postEntries } from '../wallets/post-entries.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { InvoicesContext } from './context.ts';
import { selectTransactionFacts } from './store.ts';

type Wallets = ReadonlyMap<number, LockedWallet>;

/**
 * SQL for the account that a deposit belongs in: the only such rule. Posting moves a deposit from its posted account to
 * this one, so it is idempotent.
 */
export const depositAccount = sql<DepositAccount | null>`case
  when deposit.state = 'gone' then null
  when deposit.state = 'waiting' then 'incoming'
  when deposit.written_off_at is not null then 'written_off'
  when withdrawal.height is not null and withdrawal.is_reverted = 0 then 'withdrawn'
  when tx.kind = 'stray' then 'unattributed'
  when deposit.decision = 'rejected' or tx.rejection is not null then 'rejected'
  when deposit.decision = 'undecided' then 'in_review'
  when deposit.counts_at > coalesce(cursor.height, 0) then 'unconfirmed'
  else 'credited'
end`;

/** Composable query: deposits joined with everything that determines their account. */
export const selectDepositsWithFacts = (reader: Runner, { selectBlocks }: WithdrawalFacts) =>
  selectDeposits(reader)
    .innerJoin(selectTransactionFacts(reader).as('tx'), 'tx.id', 'deposit.crypto_transaction_id')
    .leftJoin(selectBlocks(reader).as('withdrawal'), 'withdrawal.id', 'deposit.withdrawal_id')
    .leftJoin(selectHeights(reader).as('cursor'), 'cursor.chain', 'deposit.chain');

/** Deposits to post: those of the given transactions, or those that a withdrawal spends. */
type DepositSelection = { transactionIds: readonly number[] } | { withdrawalId: number };

/**
 * Posts changes of deposits since they were last posted. The unit of work holds the locks of their wallets. Returns the
 * changed balances, by wallet.
 */
export async function postDeposits(
  { clock, withdrawals }: Pick<InvoicesContext, 'clock' | 'withdrawals'>,
  unit: UnitOfWork,
  wallets: Wallets,
  deposits: DepositSelection,
  /** Entries to post together with them. */
  otherEntries: readonly Entry[] = [],
): Promise<Map<number, bigint>> {
  const entries = await moveDeposits(unit, withdrawals, deposits);
  return await postEntries(unit, [...otherEntries, ...entries], { at: clock.now(), wallets });
}

/** Sets `ledger_account` of deposits to the account they belong in; returns the entries, which the caller posts. */
export async function moveDeposits(
  unit: UnitOfWork,
  withdrawals: WithdrawalFacts,
  deposits: DepositSelection,
): Promise<Entry[]> {
  if ('transactionIds' in deposits && deposits.transactionIds.length === 0) return [];
  const misposted = await selectDepositsWithFacts(unit, withdrawals)
    .select(['deposit.id', 'deposit.merchant_id', 'deposit.wallet_id', 'deposit.chain', 'deposit.code'])
    .select(['deposit.amount', 'deposit.written_off', 'deposit.ledger_account', depositAccount.as('account')])
    .$if('transactionIds' in deposits, (query) =>
      query.where(
        'deposit.crypto_transaction_id',
        'in',
        'transactionIds' in deposits ? [...deposits.transactionIds] : [],
      ),
    )
    .$if('withdrawalId' in deposits, (query) =>
      query.where('deposit.withdrawal_id', '=', 'withdrawalId' in deposits ? deposits.withdrawalId : 0),
    )
    .where(sql<boolean>`coalesce(deposit.ledger_account, '') <> coalesce(${depositAccount}, '')`)
    .orderBy('deposit.id')
    .execute();
  for (const account of new Set(misposted.map((deposit) => deposit.account)))
    await setLedgerAccount(
      unit,
      misposted.flatMap((deposit) => (deposit.account === account ? [deposit.id] : [])),
      account,
    );
  return misposted.flatMap((deposit) => {
    const {
      id,
      merchant_id: merchantId,
      wallet_id: walletId,
      chain,
      code,
      amount,
      written_off: writtenOff,
      account,
      ledger_account: from,
    } = deposit;
    return movesForChange(from as DepositAccount | null, account).map((move) => ({
      ...{ ...move, chain, code, merchantId, walletId, depositId: id, withdrawalId: null },
      amount: BigInt(amount) - BigInt(writtenOff),
    }));
  });
}

export type EntryMove = Pick<Entry, 'kind' | 'debit' | 'credit'>;

/** Asset account that backs a liability account; null if the deposit was dropped or spent outside the service. */
function assetAccount(account: DepositAccount | null): 'mempool' | 'wallet' | null {
  if (account === null || account === 'written_off') return null;
  return account === 'incoming' ? 'mempool' : 'wallet';
}

function movesForChange(from: DepositAccount | null, to: DepositAccount | null): EntryMove[] {
  const [before, after] = [assetAccount(from), assetAccount(to)];
  if (from !== null && to !== null && before !== null && before === after)
    return [{ kind: liabilityChangeKind(from, to), debit: from, credit: to }];
  const kind = assetChangeKind(from, to);
  return [
    ...(from === null || before === null ? [] : [{ kind, debit: from, credit: before }]),
    ...(to === null || after === null ? [] : [{ kind, debit: after, credit: to }]),
  ];
}

function assetChangeKind(from: DepositAccount | null, to: DepositAccount | null): EntryKind {
  if (to === 'written_off') return 'write_off';
  if (to === 'incoming') return from === null ? 'deposit_seen' : 'deposit_unmined';
  if (to === null) return from === 'incoming' ? 'deposit_dropped' : 'deposit_unmined';
  return from === 'written_off' ? 'write_off_reversal' : 'deposit_mined';
}

function liabilityChangeKind(from: DepositAccount, to: DepositAccount): EntryKind {
  if (to === 'withdrawn') return 'withdrawal';
  if (from === 'withdrawn') return 'withdrawal_reversal';
  if (to === 'credited') return 'credit';
  return from === 'credited' ? 'credit_reversal' : 'review';
}
