import { db } from './schema.ts';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Runner } from '../database/engine.ts';
import type { Spender } from '../chains/spender.ts';
import { cryptoCurrencies, type CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import { readPreferences } from '../merchants/preferences/store.ts';
import type { UnitOfWork } from '../database/database.ts';
import { lockRows } from '../database/database.ts';
import type { ConnectedChain } from '../wallets/connected-chains.ts';
import type { WithdrawalsContext } from './context.ts';
import { type InvoiceRules, readRules } from '../wallets/rules.ts';
import { assignFunds, findDeposits, findFunds, hasCredited, type HeldDeposit } from '../deposits/deposit.ts';
import { findTransactions, isOfLink, refundingTransactions } from '../invoices/store.ts';
import { lockWallets } from '../wallets/wallet.ts';
import type { Wallet } from '../wallets/schema.ts';
import { holdingWallets, holdsAtLeast, holdsSomething } from '../wallets/pool.ts';
import { holdFor, readDestination } from './destinations.ts';
import { readFeeLimit } from './fee-limit.ts';
import { findSpendable, sumOf } from './funds.ts';
import type { Circumstances } from './prepared.ts';
import { updateWithdrawal, insertWithdrawal } from './write.ts';
import { toWithdrawal, type Withdrawal } from './withdrawal.ts';

/** Wallets that are looked at in one round; the others come in the next one. */
const WALLETS_AT_ONCE = 300;

interface Planned {
  merchantId: number;
  code: CryptoCurrencyCode;
  destination: string;
  rules: InvoiceRules;
  tipHeight: number;
  /** The least that is swept at once, by the operator. */
  leastAmount: bigint;
  /** What a coin adds to the fee: those of no more stay where they are. */
  costOfCoin: bigint;
  /** Whether money of a wallet that is locked is to go now. */
  isDue(wallet: Wallet | undefined, free: readonly HeldDeposit[]): boolean;
}

/**
 * Writes down what is to be withdrawn by itself: credited money of wallets that are retired, and of users' wallets
 * that hold as much as the merchant wants in one place. Only of merchants who have said where to. Answers how much was new.
 */
export async function planSweeps(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  spender: Spender,
  { tip: { height: tipHeight }, feeRate }: Circumstances,
): Promise<number> {
  const { database, clock, withdrawalLimits } = context;
  // Of most merchants nothing is there: they are not looked at one by one.
  const asked = await db(database)
    .selectFrom('withdrawal_destinations')
    .select(['merchant_id', 'code'])
    .distinct()
    .where('chain', '=', connected.name)
    .where(({ ref }) =>
      holdsSomething(database, connected.accountId, {
        merchantId: ref('withdrawal_destinations.merchant_id'),
        code: ref('withdrawal_destinations.code'),
      }),
    )
    .orderBy('merchant_id')
    .orderBy('code')
    .execute();
  let found = 0;
  for (const { merchant_id: merchantId, code: text } of asked) {
    const code = text as CryptoCurrencyCode;
    const { 'auto-withdrawal': isOn } = await readPreferences(database, merchantId, ['auto-withdrawal']);
    const destination = await readDestination(database, merchantId, code, clock.now());
    if (isOn !== true || destination === null) continue;
    const rules = await readRules(database, merchantId, code);
    const leastAmount = withdrawalLimits.sweepMinAmounts[code] ?? 0n;
    const planned = { merchantId, code, destination, rules, tipHeight, leastAmount, costOfCoin: 0n };
    const inGroups = (ids: number[]) => (spender.kind === 'coins' ? [ids] : ids.map((id) => [id]));
    const isDue: Planned['isDue'] = (wallet, free) => isFull(wallet, free, rules);
    const full = await findFull(context, connected, planned);
    const ofLinks = await findOfLinks(context, connected, planned);
    if (spender.kind === 'coins' && full.length + ofLinks.length > 0)
      planned.costOfCoin = spender.costOfCoin((await feeRate()).amount);
    for (const group of inGroups(full)) found += await planSweep(context, spender, { ...planned, isDue }, group);
    for (const group of inGroups(ofLinks))
      found += await planSweep(context, spender, { ...planned, isDue: () => true }, group);
  }
  return found;
}

/** Wallets that may hold something to be withdrawn; whether they do is seen once they are locked. */
async function findFull(
  { database }: WithdrawalsContext,
  { accountId }: ConnectedChain,
  { merchantId, code, rules: { rotateAmount } }: Pick<Planned, 'merchantId' | 'code' | 'rules'>,
): Promise<number[]> {
  const holding = creditedWallets(database, { merchantId, code, accountId });
  const retired = await holding.where('state', '=', 'retired').orderBy('id').limit(WALLETS_AT_ONCE).execute();
  if (rotateAmount === null) return retired.map(({ id }) => id);
  const full = await holding
    .where('type', '=', 'user')
    .where('state', '<>', 'retired')
    .where(holdsAtLeast(rotateAmount))
    .orderBy('id')
    .limit(WALLETS_AT_ONCE)
    .execute();
  return [...retired, ...full].map(({ id }) => id);
}

/**
 * Wallets of payment links, which are paid once: none of them alone comes to hold what the merchant wants in one
 * place, so they go once they hold it together.
 */
async function findOfLinks(
  { database }: WithdrawalsContext,
  { accountId }: ConnectedChain,
  { merchantId, code, rules: { rotateAmount } }: Pick<Planned, 'merchantId' | 'code' | 'rules'>,
): Promise<number[]> {
  if (rotateAmount === null) return [];
  const wallets = await creditedWallets(database, { merchantId, code, accountId })
    .select('balance')
    .where('type', '=', 'user')
    .where(({ ref }) => isOfLink(database, ref('wallets.id')))
    .orderBy('id')
    .limit(WALLETS_AT_ONCE)
    .execute();
  const sum = wallets.reduce((total, { balance }) => total + BigInt(balance), 0n);
  // Those that were not looked at hold more: as many as are looked at together go, whatever they hold.
  return sum >= rotateAmount || wallets.length === WALLETS_AT_ONCE ? wallets.map(({ id }) => id) : [];
}

/** Wallets that hold something of which some is credited, deep or not, and in no withdrawal. */
function creditedWallets(
  on: Runner,
  { merchantId, code, accountId }: { merchantId: number; code: CryptoCurrencyCode; accountId: number },
) {
  const cancelled = (id: Expression<number | null>) => {
    const withdrawal = db(on)
      .selectFrom('withdrawals')
      .select('withdrawals.id')
      .where('withdrawals.id', '=', id)
      .where('withdrawals.status', '=', 'failed')
      .where('withdrawals.is_cancelled', '=', 1)
      .where('withdrawals.is_reverted', '=', 1);
    return sql<SqlBool>`exists ${withdrawal}`;
  };
  return holdingWallets(on, { merchantId, code, accountId }).where(({ ref }) =>
    hasCredited(on, ref('wallets.id'), code, cancelled),
  );
}

async function planSweep(
  context: WithdrawalsContext,
  spender: Spender,
  planned: Planned,
  walletIds: readonly number[],
): Promise<number> {
  if (walletIds.length === 0) return 0;
  const { merchantId, code, destination, rules, tipHeight, leastAmount, costOfCoin, isDue } = planned;
  return await context.database.inTransaction(async (unit) => {
    const wallets = await lockWallets(unit, walletIds);
    const { minConfirmations } = rules;
    const free = await findSpendable(unit, walletIds, { code, source: 'credited', tipHeight, minConfirmations });
    const due = free.filter(({ walletId, amount }) => amount > costOfCoin && isDue(wallets.get(walletId), free));
    if (due.length === 0) return 0;
    const most = spender.kind === 'coins' ? spender.mostCoins : Number.POSITIVE_INFINITY;
    const [wallet] = wallets.values();
    const sender = spender.kind === 'accounts' && wallet ? senderOf(wallet) : null;
    const open = await findUnmade(unit, planned, sender?.address ?? null);
    if (open) {
      const own = await findFunds(unit, [open.id]);
      const more = due.slice(0, most - own.length);
      if (more.length > 0) {
        await assignFunds(unit, idsOf(more), open.id);
        await updateWithdrawal(context, unit, open, { spent: open.spent + sumOf(more) });
        return more.length;
      }
    }
    const taken = due.slice(0, most);
    if (sumOf(taken) < leastAmount) return 0;
    await insertWithdrawal(
      context,
      unit,
      {
        ...{ merchantId, code, destination, sender },
        chain: cryptoCurrencies[code].chain,
        purpose: 'sweep',
        source: 'credited',
        transactionId: null,
        fundsId: null,
        requestedBy: null,
        spent: sumOf(taken),
        feeLimit: await readFeeLimit(unit, merchantId, code),
        heldUntil: null,
      },
      idsOf(taken),
    );
    return taken.length;
  });
}

function isFull(wallet: Wallet | undefined, free: readonly HeldDeposit[], { rotateAmount }: InvoiceRules): boolean {
  if (wallet?.type !== 'user' || wallet.state === 'retired') return wallet?.state === 'retired';
  const own = sumOf(free.filter(({ walletId }) => walletId === wallet.id));
  return rotateAmount !== null && own >= rotateAmount;
}

/** One that waits and for which no transaction was made yet: more can still be taken along. */
async function findUnmade(
  unit: UnitOfWork,
  { merchantId, code, destination }: Pick<Planned, 'merchantId' | 'code' | 'destination'>,
  sender: string | null,
): Promise<Withdrawal | null> {
  const query = db(unit)
    .selectFrom('withdrawals')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('status', '=', 'waiting')
    .where('code', '=', code)
    .where('purpose', '=', 'sweep')
    .where('destination', '=', destination)
    .$if(sender !== null, (rest) => rest.where('sender', '=', sender))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('withdrawal_versions')
            .select('withdrawal_versions.id')
            .whereRef('withdrawal_versions.withdrawal_id', '=', 'withdrawals.id'),
        ),
      ),
    )
    // Those before it are full.
    .orderBy('id', 'desc')
    .limit(1);
  const row = await lockRows(unit, query).executeTakeFirst();
  return row ? toWithdrawal(row) : null;
}

