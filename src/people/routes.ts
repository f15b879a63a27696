import { Hono } from 'hono';
import * as operations from '../contract/operations/people.ts';
import { formatInstant } from '../contract/time.ts';
import type { ServeApi } from '../merchants/authentication.ts';
import { createMerchant, listMerchants } from '../merchants/merchants.ts';
import { lockRows, type UnitOfWork } from '../platform/database/database.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { Problem } from '../platform/problem.ts';
import { readCursor, writeCursor } from '../platform/row-cursor.ts';
import type { Principal } from '../merchants/tokens.ts';
import type { PeopleContext } from './context.ts';
import { listAuditEntries } from './audit.ts';
import { invitationLink, invite, listInvitations, takeBackInvitation } from './invitations.ts';
import { countOwners, giveRole, listPeople, roleAt } from './people.ts';
import { sessionTopic } from './sessions.ts';

const DEFAULT_PER_PAGE = 20;

/** A merchant's people and what they have done; for managers, the merchants. */
export function peopleRoutes({ context, serve }: { context: PeopleContext; serve: ServeApi }): Hono<HttpEnv> {
  const { database, clock, random } = context;
  const routes = new Hono<HttpEnv>();

  const everybody = async (merchantId: number) => {
    const people = await listPeople(database, merchantId);
    const invitations = await listInvitations(database, merchantId, clock.now());
    return {
      people: people.map((row) => ({
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

  serve(routes, operations.listPeople, async ({ caller }) => await everybody(caller.merchantId));

  serve(routes, operations.invitePerson, async ({ caller, body }) => {
    const { merchantId, identity } = caller;
    const made = await database.inUnit(
      async (unit) => await invite(unit, { merchantId, ...body, invitedBy: identity, clock, random }),
    );
    return {
      invitation: { id: made.id, ...body, expiresAt: formatInstant(made.expiresAt) },
      link: invitationLink(context.publicUrl, made.secret),
    };
  });

  serve(routes, operations.takeBackInvitation, async ({ caller, body }) => {
    const isDone = await database.inUnit(
      async (unit) => await takeBackInvitation(unit, caller.merchantId, body.id, clock.now()),
    );
    if (!isDone) throw new Problem('not_found', 'There is no such invitation that could still be followed.');
    return await everybody(caller.merchantId);
  });

  serve(routes, operations.setPersonRole, async ({ caller, body }) => {
    await database.inUnit(async (unit) => {
      await requireMember(unit, caller.merchantId, body.id);
      await giveRole(unit, body.id, { merchantId: caller.merchantId, role: body.role }, clock.now());
      await requireOwner(unit, caller.merchantId);
      unit.announce(sessionTopic(body.id));
    });
    return await everybody(caller.merchantId);
  });

  serve(routes, operations.removePerson, async ({ caller, body }) => {
    await database.inUnit(async (unit) => {
      await requireMember(unit, caller.merchantId, body.id);
      await unit.query
        .deleteFrom('memberships')
        .where('merchant_id', '=', caller.merchantId)
        .where('person_id', '=', body.id)
        .execute();
      await requireOwner(unit, caller.merchantId);
      unit.announce(sessionTopic(body.id));
    });
    return await everybody(caller.merchantId);
  });

  serve(routes, operations.listAuditEntries, async ({ caller, query }) => {
    const perPage = query.per_page ?? DEFAULT_PER_PAGE;
    const before = query.cursor === undefined ? null : readCursor(query.cursor);
    const entries = await listAuditEntries(database, caller.merchantId, {
      personId: query.person ?? null,
      before,
      limit: perPage + 1,
    });
    const shown = entries.slice(0, perPage);
    const last = shown.at(-1);
    return { entries: shown, next_cursor: entries.length > perPage && last ? writeCursor(last.id) : null };
  });

  serve(routes, operations.listMerchants, async ({ caller, query }) => {
    requireManager(caller);
    const perPage = query.per_page ?? DEFAULT_PER_PAGE;
    const after = query.cursor === undefined ? 0 : readCursor(query.cursor);
    const rows = await listMerchants(database, { search: query.search ?? null, after, limit: perPage + 1 });
    const shown = rows.slice(0, perPage);
    const last = shown.at(-1);
    return {
      merchants: shown.map(({ id, name, created_at: at }) => ({ id, name, createdAt: formatInstant(at) })),
      next_cursor: rows.length > perPage && last ? writeCursor(last.id) : null,
    };
  });

  serve(routes, operations.createMerchant, async ({ caller, body }) => {
    requireManager(caller);
    const now = clock.now();
    const { id, callbackSecret } = await database.inUnit(
      async (unit) => await createMerchant(unit, { name: body.name, clock, random }),
    );
    return {
      merchant: { id, name: body.name, createdAt: formatInstant(now) },
      callback_secret: callbackSecret,
    };
  });
  return routes;
}

function requireManager({ role }: Principal): void {
  if (role !== 'manager') throw new Problem('manager_only', 'Only a manager of the service may do this.');
}

/** Holds the merchant while its people change, so that two who go at the same time do not leave it without an owner. */
async function requireMember(unit: UnitOfWork, merchantId: number, personId: number): Promise<void> {
  await lockRows(unit, unit.query.selectFrom('merchants').select('id').where('id', '=', merchantId)).execute();
  const role = await roleAt(unit, { id: personId, isManager: false }, merchantId);
  if (role === null) throw new Problem('not_found', 'There is no such person in the team.');
}

async function requireOwner(unit: UnitOfWork, merchantId: number): Promise<void> {
  if ((await countOwners(unit, merchantId)) === 0)
    throw new Problem('last_owner', 'It is the last owner. Make somebody else an owner first.');
}
