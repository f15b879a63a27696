import type { Runner } from '../database/engine.ts';
import { db } from '../wallets/crypto-tables.ts';
import { sql } from 'kysely';
import type { Account, DepositAccount, Entry, EntryKind } from '../ledger/accounts.ts';
import { type LockedWallet, post } from '../wallets/post.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { InvoicesContext } from './context.ts';
import { findWalletId } from './store.ts';
import type { Withdrawal } from '../withdrawals/withdrawal.ts';

type Reader = Runner;
type Wallets = ReadonlyMap<number, LockedWallet>;

/**
 * The account that a deposit belongs in, by what the database says of it: the one rule of the ledger. Deposits are
 * moved from where they are posted to where they belong, so that posting twice posts once.
 */
export const accountOfDeposit = sql<DepositAccount | null>`case
  when payment.state = 'gone' then null
  when payment.state = 'waiting' then 'incoming'
  when payment.written_off_at is not null then 'written_off'
  when withdrawal.height is not null and withdrawal.is_reverted = 0 then 'withdrawn'
  when tx.kind = 'stray' then 'unattributed'
  when payment.decision = 'rejected' or tx.rejection is not null then 'rejected'
  when payment.decision = 'undecided' then 'in_review'
  when payment.counts_at > coalesce(cursor.height, 0) then 'unconfirmed'
  else 'credited'
end`;

/** Deposits with what decides about their account. */
export const depositsWithFacts = (on: Reader) =>
  db(on)
    .selectFrom('chain_payments as payment')
    .innerJoin('crypto_transactions as tx', 'tx.id', 'payment.crypto_transaction_id')
    .leftJoin('withdrawals as withdrawal', 'withdrawal.id', 'payment.withdrawal_id')
    .leftJoin('chain_cursors as cursor', 'cursor.chain', 'payment.chain');

/** Which deposits have to be looked at: those of some transactions, or those that a withdrawal spends. */
type Deposits = { transactionIds: readonly number[] } | { withdrawalId: number };

/**
 * Posts what has become of deposits since they were last posted. The unit holds the locks of their wallets. Returns
 * the balances that have changed, by wallet.
 */
export async function postDeposits(
  { clock }: Pick<InvoicesContext, 'clock'>,
  unit: UnitOfWork,
  wallets: Wallets,
  deposits: Deposits,
  /** Posted with them. */
  others: readonly Entry[] = [],
): Promise<Map<number, bigint>> {
  const entries = await moveDeposits(unit, deposits);
  return await post(unit, [...others, ...entries], { at: clock.now(), wallets });
}

/** Brings `ledger_account` of deposits to where they belong; returns the entries for that, which are still to be posted. */
async function moveDeposits(unit: UnitOfWork, deposits: Deposits): Promise<Entry[]> {
  if ('transactionIds' in deposits && deposits.transactionIds.length === 0) return [];
  const moved = await depositsWithFacts(unit)
    .select(['payment.id', 'payment.merchant_id', 'payment.wallet_id', 'payment.chain', 'payment.code'])
    .select(['payment.amount', 'payment.written_off', 'payment.ledger_account', accountOfDeposit.as('account')])
    .$if('transactionIds' in deposits, (query) =>
      query.where(
        'payment.crypto_transaction_id',
        'in',
        'transactionIds' in deposits ? [...deposits.transactionIds] : [],
      ),
    )
    .$if('withdrawalId' in deposits, (query) =>
      query.where('payment.withdrawal_id', '=', 'withdrawalId' in deposits ? deposits.withdrawalId : 0),
    )
    .where(sql<boolean>`coalesce(payment.ledger_account, '') <> coalesce(${accountOfDeposit}, '')`)
    .orderBy('payment.id')
    .execute();
  for (const account of new Set(moved.map((deposit) => deposit.account)))
    await db(unit)
      .updateTable('chain_payments')
      .set({ ledger_account: account })
      .where(
        'id',
        'in',
        moved.flatMap((deposit) => (deposit.account === account ? [deposit.id] : [])),
      )
      .execute();
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
      amount: BigInt(amount) - BigInt(writtenOff ?? 0),
    }));
  });
}

type Move = Pick<Entry, 'kind' | 'debit' | 'credit'>;

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

/**
 * Posts a withdrawal that is in a block, with the fee that it has paid there, or takes back what was posted when its
 * block is no longer in the chain. The unit holds its lock, and those of the wallets that it spends from.
 */
export async function postWithdrawal(
  { clock }: Pick<InvoicesContext, 'clock'>,
  unit: UnitOfWork,
  wallets: Wallets,
  withdrawal: Withdrawal,
): Promise<void> {
  const { id, chain, merchantId } = withdrawal;
  const entries = await moveDeposits(unit, { withdrawalId: id });
  const posted = await db(unit)
    .selectFrom('ledger_entries')
    .select(['code', 'debit', 'credit', 'amount', 'wallet_id'])
    .where('withdrawal_id', '=', id)
    .orderBy('id')
    .execute();
  const reversed = posted.map(({ code, debit, credit, amount, wallet_id: walletId }) => ({
    ...{ code, walletId, kind: 'withdrawal_reversal' as const, amount: BigInt(amount) },
    ...{ debit: credit as Account, credit: debit as Account },
  }));
  const wanted = withdrawal.block === null ? [] : await movesOf(unit, withdrawal);
  const moves = [...netOf(reversed), ...wanted];
  await post(
    unit,
    [...entries, ...moves.map((move) => ({ ...move, chain, merchantId, depositId: null, withdrawalId: id }))],
    { at: clock.now(), wallets },
  );
}

