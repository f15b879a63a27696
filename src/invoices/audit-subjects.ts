import { type AuditSubjects, subjectFromRequest, type ReadSubject } from '../audit/recorder.ts';
import type { Database } from '../database/database.ts';
import { db } from './schema.ts';

/** The objects of audited operations, read from the tables: no secret is shown, and nothing changes by it. */
export function invoiceAuditSubjects(database: Database): AuditSubjects {
  const coins: ReadSubject = async ({ merchantId, body }) => {
    const { id } = body as { id: string };
    const row = await db(database)
      .selectFrom('crypto_transactions')
      .select(['tx_id', 'status', 'code', 'amount', 'amount_credited', 'rejection'])
      .where('merchant_id', '=', merchantId)
      .where('public_id', '=', id)
      .executeTakeFirst();
    return { subject: row?.tx_id ?? id, state: row ?? null };
  };

  return {
    approveCryptoTransaction: coins,
    rejectCryptoTransaction: coins,
    createInvoice: subjectFromRequest('txId', ['code', 'amount', 'type']),
  };
}
