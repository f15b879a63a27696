import { type Expression, type SqlBool, sql } from 'kysely';
import type { UnitOfWork } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import type { ChainName, CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { DepositAccount } from '../ledger/accounts.ts';
import { DAY, type Instant, MINUTE } from '../shared/time.ts';
import { db, type Deposit, depositRecord } from './schema.ts';

/** Blocks that hold a payment, when the last block has this height: 0 while it waits for one, null when it is gone. */
export function confirmationsOf({ state, height }: Deposit, tipHeight: number): number | null {
  if (state === 'gone') return null;
  if (state === 'waiting' || height === null) return 0;
  return Math.max(0, tipHeight - height + 1);
}

/** All columns of deposits, as `deposit`: a query to compose. */
export function selectDeposits(on: Runner) {
  return db(on).selectFrom('deposits as deposit');
}

/** All money of some transactions, in the order in which it was seen. */
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

/** A deposit whose `amount` is what is at the wallet, without a part written off. */
export type HeldDeposit = Deposit;

/** What some withdrawals spend. */
export async function findFunds(reader: Runner, ids: readonly number[]): Promise<HeldDeposit[]> {
  return await findHeldOf(reader, 'withdrawal_id', ids);
}

/** All money that is to be seen at some wallets, or was; not what was spent outside the service. */
export async function findHeld(reader: Runner, walletIds: readonly number[]): Promise<HeldDeposit[]> {
  return await findHeldOf(reader, 'wallet_id', walletIds);
}

async function findHeldOf(
  reader: Runner,
  column: 'withdrawal_id' | 'wallet_id',
  ids: readonly number[],
): Promise<HeldDeposit[]> {
  if (ids.length === 0) return [];
  const rows = await db(reader)
    .selectFrom('deposits')
    .select(depositRecord.columns)
    .where(column, 'in', ids)
    .where('written_off_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(depositRecord.read).map((each) => ({ ...each, amount: each.amount - each.writtenOff }));
}

/** Assigns deposits to a withdrawal, or frees them. */
export async function assignFunds(unit: UnitOfWork, paymentIds: readonly number[], id: number | null): Promise<void> {
  if (paymentIds.length === 0) return;
  await db(unit)
    .updateTable('deposits')
    .set({ withdrawal_id: id })
    .where('id', 'in', [...paymentIds])
    .execute();
}

/** Whether a wallet has ever received a deposit, or one in a state or seen since a moment: a condition of a query. */
export function hasDeposit(
  on: Runner,
  walletId: Expression<number>,
  { state, since }: { state?: Deposit['state']; since?: Instant } = {},
): Expression<SqlBool> {
  const deposits = db(on)
    .selectFrom('deposits')
    .select('deposits.id')
    .where('deposits.wallet_id', '=', walletId)
    .$if(state !== undefined, (query) => query.where('deposits.state', '=', state ?? 'waiting'))
    .$if(since !== undefined, (query) => query.where('deposits.seen_at', '>', since ?? 0));
  return sql<SqlBool>`exists ${deposits}`;
}

export async function findDeposit(on: Runner, id: number): Promise<Deposit> {
  return depositRecord.read(
    await db(on).selectFrom('deposits').select(depositRecord.columns).where('id', '=', id).executeTakeFirstOrThrow(),
  );
}

/** The deposit of a payment key; null where there is none yet. */
export async function findByKey(on: Runner, chain: ChainName, paymentKey: string): Promise<Deposit | null> {
  const row = await db(on)
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

/** Changes a deposit; returns the ledger account that it is posted to. */
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

/** Notes the ledger account that deposits are posted to. */
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

/** What a withdrawal spends, by wallet. */
export async function readSpent(
  on: Runner,
  withdrawalId: number,
): Promise<{ walletId: number; code: string; amount: bigint }[]> {
  const rows = await db(on)
    .selectFrom('deposits')
    .select(['wallet_id', 'code', 'amount', 'written_off'])
    .where('withdrawal_id', '=', withdrawalId)
    .orderBy('wallet_id')
    .execute();
  const sums = new Map<number, { walletId: number; code: string; amount: bigint }>();
  for (const { wallet_id: walletId, code, amount, written_off: writtenOff } of rows) {
    const rest = BigInt(amount) - BigInt(writtenOff);
    sums.set(walletId, { walletId, code, amount: (sums.get(walletId)?.amount ?? 0n) + rest });
  }
  return [...sums.values()];
}

/**
 * How long after a deposit has vanished another one counts as its replacement, at its rate: no longer than a rate is
 * locked, or whoever takes a payment back could wait for a better one.
 */
const REPLACED_WITHIN: Instant = 15 * MINUTE;
/** And how long after the first version was seen, however often it was replaced. */
const REPLACEABLE_FOR: Instant = DAY;

/**
 * The deposit whose place a new one takes at a wallet that is one payer's alone: it has vanished, a short while ago
 * at most, and was no smaller. A fee bump pays when the first version was seen, and at its rate.
 */
export async function findReplaced(
  on: Runner,
  { transactionId, walletId, code, amount }: Pick<Deposit, 'transactionId' | 'walletId' | 'code' | 'amount'>,
  now: Instant,
): Promise<Deposit | null> {
  const rows = await selectDeposits(on)
    .select(depositRecord.columns.map((column) => `deposit.${column}` as const))
    .where('deposit.crypto_transaction_id', '=', transactionId)
    .where('deposit.wallet_id', '=', walletId)
    .where('deposit.code', '=', code)
    .where('deposit.state', '=', 'gone')
    .where('deposit.updated_at', '>=', now - REPLACED_WITHIN)
    .where('deposit.seen_at', '>=', now - REPLACEABLE_FOR)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deposits as other')
            .select('other.id')
            .where('other.crypto_transaction_id', '=', transactionId)
            .whereRef('other.replaces_id', '=', 'deposit.id'),
        ),
      ),
    )
    .orderBy('deposit.id', 'desc')
    .execute();
  return rows.map(depositRecord.read).find((gone) => gone.amount >= amount) ?? null;
}

