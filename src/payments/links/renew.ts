import { db, type FiatTransaction } from '../schema.ts';
import type { CreateTransactionResponse } from '../../api/fiat-transaction.ts';
import type { KeepAnswer } from '../../operations/serve.ts';
import { Problem } from '../../api/problem-error.ts';
import { randomId } from '../../system/random.ts';
import { canRenew } from '../review/rules.ts';
import { readPaymentAttempts } from '../related-records.ts';
import type { PaymentsContext } from '../context.ts';
import { toCreateResponse } from '../create.ts';
import { expireIfDue } from '../expire.ts';
import { hasPendingConfirmations } from '../push/instructions.ts';
import { pendingConfirmationsProblem } from '../payable.ts';
import { isAttemptOpen } from '../states.ts';
import { lockTransaction } from '../store.ts';
import { transition } from '../transition.ts';

/**
 * Gives an expired transaction a new link and its full time; the old link leads there. Renewed already
 * and not expired again, it is answered as it is, so that a lost answer can be asked for once more.
 */
export async function renewTransaction(
  context: PaymentsContext,
  found: FiatTransaction,
  keepAnswer?: KeepAnswer<CreateTransactionResponse>,
): Promise<CreateTransactionResponse> {
  const transaction = await expireIfDue(context, found);
  const { linkLifetime } = await context.merchantTerms.readSettings(transaction.merchantId);
  return await context.database.inUnit(async (unit) => {
    const locked = await lockTransaction(unit, transaction.merchantId, transaction.id);
    const ofTransaction = { merchant_id: locked.merchantId, fiat_transaction_id: locked.id };
    if (locked.status === 'pending' || locked.status === 'waiting') {
      const former = await db(unit)
        .selectFrom('former_links')
        .select('link_id')
        .where('merchant_id', '=', ofTransaction.merchant_id)
        .where('fiat_transaction_id', '=', ofTransaction.fiat_transaction_id)
        .executeTakeFirst();
      if (former) return toCreateResponse(context, locked);
    }
    if (locked.status === 'confirmed')
      throw new Problem('already_paid', 'The transaction is paid; there is nothing to renew.');
    if (!canRenew(locked))
      throw new Problem('not_renewable', 'Only a transaction whose time is over without a payment can be renewed.');
    const { attempts, instructions } = await readPaymentAttempts(unit, locked);
    if (instructions.some(hasPendingConfirmations)) throw pendingConfirmationsProblem();
    if (attempts.some(({ state }) => isAttemptOpen(state)))
      throw new Problem('submit_in_progress', 'A payment is under way: wait for its outcome.');
    const now = context.clock.now();
    const linkId = randomId(context.random);
    const expiresAt = now + linkLifetime;
    await db(unit)
      .insertInto('former_links')
      .values({ ...ofTransaction, link_id: locked.linkId, renewed_at: now })
      .execute();
    await db(unit)
      .updateTable('fiat_transactions')
      .set({ link_id: linkId, expires_at: expiresAt })
      .where('merchant_id', '=', locked.merchantId)
      .where('id', '=', locked.id)
      .execute();
    const renewed = await transition(
      context,
      unit,
      { ...locked, linkId, expiresAt },
      { to: 'pending', detail: 'renewed' },
    );
    const answer = toCreateResponse(context, renewed);
    await keepAnswer?.(unit, answer);
    return answer;
  });
}
