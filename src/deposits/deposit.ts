import { type Expression, type SqlBool, sql } from 'kysely';
import type { UnitOfWork } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import { type ChainName, chainNames, type CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { DepositAccount } from '../ledger/accounts.ts';
import { DAY, type Instant, MINUTE } from '../shared/time.ts';
import { db, type Deposit, depositRecord } from './schema.ts';

/** Confirmations of a deposit at a tip height: 0 in the mempool, null if it was dropped. */
export function confirmationsOf({ state, height }: Deposit, tipHeight: number): number | null {
  if (state === 'gone') return null;
  if (state === 'waiting' || height === null) return 0;
  return Math.max(0, tipHeight - height + 1);
}

/** Composable query: deposits, as `deposit`. */
export function selectDeposits(reader: Runner) {
  return db(reader).selectFrom('deposits as deposit');
}

/** Finds all deposits of the given crypto transactions, in the order in which they were seen. */
export async function findDeposits(reader: Runner, transactionIds: readonly number[]): Promise<Deposit[]> {
  if (transactionIds.length === 0) return [];
  const rows = await db(reader)
    .selectFrom('deposits')
    .select(depositRecord.columns)
    .where('crypto_transaction_id', 'in', transactionIds)
    .orderBy('id')
    .execute();
  return rows.map(depositRecord.read);
}

/** Finds the wallets of a merchant that have a deposit in the mempool. */
export async function findWalletsWithIncoming(reader: Runner, merchantId: number): Promise<number[]> {
  const rows = await db(reader)
    .selectFrom('deposits')
    .select('wallet_id')
    .distinct()
    .where('merchant_id', '=', merchantId)
    .where('chain', 'in', chainNames)
    // A literal: the partial index applies only if the query repeats its condition.
    .where('state', '=', sql.lit('waiting'))
    .execute();
  return rows.map(({ wallet_id: id }) => id);
}

/** A deposit whose `amount` excludes the part that was written off. */
export type RemainingDeposit = Deposit;

/** Finds the deposits that the given withdrawals spend. */
export async function findDepositsByWithdrawal(reader: Runner, ids: readonly number[]): Promise<RemainingDeposit[]> {
  return await findRemainingBy(reader, 'withdrawal_id', ids);
}

/** Finds all deposits of the given wallets, including dropped and withdrawn ones; not those written off. */
export async function findRemainingDeposits(reader: Runner, walletIds: readonly number[]): Promise<RemainingDeposit[]> {
  return await findRemainingBy(reader, 'wallet_id', walletIds);
}

/** Finds all deposits of a crypto transaction, including dropped and withdrawn ones; not those written off. */
export async function findRemainingOfTransaction(reader: Runner, id: number): Promise<RemainingDeposit[]> {
  return await findRemainingBy(reader, 'crypto_transaction_id', [id]);
}

async function findRemainingBy(
  reader: Runner,
  column: 'withdrawal_id' | 'wallet_id' | 'crypto_transaction_id',
  ids: readonly number[],
): Promise<RemainingDeposit[]> {
  if (ids.length === 0) return [];
  const rows = await db(reader)
    .selectFrom('deposits')
    .select(depositRecord.columns)
    .where(column, 'in', ids)
    .where('written_off_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(depositRecord.read).map((deposit) => ({ ...deposit, amount: deposit.amount - deposit.writtenOff }));
}

/** Assigns deposits to a withdrawal, or releases them. */
export async function assignDeposits(
  unit: UnitOfWork,
  depositIds: readonly number[],
  withdrawalId: number | null,
): Promise<void> {
  if (depositIds.length === 0) return;
  await db(unit)
    .updateTable('deposits')
    .set({ withdrawal_id: withdrawalId })
    .where('id', 'in', [...depositIds])
    .execute();
}

/** Query condition: the wallet has a deposit, optionally in a state or seen after a given time. */
export function hasDeposit(
  reader: Runner,
  walletId: Expression<number>,
  { state, since }: { state?: Deposit['state']; since?: Instant } = {},
): Expression<SqlBool> {
  const deposits = db(reader)
    .selectFrom('deposits')
    .select('deposits.id')
    .where('deposits.wallet_id', '=', walletId)
    .$if(state !== undefined, (query) => query.where('deposits.state', '=', state ?? 'waiting'))
    .$if(since !== undefined, (query) => query.where('deposits.seen_at', '>', since ?? 0));
  return sql<SqlBool>`exists ${deposits}`;
}

export async function findDeposit(reader: Runner, id: number): Promise<Deposit> {
  return depositRecord.read(
    await db(reader)
      .selectFrom('deposits')
      .select(depositRecord.columns)
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  );
}

/** Finds a deposit by its payment key; null if it is not recorded yet. */
export async function findDepositByKey(reader: Runner, chain: ChainName, paymentKey: string): Promise<Deposit | null> {
  const row = await db(reader)
    .selectFrom('deposits')
    .select(depositRecord.columns)
    .where('chain', '=', chain)
    .where('payment_key', '=', paymentKey)
    .executeTakeFirst();
  return row ? depositRecord.read(row) : null;
}

export async function insertDeposit(unit: UnitOfWork, deposit: Omit<Deposit, 'id'>): Promise<void> {
  await db(unit).insertInto('deposits').values(depositRecord.write(deposit)).execute();
}

/** Updates a deposit; returns the ledger account that it is posted to. */
export async function updateDeposit(
  unit: UnitOfWork,
  id: number,
  changes: Partial<Deposit>,
): Promise<DepositAccount | null> {
  const { ledger_account: account } = await db(unit)
    .updateTable('deposits')
    .set(depositRecord.write(changes))
    .where('id', '=', id)
    .returning('ledger_account')
    .executeTakeFirstOrThrow();
  return account as DepositAccount | null;
}

/** Approves or rejects the deposits of a transaction that are in review. */
export async function reviewDeposits(
  unit: UnitOfWork,
  transactionId: number,
  decision: 'accepted' | 'rejected',
  now: Instant,
): Promise<void> {
  await db(unit)
    .updateTable('deposits')
    .set({ decision, updated_at: now })
    .where('crypto_transaction_id', '=', transactionId)
    .where('decision', '=', 'undecided')
    .where('state', '<>', 'gone')
    .execute();
}

/** Sets the ledger account that deposits are posted to. */
export async function setLedgerAccount(
  unit: UnitOfWork,
  ids: readonly number[],
  account: DepositAccount | null,
): Promise<void> {
  await db(unit)
    .updateTable('deposits')
    .set({ ledger_account: account })
    .where('id', 'in', [...ids])
    .execute();
}

/** Sums the deposits that a withdrawal spends, by wallet. */
export async function readSpentByWallet(
  reader: Runner,
  withdrawalId: number,
): Promise<{ walletId: number; code: string; amount: bigint }[]> {
  const rows = await db(reader)
    .selectFrom('deposits')
    .select(['wallet_id', 'code', 'amount', 'written_off'])
    .where('withdrawal_id', '=', withdrawalId)
    .orderBy('wallet_id')
    .execute();
  const sums = new Map<number, { walletId: number; code: string; amount: bigint }>();
  for (const { wallet_id: walletId, code, amount, written_off: writtenOff } of rows) {
    const remainingAmount = BigInt(amount) - BigInt(writtenOff);
    sums.set(walletId, { walletId, code, amount: (sums.get(walletId)?.amount ?? 0n) + remainingAmount });
  }
  return [...sums.values()];
}

/**
 * A deposit that arrives within this time after another was dropped is its replacement, at its rate. It equals the rate
 * lock: with more time, a payer could wait for a better rate and then replace the deposit.
 */
export const REPLACEMENT_WINDOW: Instant = 15 * MINUTE;
/** Longest time since the first version, however often it was replaced. */
const MAX_REPLACEMENT_AGE: Instant = DAY;

/**
 * Finds the deposit that a new one replaces in a wallet of a single payer: dropped recently, and at least as large.
 * After a fee bump, the time and rate of the first version still apply. Without a transaction, deposits of any
 * transaction are considered.
 */
export async function findReplacedDeposit(
  reader: Runner,
  {
    transactionId,
    walletId,
    code,
    amount,
  }: Pick<Deposit, 'walletId' | 'code' | 'amount'> & { transactionId: number | null },
  now: Instant,
): Promise<Deposit | null> {
  const rows = await selectDeposits(reader)
    .select(depositRecord.columns.map((column) => `deposit.${column}` as const))
    .$if(transactionId !== null, (query) => query.where('deposit.crypto_transaction_id', '=', transactionId ?? 0))
    .where('deposit.wallet_id', '=', walletId)
    .where('deposit.code', '=', code)
    .where('deposit.state', '=', 'gone')
    .where('deposit.updated_at', '>=', now - REPLACEMENT_WINDOW)
    .where('deposit.seen_at', '>=', now - MAX_REPLACEMENT_AGE)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deposits as other')
            .select('other.id')
            .whereRef('other.crypto_transaction_id', '=', 'deposit.crypto_transaction_id')
            .whereRef('other.replaces_id', '=', 'deposit.id'),
        ),
      ),
    )
    .orderBy('deposit.id', 'desc')
    .execute();
  return rows.map(depositRecord.read).find((dropped) => dropped.amount >= amount) ?? null;
}

