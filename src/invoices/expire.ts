import { db } from './schema.ts';
import { type Expression, sql } from 'kysely';
import type { ChainName } from '../shared/crypto-currency.ts';
import type { Instant } from '../shared/time.ts';
import { describeError } from '../system/log.ts';
import type { InvoicesContext } from './context.ts';
import { readInvoiceRules } from '../wallets/rules.ts';
import { readLastHeight } from '../chains/cursor.ts';
import { findDeposits } from '../deposits/deposit.ts';
import { lockWallet } from '../wallets/wallet.ts';
import { findTransactions } from './store.ts';
import { reevaluate } from './transition.ts';
import { updateWalletState } from '../wallets/pool.ts';

const BATCH = 50;

/**
 * Expires unpaid invoices of a chain whose deadline is at or before `moment`; returns the number. The caller has
 * scanned the chain up to its tip since then: otherwise a deposit that arrived in time could be missed.
 */
export async function expireInvoices(context: InvoicesContext, chain: ChainName, moment: Instant): Promise<number> {
  const due = await db(context.database)
    .selectFrom('crypto_transactions')
    .select(['id', 'wallet_id'])
    .where('status', '=', sql.lit('pending'))
    .where('expires_at', '<=', moment)
    .where('chain', '=', chain)
    .orderBy('expires_at')
    .limit(BATCH)
    .execute();
  let expired = 0;
  for (const { id, wallet_id: walletId } of due) {
    try {
      expired += await expireInvoice(context, id, walletId);
    } catch (error) {
      // A failure to expire one invoice must not block the others.
      context.log.error({ transaction: id, error: describeError(error) }, 'expiring an invoice failed');
    }
  }
  return expired;
}

/** Subquery: the earliest expiry of an unpaid invoice up to a given time. */
export function nextExpiry(chain: ChainName, upTo: Instant): Expression<Instant | null> {
  return sql<Instant | null>`
    select min(expires_at) from crypto_transactions
    where status = 'pending' and expires_at <= ${upTo} and chain = ${chain}`;
}

async function expireInvoice(context: InvoicesContext, id: number, walletId: number): Promise<number> {
  return await context.database.inTransaction(async (unit) => {
    const wallet = await lockWallet(unit, walletId);
    const [transaction] = await findTransactions(unit, [id]);
    if (!transaction || transaction.status !== 'pending') return 0;
    const tipHeight = (await readLastHeight(unit, wallet.chain)) ?? 0;
    const evaluated = await reevaluate(context, unit, wallet, transaction, {
      deposits: await findDeposits(unit, [id]),
      tipHeight,
    });
    const rules = await readInvoiceRules(unit, wallet.merchantId, wallet.code);
    await updateWalletState(context, unit, wallet, rules, tipHeight);
    return evaluated.status === transaction.status ? 0 : 1;
  });
}
