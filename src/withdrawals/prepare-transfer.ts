import type { Runner } from '../database/engine.ts';
import { db } from './schema.ts';
import { sql } from 'kysely';
import { type BlockRef, ChainTrouble } from '../chains/port.ts';
import type { AccountSpender, Built } from '../chains/spender.ts';
import { chains, type CryptoCurrencyCode, feeCodeOf, isFeeCoin } from '../shared/crypto-currency.ts';
import { DAY, type Instant } from '../shared/time.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { ConnectedChain } from '../wallets/connected-chains.ts';
import type { WithdrawalsContext } from './context.ts';
import { finalBlock } from '../chains/blocks.ts';
import { findHeld } from '../deposits/deposit.ts';
import { lockAccount } from '../wallets/accounts.ts';
import { lockWallets } from '../wallets/wallet.ts';
import { sumOf } from './funds.ts';
import { type Order, type Prepared, tooLittle, waitFor } from './prepared.ts';
import { tooDear } from './price.ts';
import { findWithdrawals, isNotOver, isOver, withFunds } from './store.ts';
import { toWithdrawal, type Withdrawal } from './withdrawal.ts';
import { updateWithdrawal, insertWithdrawal } from './write.ts';
import { writeOff } from './write-off.ts';

/**
 * A transfer of one wallet: ether, of which its fee is taken, or tokens, for which the wallet needs ether first. What
 * other payers have sent there is never taken for either: the wallet's balance less theirs is the most that may move.
 */
export async function prepareTransfer(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  spender: AccountSpender,
  order: Order,
): Promise<Prepared> {
  const { withdrawal, rate, tip } = order;
  const { sender, code, purpose, spent, destination: to } = withdrawal;
  if (!sender) throw new Error(`Withdrawal ${withdrawal.publicId} has no sender`);
  if (purpose !== 'gas' && (await isBusy(context.database, withdrawal))) {
    return waitFor('turn', 'Another withdrawal of the same wallet comes first.');
  }
  const nonce = withdrawal.nonce ?? (await nextNonce(context.database, connected, spender, sender.address, tip));
  if (nonce === null)
    return waitFor('turn', 'A transaction of this wallet that the service did not make waits for a block.');
  const gasWallet = spender.gasWallet.address;
  const ether = await spender.etherOf([sender.address, gasWallet], tip);
  const has = ether.get(sender.address) ?? 0n;
  const price = { nonce, feeRate: rate, priority: order.priority ?? rate, to };

  if (purpose === 'gas') {
    if (order.versions.length === 0 && (await endNeedless(context, withdrawal))) return { kind: 'written_off' };
    const needed = spent + spender.etherGas * rate;
    if (has < needed) return shortOf(gasWallet, has, needed);
    return readyOf(order, spender.buildFunding({ ...price, gas: spender.etherGas, amount: spent }), nonce);
  }

  const movable = await movableOf(context, connected, spender, order);
  if ('kind' in movable) return movable;
  const { most, writtenOff } = movable;
  const feeCode = feeCodeOf(code);
  if (code === feeCode) {
    const usual = spender.etherGas * rate;
    if (most <= usual) return tooLittle(withdrawal, usual);
    const used = await gasFor(spender, order, most - usual);
    if (typeof used !== 'bigint') return used;
    const gas = used > spender.etherGas ? withRoom(used) : spender.etherGas;
    const dear = tooDear(context, withdrawal, { amount: most, fee: gas * rate });
    return dear ?? readyOf(order, spender.buildEther({ ...price, gas, spent: most }), nonce, writtenOff);
  }

  const used = await gasFor(spender, order, most);
  if (typeof used !== 'bigint') return used;
  const gas = withRoom(used) > spender.tokenGas ? withRoom(used) : spender.tokenGas;
  const others = await othersOf(context.database, order, feeCode);
  const free = has > others ? has - others : 0n;
  const missing = gas * rate - free;
  const { amount: asked } = await order.feeRate();
  const dear = tooDear(context, withdrawal, {
    amount: most,
    fee: (used + (missing > 0n ? spender.etherGas : 0n)) * asked,
  });
  if (dear) return dear;
  if (missing > 0n) {
    // Ether came for a price that has risen since: it will do as long as the network takes that.
    const affordable = free / gas;
    if (order.versions.length > 0 || affordable < asked)
      return await fund(context, connected, spender, { order, missing, gasHas: ether.get(gasWallet) ?? 0n });
    return readyOf(
      { ...order, rate: affordable },
      spender.buildToken({ ...price, feeRate: affordable, gas, code, amount: most }),
      nonce,
      writtenOff,
    );
  }
  return readyOf(order, spender.buildToken({ ...price, gas, code, amount: most }), nonce, writtenOff);
}

