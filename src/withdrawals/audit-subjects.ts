import { type AuditSubjects, subjectFromRequest, type ReadSubject } from '../audit/recorder.ts';
import type { Database } from '../database/database.ts';
import { db } from './schema.ts';

/** Subjects of audited operations and their state, without secrets. Read-only. */
export function withdrawalAuditSubjects(database: Database): AuditSubjects {
  const withdrawal: ReadSubject = async ({ merchantId, body }) => {
    const { id } = body as { id: string };
    const row = await db(database)
      .selectFrom('withdrawals')
      .select(['code', 'purpose', 'status', 'destination', 'held_until'])
      .where('merchant_id', '=', merchantId)
      .where('public_id', '=', id)
      .executeTakeFirst();
    return { subject: id, state: row ?? null };
  };

  return {
    cancelWithdrawal: withdrawal,
    createWithdrawal: subjectFromRequest('walletAddress', ['code', 'source', 'destination']),
  };
}
