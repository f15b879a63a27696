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
import { type InvoiceRules, readInvoiceRules } from '../wallets/rules.ts';
import {
  assignDeposits,
  findDeposits,
  findDepositsByWithdrawal,
  findRemainingOfTransaction,
  hasUnassignedCredit,
  type RemainingDeposit,
} from '../deposits/deposit.ts';
import { findTransactions, belongsToLink, selectRefundingTransactions } from '../invoices/store.ts';
import { reevaluate } from '../invoices/transition.ts';
import { lockWallets } from '../wallets/wallet.ts';
import type { Wallet } from '../wallets/schema.ts';
import { selectFundedWallets, hasBalanceOfAtLeast, hasFundedWallet } from '../wallets/pool.ts';
import { destinationHoldUntil, readDestination } from './destinations.ts';
import { readFeeLimit } from './fee-limit.ts';
import { filterSpendable, filterUnassigned, findSpendable, sumOf } from './funds.ts';
import type { ChainConditions } from './prepared.ts';
import { updateWithdrawal, insertWithdrawal } from './write.ts';
import { toWithdrawal, type Withdrawal } from './withdrawal.ts';

/** Wallets checked per round; the others follow in the next round. */
const WALLET_BATCH = 300;

interface SweepPlan {
  merchantId: number;
  code: CryptoCurrencyCode;
  destination: string;
  rules: InvoiceRules;
  tipHeight: number;
  /** The operator's minimum amount of a sweep. */
  minAmount: bigint;
  /** Fee for spending one output; deposits that are not worth more are not swept. */
  feePerInput: bigint;
  /** Decides whether a locked wallet is swept now. */
  isDue(wallet: Wallet | undefined, spendable: readonly RemainingDeposit[]): boolean;
}

/**
 * Plans sweeps: credited deposits of retired wallets, and of users' wallets that reached the rotation amount. Only for
 * merchants with a withdrawal destination. Returns the number of deposits assigned.
 */
export async function planSweeps(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  spender: Spender,
  { tip: { height: tipHeight }, feeRate }: ChainConditions,
): Promise<number> {
  const { database, clock, withdrawalLimits } = context;
  // Most merchants have no balance: one query selects those that do.
  const candidates = await db(database)
    .selectFrom('withdrawal_destinations')
    .select(['merchant_id', 'code'])
    .distinct()
    .where('chain', '=', connected.name)
    .where(({ ref }) =>
      hasFundedWallet(database, connected.accountId, {
        merchantId: ref('withdrawal_destinations.merchant_id'),
        code: ref('withdrawal_destinations.code'),
      }),
    )
    .orderBy('merchant_id')
    .orderBy('code')
    .execute();
  let assigned = 0;
  for (const { merchant_id: merchantId, code: text } of candidates) {
    const code = text as CryptoCurrencyCode;
    const { 'auto-withdrawal': isOn } = await readPreferences(database, merchantId, ['auto-withdrawal']);
    const destination = await readDestination(database, merchantId, code, clock.now());
    if (isOn !== true || destination === null) continue;
    const rules = await readInvoiceRules(database, merchantId, code);
    const minAmount = withdrawalLimits.sweepMinAmounts[code] ?? 0n;
    const plan = { merchantId, code, destination, rules, tipHeight, minAmount, feePerInput: 0n };
    const inGroups = (ids: number[]) => (spender.kind === 'utxo' ? [ids] : ids.map((id) => [id]));
    const isDue: SweepPlan['isDue'] = (wallet, spendable) => isReadyToSweep(wallet, spendable, rules);
    const sweepable = await findSweepableWallets(context, connected, plan);
    const linkWallets = await findLinkWallets(context, connected, plan);
    if (spender.kind === 'utxo' && sweepable.length + linkWallets.length > 0)
      plan.feePerInput = spender.feePerInput((await feeRate()).amount);
    for (const group of inGroups(sweepable)) assigned += await planSweep(context, spender, { ...plan, isDue }, group);
    for (const group of inGroups(linkWallets))
      assigned += await planSweep(context, spender, { ...plan, isDue: () => true }, group);
  }
  return assigned;
}

