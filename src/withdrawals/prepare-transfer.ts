import type { Runner } from '../database/engine.ts';
import { db } from './schema.ts';
import { sql } from 'kysely';
import type { BlockRef } from '../chains/port.ts';
import { type AccountSpender, type BuildResult, TransferWouldFail } from '../chains/spender.ts';
import { chains, type CryptoCurrencyCode, feeCodeOf, isFeeCoin } from '../shared/crypto-currency.ts';
import { DAY, type Instant } from '../shared/time.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { ConnectedChain } from '../wallets/connected-chains.ts';
import type { WithdrawalsContext } from './context.ts';
import { findFinalBlock } from '../chains/blocks.ts';
import { findRemainingDeposits } from '../deposits/deposit.ts';
import { lockAccount } from '../wallets/accounts.ts';
import { lockWallets } from '../wallets/wallet.ts';
import { sumOf } from './funds.ts';
import { type TransactionRequest, type Prepared, amountTooSmall, waitResult } from './prepared.ts';
import { checkFeeShare, min } from './fee-rate.ts';
import { findWithdrawals, isOpenCondition, isMinedOrEnded, withLockedFunds } from './store.ts';
import { toWithdrawal, type Withdrawal } from './withdrawal.ts';
import { updateWithdrawal, insertWithdrawal } from './write.ts';
import { writeOffDeposits } from './write-off.ts';

/**
 * Prepares a transfer from one wallet: ether, which also pays the fee, or tokens, for which the wallet needs ether
 * first. Funds of other deposits are never used: the wallet's balance minus those is the maximum.
 */
export async function prepareTransfer(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  spender: AccountSpender,
  request: TransactionRequest,
): Promise<Prepared> {
  const { withdrawal, rate, tip } = request;
  const { sender, code, purpose, spent, destination: to } = withdrawal;
  if (!sender) throw new Error(`Withdrawal ${withdrawal.publicId} has no sender.`);
  if (purpose !== 'gas' && (await hasPendingTransaction(context.database, withdrawal))) {
    return waitResult('queued', 'Another withdrawal from the same wallet is in progress.');
  }
  const nonce = withdrawal.nonce ?? (await nextNonce(context.database, connected, spender, sender.address, tip));
  if (nonce === null)
    return waitResult('queued', 'The mempool contains a transaction of this wallet that this service did not create.');
  const gasWallet = spender.gasWallet.address;
  const ether = await spender.etherBalances([sender.address, gasWallet], tip);
  const balance = ether.get(sender.address) ?? 0n;
  const fields = { nonce, feeRate: rate, priorityFee: request.priority ?? rate, to };

  if (purpose === 'gas') {
    const needed = spent + spender.etherGasLimit * rate;
    if (balance < needed) return gasWalletTooLow(gasWallet, balance, needed);
    return toPrepared(
      request,
      spender.buildGasFunding({ ...fields, gasLimit: spender.etherGasLimit, amount: spent }),
      nonce,
    );
  }

  const movable = await readMovable(context, connected, spender, request);
  if ('kind' in movable) return movable;
  const { maxAmount, writtenOff } = movable;
  if (isFeeCoin(code)) {
    const minFee = spender.etherGasLimit * rate;
    if (maxAmount <= minFee) return amountTooSmall(withdrawal, minFee);
    const estimate = await estimateGas(spender, request, maxAmount - minFee);
    if (typeof estimate !== 'bigint') return estimate;
    const gas = estimate > spender.etherGasLimit ? withGasMargin(estimate) : spender.etherGasLimit;
    const wait = checkFeeShare(context, withdrawal, { amount: maxAmount, fee: gas * rate });
    return (
      wait ??
      toPrepared(request, spender.buildEtherSweep({ ...fields, gasLimit: gas, spent: maxAmount }), nonce, writtenOff)
    );
  }

  const estimate = await estimateGas(spender, request, maxAmount);
  if (typeof estimate !== 'bigint') return estimate;
  const gas = withGasMargin(estimate) > spender.tokenGasLimit ? withGasMargin(estimate) : spender.tokenGasLimit;
  const available = await readEtherForFee(context.database, request, balance);
  const missing = gas * rate - available;
  const { amount: networkRate } = await request.feeRate();
  // A replacement outbids the versions that were sent, however low the network's rate is.
  const isReplacement = withdrawal.nonce !== null && request.versions.some(({ sentAt }) => sentAt !== null);
  const likelyRate = isReplacement ? rate : networkRate;
  const wait = checkFeeShare(context, withdrawal, {
    amount: maxAmount,
    fee: (estimate + (missing > 0n ? spender.etherGasLimit : 0n)) * likelyRate,
  });
  if (wait) return wait;
  if (missing > 0n) {
    // The gas price rose after gas funding: the wallet's ether is sufficient if it covers the network's rate.
    const affordableRate = available / gas;
    if (request.versions.length > 0 || affordableRate < networkRate)
      return await requestGas(context, connected, spender, {
        request,
        missing,
        gasBalance: ether.get(gasWallet) ?? 0n,
      });
    return toPrepared(
      { ...request, rate: affordableRate },
      spender.buildTokenTransfer({ ...fields, feeRate: affordableRate, gasLimit: gas, code, amount: maxAmount }),
      nonce,
      writtenOff,
    );
  }
  return toPrepared(
    request,
    spender.buildTokenTransfer({ ...fields, gasLimit: gas, code, amount: maxAmount }),
    nonce,
    writtenOff,
  );
}

