import { db } from './schema.ts';
import { type Expression, sql } from 'kysely';
import type { ChainName } from '../shared/crypto-currency.ts';
import type { Instant } from '../shared/time.ts';
import { describeError } from '../system/log.ts';
import type { InvoicesContext } from './context.ts';
import { readRules } from '../wallets/rules.ts';
import { readHeight } from '../chains/cursor.ts';
import { findDeposits } from '../deposits/deposit.ts';
import { lockWallet } from '../wallets/wallet.ts';
import { findTransactions } from './store.ts';
import { reevaluate } from './transition.ts';
import { updateState } from '../wallets/pool.ts';

const BATCH = 50;

/**
 * Ends invoices of a chain whose time was over at a moment and for which nothing has come. Whoever asks has read
 * the chain to its end since then: before that, nobody knows whether they were paid. Answers how many ended.
 */
export async function endOverdue(context: InvoicesContext, chain: ChainName, moment: Instant): Promise<number> {
  const due = await db(context.database)
    .selectFrom('crypto_transactions')
    .select(['id', 'wallet_id'])
    .where('status', '=', sql.lit('pending'))
    .where('expires_at', '<=', moment)
    .where('chain', '=', chain)
    .orderBy('expires_at')
    .limit(BATCH)
    .execute();
  let ended = 0;
  for (const { id, wallet_id: walletId } of due) {
    try {
      ended += await expire(context, id, walletId);
    } catch (error) {
      // One that cannot be ended must not keep the others alive.
      context.log.error({ transaction: id, error: describeError(error) }, 'an invoice could not be ended');
    }
  }
  return ended;
}

/** The earliest expiry of an unpaid invoice up to a moment, as a subquery. */
export function nextExpiry(chain: ChainName, upTo: Instant): Expression<Instant | null> {
  return sql<Instant | null>`
    select min(expires_at) from crypto_transactions
    where status = 'pending' and expires_at <= ${upTo} and chain = ${chain}`;
}

async function expire(context: InvoicesContext, id: number, walletId: number): Promise<number> {
  return await context.database.inTransaction(async (unit) => {
    const wallet = await lockWallet(unit, walletId);
    const [transaction] = await findTransactions(unit, [id]);
    if (!transaction || transaction.status !== 'pending') return 0;
    const tipHeight = (await readHeight(unit, wallet.chain)) ?? 0;
    const after = await reevaluate(context, unit, wallet, transaction, {
      payments: await findDeposits(unit, [id]),
      tipHeight,
    });
    const rules = await readRules(unit, wallet.merchantId, wallet.code);
    await updateState(context, unit, wallet, rules, tipHeight);
    return after.status === transaction.status ? 0 : 1;
  });
}
