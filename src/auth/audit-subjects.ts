import { type AuditSubjects, subjectFromRequest, type ReadSubject } from '../audit/recorder.ts';
import type { Database } from '../database/database.ts';
import { db } from './schema.ts';

/** Subjects of audited operations and their state, without secrets. Read-only. */
export function authAuditSubjects(database: Database): AuditSubjects {
  const role: ReadSubject = async ({ merchantId, body }) => {
    const { id } = body as { id: number };
    const user = await db(database).selectFrom('people').select('email').where('id', '=', id).executeTakeFirst();
    const membership = await db(database)
      .selectFrom('memberships')
      .select('role')
      .where('merchant_id', '=', merchantId)
      .where('person_id', '=', id)
      .executeTakeFirst();
    // Users who are not members of this merchant stay anonymous.
    return { subject: membership && user ? user.email : `person ${id}`, state: membership ?? null };
  };

  const token: ReadSubject = async ({ merchantId, body }) => {
    const { id } = body as { id: number };
    const row = await db(database)
      .selectFrom('access_tokens')
      .select(['name', 'scopes', 'revoked_at'])
      .where('merchant_id', '=', merchantId)
      .where('id', '=', id)
      .executeTakeFirst();
    const state = row ? { name: row.name, scopes: row.scopes, revoked: row.revoked_at !== null } : null;
    return { subject: `token ${id}`, state };
  };

  return {
    setPersonRole: role,
    removePerson: role,
    revokeAccessToken: token,
    createAccessToken: subjectFromRequest('name', ['scopes', 'expires_at']),
    invitePerson: subjectFromRequest('email', ['role']),
  };
}