/** Finds mined deposits that were written off after a height. */
export async function findWrittenOffDeposits(
  reader: Runner,
  chain: ChainName,
  sinceHeight: number,
): Promise<{ id: number; walletId: number; paymentKey: string }[]> {
  const rows = await db(reader)
    .selectFrom('deposits')
    .select(['id', 'wallet_id', 'payment_key'])
    .where('chain', '=', chain)
    .where('written_off_at', 'is not', null)
    .where('written_off_height', '>', sinceHeight)
    .where('state', '=', 'mined')
    .orderBy('wallet_id')
    .orderBy('id')
    .execute();
  return rows.map(({ id, wallet_id: walletId, payment_key: paymentKey }) => ({ id, walletId, paymentKey }));
}

/** Finds deposits of a wallet that are posted to the given ledger accounts, oldest first. */
export async function findDepositsByAccount(
  reader: Runner,
  walletId: number,
  code: string,
  accounts: readonly DepositAccount[],
): Promise<{ id: number; account: DepositAccount; remaining: bigint }[]> {
  const rows = await db(reader)
    .selectFrom('deposits')
    .select(['id', 'amount', 'written_off', 'ledger_account'])
    .where('wallet_id', '=', walletId)
    .where('code', '=', code)
    .where('ledger_account', 'in', accounts)
    .orderBy('id')
    .execute();
  return rows.map(({ id, amount, written_off: writtenOff, ledger_account: account }) => ({
    ...{ id, account: account as DepositAccount, remaining: BigInt(amount) - BigInt(writtenOff) },
  }));
}

