import type { Runner } from '../database/engine.ts';
import { readHeight } from '../chains/cursor.ts';
import type { WithdrawalFacts } from '../deposits/context.ts';
import type { Wallet } from '../wallets/schema.ts';
import { selectWallets } from '../wallets/wallet.ts';
import { depositsWithFacts } from './ledger.ts';
import { sql } from 'kysely';
import type { BalanceParts, WalletEntry } from '../api/wallet.ts';

type Part = keyof BalanceParts;

/** What a wallet holds of its currency: what its balance is made of, and what has not come to it yet. */
type Holding = Record<Part | 'incoming', bigint>;

/** A wallet whose holding is asked for. */
/**
 * What the money of some wallets is. All that is credited of a busy wallet is a long list, what is not is a short
 * one, and indexes lead to that: so what is not credited is added up, and the rest of the balance is. To be read
 * in one snapshot with the balances, or under the wallets' locks.
 */
export async function readHoldings(
  reader: Runner,
  withdrawals: WithdrawalFacts,
  wallets: readonly Pick<Wallet, 'id' | 'chain' | 'balance'>[],
): Promise<Map<number, Holding>> {
  const holdings = new Map<number, Holding>(
    wallets.map(({ id, balance }) => [
      id,
      { credited: balance, confirming: 0n, undecided: 0n, stray: 0n, rejected: 0n, incoming: 0n },
    ]),
  );
  if (wallets.length === 0) return holdings;
  const ids = [...holdings.keys()];
  for (const { wallet_id: id, part, amount: whole, written_off: writtenOff } of [
    ...(await findNotAccepted(reader, withdrawals, ids)),
    ...(await findRefusedAll(reader, withdrawals, ids)),
    ...(await findOnTheWay(reader, withdrawals, wallets)),
  ]) {
    const holding = holdings.get(id);
    if (!holding) continue;
    const amount = BigInt(whole) - BigInt(writtenOff);
    holding[part] += amount;
    if (part !== 'incoming') holding.credited -= amount;
  }
  return holdings;
}

export function describeHolding(holding: Holding | undefined): Pick<WalletEntry, 'parts' | 'incoming'> {
  if (!holding) throw new Error('What a wallet holds was not read');
  const { credited, confirming, undecided, stray, rejected, incoming } = holding;
  return {
    parts: {
      credited: credited.toString(),
      confirming: confirming.toString(),
      undecided: undecided.toString(),
      stray: stray.toString(),
      rejected: rejected.toString(),
    },
    incoming: incoming.toString(),
  };
}

interface Found {
  wallet_id: number;
  part: Exclude<Part, 'credited'> | 'incoming';
  amount: string;
  written_off: string;
}

/** Payments of the wallets' own currencies. */
const own = (on: Runner, withdrawals: WithdrawalFacts) =>
  depositsWithFacts(on, withdrawals)
    .innerJoin(selectWallets(on).as('wallet'), 'wallet.id', 'deposit.wallet_id')
    .whereRef('deposit.code', '=', 'wallet.code');

/** In a block, and not taken away by a withdrawal that is in one: part of the balance. */
const isThere = sql<boolean>`deposit.state = 'mined' and deposit.written_off_at is null
  and (withdrawal.id is null or withdrawal.height is null or withdrawal.is_reverted = 1)`;

/** What no rule and no person has accepted. */
async function findNotAccepted(reader: Runner, withdrawals: WithdrawalFacts, ids: readonly number[]): Promise<Found[]> {
  const rows = await own(reader, withdrawals)
    .select([
      'deposit.wallet_id',
      'deposit.amount',
      'deposit.written_off',
      'deposit.decision',
      'tx.kind',
      'tx.rejection',
    ])
    .where('deposit.wallet_id', 'in', ids)
    // Written out: the index of these alone is used only where it reads that they are meant.
    .where(sql<boolean>`deposit.decision <> 'accepted'`)
    .where(isThere)
    .execute();
  return rows.map(({ decision, kind, rejection, ...row }) => {
    const isRejected = decision === 'rejected' || rejection !== null;
    return { ...row, part: kind === 'stray' ? 'stray' : isRejected ? 'rejected' : 'undecided' };
  });
}

/** What was accepted, and refused after all with the whole of its transaction. */
async function findRefusedAll(reader: Runner, withdrawals: WithdrawalFacts, ids: readonly number[]): Promise<Found[]> {
  const rows = await own(reader, withdrawals)
    .select(['deposit.wallet_id', 'deposit.amount', 'deposit.written_off'])
    // Where its money is as well: only a user's invoice moves to another wallet, and none is refused as a whole.
    .where('tx.wallet_id', 'in', ids)
    .where('tx.rejection', 'is not', null)
    .where('deposit.decision', '=', 'accepted')
    .where(isThere)
    .execute();
  return rows.map((row) => ({ ...row, part: 'rejected' }));
}

/** What is accepted and not deep enough, or in no block yet. */
async function findOnTheWay(
  reader: Runner,
  withdrawals: WithdrawalFacts,
  wallets: readonly Pick<Wallet, 'id' | 'chain' | 'balance'>[],
): Promise<Found[]> {
  const found: Found[] = [];
  for (const chain of new Set(wallets.map((wallet) => wallet.chain))) {
    const ids = wallets.flatMap((wallet) => (wallet.chain === chain ? [wallet.id] : []));
    const tipHeight = (await readHeight(reader, chain)) ?? 0;
    const confirming = await own(reader, withdrawals)
      .select(['deposit.wallet_id', 'deposit.amount', 'deposit.written_off'])
      .where('deposit.wallet_id', 'in', ids)
      .where('deposit.chain', '=', chain)
      .where('deposit.counts_at', 'is not', null)
      .where('deposit.counts_at', '>', tipHeight)
      .where('deposit.decision', '=', 'accepted')
      .where('tx.rejection', 'is', null)
      .where(isThere)
      .execute();
    for (const row of confirming) found.push({ ...row, part: 'confirming' });
    const incoming = await own(reader, withdrawals)
      .select(['deposit.wallet_id', 'deposit.amount', 'deposit.written_off'])
      .where('deposit.wallet_id', 'in', ids)
      .where('deposit.chain', '=', chain)
      .where('deposit.state', '=', sql.lit('waiting'))
      .execute();
    for (const row of incoming) found.push({ ...row, part: 'incoming' });
  }
  return found;
}