export function toPrepared(
  { withdrawal, rate }: TransactionRequest,
  built: BuildResult,
  nonce: number,
  writtenOff = 0n,
): Prepared {
  if (built.kind === 'too_little') return amountTooSmall(withdrawal, built.fee);
  return { kind: 'ready', transaction: built, rate, nonce, ...(writtenOff > 0n && { writtenOff }) };
}

/**
 * Maximum amount that a withdrawal can move: its deposits, limited to the wallet's balance minus other deposits. Ether
 * sweeps also include the unspent fees of earlier ones. Funds spent by unknown transactions are written off once those
 * are final.
 */
async function readMovable(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  spender: AccountSpender,
  request: TransactionRequest,
): Promise<{ maxAmount: bigint; writtenOff: bigint } | Extract<Prepared, { kind: 'wait' | 'written_off' }>> {
  const { withdrawal, versions, tip } = request;
  const { code, spent, sender, source } = withdrawal;
  const address = sender?.address ?? '';
  const balances = await connected.chain.balances(code, [address], tip);
  const balance = balances?.get(address) ?? 0n;
  const otherFunds = await readOtherFunds(context.database, request, code);
  const available = balance > otherFunds ? balance - otherFunds : 0n;
  const { unspentFees, lostFees } = isFeeCoin(code)
    ? await readFeeRemainders(context.database, connected, address, tip)
    : { unspentFees: 0n, lostFees: 0n };
  const target = source === 'credited' ? spent + unspentFees : spent;
  const maxAmount = target < available ? target : available;
  const missing = spent - maxAmount - lostFees;
  if (missing <= 0n) return { maxAmount, writtenOff: 0n };
  const final = await findFinalBlock(context.database, connected.name, tip.height);
  const [sentNow, sentAtFinal] = [
    await connected.chain.transactionCounts([address], tip),
    final && (await connected.chain.transactionCounts([address], final)),
  ];
  if (!sentNow || !sentAtFinal || sentNow.get(address) !== sentAtFinal.get(address))
    return waitResult(
      'queued',
      'The wallet holds less than it received, and the transactions that spent it are not final.',
    );
  // The unspent fee of the unknown transaction is not part of the deposit.
  const isFeeRemainder = isFeeCoin(code) && maxAmount < missing && maxAmount <= spender.etherGasLimit * request.rate;
  if (maxAmount > 0n && !isFeeRemainder) {
    const { log } = context;
    log.warn({ withdrawal: withdrawal.publicId, address, code, missing: String(missing) }, 'funds are missing');
    return { maxAmount, writtenOff: missing };
  }
  const writtenOff = await writeOffDeposits(context, withdrawal, versions, request.funds);
  return writtenOff > 0 ? { kind: 'written_off' } : waitResult('queued', 'Its deposits are not in a block yet.');
}