/** Composable query: IDs of a merchant's crypto transactions with a deposit of this transaction hash. */
export function selectTransactionIdsByHash(reader: Runner, merchantId: number, txHash: string) {
  return db(reader)
    .selectFrom('deposits')
    .select('crypto_transaction_id as id')
    .where('merchant_id', '=', merchantId)
    .where('tx_hash', '=', txHash);
}

/** Query condition: the crypto transaction has a deposit with this hash. Deliberately avoids the index of hashes. */
export function hasDepositWithHash(
  reader: Runner,
  transactionId: Expression<number>,
  txHash: string,
): Expression<SqlBool> {
  const deposits = selectDeposits(reader)
    .select('deposit.id')
    .where('deposit.crypto_transaction_id', '=', transactionId)
    .where(sql<SqlBool>`deposit.tx_hash || '' = ${txHash}`);
  return sql<SqlBool>`exists ${deposits}`;
}

/** Composable query: deposits of a crypto transaction, in the order in which they were seen. */
export function selectTransactionDeposits(reader: Runner, transactionId: number | Expression<number>) {
  return db(reader)
    .selectFrom('deposits')
    .select(depositRecord.columns)
    .where('crypto_transaction_id', '=', transactionId)
    .orderBy('id');
}

/**
 * Query condition: the wallet has an accepted deposit in a block that is not assigned to a withdrawal, or whose
 * withdrawal satisfies `isReleased`.
 */
export function hasUnassignedCredit(
  reader: Runner,
  walletId: Expression<number>,
  code: CryptoCurrencyCode,
  isReleased: (withdrawalId: Expression<number | null>) => Expression<SqlBool>,
): Expression<SqlBool> {
  const deposits = db(reader)
    .selectFrom('deposits')
    .select('deposits.id')
    .where('deposits.wallet_id', '=', walletId)
    .where('deposits.code', '=', code)
    .where('deposits.state', '=', 'mined')
    .where('deposits.decision', '=', 'accepted')
    .where(({ or, eb, ref }) =>
      or([eb('deposits.withdrawal_id', 'is', null), isReleased(ref('deposits.withdrawal_id'))]),
    );
  return sql<SqlBool>`exists ${deposits}`;
}

/** Query condition: the withdrawal spends a deposit of the wallet. */
export function spendsWallet(reader: Runner, withdrawalId: Expression<number>, walletId: number): Expression<SqlBool> {
  const deposits = db(reader)
    .selectFrom('deposits')
    .select('deposits.id')
    .where('deposits.withdrawal_id', '=', withdrawalId)
    .where('deposits.wallet_id', '=', walletId);
  return sql<SqlBool>`exists ${deposits}`;
}
