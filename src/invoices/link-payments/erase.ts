import type { Database } from '../../database/database.ts';
import type { Eraser } from '../../system/eraser.ts';
import { lockWallet } from '../../wallets/wallet.ts';
import { eraseFromEvents } from '../../webhooks/erase.ts';
import { db } from '../schema.ts';
import { cryptoTransactionSubject } from '../store.ts';

/**
 * Erases a payer's data from the crypto payments of a payment link: from their review reasons, events and webhooks. Each
 * is a unit of work, because a payment link is locked without their wallets.
 */
export async function eraseFromLinkPayments(
  database: Database,
  { merchantId, instructionsKeys, erase }: { merchantId: number; instructionsKeys: readonly string[]; erase: Eraser },
): Promise<void> {
  if (instructionsKeys.length === 0) return;
  const rows = await db(database)
    .selectFrom('coin_payments')
    .innerJoin('crypto_transactions as transaction', 'transaction.id', 'coin_payments.crypto_transaction_id')
    .select(['transaction.id', 'transaction.wallet_id'])
    .where('coin_payments.instructions_key', 'in', instructionsKeys)
    .where('transaction.merchant_id', '=', merchantId)
    .execute();
  for (const { id, wallet_id } of rows)
    await database.inTransaction(async (unit) => {
      await lockWallet(unit, wallet_id);
      await cryptoTransactionSubject.lock(unit, merchantId, id);
      const { decision_reason } = await db(unit)
        .selectFrom('crypto_transactions')
        .select('decision_reason')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      if (decision_reason !== null)
        await db(unit)
          .updateTable('crypto_transactions')
          .set({ decision_reason: erase.text(decision_reason) })
          .where('id', '=', id)
          .execute();
      await eraseFromEvents(unit, { merchantId, kind: 'crypto_transaction', id, erase });
    });
}
