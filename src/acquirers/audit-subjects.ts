import type { AuditSubjects, ReadSubject } from '../audit/recorder.ts';
import type { Database } from '../database/database.ts';
import type { AccountStore } from './account-store.ts';
import { auditedCredentials, readableCredentials } from './accounts.ts';
import { accountRecord, db } from './schema.ts';

/** The accounts of audited operations. Read-only. */
export function acquirerAuditSubjects(database: Database, store: Pick<AccountStore, 'readCredentials'>): AuditSubjects {
  const account: ReadSubject = async ({ merchantId, body, response }) => {
    const { id, credentials: replacedBy } = {
      ...(response as object | undefined),
      ...(body as object),
    } as { id?: string; credentials?: Record<string, unknown> };
    if (id === undefined) return { subject: null, state: null };
    const row = await db(database)
      .selectFrom('acquirer_accounts')
      .selectAll()
      .where('account_key', '=', id)
      .where((expression) =>
        expression.or([expression('merchant_id', '=', merchantId), expression('merchant_id', 'is', null)]),
      )
      .executeTakeFirst();
    if (!row) return { subject: `acquirer account ${id}`, state: null };
    const routes = await db(database)
      .selectFrom('acquirer_routes')
      .select(['payment_method', 'country', 'currency', 'priority'])
      .where('account_id', '=', row.id)
      .execute();
    const { adapter, name, disabled_at, credentials_updated_at, merchant_id: owner } = row;
    const stored = accountRecord.read(row);
    const credentials = auditedCredentials(
      stored,
      readableCredentials(store, stored),
      response === undefined ? replacedBy : undefined,
    );
    const state = { adapter, name, disabled_at, credentials_updated_at, credentials, shared: owner === null, routes };
    return { subject: `acquirer account ${id}`, state };
  };
  /** Credentials that are not stored have no account. */
  const acquirer: ReadSubject = ({ body }) =>
    Promise.resolve({ subject: (body as { acquirer: string }).acquirer, state: null });

  return {
    addAcquirerAccount: account,
    updateAcquirerAccount: account,
    setAcquirerCredentials: account,
    checkAcquirerAccount: account,
    checkAcquirerCredentials: acquirer,
  };
}
