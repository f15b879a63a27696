import { type AuditSubjects, subjectFromRequest, type ReadSubject } from '../audit/recorder.ts';
import type { Database } from '../database/database.ts';
import { db } from './schema.ts';

/** The objects of audited operations, read from the tables: no secret is shown, and nothing changes by it. */
export function authAuditSubjects(database: Database): AuditSubjects {
  const role: ReadSubject = async ({ merchantId, body }) => {
    const { id } = body as { id: number };
    const person = await db(database).selectFrom('people').select('email').where('id', '=', id).executeTakeFirst();
    const membership = await db(database)
      .selectFrom('memberships')
      .select('role')
      .where('merchant_id', '=', merchantId)
      .where('person_id', '=', id)
      .executeTakeFirst();
    // Of who is no part of this merchant nothing is told.
    return { subject: membership && person ? person.email : `person ${id}`, state: membership ?? null };
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