/** Unspent fees of a wallet's transactions up to a block, and the fees lost to reverted ones. */
async function readFeeRemainders(
  reader: Runner,
  { name }: ConnectedChain,
  sender: string,
  tip: BlockRef,
): Promise<{ unspentFees: bigint; lostFees: bigint }> {
  const { feeCode } = chains[name];
  const rows = await db(reader)
    .selectFrom('withdrawals')
    .select(['code', 'spent', 'amount', 'fee_paid', 'written_off', 'is_reverted'])
    .where('chain', '=', name)
    .where('sender', '=', sender)
    .where('nonce', 'is not', null)
    .where('height', '<=', tip.height)
    .execute();
  let [unspentFees, lostFees] = [0n, 0n];
  for (const row of rows) {
    const paid = BigInt(row.fee_paid ?? 0);
    if (row.is_reverted === 1) lostFees += row.code === feeCode ? paid : 0n;
    else if (row.code === feeCode && row.fee_paid !== null)
      unspentFees += BigInt(row.spent) - BigInt(row.written_off ?? 0) - BigInt(row.amount ?? 0) - paid;
  }
  return { unspentFees: unspentFees > 0n ? unspentFees : 0n, lostFees };
}

/** Ends gas funding whose withdrawal was mined, canceled or ended, and so no longer needs gas; returns true if it did. */
export async function endUnneededGasFunding(context: WithdrawalsContext, gas: Withdrawal): Promise<boolean> {
  if (gas.purpose !== 'gas' || gas.nonce !== null) return false;
  const [funded] = await findWithdrawals(context.database, gas.fundsId === null ? [] : [gas.fundsId]);
  if (funded && !isMinedOrEnded(funded) && funded.cancelRequestedAt === null) return false;
  await withLockedFunds(context, gas, async (unit, locked) => {
    if (isMinedOrEnded(locked) || locked.nonce !== null) return 0;
    const failure = 'The withdrawal no longer needs ether for its fee.';
    await updateWithdrawal(context, unit, locked, { status: 'failed', failure, waitsFor: null });
    return 1;
  });
  return true;
}

/** Adds a quarter to an estimate: the state of the contract may change until the transaction is mined. */
function withGasMargin(gas: bigint): bigint {
  return (gas * 5n + 3n) / 4n;
}

/** Estimates the gas of a transfer. One that would be reverted waits instead: it would cost a fee and move nothing. */
async function estimateGas(
  spender: AccountSpender,
  { withdrawal }: TransactionRequest,
  amount: bigint,
): Promise<bigint | Extract<Prepared, { kind: 'wait' }>> {
  const { code, sender, destination: to } = withdrawal;
  try {
    return await spender.estimateGas({ code, from: sender?.address ?? '', to, amount });
  } catch (error) {
    if (!(error instanceof TransferWouldFail)) throw error;
    return waitResult('rejected', `The node reports that the transfer would fail: ${error.message}`);
  }
}