/** Deposits in blocks that were written off since a height. */
export async function findWrittenOff(
  on: Runner,
  chain: ChainName,
  sinceHeight: number,
): Promise<{ id: number; walletId: number; paymentKey: string }[]> {
  const rows = await db(on)
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

/** Deposits of a wallet that are posted to some accounts, the oldest first. */
export async function findPosted(
  on: Runner,
  walletId: number,
  code: string,
  accounts: readonly DepositAccount[],
): Promise<{ id: number; account: DepositAccount; left: bigint }[]> {
  const rows = await db(on)
    .selectFrom('deposits')
    .select(['id', 'amount', 'written_off', 'ledger_account'])
    .where('wallet_id', '=', walletId)
    .where('code', '=', code)
    .where('ledger_account', 'in', accounts)
    .orderBy('id')
    .execute();
  return rows.map(({ id, amount, written_off: writtenOff, ledger_account: account }) => ({
    ...{ id, account: account as DepositAccount, left: BigInt(amount) - BigInt(writtenOff) },
  }));
}

/** Deposits that a transaction of this hash has made to a merchant, by their crypto transactions: a query to compose. */
export function selectOfHash(on: Runner, merchantId: number, txHash: string) {
  return db(on)
    .selectFrom('deposits')
    .select('crypto_transaction_id as id')
    .where('merchant_id', '=', merchantId)
    .where('tx_hash', '=', txHash);
}

/** Whether a transaction of this hash has paid for a crypto transaction, without the index of hashes: a condition. */
export function hasHash(on: Runner, transactionId: Expression<number>, txHash: string): Expression<SqlBool> {
  const deposits = selectDeposits(on)
    .select('deposit.id')
    .where('deposit.crypto_transaction_id', '=', transactionId)
    .where(sql<SqlBool>`deposit.tx_hash || '' = ${txHash}`);
  return sql<SqlBool>`exists ${deposits}`;
}

/** Deposits of a crypto transaction, in the order in which they were seen: a query to compose. */
export function selectDepositsOf(on: Runner, transactionId: number | Expression<number>) {
  return db(on)
    .selectFrom('deposits')
    .select(depositRecord.columns)
    .where('crypto_transaction_id', '=', transactionId)
    .orderBy('id');
}

/**
 * Whether a wallet has a deposit in a block that was accepted and that no withdrawal holds: none was made, or it is one
 * for which `isOver` holds. A condition of a query.
 */
export function hasCredited(
  on: Runner,
  walletId: Expression<number>,
  code: CryptoCurrencyCode,
  isOver: (withdrawalId: Expression<number | null>) => Expression<SqlBool>,
): Expression<SqlBool> {
  const deposits = db(on)
    .selectFrom('deposits')
    .select('deposits.id')
    .where('deposits.wallet_id', '=', walletId)
    .where('deposits.code', '=', code)
    .where('deposits.state', '=', 'mined')
    .where('deposits.decision', '=', 'accepted')
    .where(({ or, eb, ref }) => or([eb('deposits.withdrawal_id', 'is', null), isOver(ref('deposits.withdrawal_id'))]));
  return sql<SqlBool>`exists ${deposits}`;
}

/** Whether a withdrawal spends a deposit of a wallet: a condition of a query. */
export function spendsFrom(on: Runner, withdrawalId: Expression<number>, walletId: number): Expression<SqlBool> {
  const deposits = db(on)
    .selectFrom('deposits')
    .select('deposits.id')
    .where('deposits.withdrawal_id', '=', withdrawalId)
    .where('deposits.wallet_id', '=', walletId);
  return sql<SqlBool>`exists ${deposits}`;
}
