import { db } from '../wallets/crypto-tables.ts';
import type { BlockRef } from '../chains/port.ts';
import type { ChainName, CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { Account, DepositAccount, Entry } from '../ledger/accounts.ts';
import { readWalletSheets } from '../ledger/balances.ts';
import { post } from '../wallets/post.ts';
import type { UnitOfWork } from '../database/database.ts';
import { OperatorError } from '../system/operator-error.ts';
import type { ConnectedChain } from '../wallets/connected-chains.ts';
import type { InvoicesContext } from '../invoices/context.ts';
import { noNews, receive } from '../deposits/record.ts';
import { findWalletId, lockWallet, readTip } from '../invoices/store.ts';
import type { Wallet } from '../invoices/transaction.ts';
import { finalBlock } from '../withdrawals/prepare-transfer.ts';
import { sumOf } from '../withdrawals/money.ts';
import { findHeld, type HeldPayment, isNotOver } from '../withdrawals/store.ts';
import { isInChain } from '../withdrawals/write-off.ts';

/** Whose money is written off first: what a merchant may withdraw, then what waits or belongs to payers. */
const ORDER: readonly DepositAccount[] = ['credited', 'unattributed', 'rejected', 'in_review', 'unconfirmed'];

/** A difference as the operator has seen it: what the chain has more than the ledger, below zero where it has less. */
export interface ShownDifference {
  address: string;
  code: CryptoCurrencyCode;
  difference: bigint;
}

export interface Settlement extends ShownDifference {
  chain: ChainName;
  merchantId: number;
  ledger: bigint;
  onChain: bigint;
  /** What deposits have lost; the rest was the operator's own. */
  writtenOff: bigint;
}

/**
 * Writes off what a wallet holds less than the ledger says, or books what it holds more, so that both are equal again.
 * Missing money is the operator's own first, then credited deposits, the oldest first, then others. Throws an
 * `OperatorError` where there is no such difference, or it may still change. `record` runs in the same unit.
 */
export async function settleDifference(
  context: InvoicesContext,
  connected: ConnectedChain,
  shown: ShownDifference,
  record: (unit: UnitOfWork, settlement: Settlement) => Promise<void>,
): Promise<Settlement> {
  const { database, clock } = context;
  const { name, chain } = connected;
  const { code } = shown;
  const address = chain.addresses.normalise(shown.address) ?? shown.address;
  const walletId = await findWalletId(database, name, address);
  if (walletId === null) throw new OperatorError(`${address} is no wallet on ${name}.`);
  if (!chain.currencies.includes(code)) throw new OperatorError(`There is no ${code} on ${name}.`);
  const at = await readTip(database, name);
  if (!at) throw new OperatorError(`No block of ${name} has been read yet.`);
  const balances = chain.balances(code, [address], at);
  const spent = balances ? [] : await findSpent(context, connected, walletId, at);
  const held = balances ? ((await balances).get(address) ?? 0n) : null;
  if (held !== null) await requireFinal(context, connected, address, at);

  return await database.inUnit(async (unit) => {
    const wallet = await lockWallet(unit, walletId);
    const now = await readTip(unit, name);
    if (now?.hash !== at.hash) throw new OperatorError(`A block of ${name} was read in the meantime. Run it again.`);
    await requireNoWithdrawal(unit, wallet);
    const sheet = (await readWalletSheets(unit, [wallet.id])).get(wallet.id);
    const gas = sheet?.of(code, 'gas') ?? 0n;
    const ledger = (sheet?.of(code, 'wallet') ?? 0n) + gas;
    const onChain = held ?? ledger - sumOf(spent);
    const difference = onChain - ledger;
    if (difference === 0n)
      throw new OperatorError(`${address} has no difference in ${code}: nothing is to be settled.`);
    if (difference !== shown.difference)
      throw new OperatorError(
        `The difference is another one: the chain has ${onChain} ${code}, the ledger ${ledger}. Run paylatch reconcile again.`,
      );
    const missing = difference < 0n ? -difference : 0n;
    const fromGas = gas > missing ? missing : gas > 0n ? gas : 0n;
    const news = balances
      ? await chooseDeposits(unit, wallet, code, missing - fromGas)
      : { writtenOff: spent.map(({ id }) => id), reduced: [] };
    await receive(context, unit, wallet.id, { ...noNews, ...news }, at.height);
    const move = (debit: Account, credit: Account, amount: bigint): Entry => ({
      ...{ kind: 'write_off', debit, credit, amount, code, chain: name },
      ...{ merchantId: wallet.merchantId, walletId: wallet.id, depositId: null, withdrawalId: null },
    });
    const surplus = difference > 0n ? difference : 0n;
    await post(unit, [move('adjustments', 'gas', balances ? fromGas : 0n), move('gas', 'adjustments', surplus)], {
      at: clock.now(),
      wallets: new Map(),
    });
    // What contracts send is found by what is known from this block on.
    if (code === 'eth')
      await db(unit)
        .updateTable('watched_balances')
        .set({ height: at.height, balance: null, sent: null })
        .where('wallet_id', '=', wallet.id)
        .execute();
    const settlement = {
      ...{ address, code, difference, chain: name, merchantId: wallet.merchantId, ledger, onChain },
      writtenOff: balances ? missing - fromGas : missing,
    };
    await record(unit, settlement);
    return settlement;
  });
}

/** Coins of a wallet that a block has spent, by a transaction that is not a withdrawal. */
async function findSpent(
  context: InvoicesContext,
  connected: ConnectedChain,
  walletId: number,
  at: BlockRef,
): Promise<HeldPayment[]> {
  const coins = (await findHeld(context.database, [walletId])).filter(
    ({ state, withdrawalId }) => state === 'mined' && withdrawalId === null,
  );
  const states = await connected.chain.coinStates(
    coins.map(({ paymentKey }) => paymentKey),
    at,
  );
  const spent: HeldPayment[] = [];
  for (const coin of coins)
    if (states?.get(coin.paymentKey) === 'spent' && (await isInChain(context, connected, coin))) spent.push(coin);
  return spent;
}

async function requireFinal(
  { database }: InvoicesContext,
  { name, chain }: ConnectedChain,
  address: string,
  at: BlockRef,
): Promise<void> {
  const deep = await finalBlock(database, name, at.height);
  const [now, then] = [await chain.sentBy([address], at), deep && (await chain.sentBy([address], deep))];
  if (!now || !then || now.get(address) !== then.get(address))
    throw new OperatorError(`What ${address} has sent is not final yet. Run it again some blocks later.`);
}

/** A withdrawal that is not in a block counts the money of its wallet itself. */
async function requireNoWithdrawal(unit: UnitOfWork, { id, chain, address }: Wallet): Promise<void> {
  const open = await db(unit)
    .selectFrom('withdrawals')
    .select('public_id')
    .where('chain', '=', chain)
    .where(isNotOver)
    .where('height', 'is', null)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('sender', '=', address),
        eb('destination', '=', address),
        exists(
          selectFrom('chain_payments')
            .select('chain_payments.id')
            .whereRef('chain_payments.withdrawal_id', '=', 'withdrawals.id')
            .where('chain_payments.wallet_id', '=', id),
        ),
      ]),
    )
    .executeTakeFirst();
  if (open)
    throw new OperatorError(
      `The withdrawal ${open.public_id} of this wallet is open: it writes off what is missing, or can be cancelled.`,
    );
}

/** Deposits that bear a loss: each whole, and the last one in part. */
async function chooseDeposits(unit: UnitOfWork, { id }: Wallet, code: string, loss: bigint) {
  const rows = await db(unit)
    .selectFrom('chain_payments')
    .select(['id', 'amount', 'written_off', 'ledger_account'])
    .where('wallet_id', '=', id)
    .where('code', '=', code)
    .where('ledger_account', 'in', ORDER)
    .orderBy('id')
    .execute();
  const placeOf = (account: string | null) => ORDER.findIndex((each) => each === account);
  const writtenOff: number[] = [];
  const reduced: { id: number; amount: bigint }[] = [];
  let left = loss;
  for (const row of rows.toSorted((one, other) => placeOf(one.ledger_account) - placeOf(other.ledger_account))) {
    if (left === 0n) break;
    const rest = BigInt(row.amount) - BigInt(row.written_off ?? 0);
    if (rest <= left) writtenOff.push(row.id);
    else reduced.push({ id: row.id, amount: left });
    left -= rest < left ? rest : left;
  }
  if (left > 0n) throw new OperatorError(`The deposits of this wallet are ${left} less than is missing.`);
  return { writtenOff, reduced };
}