/** True if another transaction of the same wallet is pending. */
async function hasPendingTransaction(reader: Runner, { id, chain, sender }: Withdrawal): Promise<boolean> {
  const row = await db(reader)
    .selectFrom('withdrawals')
    .select('id')
    .where('chain', '=', chain)
    .where('sender', '=', sender?.address ?? '')
    .where('nonce', 'is not', null)
    .where('height', 'is', null)
    .where('id', '<>', id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Next nonce of a sender: after all recorded nonces and all transactions on the chain. Null while an unknown transaction
 * is in the mempool, since its effect on the balance is not visible yet.
 */
async function nextNonce(
  reader: Runner,
  connected: ConnectedChain,
  spender: AccountSpender,
  address: string,
  tip: BlockRef,
): Promise<number | null> {
  const [recorded, onChain] = [await readNextNonce(reader, connected, address), await spender.nextNonce(address)];
  if (recorded >= onChain) return recorded;
  const mined = (await connected.chain.transactionCounts([address], tip))?.get(address) ?? 0;
  return mined < onChain ? null : onChain;
}

async function readNextNonce(reader: Runner, { name }: ConnectedChain, address: string): Promise<number> {
  const last = await db(reader)
    .selectFrom('withdrawals')
    .select('nonce')
    .where('chain', '=', name)
    .where('sender', '=', address)
    .where('nonce', 'is not', null)
    .orderBy('nonce', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.nonce === null || last === undefined ? 0 : last.nonce + 1;
}

/** True if a nonce can still be used in this unit of work: neither it nor a later one was used in the meantime. */
export async function isNonceAvailable(
  unit: UnitOfWork,
  connected: ConnectedChain,
  { sender, nonce: former, purpose, ...withdrawal }: Withdrawal,
  nonce: number,
): Promise<boolean> {
  if (former === nonce) return true;
  // The account's lock serializes nonces of the gas wallet; other wallets have their own lock.
  if (purpose === 'gas') await lockAccount(unit, connected);
  else if (await hasPendingTransaction(unit, { ...withdrawal, sender, nonce: former, purpose })) return false;
  return nonce >= (await readNextNonce(unit, connected, sender?.address ?? ''));
}

/**
 * Part of the sender's ether that can pay the fee: all but other deposits. If ether of those was spent outside the
 * service, it is the gas funding of this withdrawal: gas funding must not replace deposits.
 */
export async function readEtherForFee(reader: Runner, request: TransactionRequest, balance: bigint): Promise<bigint> {
  const { withdrawal, tip } = request;
  const otherFunds = await readOtherFunds(reader, request, feeCodeOf(withdrawal.code));
  if (balance >= otherFunds) return balance - otherFunds;
  const funding = await db(reader)
    .selectFrom('withdrawals')
    .select('amount')
    .where('funds_id', '=', withdrawal.id)
    .where('height', '<=', tip.height)
    .where('is_reverted', '=', 0)
    .execute();
  return min(
    balance,
    funding.reduce((sum, { amount }) => sum + BigInt(amount ?? 0), 0n),
  );
}

/** Sum of deposits at the sender, up to the last scanned block, that this withdrawal does not spend. */
async function readOtherFunds(
  reader: Runner,
  { withdrawal, funds, tip }: Pick<TransactionRequest, 'withdrawal' | 'funds' | 'tip'>,
  currency: CryptoCurrencyCode,
): Promise<bigint> {
  const isScanned = ({ height }: { height: number | null }) => height !== null && height <= tip.height;
  const walletIds = [...new Set(funds.map(({ walletId }) => walletId))];
  const minedDeposits = (await findRemainingDeposits(reader, walletIds)).filter(
    (deposit) => deposit.code === currency && deposit.state === 'mined' && isScanned(deposit),
  );
  const ids = [...new Set(minedDeposits.flatMap(({ withdrawalId }) => (withdrawalId === null ? [] : [withdrawalId])))];
  const withdrawn = new Set(
    (await findWithdrawals(reader, ids)).flatMap(({ id, block, isReverted }) =>
      block && isScanned(block) && !isReverted ? [id] : [],
    ),
  );
  return sumOf(
    minedDeposits.filter(({ withdrawalId: id }) => id !== withdrawal.id && (id === null || !withdrawn.has(id))),
  );
}

/** Requests gas funding for a wallet that sends tokens; waits if the gas wallet has too little. */
async function requestGas(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  spender: AccountSpender,
  { request, missing, gasBalance }: { request: TransactionRequest; missing: bigint; gasBalance: bigint },
): Promise<Prepared> {
  const { withdrawal, rate, funds } = request;
  const { address, path } = spender.gasWallet;
  const openFunding = await findOpenFunding(context.database, connected, address);
  if (openFunding.some(({ fundsId }) => fundsId === withdrawal.id)) return gasWait();
  const reserved = openFunding.reduce((sum, { spent, fee }) => sum + spent + (fee ?? spender.etherGasLimit * rate), 0n);
  const needed = reserved + missing + spender.etherGasLimit * rate;
  if (gasBalance < needed) {
    // Logged once: this check repeats.
    if (withdrawal.waitsFor?.reason !== 'gas')
      context.log.warn(
        { gasWallet: address, has: String(gasBalance), needed: String(needed) },
        'gas wallet balance too low',
      );
    return gasWalletTooLow(address, gasBalance, needed);
  }
  const { sender, merchantId, id: fundsId } = withdrawal;
  const { maxGasPerDay } = context.withdrawalLimits;
  if (maxGasPerDay !== null) {
    const fee = spender.etherGasLimit * rate;
    const spentToday = await readGasSpentSince(context.database, connected, context.clock.now() - DAY, fee);
    if (spentToday + missing + fee > maxGasPerDay)
      return waitResult(
        'gas',
        `The gas wallet spent ${spentToday} wei within 24 hours; ${missing + fee} wei more would exceed the operator’s limit of ${maxGasPerDay} wei.`,
      );
  }
  return await context.database.inTransaction(async (unit) => {
    await lockWallets(unit, [...new Set(funds.map(({ walletId }) => walletId))]);
    await lockAccount(unit, connected);
    const currentFunding = await findOpenFunding(unit, connected, address);
    if (currentFunding.some((each) => each.fundsId === withdrawal.id)) return gasWait();
    await insertWithdrawal(
      context,
      unit,
      {
        ...{ merchantId, fundsId },
        chain: connected.name,
        code: feeCodeOf(withdrawal.code),
        purpose: 'gas',
        source: null,
        destination: sender?.address ?? '',
        transactionId: null,
        requestedBy: null,
        sender: { address, path },
        spent: missing,
        feeLimit: null,
        heldUntil: null,
      },
      [],
    );
    return gasWait();
  });
}

/** Sum of gas funding created after a given time, and of its fees. `fee`: of one without a transaction. */
async function readGasSpentSince(
  reader: Runner,
  { name }: ConnectedChain,
  since: Instant,
  fee: bigint,
): Promise<bigint> {
  const rows = await db(reader)
    .selectFrom('withdrawals')
    .select(['status', 'spent', 'fee', 'fee_paid'])
    .where('chain', '=', name)
    .where('purpose', '=', sql.lit('gas'))
    .where('created_at', '>', since)
    .execute();
  return rows.reduce((sum, row) => {
    // A failed one moved nothing, but may have paid a fee.
    if (row.status === 'failed') return sum + BigInt(row.fee_paid ?? 0);
    return sum + BigInt(row.spent) + BigInt(row.fee_paid ?? row.fee ?? fee);
  }, 0n);
}

/** Finds gas funding that is not in a block yet. */
async function findOpenFunding(reader: Runner, { name }: ConnectedChain, gasWallet: string): Promise<Withdrawal[]> {
  const rows = await db(reader)
    .selectFrom('withdrawals')
    .selectAll()
    .where('chain', '=', name)
    .where(isOpenCondition)
    .where('sender', '=', gasWallet)
    .where('height', 'is', null)
    .execute();
  return rows.map(toWithdrawal);
}

function gasWait(): Prepared {
  return waitResult('gas', 'Ether for its fee is being sent to the wallet.');
}

function gasWalletTooLow(address: string, balance: bigint, needed: bigint): Prepared {
  return waitResult(
    'gas',
    `The gas wallet ${address} has ${balance} wei, but needs ${needed} wei. The operator must send ether to it.`,
  );
}
