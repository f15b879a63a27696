import type { Runner } from '../database/engine.ts';
import { readLastHeight } from '../chains/cursor.ts';
import type { WithdrawalFacts } from '../deposits/context.ts';
import type { Wallet } from '../wallets/schema.ts';
import { selectWallets } from '../wallets/wallet.ts';
import { selectDepositsWithFacts } from './ledger.ts';
import { sql } from 'kysely';
import type { BalanceParts, WalletEntry } from '../api/wallet.ts';

type Part = keyof BalanceParts;

/** Parts of a wallet's balance in its currency, and deposits still in the mempool. */
type BalanceBreakdown = Record<Part | 'incoming', bigint>;

/**
 * Reads the parts of wallets' balances. A busy wallet has many credited deposits and few others. The others are found
 * by index and summed; the rest of the balance is credited. Call it in one snapshot with the balances, or under the
 * wallets' locks.
 */
export async function readBalanceParts(
  reader: Runner,
  withdrawals: WithdrawalFacts,
  wallets: readonly Pick<Wallet, 'id' | 'merchantId' | 'chain' | 'balance'>[],
): Promise<Map<number, BalanceBreakdown>> {
  const breakdowns = new Map<number, BalanceBreakdown>(
    wallets.map(({ id, balance }) => [
      id,
      { credited: balance, sending: 0n, confirming: 0n, in_review: 0n, unattributed: 0n, rejected: 0n, incoming: 0n },
    ]),
  );
  if (wallets.length === 0) return breakdowns;
  const ids = [...breakdowns.keys()];
  for (const { wallet_id: id, part, amount: whole, written_off: writtenOff } of [
    ...(await findBeingSent(reader, withdrawals, wallets)),
    ...(await findUnaccepted(reader, withdrawals, ids)),
    ...(await findRejectedWithTransaction(reader, withdrawals, ids)),
    ...(await findUnconfirmed(reader, withdrawals, wallets)),
  ]) {
    const breakdown = breakdowns.get(id);
    if (!breakdown) continue;
    const amount = BigInt(whole) - BigInt(writtenOff);
    breakdown[part] += amount;
    if (part !== 'incoming') breakdown.credited -= amount;
  }
  return breakdowns;
}

/** Adds up the parts of several wallets of one currency. */
export function addUp(breakdowns: readonly BalanceBreakdown[]): BalanceBreakdown {
  const sum = (part: keyof BalanceBreakdown) => breakdowns.reduce((total, each) => total + each[part], 0n);
  return {
    credited: sum('credited'),
    sending: sum('sending'),
    confirming: sum('confirming'),
    in_review: sum('in_review'),
    unattributed: sum('unattributed'),
    rejected: sum('rejected'),
    incoming: sum('incoming'),
  };
}

export function toBalanceEntry(breakdown: BalanceBreakdown | undefined): Pick<WalletEntry, 'parts' | 'incoming'> {
  if (!breakdown) throw new Error('The balance parts of a wallet were not read.');
  const { credited, sending, confirming, in_review: inReview, unattributed, rejected, incoming } = breakdown;
  return {
    parts: {
      credited: credited.toString(),
      sending: sending.toString(),
      confirming: confirming.toString(),
      in_review: inReview.toString(),
      unattributed: unattributed.toString(),
      rejected: rejected.toString(),
    },
    incoming: incoming.toString(),
  };
}

interface PartRow {
  wallet_id: number;
  part: Exclude<Part, 'credited'> | 'incoming';
  amount: string;
  written_off: string;
}

/** Composable query: deposits in the currency of their wallet. */
const selectOwnCurrencyDeposits = (reader: Runner, withdrawals: WithdrawalFacts) =>
  selectDepositsWithFacts(reader, withdrawals)
    .innerJoin(selectWallets(reader).as('wallet'), 'wallet.id', 'deposit.wallet_id')
    .whereRef('deposit.code', '=', 'wallet.code');

/** Condition: in a block, and not spent by a withdrawal. Such deposits are part of the balance, and not being sent. */
const isAvailable = sql<boolean>`deposit.state = 'mined' and deposit.written_off_at is null and (withdrawal.id is null
  or withdrawal.is_reverted = 1 or (withdrawal.height is null and withdrawal.status = 'failed'))`;

