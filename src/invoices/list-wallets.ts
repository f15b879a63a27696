import type { BalanceEntry, WalletEntry, WalletsQuery } from '../api/wallet.ts';
import type { Database } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import type { WithdrawalFacts } from '../deposits/context.ts';
import { findWalletsWithIncoming } from '../deposits/deposit.ts';
import { pagingOf } from '../http/cursor.ts';
import { cryptoCurrencyCodes } from '../shared/crypto-currency.ts';
import { formatInstant, type Instant } from '../shared/time.ts';
import { findFundedWallets, findWalletPage, toWalletState } from '../wallets/list.ts';
import type { Wallet } from '../wallets/schema.ts';
import { findWallets } from '../wallets/wallet.ts';
import { addUp, readBalanceParts, toBalanceEntry } from './balance-parts.ts';

/** Wallets per statement; databases limit the number of parameters. */
const WALLETS_AT_ONCE = 1000;

interface WalletsReader {
  database: Pick<Database, 'inSnapshot'>;
  withdrawals: WithdrawalFacts;
}

/** Lists a page of a merchant's wallets, newest first. */
export async function listWallets(
  { database, withdrawals }: WalletsReader,
  merchantId: number,
  query: WalletsQuery,
): Promise<{ wallets: WalletEntry[]; next_cursor: string | null }> {
  const { cursor, limit, pageOf } = pagingOf(query);
  // One snapshot: the parts must add up to the balance.
  return await database.inSnapshot(async (reader) => {
    const rows = await findWalletPage(reader, merchantId, { ...query, before: cursor, limit });
    const { shown, nextCursor } = pageOf(rows);
    return {
      wallets: await toWalletEntries(reader, withdrawals, shown),
      next_cursor: nextCursor,
    };
  });
}

/** Adds up the funds of all wallets of a merchant, by currency. Currencies without funds are omitted. */
export async function listBalances(
  { database, withdrawals }: WalletsReader,
  merchantId: number,
): Promise<{ balances: BalanceEntry[] }> {
  return await database.inSnapshot(async (reader) => {
    const wallets = await findWalletsWithFunds(reader, merchantId);
    const entries: BalanceEntry[] = [];
    for (const code of cryptoCurrencyCodes) {
      const ofCurrency = wallets.filter((wallet) => wallet.code === code);
      if (ofCurrency.length === 0) continue;
      const breakdowns = [];
      for (let start = 0; start < ofCurrency.length; start += WALLETS_AT_ONCE) {
        const some = ofCurrency.slice(start, start + WALLETS_AT_ONCE);
        breakdowns.push(...(await readBalanceParts(reader, withdrawals, some)).values());
      }
      const balance = ofCurrency.reduce((sum, wallet) => sum + wallet.balance, 0n);
      entries.push({ code, balance: balance.toString(), ...toBalanceEntry(addUp(breakdowns)) });
    }
    return { balances: entries };
  });
}

/** Finds the wallets of a merchant with a balance or a deposit in the mempool. */
async function findWalletsWithFunds(reader: Runner, merchantId: number): Promise<Wallet[]> {
  const incoming = await findWallets(reader, await findWalletsWithIncoming(reader, merchantId));
  for (const wallet of await findFundedWallets(reader, merchantId)) incoming.set(wallet.id, wallet);
  return [...incoming.values()];
}

/** Describes wallets for the API. Call it in one snapshot with the wallets, or under their locks. */
export async function toWalletEntries(
  reader: Runner,
  withdrawals: WithdrawalFacts,
  wallets: readonly Wallet[],
): Promise<WalletEntry[]> {
  const breakdowns = await readBalanceParts(reader, withdrawals, wallets);
  const instant = (moment: Instant | null) => (moment === null ? null : formatInstant(moment));
  return wallets.map((wallet) => ({
    walletAddress: wallet.address,
    code: wallet.code,
    walletType: wallet.type,
    state: toWalletState(wallet.state),
    balance: wallet.balance.toString(),
    ...toBalanceEntry(breakdowns.get(wallet.id)),
    reusableAt: instant(wallet.restsUntil),
    createdAt: formatInstant(wallet.createdAt),
    retiredAt: instant(wallet.retiredAt),
  }));
}
