import type { Principal, ServeApi } from '../operations/principal.ts';
import { Hono } from 'hono';
import type { Runner } from '../database/engine.ts';
import * as operations from '../api/operations/people.ts';
import { type UserRole, scopesOfRole } from '../shared/roles.ts';
import { formatInstant } from '../shared/time.ts';
import { createMerchant, listMerchants } from '../merchants/merchants.ts';
import type { WebhookSecrets } from '../webhooks/secrets.ts';
import type { HttpEnv } from '../http/context.ts';
import { Problem } from '../api/problem-error.ts';
import { pagingOf } from '../http/cursor.ts';
import { lockCreator } from './creator.ts';
import type { AuthContext } from './context.ts';
import { readAuditEntries } from './audit-entries.ts';
import { preferredLanguage } from '../http/language.ts';
import { limitEmails } from '../mail/limits.ts';
import { emailInvitation } from './email-invitation.ts';
import { invitationLink, createInvitation, listInvitations, revokeInvitation } from './invitations.ts';
import { listMembers, removeMember, updateRole } from './users.ts';

/** Routes for a merchant's members and audit log, and for managers: merchants. */
export function memberRoutes({
  context,
  webhookSecrets,
  serve,
}: {
  context: AuthContext;
  webhookSecrets: WebhookSecrets;
  serve: ServeApi;
}): Hono<HttpEnv> {
  const { database, clock, random } = context;
  const routes = new Hono<HttpEnv>();

  const listTeam = async (reader: Runner, merchantId: number) => {
    const members = await listMembers(reader, merchantId);
    const invitations = await listInvitations(reader, merchantId, clock.now());
    return {
      people: members.map((row) => ({
        id: row.id,
        email: row.email,
        name: row.name,
        role: row.role,
        joinedAt: formatInstant(row.created_at),
        lastSeenAt: row.last_seen_at === null ? null : formatInstant(row.last_seen_at),
      })),
      invitations: invitations.map(({ id, email, role, expires_at: at }) => ({
        ...{ id, email, role },
        expiresAt: formatInstant(at),
      })),
    };
  };

  serve(routes, operations.listPeople, async ({ caller }) => await listTeam(database, caller.merchantId));

  serve(routes, operations.invitePerson, async ({ http, caller, body }) => {
    const { merchantId, identity } = caller;
    requireRoleScopes(caller, body.role);
    if (context.mailer.isOn) await limitEmails(context, { merchantId, address: body.email });
    const { invitation, isEmailed } = await database.inTransaction(async (unit) => {
      const { expiresAt: latestExpiry } = await lockCreator(unit, caller, clock.now());
      const created = await createInvitation(unit, {
        ...{ merchantId, ...body, clock, random, latestExpiry },
        invitedBy: identity,
      });
      const isEmailed = await emailInvitation(context, unit, {
        ...{ ...created, ...body, merchantId, locale: preferredLanguage(http) },
      });
      return { invitation: created, isEmailed };
    });
    return {
      invitation: { id: invitation.id, ...body, expiresAt: formatInstant(invitation.expiresAt) },
      link: invitationLink(context.publicUrl, invitation.secret),
      is_emailed: isEmailed,
    };
  });

  serve(
    routes,
    operations.revokeInvitation,
    async ({ caller: { merchantId }, body, storeResponse }) =>
      await database.inTransaction(async (unit) => {
        if (!(await revokeInvitation(unit, merchantId, body.id, clock.now())))
          throw new Problem('not_found', 'No pending invitation has this ID.');
        const team = await listTeam(unit, merchantId);
        await storeResponse(unit, team);
        return team;
      }),
  );

  serve(routes, operations.setPersonRole, async ({ caller, body }) => {
    requireRoleScopes(caller, body.role);
    await database.inTransaction(
      async (unit) => await updateRole(unit, caller.merchantId, body.id, body.role, clock.now()),
    );
    return await listTeam(database, caller.merchantId);
  });

  serve(
    routes,
    operations.removePerson,
    async ({ caller: { merchantId }, body, storeResponse }) =>
      await database.inTransaction(async (unit) => {
        await removeMember(unit, merchantId, body.id, clock.now());
        const team = await listTeam(unit, merchantId);
        await storeResponse(unit, team);
        return team;
      }),
  );

  serve(routes, operations.listAuditEntries, async ({ caller, query }) => {
    const { person, ...filters } = query;
    const { cursor, limit, pageOf } = pagingOf(query);
    const entries = await readAuditEntries(database, caller.merchantId, {
      ...filters,
      userId: person ?? null,
      before: cursor,
      limit,
    });
    const { shown, nextCursor } = pageOf(entries);
    return { entries: shown, next_cursor: nextCursor };
  });

  serve(routes, operations.listMerchants, async ({ query }) => {
    const { cursor, limit, pageOf } = pagingOf(query);
    const rows = await listMerchants(database, { search: query.search ?? null, after: cursor ?? 0, limit });
    const { shown, nextCursor } = pageOf(rows);
    return {
      merchants: shown.map(({ id, name, created_at: at }) => ({ id, name, createdAt: formatInstant(at) })),
      next_cursor: nextCursor,
    };
  });

  serve(routes, operations.createMerchant, async ({ body }) => {
    const now = clock.now();
    const { id, callbackSecret } = await database.inTransaction(
      async (unit) => await createMerchant(unit, { name: body.name, clock, webhookSecrets }),
    );
    return {
      merchant: { id, name: body.name, createdAt: formatInstant(now) },
      callback_secret: callbackSecret,
    };
  });
  return routes;
}

/** A caller can only assign roles whose scopes it holds itself, as with access tokens. */
function requireRoleScopes({ scopes }: Principal, role: UserRole): void {
  const lacking = scopesOfRole[role].find((scope) => !scopes.has(scope));
  if (lacking !== undefined)
    throw new Problem('forbidden', `The role ${role} includes the scope ${lacking}, which you do not have.`);
}
