import type { BlockRef } from '../chains/port.ts';
import type { ChainName, CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { Account, DepositAccount, Entry } from '../ledger/accounts.ts';
import { readWalletSheets } from '../ledger/balances.ts';
import { post } from '../wallets/post.ts';
import type { UnitOfWork } from '../database/database.ts';
import { OperatorError } from '../system/operator-error.ts';
import type { ConnectedChain } from '../wallets/connected-chains.ts';
import { finalBlock } from '../chains/blocks.ts';
import { readTip } from '../chains/cursor.ts';
import { isWatched, resetBalance } from '../deposits/balances/watch.ts';
import { noChanges } from '../deposits/changes.ts';
import { findHeld, findPosted, type HeldDeposit } from '../deposits/deposit.ts';
import { recordDeposits } from '../invoices/record-deposits.ts';
import { findWalletId, lockWallet } from '../wallets/wallet.ts';
import type { Wallet } from '../wallets/schema.ts';
import type { WithdrawalsContext } from '../withdrawals/context.ts';
import { sumOf } from '../withdrawals/funds.ts';
import { findOpenOf } from '../withdrawals/store.ts';
import { isInChain } from '../withdrawals/write-off.ts';

/** Whose money is written off first: what a merchant may withdraw, then what waits or belongs to payers. */
const ORDER: readonly DepositAccount[] = ['credited', 'unattributed', 'rejected', 'in_review', 'unconfirmed'];

/** A difference as the operator has seen it: what the chain has more than the ledger, below zero where it has less. */
interface ShownDifference {
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
  context: WithdrawalsContext,
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

  return await database.inTransaction(async (unit) => {
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
    const changes = balances
      ? await chooseDeposits(unit, wallet, code, missing - fromGas)
      : { writtenOff: spent.map(({ id }) => id), reduced: [] };
    await recordDeposits(context, unit, wallet.id, { ...noChanges, ...changes }, at.height);
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
    if (isWatched(code)) await resetBalance(unit, wallet.id, at.height);
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
  context: WithdrawalsContext,
  connected: ConnectedChain,
  walletId: number,
  at: BlockRef,
): Promise<HeldDeposit[]> {
  const coins = (await findHeld(context.database, [walletId])).filter(
    ({ state, withdrawalId }) => state === 'mined' && withdrawalId === null,
  );
  const states = await connected.chain.coinStates(
    coins.map(({ paymentKey }) => paymentKey),
    at,
  );
  const spent: HeldDeposit[] = [];
  for (const coin of coins)
    if (states?.get(coin.paymentKey) === 'spent' && (await isInChain(context, connected, coin))) spent.push(coin);
  return spent;
}

async function requireFinal(
  { database }: WithdrawalsContext,
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
async function requireNoWithdrawal(unit: UnitOfWork, wallet: Wallet): Promise<void> {
  const open = await findOpenOf(unit, wallet);
  if (open)
    throw new OperatorError(
      `The withdrawal ${open.public_id} of this wallet is open: it writes off what is missing, or can be cancelled.`,
    );
}

/** Deposits that bear a loss: each whole, and the last one in part. */
async function chooseDeposits(unit: UnitOfWork, { id }: Wallet, code: string, loss: bigint) {
  const deposits = await findPosted(unit, id, code, ORDER);
  const placeOf = ({ account }: (typeof deposits)[number]) => ORDER.indexOf(account);
  const writtenOff: number[] = [];
  const reduced: { id: number; amount: bigint }[] = [];
  let left = loss;
  for (const { id: depositId, left: rest } of deposits.toSorted((one, other) => placeOf(one) - placeOf(other))) {
    if (left === 0n) break;
    if (rest <= left) writtenOff.push(depositId);
    else reduced.push({ id: depositId, amount: left });
    left -= rest < left ? rest : left;
  }
  if (left > 0n) throw new OperatorError(`The deposits of this wallet are ${left} less than is missing.`);
  return { writtenOff, reduced };
}
