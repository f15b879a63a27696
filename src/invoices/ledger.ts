import type { Runner } from '../database/engine.ts';
import { sql } from 'kysely';
import { chainHeights } from '../chains/cursor.ts';
import type { WithdrawalFacts } from '../deposits/context.ts';
import { selectDeposits, setLedgerAccount } from '../deposits/deposit.ts';
import type { DepositAccount, Entry, EntryKind } from '../ledger/accounts.ts';
import { type LockedWallet, post } from '../wallets/post.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { InvoicesContext } from './context.ts';
import { selectTransactions } from './store.ts';

type Wallets = ReadonlyMap<number, LockedWallet>;

/**
 * The account that a deposit belongs in, by what the database says of it: the one rule of the ledger. Deposits are
 * moved from where they are posted to where they belong, so that posting twice posts once.
 */
export const accountOfDeposit = sql<DepositAccount | null>`case
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

/** Deposits with what decides about their account. */
export const depositsWithFacts = (on: Runner, { blocks }: WithdrawalFacts) =>
  selectDeposits(on)
    .innerJoin(selectTransactions(on).as('tx'), 'tx.id', 'deposit.crypto_transaction_id')
    .leftJoin(blocks(on).as('withdrawal'), 'withdrawal.id', 'deposit.withdrawal_id')
    .leftJoin(chainHeights(on).as('cursor'), 'cursor.chain', 'deposit.chain');

/** Which deposits have to be looked at: those of some transactions, or those that a withdrawal spends. */
type Deposits = { transactionIds: readonly number[] } | { withdrawalId: number };

/**
 * Posts what has become of deposits since they were last posted. The unit holds the locks of their wallets. Returns
 * the balances that have changed, by wallet.
 */
export async function postDeposits(
  { clock, withdrawals }: Pick<InvoicesContext, 'clock' | 'withdrawals'>,
  unit: UnitOfWork,
  wallets: Wallets,
  deposits: Deposits,
  /** Posted with them. */
  others: readonly Entry[] = [],
): Promise<Map<number, bigint>> {
  const entries = await moveDeposits(unit, withdrawals, deposits);
  return await post(unit, [...others, ...entries], { at: clock.now(), wallets });
}

/** Brings `ledger_account` of deposits to where they belong; returns the entries for that, which are still to be posted. */
export async function moveDeposits(
  unit: UnitOfWork,
  withdrawals: WithdrawalFacts,
  deposits: Deposits,
): Promise<Entry[]> {
  if ('transactionIds' in deposits && deposits.transactionIds.length === 0) return [];
  const moved = await depositsWithFacts(unit, withdrawals)
    .select(['deposit.id', 'deposit.merchant_id', 'deposit.wallet_id', 'deposit.chain', 'deposit.code'])
    .select(['deposit.amount', 'deposit.written_off', 'deposit.ledger_account', accountOfDeposit.as('account')])
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
    .where(sql<boolean>`coalesce(deposit.ledger_account, '') <> coalesce(${accountOfDeposit}, '')`)
    .orderBy('deposit.id')
    .execute();
  for (const account of new Set(moved.map((deposit) => deposit.account)))
    await setLedgerAccount(
      unit,
      moved.flatMap((deposit) => (deposit.account === account ? [deposit.id] : [])),
      account,
    );
  return moved.flatMap((deposit) => {
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
    return movesBetween(from as DepositAccount | null, account).map((move) => ({
      ...{ ...move, chain, code, merchantId, walletId, depositId: id, withdrawalId: null },
      amount: BigInt(amount) - BigInt(writtenOff),
    }));
  });
}

export type Move = Pick<Entry, 'kind' | 'debit' | 'credit'>;

/** Null where no asset stands for the deposit: it is dropped, or its coins were spent outside the service. */
function assetOf(account: DepositAccount | null): 'mempool' | 'wallet' | null {
  if (account === null || account === 'written_off') return null;
  return account === 'incoming' ? 'mempool' : 'wallet';
}

function movesBetween(from: DepositAccount | null, to: DepositAccount | null): Move[] {
  const [before, after] = [assetOf(from), assetOf(to)];
  if (from !== null && to !== null && before !== null && before === after)
    return [{ kind: kindBetween(from, to), debit: from, credit: to }];
  const kind = arrivalOf(from, to);
  return [
    ...(from === null || before === null ? [] : [{ kind, debit: from, credit: before }]),
    ...(to === null || after === null ? [] : [{ kind, debit: after, credit: to }]),
  ];
}

function arrivalOf(from: DepositAccount | null, to: DepositAccount | null): EntryKind {
  if (to === 'written_off') return 'write_off';
  if (to === 'incoming') return from === null ? 'deposit_seen' : 'deposit_unmined';
  if (to === null) return from === 'incoming' ? 'deposit_dropped' : 'deposit_unmined';
  return from === 'written_off' ? 'write_off_reversal' : 'deposit_mined';
}

function kindBetween(from: DepositAccount, to: DepositAccount): EntryKind {
  if (to === 'withdrawn') return 'withdrawal';
  if (from === 'withdrawn') return 'withdrawal_reversal';
  if (to === 'credited') return 'credit';
  return from === 'credited' ? 'credit_reversal' : 'review';
}
