import { type AuditSubjects, subjectFromRequest, type ReadSubject } from '../audit/recorder.ts';
import type { Database } from '../database/database.ts';
import { db } from './schema.ts';

/** Subjects of audited operations and their state, without secrets. Read-only. */
export function invoiceAuditSubjects(database: Database): AuditSubjects {
  const cryptoTransaction: ReadSubject = async ({ merchantId, body }) => {
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
    approveCryptoTransaction: cryptoTransaction,
    rejectCryptoTransaction: cryptoTransaction,
    createInvoice: subjectFromRequest('txId', ['code', 'amount', 'type']),
  };
}
