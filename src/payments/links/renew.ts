import { db, type FiatTransaction } from '../schema.ts';
import type { CreateTransactionResponse } from '../../api/fiat-transaction.ts';
import type { StoreResponse } from '../../operations/serve.ts';
import { Problem } from '../../api/problem-error.ts';
import { publicId } from '../../system/random.ts';
import { canRenew } from '../review/rules.ts';
import { readPaymentAttempts } from '../related-records.ts';
import type { PaymentsContext } from '../context.ts';
import { toCreateResponse } from '../create.ts';
import { maximumLifetimeOf, reserveForRenewal } from '../reusable-links/stock.ts';
import { expireIfDue } from '../expire.ts';
import { expiryOf } from '../expiry.ts';
import { hasPendingConfirmations } from '../push/instructions.ts';
import { pendingConfirmationsProblem } from '../payable.ts';
import { isAttemptOpen } from '../states.ts';
import { lockTransaction } from '../store.ts';
import { transition } from '../transition.ts';

/**
 * Renews an expired transaction: a new link with the full lifetime (its own, if it was created with one), to which the
 * old link redirects. A transaction that was already renewed is returned unchanged, so that a client that lost the
 * response can repeat the request.
 */
export async function renewTransaction(
  context: PaymentsContext,
  transaction: FiatTransaction,
  storeResponse?: StoreResponse<CreateTransactionResponse>,
): Promise<CreateTransactionResponse> {
  const current = await expireIfDue(context, transaction);
  const { linkLifetime } = await context.merchantTerms.readSettings(current.merchantId);
  return await context.database.inTransaction(async (unit) => {
    const locked = await lockTransaction(unit, current.merchantId, current.id);
    const transactionKey = { merchant_id: locked.merchantId, fiat_transaction_id: locked.id };
    if (locked.status === 'pending' || locked.status === 'waiting') {
      const formerLink = await db(unit)
        .selectFrom('former_links')
        .select('link_id')
        .where('merchant_id', '=', transactionKey.merchant_id)
        .where('fiat_transaction_id', '=', transactionKey.fiat_transaction_id)
        .executeTakeFirst();
      if (formerLink) return toCreateResponse(context, locked);
    }
    if (locked.status === 'confirmed')
      throw new Problem('already_paid', 'The transaction is paid and cannot be renewed.');
    if (!canRenew(locked))
      throw new Problem('not_renewable', 'Only an expired transaction without a payment can be renewed.');
    const { attempts, instructions } = await readPaymentAttempts(unit, locked);
    if (instructions.some(hasPendingConfirmations)) throw pendingConfirmationsProblem();
    if (attempts.some(({ state }) => isAttemptOpen(state)))
      throw new Problem('submit_in_progress', 'A payment attempt is in progress. Wait for its outcome.');
    await reserveForRenewal(unit, locked);
    const now = context.clock.now();
    const linkId = publicId(context.random);
    const maximumLifetime = await maximumLifetimeOf(unit, locked);
    const expiresAt = expiryOf(locked, { issuedAt: now, defaultLifetime: linkLifetime, maximumLifetime });
    await db(unit)
      .insertInto('former_links')
      .values({ ...transactionKey, link_id: locked.linkId, renewed_at: now })
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
    const response = toCreateResponse(context, renewed);
    await storeResponse?.(unit, response);
    return response;
  });
}
