import type { AuditSubjects, ReadSubject } from '../audit/recorder.ts';
import type { Database } from '../database/database.ts';
import { db } from './schema.ts';

/** The accounts of audited operations, without credentials. Read-only. */
export function acquirerAuditSubjects(database: Database): AuditSubjects {
  const account: ReadSubject = async ({ merchantId, body, response }) => {
    const { id } = { ...(response as object | undefined), ...(body as object) } as { id?: string };
    if (id === undefined) return { subject: null, state: null };
    const row = await db(database)
      .selectFrom('acquirer_accounts')
      .select(['id', 'adapter', 'name', 'merchant_id', 'disabled_at', 'credentials_updated_at'])
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
    const { id: _id, merchant_id: owner, ...state } = row;
    return { subject: `acquirer account ${id}`, state: { ...state, shared: owner === null, routes } };
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