/** Finds wallets that may have credited deposits to sweep; checked again once they are locked. */
async function findSweepableWallets(
  { database }: WithdrawalsContext,
  { accountId }: ConnectedChain,
  { merchantId, code, rules: { rotateAmount } }: Pick<SweepPlan, 'merchantId' | 'code' | 'rules'>,
): Promise<number[]> {
  const credited = selectCreditedWallets(database, { merchantId, code, accountId });
  const retired = await credited.where('state', '=', 'retired').limit(WALLET_BATCH).execute();
  if (rotateAmount === null) return retired.map(({ id }) => id);
  const full = await credited
    .where('type', '=', 'user')
    .where('state', '<>', 'retired')
    .where(hasBalanceOfAtLeast(rotateAmount))
    .limit(WALLET_BATCH)
    .execute();
  return [...retired, ...full].map(({ id }) => id);
}

/**
 * Finds wallets of payment links. Each is paid once and rarely reaches the rotation amount alone, so they are swept
 * together once their sum reaches it.
 */
async function findLinkWallets(
  { database }: WithdrawalsContext,
  { accountId }: ConnectedChain,
  { merchantId, code, rules: { rotateAmount } }: Pick<SweepPlan, 'merchantId' | 'code' | 'rules'>,
): Promise<number[]> {
  if (rotateAmount === null) return [];
  const wallets = await selectCreditedWallets(database, { merchantId, code, accountId })
    .select('balance')
    .where('type', '=', 'user')
    .where(({ ref }) => belongsToLink(database, ref('wallets.id')))
    .limit(WALLET_BATCH)
    .execute();
  const sum = wallets.reduce((total, { balance }) => total + BigInt(balance), 0n);
  // A full page means that there are more wallets: it is swept regardless of its sum.
  return sum >= rotateAmount || wallets.length === WALLET_BATCH ? wallets.map(({ id }) => id) : [];
}

/**
 * Composable query: funded wallets with an accepted deposit that is not assigned to a withdrawal. The largest balances
 * come first, so that many small ones, not worth a sweep, do not block them.
 */
function selectCreditedWallets(
  reader: Runner,
  { merchantId, code, accountId }: { merchantId: number; code: CryptoCurrencyCode; accountId: number },
) {
  const isCanceled = (id: Expression<number | null>) => {
    const withdrawal = db(reader)
      .selectFrom('withdrawals')
      .select('withdrawals.id')
      .where('withdrawals.id', '=', id)
      .where('withdrawals.status', '=', 'failed')
      .where('withdrawals.is_cancelled', '=', 1)
      .where('withdrawals.is_reverted', '=', 1);
    return sql<SqlBool>`exists ${withdrawal}`;
  };
  return selectFundedWallets(reader, { merchantId, code, accountId })
    .where(({ ref }) => hasUnassignedCredit(reader, ref('wallets.id'), code, isCanceled))
    .orderBy(sql`length(balance)`, 'desc')
    .orderBy('balance', 'desc')
    .orderBy('id');
}

async function planSweep(
  context: WithdrawalsContext,
  spender: Spender,
  planned: SweepPlan,
  walletIds: readonly number[],
): Promise<number> {
  if (walletIds.length === 0) return 0;
  const { merchantId, code, destination, rules, tipHeight, minAmount, feePerInput, isDue } = planned;
  return await context.database.inTransaction(async (unit) => {
    const wallets = await lockWallets(unit, walletIds);
    const { minConfirmations } = rules;
    const spendable = await findSpendable(unit, walletIds, { code, source: 'credited', tipHeight, minConfirmations });
    const due = largestFirst(
      spendable.filter(({ walletId, amount }) => amount > feePerInput && isDue(wallets.get(walletId), spendable)),
    );
    if (due.length === 0) return 0;
    const maxCount = spender.kind === 'utxo' ? spender.maxInputs : Number.POSITIVE_INFINITY;
    const [wallet] = wallets.values();
    const sender = spender.kind === 'account' && wallet ? senderFor(wallet) : null;
    const open = await findExtendableSweep(unit, planned, sender?.address ?? null);
    if (open) {
      const existing = await findDepositsByWithdrawal(unit, [open.id]);
      const added = due.slice(0, maxCount - existing.length);
      if (added.length > 0) {
        await assignDeposits(unit, depositIds(added), open.id);
        await updateWithdrawal(context, unit, open, { spent: open.spent + sumOf(added) });
        return added.length;
      }
    }
    const funds = due.slice(0, maxCount);
    if (sumOf(funds) < minAmount) return 0;
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
        spent: sumOf(funds),
        feeLimit: await readFeeLimit(unit, merchantId, code),
        heldUntil: null,
      },
      depositIds(funds),
    );
    return funds.length;
  });
}