export function readyOf({ withdrawal, rate }: Order, built: Built, nonce: number, writtenOff = 0n): Prepared {
  if (built.kind === 'too_little') return tooLittle(withdrawal, built.fee);
  return { kind: 'ready', transaction: built, rate, nonce, ...(writtenOff > 0n && { writtenOff }) };
}

/**
 * The most that a withdrawal may move: its money, as far as the wallet holds more than what is others'; of ether that a
 * sweep takes also what earlier ones have left of their fees. Money that has left the wallet by transactions unknown
 * here is written off once those are final.
 */
async function movableOf(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  spender: AccountSpender,
  order: Order,
): Promise<{ most: bigint; writtenOff: bigint } | Extract<Prepared, { kind: 'wait' | 'written_off' }>> {
  const { withdrawal, versions, tip } = order;
  const { code, spent, sender, source } = withdrawal;
  const address = sender?.address ?? '';
  const balances = await connected.chain.balances(code, [address], tip);
  const has = balances?.get(address) ?? 0n;
  const others = await othersOf(context.database, order, code);
  const free = has > others ? has - others : 0n;
  const { left, lost } = isFeeCoin(code)
    ? await feesOf(context.database, connected, address, tip)
    : { left: 0n, lost: 0n };
  const wanted = source === 'credited' ? spent + left : spent;
  const most = wanted < free ? wanted : free;
  const missing = spent - most - lost;
  if (missing <= 0n) return { most, writtenOff: 0n };
  const deep = await finalBlock(context.database, connected.name, tip.height);
  const [now, then] = [
    await connected.chain.sentBy([address], tip),
    deep && (await connected.chain.sentBy([address], deep)),
  ];
  if (!now || !then || now.get(address) !== then.get(address))
    return waitFor('turn', 'The wallet holds less than was received; what has left it is not final yet.');
  // Ether that the other transaction has left of its fee is no part of the deposit.
  const isRest = isFeeCoin(code) && most < missing && most <= spender.etherGas * order.rate;
  if (most > 0n && !isRest) {
    const { log } = context;
    log.warn({ withdrawal: withdrawal.publicId, address, code, missing: String(missing) }, 'money is missing');
    return { most, writtenOff: missing };
  }
  await writeOff(context, withdrawal, versions, order.funds);
  return { kind: 'written_off' };
}

/** Ether at a wallet that transactions up to a block have left of their fees, and what those that failed have cost. */
async function feesOf(
  reader: Runner,
  { name }: ConnectedChain,
  sender: string,
  tip: BlockRef,
): Promise<{ left: bigint; lost: bigint }> {
  const { feeCode } = chains[name];
  const rows = await db(reader)
    .selectFrom('withdrawals')
    .select(['code', 'spent', 'amount', 'fee_paid', 'written_off', 'is_reverted'])
    .where('chain', '=', name)
    .where('sender', '=', sender)
    .where('nonce', 'is not', null)
    .where('height', '<=', tip.height)
    .execute();
  let [left, lost] = [0n, 0n];
  for (const row of rows) {
    const paid = BigInt(row.fee_paid ?? 0);
    if (row.is_reverted === 1) lost += row.code === feeCode ? paid : 0n;
    else if (row.code === feeCode && row.fee_paid !== null)
      left += BigInt(row.spent) - BigInt(row.written_off ?? 0) - BigInt(row.amount ?? 0) - paid;
  }
  return { left: left > 0n ? left : 0n, lost };
}

