import type { AuditSubjects, ReadSubject } from '../audit/recorder.ts';
import type { Database } from '../database/database.ts';
import { db } from './schema.ts';

/** Subjects of audited operations and their state, without secrets. Read-only. */
export function walletAuditSubjects(database: Database): AuditSubjects {
  const wallet: ReadSubject = async ({ merchantId, body }) => {
    const { walletAddress } = body as { walletAddress: string };
    const row = await db(database)
      .selectFrom('wallets')
      .select(['code', 'type', 'state', 'balance'])
      .where('merchant_id', '=', merchantId)
      .where('address', '=', walletAddress)
      .executeTakeFirst();
    return { subject: walletAddress, state: row ?? null };
  };

  return {
    rotateWallet: wallet,
  };
}
