import { db } from './schema.ts';
import type { BlockRef } from '../chains/port.ts';
import { DAY } from '../shared/time.ts';
import type { ChainName, CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { Account, DepositAccount, Entry } from '../ledger/accounts.ts';
import { readBalancesByWallet } from '../ledger/balances.ts';
import { postEntries } from '../wallets/post-entries.ts';
import type { UnitOfWork } from '../database/database.ts';
import { OperatorError } from '../system/operator-error.ts';
import type { ConnectedChain } from '../wallets/connected-chains.ts';
import { findFinalBlock } from '../chains/blocks.ts';
import { readLastBlock } from '../chains/cursor.ts';
import { readDetection } from '../deposits/balances/movements.ts';
import { needsBalanceScan, resetBalance } from '../deposits/balances/watch.ts';
import { noChanges } from '../deposits/changes.ts';
import { findRemainingDeposits, findDepositsByAccount, type RemainingDeposit } from '../deposits/deposit.ts';
import { recordDeposits } from '../invoices/record-deposits.ts';
import { findWalletId, lockWallet } from '../wallets/wallet.ts';
import type { Wallet } from '../wallets/schema.ts';
import type { WithdrawalsContext } from '../withdrawals/context.ts';
import { withdrawalQueries } from '../withdrawals/facts.ts';
import { sumOf } from '../withdrawals/funds.ts';
import { findOpenByWallet } from '../withdrawals/store.ts';
import { isInChain } from '../withdrawals/write-off.ts';

/**
 * Order of write-offs: first deposits that the merchant can withdraw, then those that are pending or owed to payers.
 */
const WRITE_OFF_ORDER: readonly DepositAccount[] = ['credited', 'unattributed', 'rejected', 'in_review', 'unconfirmed'];

/** A difference as shown to the operator: the chain's balance minus the ledger's. */
interface ShownDifference {
  address: string;
  code: CryptoCurrencyCode;
  difference: bigint;
}

export interface Resolution extends ShownDifference {
  chain: ChainName;
  merchantId: number;
  ledger: bigint;
  onChain: bigint;
  /** Part of the loss borne by deposits; the operator's gas bore the rest. */
  writtenOff: bigint;
}

/**
 * Resolves a difference: writes off a loss, or books a surplus, so that ledger and chain match again. A loss reduces
 * the operator's gas first, then deposits in the order of `WRITE_OFF_ORDER`, oldest first. Throws an `OperatorError` if
 * there is no such difference, or it may still change. `record` runs in the same unit of work.
 */
export async function resolveDifference(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  expected: ShownDifference,
  record: (unit: UnitOfWork, resolution: Resolution) => Promise<void>,
): Promise<Resolution> {
  const { database, clock } = context;
  const { name, chain } = connected;
  const { code } = expected;
  const address = chain.addresses.normalize(expected.address) ?? expected.address;
  const walletId = await findWalletId(database, name, address);
  if (walletId === null) throw new OperatorError(`No wallet on ${name} has the address ${address}.`);
  if (!chain.currencies.includes(code)) throw new OperatorError(`The currency ${code} is not available on ${name}.`);
  const at = await readLastBlock(database, name);
  if (!at) throw new OperatorError(`No block of ${name} has been read yet.`);
  const balances = chain.balances(code, [address], at);
  const found = balances ? [] : await findSpentDeposits(context, connected, walletId, at);
  const chainBalance = balances ? ((await balances).get(address) ?? 0n) : null;
  const sentCount = chainBalance === null ? 0 : await requireFinal(context, connected, address, at);
  if (chainBalance !== null && needsBalanceScan(code) && expected.difference > 0n) {
    const wallet = { walletId, address, at, account: { balance: chainBalance, sentCount } };
    if ((await readDetection(database, withdrawalQueries, connected, wallet)) === 'pending')
      throw new OperatorError(
        `Ether from a contract at ${address} is not recorded as a deposit yet. Run paylatch reconcile again in a few blocks.`,
      );
  }

  return await database.inTransaction(async (unit) => {
    const wallet = await lockWallet(unit, walletId);
    const currentTip = await readLastBlock(unit, name);
    if (currentTip?.hash !== at.hash)
      throw new OperatorError(`A block of ${name} was read in the meantime. Run the command again.`);
    await requireNoOpenWithdrawal(unit, wallet);
    // A concurrent command may have written them off.
    const remaining = new Set((await findRemainingDeposits(unit, [walletId])).map(({ id }) => id));
    const spent = found.filter(({ id }) => remaining.has(id));
    const accounts = (await readBalancesByWallet(unit, [wallet.id])).get(wallet.id);
    const gas = accounts?.balanceOf(code, 'gas') ?? 0n;
    const ledger = (accounts?.balanceOf(code, 'wallet') ?? 0n) + gas;
    const onChain = chainBalance ?? ledger - sumOf(spent);
    const difference = onChain - ledger;
    if (difference === 0n)
      throw new OperatorError(`${address} has no difference in ${code}: there is nothing to resolve.`);
    if (difference !== expected.difference)
      throw new OperatorError(
        `The difference has changed: the chain holds ${onChain} ${code}, the ledger ${ledger}. Run paylatch reconcile again.`,
      );
    const missing = difference < 0n ? -difference : 0n;
    const fromGas = gas > missing ? missing : gas > 0n ? gas : 0n;
    const changes = balances
      ? await chooseWriteOffs(unit, wallet, code, missing - fromGas)
      : { writtenOff: spent.map(({ id }) => id), partlyWrittenOff: [] };
    await recordDeposits(context, unit, wallet.id, { ...noChanges, ...changes }, at.height);
    const move = (debit: Account, credit: Account, amount: bigint): Entry => ({
      ...{ kind: 'write_off', debit, credit, amount, code, chain: name },
      ...{ merchantId: wallet.merchantId, walletId: wallet.id, depositId: null, withdrawalId: null },
    });
    const surplus = difference > 0n ? difference : 0n;
    await postEntries(
      unit,
      [move('adjustments', 'gas', balances ? fromGas : 0n), move('gas', 'adjustments', surplus)],
      {
        at: clock.now(),
        wallets: new Map(),
      },
    );
    // Detection of ether from contracts restarts at this block.
    if (needsBalanceScan(code)) await resetBalance(unit, wallet.id, at.height);
    const resolution = {
      ...{ address, code, difference, chain: name, merchantId: wallet.merchantId, ledger, onChain },
      writtenOff: balances ? missing - fromGas : missing,
    };
    // The chain is compared again within a minute, which updates the alert; a comparison in progress is discarded, also
    // the first one, which has stored no result yet.
    const none = { height: at.height, wallets: 0, unresolved: 0, differences: '{"unresolved":{},"list":[]}' };
    await db(unit)
      .insertInto('reconciliations')
      .values({ chain: name, at: clock.now() - DAY, ...none })
      .onConflict((conflict) =>
        conflict.column('chain').doUpdateSet(({ eb, ref }) => ({ at: eb(ref('reconciliations.at'), '-', DAY) })),
      )
      .execute();
    await record(unit, resolution);
    return resolution;
  });
}

/** Finds deposits of a wallet that were spent in a block by a transaction that is not a withdrawal. */
async function findSpentDeposits(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  walletId: number,
  at: BlockRef,
): Promise<RemainingDeposit[]> {
  const deposits = (await findRemainingDeposits(context.database, [walletId])).filter(
    ({ state, withdrawalId }) => state === 'mined' && withdrawalId === null,
  );
  const states = await connected.chain.outputStates(
    deposits.map(({ paymentKey }) => paymentKey),
    at,
  );
  const spent: RemainingDeposit[] = [];
  for (const deposit of deposits)
    if (states?.get(deposit.paymentKey) === 'spent' && (await isInChain(context, connected, deposit)))
      spent.push(deposit);
  return spent;
}

/** Returns the number of transactions that an address has sent. Throws if one of them is not final yet. */
async function requireFinal(
  { database }: WithdrawalsContext,
  { name, chain }: ConnectedChain,
  address: string,
  at: BlockRef,
): Promise<number> {
  const final = await findFinalBlock(database, name, at.height);
  const sentNow = (await chain.transactionCounts([address], at))?.get(address);
  const sentAtFinal = final && (await chain.transactionCounts([address], final))?.get(address);
  if (sentNow === undefined || sentNow !== sentAtFinal)
    throw new OperatorError(
      `Transactions sent by ${address} are not final yet. Run the command again in a few blocks.`,
    );
  return sentNow;
}

/** Throws if an open withdrawal uses the wallet, since it writes off missing funds itself. */
async function requireNoOpenWithdrawal(unit: UnitOfWork, wallet: Wallet): Promise<void> {
  const open = await findOpenByWallet(unit, wallet);
  if (open)
    throw new OperatorError(
      `Withdrawal ${open.public_id} of this wallet is open. Wait until it completes and writes off the loss, or cancel it.`,
    );
}

/** Chooses the deposits that bear a loss: each in full, and the last one in part. */
async function chooseWriteOffs(unit: UnitOfWork, { id }: Wallet, code: string, loss: bigint) {
  const deposits = await findDepositsByAccount(unit, id, code, WRITE_OFF_ORDER);
  const rank = ({ account }: (typeof deposits)[number]) => WRITE_OFF_ORDER.indexOf(account);
  const writtenOff: number[] = [];
  const partlyWrittenOff: { id: number; amount: bigint }[] = [];
  let uncovered = loss;
  for (const { id: depositId, remaining } of deposits.toSorted((one, other) => rank(one) - rank(other))) {
    if (uncovered === 0n) break;
    if (remaining <= uncovered) writtenOff.push(depositId);
    else partlyWrittenOff.push({ id: depositId, amount: uncovered });
    uncovered -= remaining < uncovered ? remaining : uncovered;
  }
  if (uncovered > 0n)
    throw new OperatorError(`The deposits of this wallet do not cover the loss: ${uncovered} ${code} is uncovered.`);
  return { writtenOff, partlyWrittenOff };
}