/** Deposits that a withdrawal in progress spends, of any wallet of the merchants: found by their withdrawal. */
async function findBeingSent(
  reader: Runner,
  withdrawals: WithdrawalFacts,
  wallets: readonly Pick<Wallet, 'merchantId'>[],
): Promise<PartRow[]> {
  const merchantIds = [...new Set(wallets.map(({ merchantId }) => merchantId))];
  const rows = await selectOwnCurrencyDeposits(reader, withdrawals)
    .select(['deposit.wallet_id', 'deposit.amount', 'deposit.written_off'])
    .where('deposit.withdrawal_id', 'in', withdrawals.selectInProgress(reader, merchantIds))
    .where(sql<boolean>`deposit.state = 'mined' and deposit.written_off_at is null`)
    .execute();
  return rows.map((row) => ({ ...row, part: 'sending' }));
}

/** Deposits that are in review, unattributed or rejected. */
async function findUnaccepted(
  reader: Runner,
  withdrawals: WithdrawalFacts,
  ids: readonly number[],
): Promise<PartRow[]> {
  const rows = await selectOwnCurrencyDeposits(reader, withdrawals)
    .select([
      'deposit.wallet_id',
      'deposit.amount',
      'deposit.written_off',
      'deposit.decision',
      'tx.kind',
      'tx.rejection',
    ])
    .where('deposit.wallet_id', 'in', ids)
    // Raw SQL: the partial index applies only if the query repeats its condition.
    .where(sql<boolean>`deposit.decision <> 'accepted'`)
    .where(isAvailable)
    .execute();
  return rows.map(({ decision, kind, rejection, ...row }) => {
    const isRejected = decision === 'rejected' || rejection !== null;
    return { ...row, part: kind === 'stray' ? 'unattributed' : isRejected ? 'rejected' : 'in_review' };
  });
}

/** Accepted deposits of transactions that were rejected as a whole. */
async function findRejectedWithTransaction(
  reader: Runner,
  withdrawals: WithdrawalFacts,
  ids: readonly number[],
): Promise<PartRow[]> {
  const rows = await selectOwnCurrencyDeposits(reader, withdrawals)
    .select(['deposit.wallet_id', 'deposit.amount', 'deposit.written_off'])
    // The transaction's wallet is the deposit's: only user invoices move, and those are never rejected as a whole.
    .where('tx.wallet_id', 'in', ids)
    .where('tx.rejection', 'is not', null)
    .where('deposit.decision', '=', 'accepted')
    .where(isAvailable)
    .execute();
  return rows.map((row) => ({ ...row, part: 'rejected' }));
}

/** Accepted deposits without enough confirmations, and deposits in the mempool. */
async function findUnconfirmed(
  reader: Runner,
  withdrawals: WithdrawalFacts,
  wallets: readonly Pick<Wallet, 'id' | 'merchantId' | 'chain' | 'balance'>[],
): Promise<PartRow[]> {
  const parts: PartRow[] = [];
  for (const chain of new Set(wallets.map((wallet) => wallet.chain))) {
    const ids = wallets.flatMap((wallet) => (wallet.chain === chain ? [wallet.id] : []));
    const tipHeight = (await readLastHeight(reader, chain)) ?? 0;
    const confirming = await selectOwnCurrencyDeposits(reader, withdrawals)
      .select(['deposit.wallet_id', 'deposit.amount', 'deposit.written_off'])
      .where('deposit.wallet_id', 'in', ids)
      .where('deposit.chain', '=', chain)
      .where('deposit.counts_at', 'is not', null)
      .where('deposit.counts_at', '>', tipHeight)
      .where('deposit.decision', '=', 'accepted')
      .where('tx.rejection', 'is', null)
      .where(isAvailable)
      .execute();
    for (const row of confirming) parts.push({ ...row, part: 'confirming' });
    const incoming = await selectOwnCurrencyDeposits(reader, withdrawals)
      .select(['deposit.wallet_id', 'deposit.amount', 'deposit.written_off'])
      .where('deposit.wallet_id', 'in', ids)
      .where('deposit.chain', '=', chain)
      .where('deposit.state', '=', sql.lit('waiting'))
      .execute();
    for (const row of incoming) parts.push({ ...row, part: 'incoming' });
  }
  return parts;
}
