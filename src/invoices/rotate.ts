import { cryptoCurrencies, cryptoCurrencyCodes } from '../shared/crypto-currency.ts';
import { formatInstant, type Instant } from '../shared/time.ts';
import type { WalletEntry, WalletsQuery } from '../api/wallet.ts';
import type { Database } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import type { PreferenceWatcher } from '../merchants/preferences/set.ts';
import { Problem, validationProblem } from '../api/problem-error.ts';
import { readHeight } from '../chains/cursor.ts';
import { watchBalance } from '../deposits/balances/watch.ts';
import type { WithdrawalFacts } from '../deposits/context.ts';
import { findDeposits } from '../deposits/deposit.ts';
import { parseCursor, formatCursor } from '../http/cursor.ts';
import { findEntries, findEntry } from '../wallets/list.ts';
import type { Wallet } from '../wallets/schema.ts';
import { readRules } from '../wallets/rules.ts';
import { lockWallet } from '../wallets/wallet.ts';
import { findFull, makeWallet, retire, nextDepositAddress, updateState } from '../wallets/pool.ts';
import type { InvoicesContext } from './context.ts';
import { describeHolding, readHoldings } from './holdings.ts';
import { db } from './schema.ts';
import { findTransactions } from './store.ts';
import { reevaluate } from './transition.ts';

const DEFAULT_PER_PAGE = 20;

/** A page of a merchant's wallets, newest first. */
export async function listWallets(
  { database, withdrawals }: { database: Pick<Database, 'inSnapshot'>; withdrawals: WithdrawalFacts },
  merchantId: number,
  query: WalletsQuery,
): Promise<{ wallets: WalletEntry[]; next_cursor: string | null }> {
  const perPage = query.per_page ?? DEFAULT_PER_PAGE;
  const before = query.cursor === undefined ? null : parseCursor(query.cursor);
  // Of one moment: what a balance is made of is to add up to it.
  return await database.inSnapshot(async (reader) => {
    const rows = await findEntries(reader, merchantId, { ...query, before, limit: perPage + 1 });
    const shown = rows.slice(0, perPage);
    const last = shown.at(-1);
    return {
      wallets: await toEntries(reader, withdrawals, shown),
      next_cursor: rows.length > perPage && last ? formatCursor(last.id) : null,
    };
  });
}

/**
 * Rotates a wallet whatever it holds: no new invoice gets it, and it is retired once the last one that has it is
 * over. A user's wallet is retired at once, and its invoice has another from then on.
 */
export async function rotateWallet(
  context: InvoicesContext,
  merchantId: number,
  address: string,
): Promise<{ wallet: WalletEntry; replacedBy: string | null }> {
  const { database, chains, withdrawals } = context;
  const found = await findEntry(database, merchantId, address);
  if (!found) throw new Problem('not_found', 'There is no wallet of yours with this address.');
  const { code } = found;
  if (found.type === 'user') await requireOwnInvoice(database, found.id);
  const connected = chains.ofCurrency(code);
  const fresh = found.type === 'user' && connected ? await nextDepositAddress(context, connected) : null;
  return await database.inTransaction(async (unit) => {
    const wallet = await lockWallet(unit, found.id);
    const tipHeight = (await readHeight(unit, wallet.chain)) ?? 0;
    let replacedBy: string | null = null;
    if (wallet.type === 'user' && fresh && wallet.state === 'serving') {
      const successor = await makeWallet(context, unit, { merchantId, code, type: 'user' }, fresh);
      replacedBy = successor.address;
      await watchBalance(unit, successor, { height: tipHeight, isPatient: true });
      const { id } = await db(unit)
        .updateTable('crypto_transactions')
        .set({ wallet_id: successor.id })
        .where('wallet_id', '=', wallet.id)
        .where('kind', '=', 'invoice')
        .returning('id')
        .executeTakeFirstOrThrow();
      await retire(context, unit, wallet.id);
      const [transaction] = await findTransactions(unit, [id]);
      const payments = await findDeposits(unit, [id]);
      // Whoever keeps the address must be told of the new one.
      if (transaction)
        await reevaluate(context, unit, successor, transaction, { payments, tipHeight, detail: 'rotated' });
    } else {
      await updateState(context, unit, wallet, await readRules(unit, merchantId, code), tipHeight, { isForced: true });
    }
    const row = await findEntry(unit, merchantId, address);
    const [entry] = await toEntries(unit, withdrawals, row ? [row] : []);
    if (!entry) throw new Error('One wallet was not described');
    return { wallet: entry, replacedBy };
  });
}

/** Rotates wallets that hold the rotation amount as soon as that is lowered, not only when a payment arrives. */
export function watchRotationAmounts(context: InvoicesContext): PreferenceWatcher {
  return {
    async onStored(unit, { merchantId, key }) {
      const code = cryptoCurrencyCodes.find((each) => key === `wallet-rotate-amount-${each}`);
      if (code === undefined) return;
      const rules = await readRules(unit, merchantId, code);
      if (rules.rotateAmount === null) return;
      const full = await findFull(unit, merchantId, code, rules.rotateAmount);
      const tipHeight = (await readHeight(unit, cryptoCurrencies[code].chain)) ?? 0;
      for (const id of full) await updateState(context, unit, await lockWallet(unit, id), rules, tipHeight);
    },
  };
}

/** The payer of a payment link keeps the address that the link has shown. */
async function requireOwnInvoice(database: Runner, walletId: number): Promise<void> {
  const ofLink = await db(database)
    .selectFrom('crypto_transactions')
    .select('id')
    .where('wallet_id', '=', walletId)
    .where('pays_for', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  if (!ofLink) return;
  const detail = 'is a wallet of a payment link: it serves that payment alone, and no other';
  throw validationProblem([{ pointer: '/walletAddress', code: 'not_for_type', detail }]);
}

async function toEntries(
  reader: Runner,
  withdrawals: WithdrawalFacts,
  wallets: readonly Wallet[],
): Promise<WalletEntry[]> {
  const holdings = await readHoldings(reader, withdrawals, wallets);
  const instant = (moment: Instant | null) => (moment === null ? null : formatInstant(moment));
  return wallets.map((wallet) => ({
    walletAddress: wallet.address,
    code: wallet.code,
    walletType: wallet.type,
    state: wallet.state,
    balance: wallet.balance.toString(),
    ...describeHolding(holdings.get(wallet.id)),
    restsUntil: instant(wallet.restsUntil),
    createdAt: formatInstant(wallet.createdAt),
    retiredAt: instant(wallet.retiredAt),
  }));
}