type WithdrawalMove = Move & Pick<Entry, 'code' | 'amount' | 'walletId'>;

/** What has been reversed already, and posted again, cancels itself out. */
function netOf(moves: readonly WithdrawalMove[]): WithdrawalMove[] {
  const net = new Map<string, WithdrawalMove>();
  for (const move of moves) {
    const isForward = move.debit < move.credit;
    const key = [move.code, move.walletId, ...[move.debit, move.credit].sort()].join();
    const before = net.get(key) ?? { ...move, amount: 0n };
    const isSame = before.debit < before.credit === isForward;
    const amount = before.amount + (isSame ? move.amount : -move.amount);
    net.set(key, { ...before, amount });
  }
  return [...net.values()].map((move) =>
    move.amount < 0n ? { ...move, amount: -move.amount, debit: move.credit, credit: move.debit } : move,
  );
}

/** What a withdrawal in a block has moved. */
async function movesOf(unit: UnitOfWork, withdrawal: Withdrawal): Promise<WithdrawalMove[]> {
  const { purpose, isReverted, sender, destination, code, chain, feePaid } = withdrawal;
  const amount = withdrawal.amount ?? 0n;
  // On chains without accounts the fee is what the inputs are more than the outputs.
  const fee = feePaid ?? 0n;
  if (purpose === 'gas') {
    const walletId = await findWalletId(unit, chain, destination);
    const funding = { kind: 'gas_funding', debit: 'gas', credit: 'gas_wallet', code, walletId, amount } as const;
    const paid = { kind: 'network_fee', debit: 'network_fees', credit: 'gas_wallet', code, walletId: null } as const;
    return [...(isReverted ? [] : [funding]), { ...paid, amount: fee }];
  }
  const spent = isReverted ? [] : await spentBy(unit, withdrawal.id);
  const senderId = sender === null ? null : await findWalletId(unit, chain, sender.address);
  /** Paid with the operator's ether, or what is left of it. */
  const paidFromGas = (amount: bigint): WithdrawalMove[] => {
    const forward = { kind: 'network_fee', debit: 'network_fees', credit: 'gas' } as const;
    const back = { kind: 'fee_unspent', debit: 'gas', credit: 'network_fees' } as const;
    const move = amount < 0n ? { ...back, amount: -amount } : { ...forward, amount };
    return feePaid === null ? [] : [{ ...move, code: 'eth', walletId: senderId }];
  };
  if (isReverted) return paidFromGas(fee);
  const total = spent.reduce((sum, each) => sum + each.amount, 0n);
  // What does not arrive: the fee, or its cap. Below zero where a sweep sends what earlier fees have left as well.
  let lost = withdrawal.writtenOff ?? 0n;
  const kept = total - lost - amount;
  let charged = larger(kept, 0n);
  const moves = spent.flatMap(({ walletId, code: own, amount: held }): WithdrawalMove[] => {
    const lostPart = smaller(held, lost);
    lost -= lostPart;
    const feePart = smaller(held - lostPart, charged);
    charged -= feePart;
    const move = { debit: 'withdrawn', credit: 'wallet', code: own, walletId } as const;
    return [
      { ...move, kind: 'withdrawal', amount: held - lostPart - feePart },
      { ...move, kind: 'write_off', amount: lostPart },
      { ...move, kind: 'network_fee', amount: feePart },
    ];
  });
  if (feePaid === null) return moves;
  if (code !== 'eth') return [...moves, ...paidFromGas(fee)];
  // The wallet is charged the cap, and keeps what of it was not spent as gas.
  const sentOfGas = { kind: 'withdrawal', debit: 'network_fees', credit: 'gas', code, walletId: senderId } as const;
  return [...moves, { ...sentOfGas, amount: larger(-kept, 0n) }, ...paidFromGas(fee - larger(kept, 0n))];
}

const larger = (one: bigint, other: bigint) => (one > other ? one : other);
const smaller = (one: bigint, other: bigint) => (one < other ? one : other);

/** What a withdrawal spends, by wallet. */
async function spentBy(
  unit: UnitOfWork,
  withdrawalId: number,
): Promise<{ walletId: number; code: string; amount: bigint }[]> {
  const rows = await db(unit)
    .selectFrom('chain_payments')
    .select(['wallet_id', 'code', 'amount', 'written_off'])
    .where('withdrawal_id', '=', withdrawalId)
    .orderBy('wallet_id')
    .execute();
  const sums = new Map<number, { walletId: number; code: string; amount: bigint }>();
  for (const { wallet_id: walletId, code, amount, written_off: writtenOff } of rows) {
    const rest = BigInt(amount) - BigInt(writtenOff ?? 0);
    sums.set(walletId, { walletId, code, amount: (sums.get(walletId)?.amount ?? 0n) + rest });
  }
  return [...sums.values()];
}
