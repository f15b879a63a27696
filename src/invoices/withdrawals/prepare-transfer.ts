import { ChainTrouble } from '../../chains/port.ts';
import type { AccountSpender, Built } from '../../chains/spender.ts';
import type { Database, UnitOfWork } from '../../platform/database/database.ts';
import { lockRows } from '../../platform/database/database.ts';
import type { ConnectedChain } from '../connected-chains.ts';
import type { InvoicesContext } from '../context.ts';
import { sumOf } from './money.ts';
import { type Order, type Prepared, tooLittle, waitFor } from './prepared.ts';
import { findHeld, findWithdrawals, isNotOver, lockWallets } from './store.ts';
import { toWithdrawal, type Withdrawal, withdrawalColumns } from './withdrawal.ts';
import { insertWithdrawal } from './write.ts';

type Reader = Pick<Database, 'query'>;

/**
 * A transfer of one wallet: ether, of which its fee is taken, or tokens, for which the wallet needs ether first. What
 * somebody has paid there in ether is never taken for that.
 */
export async function prepareTransfer(
  context: InvoicesContext,
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
  const nonce = withdrawal.nonce ?? (await nextNonce(context.database, connected, spender, sender.address));
  const gasWallet = spender.gasWallet.address;
  const ether = await spender.etherOf([sender.address, gasWallet], tip);
  const has = ether.get(sender.address) ?? 0n;

  if (purpose === 'gas') {
    const needed = spent + spender.etherGas * rate;
    if (has < needed) return shortOf(gasWallet, has, needed);
    const built = spender.buildFunding({ nonce, feeRate: rate, gas: spender.etherGas, to, amount: spent });
    return readyOf(order, built, nonce);
  }

  const others = await etherOfOthers(context.database, order);
  const free = has > others ? has - others : 0n;
  if (code === 'eth') {
    // What a transfer that failed has cost is missing.
    const most = spent < free ? spent : free;
    const usual = spender.etherGas * rate;
    if (most <= usual) return tooLittle(withdrawal, usual);
    const used = await gasFor(spender, order, most - usual);
    if (typeof used !== 'bigint') return used;
    const gas = used > spender.etherGas ? withRoom(used) : spender.etherGas;
    return readyOf(order, spender.buildEther({ nonce, feeRate: rate, gas, to, spent: most }), nonce);
  }

  const used = await gasFor(spender, order, spent);
  if (typeof used !== 'bigint') return used;
  const gas = withRoom(used) > spender.tokenGas ? withRoom(used) : spender.tokenGas;
  const missing = gas * rate - free;
  if (missing > 0n) {
    // Ether came for a price that has risen since: it will do as long as the network takes that.
    const affordable = free / gas;
    const { amount: asked } = await order.feeRate();
    if (order.versions.length > 0 || affordable < asked)
      return await fund(context, connected, spender, { order, missing, gasHas: ether.get(gasWallet) ?? 0n });
    return readyOf(
      { ...order, rate: affordable },
      spender.buildToken({ nonce, feeRate: affordable, gas, to, code, amount: spent }),
      nonce,
    );
  }
  return readyOf(order, spender.buildToken({ nonce, feeRate: rate, gas, to, code, amount: spent }), nonce);
}

function readyOf({ withdrawal, rate }: Order, built: Built, nonce: number): Prepared {
  if (built.kind === 'too_little') return tooLittle(withdrawal, built.fee);
  return { kind: 'ready', transaction: built, rate, nonce };
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
async function isBusy(reader: Reader, { id, chain, sender }: Withdrawal): Promise<boolean> {
  const row = await reader.query
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

/** The next number of a sender: after all that were given, and what the node knows of besides. */
async function nextNonce(
  reader: Reader,
  connected: ConnectedChain,
  spender: AccountSpender,
  address: string,
): Promise<number> {
  const [own, onChain] = [await nonceAfter(reader, connected, address), await spender.nextNonce(address)];
  return own > onChain ? own : onChain;
}

async function nonceAfter(reader: Reader, { name }: ConnectedChain, address: string): Promise<number> {
  const last = await reader.query
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

async function lockAccount(unit: UnitOfWork, { accountId }: ConnectedChain): Promise<void> {
  await lockRows(unit, unit.query.selectFrom('wallet_accounts').select('id').where('id', '=', accountId)).execute();
}

/** Ether at the sender that was paid there, and is not what is withdrawn here. */
async function etherOfOthers(reader: Reader, { withdrawal, funds }: Order): Promise<bigint> {
  const walletIds = [...new Set(funds.map(({ walletId }) => walletId))];
  const ether = (await findHeld(reader, walletIds)).filter(({ code, state }) => code === 'eth' && state === 'mined');
  const ids = [...new Set(ether.flatMap(({ withdrawalId }) => (withdrawalId === null ? [] : [withdrawalId])))];
  const gone = new Set(
    (await findWithdrawals(reader, ids)).flatMap(({ id, block, isReverted }) => (block && !isReverted ? [id] : [])),
  );
  return sumOf(ether.filter(({ withdrawalId: id }) => id !== withdrawal.id && (id === null || !gone.has(id))));
}

/** Has ether sent to a wallet that is to send tokens; says so plainly where the gas wallet has too little. */
async function fund(
  context: InvoicesContext,
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
  return await context.database.inUnit(async (unit) => {
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
        code: 'eth',
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

/** Ether that the gas wallet has still to send, or has just sent. */
async function openFunding(reader: Reader, { name }: ConnectedChain, gasWallet: string): Promise<Withdrawal[]> {
  const rows = await reader.query
    .selectFrom('withdrawals')
    .select(withdrawalColumns)
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