/** Of gas for a withdrawal that is over, or has its transaction: nobody needs it any more. */
async function endNeedless(context: WithdrawalsContext, gas: Withdrawal): Promise<boolean> {
  const [funded] = await findWithdrawals(context.database, gas.fundsId === null ? [] : [gas.fundsId]);
  if (funded && !isOver(funded)) return false;
  await withFunds(context, gas, async (unit, locked) => {
    if (isOver(locked) || locked.nonce !== null) return 0;
    const failure = 'The withdrawal that it was for needs no ether any more.';
    await updateWithdrawal(context, unit, locked, { status: 'failed', failure, waitsFor: null });
    return 1;
  });
  return true;
}

/** A quarter more than it takes now: the other side's state may be another one by then. */
function withRoom(gas: bigint): bigint {
  return (gas * 5n + 3n) / 4n;
}

/** What it takes, or that it would fail: then it is not sent, which would cost and move nothing. */
async function gasFor(
  spender: AccountSpender,
  { withdrawal }: Order,
  amount: bigint,
): Promise<bigint | Extract<Prepared, { kind: 'wait' }>> {
  const { code, sender, destination: to } = withdrawal;
  try {
    return await spender.gasFor({ code, from: sender?.address ?? '', to, amount });
  } catch (error) {
    if (!(error instanceof ChainTrouble) || error.kind !== 'down') throw error;
    return waitFor('refused', `The node says that it would fail: ${error.message}`);
  }
}

