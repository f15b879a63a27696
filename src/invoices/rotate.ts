import { cryptoCurrencies, cryptoCurrencyCodes } from '../shared/crypto-currency.ts';
import type { WalletEntry } from '../api/wallet.ts';
import type { Runner } from '../database/engine.ts';
import type { PreferenceWatcher } from '../merchants/preferences/set.ts';
import { Problem, validationProblem } from '../api/problem-error.ts';
import { readLastHeight } from '../chains/cursor.ts';
import { watchBalance } from '../deposits/balances/watch.ts';
import { findDeposits } from '../deposits/deposit.ts';
import { storedForms } from '../wallets/addresses.ts';
import { findMerchantWallet } from '../wallets/list.ts';
import { readInvoiceRules } from '../wallets/rules.ts';
import { lockWallet } from '../wallets/wallet.ts';
import {
  findWalletsToRotate,
  createWallet,
  retireWallet,
  nextDepositAddress,
  updateWalletState,
} from '../wallets/pool.ts';
import type { InvoicesContext } from './context.ts';
import { toWalletEntries } from './list-wallets.ts';
import { db } from './schema.ts';
import { findTransactions } from './store.ts';
import { reevaluate } from './transition.ts';

/**
 * Rotates a wallet regardless of its balance: no new invoice is assigned to it, and it is retired when its last invoice
 * closes. A user's wallet is retired immediately, and its invoice moves to a new one.
 */
export async function rotateWallet(
  context: InvoicesContext,
  merchantId: number,
  address: string,
): Promise<{ wallet: WalletEntry; replacedBy: string | null }> {
  const { database, chains, withdrawals } = context;
  const storedWallet = await findMerchantWallet(database, merchantId, storedForms(chains, address));
  if (!storedWallet) throw new Problem('not_found', 'None of your wallets has this address.');
  const { code } = storedWallet;
  if (storedWallet.type === 'user') await rejectLinkWallet(database, storedWallet.id);
  const connected = chains.forCurrency(code);
  const fresh = storedWallet.type === 'user' && connected ? await nextDepositAddress(context, connected) : null;
  return await database.inTransaction(async (unit) => {
    const wallet = await lockWallet(unit, storedWallet.id);
    const tipHeight = (await readLastHeight(unit, wallet.chain)) ?? 0;
    let replacedBy: string | null = null;
    if (wallet.type === 'user' && fresh && wallet.state === 'serving') {
      const successor = await createWallet(context, unit, { merchantId, code, type: 'user' }, fresh);
      replacedBy = successor.address;
      await watchBalance(unit, successor, { height: tipHeight, isLongLived: true });
      const { id } = await db(unit)
        .updateTable('crypto_transactions')
        .set({ wallet_id: successor.id })
        .where('wallet_id', '=', wallet.id)
        .where('kind', '=', 'invoice')
        .returning('id')
        .executeTakeFirstOrThrow();
      await retireWallet(context, unit, wallet.id);
      const [transaction] = await findTransactions(unit, [id]);
      const deposits = await findDeposits(unit, [id]);
      // The event reports the new address, which the payer must use from now on.
      if (transaction)
        await reevaluate(context, unit, successor, transaction, { deposits, tipHeight, detail: 'rotated' });
    } else {
      await updateWalletState(context, unit, wallet, await readInvoiceRules(unit, merchantId, code), tipHeight, {
        isForced: true,
      });
    }
    const row = await findMerchantWallet(unit, merchantId, [wallet.address]);
    const [entry] = await toWalletEntries(unit, withdrawals, row ? [row] : []);
    if (!entry) throw new Error(`Wallet ${storedWallet.id} was not described.`);
    return { wallet: entry, replacedBy };
  });
}

/** Rotates wallets as soon as the rotation amount is lowered, without waiting for the next deposit. */
export function rotateOnLoweredAmount(context: InvoicesContext): PreferenceWatcher {
  return {
    async onStored(unit, { merchantId, key }) {
      const code = cryptoCurrencyCodes.find((each) => key === `wallet-rotate-amount-${each}`);
      if (code === undefined) return;
      const rules = await readInvoiceRules(unit, merchantId, code);
      if (rules.rotateAmount === null) return;
      const walletIds = await findWalletsToRotate(unit, merchantId, code, rules.rotateAmount);
      const tipHeight = (await readLastHeight(unit, cryptoCurrencies[code].chain)) ?? 0;
      for (const id of walletIds) await updateWalletState(context, unit, await lockWallet(unit, id), rules, tipHeight);
    },
  };
}

/** Throws if the wallet belongs to a payment link: its payer already knows the address. */
async function rejectLinkWallet(database: Runner, walletId: number): Promise<void> {
  const linkTransaction = await db(database)
    .selectFrom('crypto_transactions')
    .select('id')
    .where('wallet_id', '=', walletId)
    .where('pays_for', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  if (!linkTransaction) return;
  const detail = 'belongs to a payment link, whose wallet cannot be rotated';
  throw validationProblem([{ pointer: '/walletAddress', code: 'not_for_type', detail }]);
}