function isReadyToSweep(
  wallet: Wallet | undefined,
  spendable: readonly RemainingDeposit[],
  { rotateAmount }: InvoiceRules,
): boolean {
  if (wallet?.type !== 'user' || wallet.state === 'retired') return wallet?.state === 'retired';
  const amount = sumOf(spendable.filter(({ walletId }) => walletId === wallet.id));
  return rotateAmount !== null && amount >= rotateAmount;
}

/** Finds a waiting sweep without a transaction, to which more deposits can be added. */
async function findExtendableSweep(
  unit: UnitOfWork,
  { merchantId, code, destination }: Pick<SweepPlan, 'merchantId' | 'code' | 'destination'>,
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
    .$if(sender !== null, (qb) => qb.where('sender', '=', sender))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('withdrawal_versions')
            .select('withdrawal_versions.id')
            .whereRef('withdrawal_versions.withdrawal_id', '=', 'withdrawals.id'),
        ),
      ),
    )
    // Earlier ones have reached the maximum number of inputs.
    .orderBy('id', 'desc')
    .limit(1);
  const row = await lockRows(unit, query).executeTakeFirst();
  return row ? toWithdrawal(row) : null;
}

/**
 * Plans refunds of transactions that were rejected with a refund address, once all of their deposits are confirmed.
 * Returns the number of changed transactions.
 */
export async function planRefunds(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  spender: Spender,
  tipHeight: number,
): Promise<number> {
  const { database } = context;
  const due = await selectRefundingTransactions(database, connected)
    .where(({ not, ref }) => {
      const withdrawals = db(database)
        .selectFrom('withdrawals')
        .select('withdrawals.id')
        .where('withdrawals.crypto_transaction_id', '=', ref('transaction.id'))
        .where((eb) =>
          eb.or([
            eb('withdrawals.status', '<>', 'failed'),
            eb.and([eb('withdrawals.is_reverted', '=', 1), eb('withdrawals.is_cancelled', '=', 0)]),
          ]),
        );
      return not(sql<SqlBool>`exists ${withdrawals}`);
    })
    .orderBy('transaction.id')
    .limit(WALLET_BATCH)
    .execute();
  let planned = 0;
  for (const { id, wallet_id: walletId } of due)
    planned += await planRefund(context, spender, { id, walletId, tipHeight });
  return planned;
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
    const remaining = await findRemainingOfTransaction(unit, id);
    const unassigned = await filterUnassigned(unit, remaining, { includeFailed: false });
    const refundable = await filterSpendable(unit, unassigned, 'refunding', { tipHeight, minConfirmations });
    const deposits = await findDeposits(unit, [id]);
    const present = deposits.filter(
      ({ state, writtenOffAt, ledgerAccount }) =>
        state !== 'gone' && writtenOffAt === null && ledgerAccount !== 'withdrawn',
    );
    // Earlier versions left such transactions `refunding`. Deposits withdrawn before the rejection are not refunded.
    if (present.length === 0) {
      const hasWithdrawn = deposits.some(({ ledgerAccount }) => ledgerAccount === 'withdrawn');
      const ended = hasWithdrawn ? { ...transaction, rejection: 'failed' as const, refundAddress: null } : transaction;
      await reevaluate(context, unit, wallet, ended, { deposits, tipHeight });
      return 1;
    }
    const maxCount = spender.kind === 'utxo' ? spender.maxInputs : Number.POSITIVE_INFINITY;
    if (refundable.length === 0 || refundable.length < present.length) return 0;
    // With too many deposits for one transaction, the largest are refunded; a manager can withdraw the others.
    const funds = largestFirst(refundable).slice(0, maxCount);
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
        sender: spender.kind === 'account' ? senderFor(wallet) : null,
        spent: sumOf(funds),
        feeLimit: await readFeeLimit(unit, merchantId, code),
        heldUntil: await destinationHoldUntil(context, unit, {
          merchantId,
          code,
          destination: transaction.refundAddress,
        }),
      },
      depositIds(funds),
    );
    return 1;
  });
}

export function senderFor({ address, derivationIndex }: Wallet): NonNullable<Withdrawal['sender']> {
  return { address, path: { chain: 0, index: derivationIndex } };
}

function largestFirst(deposits: readonly RemainingDeposit[]): RemainingDeposit[] {
  return deposits.toSorted((a, b) => Number(b.amount - a.amount));
}

export function depositIds(deposits: readonly { id: number }[]): number[] {
  return deposits.map(({ id }) => id);
}