/**
 * Writes down what is to be given back: all money of a transaction that was rejected with an address, once all of
 * it is deep enough. Answers how much was new.
 */
export async function planRefunds(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  spender: Spender,
  tipHeight: number,
): Promise<number> {
  const { database } = context;
  const due = await refundingTransactions(database, connected)
    .where(({ not, ref }) => {
      const withdrawals = db(database)
        .selectFrom('withdrawals')
        .select('withdrawals.id')
        .where('withdrawals.crypto_transaction_id', '=', ref('transaction.id'))
        .where((either) =>
          either.or([
            either('withdrawals.status', '<>', 'failed'),
            either.and([either('withdrawals.is_reverted', '=', 1), either('withdrawals.is_cancelled', '=', 0)]),
          ]),
        );
      return not(sql<SqlBool>`exists ${withdrawals}`);
    })
    .orderBy('transaction.id')
    .limit(WALLETS_AT_ONCE)
    .execute();
  let found = 0;
  for (const { id, wallet_id: walletId } of due)
    found += await planRefund(context, spender, { id, walletId, tipHeight });
  return found;
}

async function planRefund(
  context: WithdrawalsContext,
  spender: Spender,
  { id, walletId, tipHeight }: { id: number; walletId: number; tipHeight: number },
): Promise<number> {
  return await context.database.inTransaction(async (unit) => {
    const wallet = (await lockWallets(unit, [walletId])).get(walletId);
    const [transaction] = await findTransactions(unit, [id]);
    if (!wallet || transaction?.status !== 'refunding' || transaction.refundAddress === null) return 0;
    const { merchantId, code, minConfirmations } = transaction;
    const money = await findSpendable(unit, [walletId], { code, source: 'refunding', tipHeight, minConfirmations });
    const own = money.filter(({ transactionId }) => transactionId === id);
    const there = (await findDeposits(unit, [id])).filter(
      ({ state, writtenOffAt }) => state !== 'gone' && writtenOffAt === null,
    );
    const most = spender.kind === 'coins' ? spender.mostCoins : Number.POSITIVE_INFINITY;
    if (own.length === 0 || own.length < there.length) return 0;
    // Whoever sends dust in hundreds of parts gets the largest ones back; the others are left for a manager.
    const taken = own.toSorted((a, b) => Number(b.amount - a.amount)).slice(0, most);
    await insertWithdrawal(
      context,
      unit,
      {
        ...{ merchantId, code, chain: wallet.chain },
        purpose: 'refund',
        source: 'refunding',
        destination: transaction.refundAddress,
        transactionId: id,
        fundsId: null,
        requestedBy: transaction.decidedBy,
        sender: spender.kind === 'accounts' ? senderOf(wallet) : null,
        spent: sumOf(taken),
        feeLimit: await readFeeLimit(unit, merchantId, code),
        heldUntil: await holdFor(context, unit, { merchantId, code, destination: transaction.refundAddress }),
      },
      idsOf(taken),
    );
    return 1;
  });
}

export function senderOf({ address, derivationIndex }: Wallet): NonNullable<Withdrawal['sender']> {
  return { address, path: { chain: 0, index: derivationIndex } };
}

export function idsOf(payments: readonly { id: number }[]): number[] {
  return payments.map(({ id }) => id);
}