/** Whether another transaction of the same wallet is on its way. */
async function isBusy(reader: Runner, { id, chain, sender }: Withdrawal): Promise<boolean> {
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
 * The next number of a sender: after all that were given, and what the chain holds besides. Null while a transaction
 * that is unknown here waits for a block: what it moves is not to be seen yet.
 */
async function nextNonce(
  reader: Runner,
  connected: ConnectedChain,
  spender: AccountSpender,
  address: string,
  tip: BlockRef,
): Promise<number | null> {
  const [own, onChain] = [await nonceAfter(reader, connected, address), await spender.nextNonce(address)];
  if (own >= onChain) return own;
  const mined = (await connected.chain.sentBy([address], tip))?.get(address) ?? 0;
  return mined < onChain ? null : onChain;
}

async function nonceAfter(reader: Runner, { name }: ConnectedChain, address: string): Promise<number> {
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

/** Whether a number may still be given within the unit: nobody else has got it, or one after it. */
export async function requireNonce(
  unit: UnitOfWork,
  connected: ConnectedChain,
  { sender, nonce: former, purpose, ...withdrawal }: Withdrawal,
  nonce: number,
): Promise<boolean> {
  if (former === nonce) return true;
  // Whoever gives numbers of the gas wallet; those of other wallets are locked with them.
  if (purpose === 'gas') await lockAccount(unit, connected);
  else if (await isBusy(unit, { ...withdrawal, sender, nonce: former, purpose })) return false;
  return nonce >= (await nonceAfter(unit, connected, sender?.address ?? ''));
}

/** Money at the sender, up to the last block that was read, that was paid there and is not what is withdrawn here. */
export async function othersOf(
  reader: Runner,
  { withdrawal, funds, tip }: Pick<Order, 'withdrawal' | 'funds' | 'tip'>,
  currency: CryptoCurrencyCode,
): Promise<bigint> {
  const isRead = ({ height }: { height: number | null }) => height !== null && height <= tip.height;
  const walletIds = [...new Set(funds.map(({ walletId }) => walletId))];
  const held = (await findHeld(reader, walletIds)).filter(
    (payment) => payment.code === currency && payment.state === 'mined' && isRead(payment),
  );
  const ids = [...new Set(held.flatMap(({ withdrawalId }) => (withdrawalId === null ? [] : [withdrawalId])))];
  const gone = new Set(
    (await findWithdrawals(reader, ids)).flatMap(({ id, block, isReverted }) =>
      block && isRead(block) && !isReverted ? [id] : [],
    ),
  );
  return sumOf(held.filter(({ withdrawalId: id }) => id !== withdrawal.id && (id === null || !gone.has(id))));
}

/** Has ether sent to a wallet that is to send tokens; says so plainly where the gas wallet has too little. */
async function fund(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  spender: AccountSpender,
  { order, missing, gasHas }: { order: Order; missing: bigint; gasHas: bigint },
): Promise<Prepared> {
  const { withdrawal, rate, funds } = order;
  const { address, path } = spender.gasWallet;
  const under = await openFunding(context.database, connected, address);
  if (under.some(({ fundsId }) => fundsId === withdrawal.id)) return underWay();
  const promised = under.reduce((sum, { spent, fee }) => sum + spent + (fee ?? spender.etherGas * rate), 0n);
  const needed = promised + missing + spender.etherGas * rate;
  if (gasHas < needed) {
    // Once: it is looked at again and again.
    if (withdrawal.waitsFor?.reason !== 'gas')
      context.log.warn(
        { gasWallet: address, has: String(gasHas), needed: String(needed) },
        'the gas wallet has too little',
      );
    return shortOf(address, gasHas, needed);
  }
  const { sender, merchantId, id: fundsId } = withdrawal;
  const { maxGasPerDay } = context.withdrawalLimits;
  if (maxGasPerDay !== null) {
    const today = await sponsoredSince(context.database, connected, context.clock.now() - DAY);
    if (today + missing > maxGasPerDay)
      return waitFor(
        'gas',
        `The gas wallet has sent ${today} wei within 24 hours; ${missing} more would be above the operator’s limit of ${maxGasPerDay}.`,
      );
  }
  return await context.database.inTransaction(async (unit) => {
    await lockWallets(unit, [...new Set(funds.map(({ walletId }) => walletId))]);
    await lockAccount(unit, connected);
    const meanwhile = await openFunding(unit, connected, address);
    if (meanwhile.some((each) => each.fundsId === withdrawal.id)) return underWay();
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
    return underWay();
  });
}

/** Ether that the gas wallet was to send, or has sent, since then. */
async function sponsoredSince(reader: Runner, { name }: ConnectedChain, since: Instant): Promise<bigint> {
  const rows = await db(reader)
    .selectFrom('withdrawals')
    .select('spent')
    .where('chain', '=', name)
    .where('purpose', '=', sql.lit('gas'))
    .where('status', '<>', 'failed')
    .where('created_at', '>', since)
    .execute();
  return rows.reduce((sum, { spent }) => sum + BigInt(spent), 0n);
}

/** Ether that the gas wallet has still to send, or has just sent. */
async function openFunding(reader: Runner, { name }: ConnectedChain, gasWallet: string): Promise<Withdrawal[]> {
  const rows = await db(reader)
    .selectFrom('withdrawals')
    .selectAll()
    .where('chain', '=', name)
    .where(isNotOver)
    .where('sender', '=', gasWallet)
    .where('height', 'is', null)
    .execute();
  return rows.map(toWithdrawal);
}

function underWay(): Prepared {
  return waitFor('gas', 'Ether for its fee is on its way to the wallet.');
}

function shortOf(address: string, has: bigint, needed: bigint): Prepared {
  return waitFor(
    'gas',
    `The gas wallet ${address} has ${has} wei; ${needed} are needed. The operator has to send ether there.`,
  );
}
