import { findMerchant, listMerchantNames, lockMerchant } from '../merchants/merchants.ts';
import type { Runner } from '../database/engine.ts';
import { db, type User, userRecord } from './schema.ts';
import type { MailMember } from '../mail/outbox.ts';
import { allScopes, type TokenScope } from '../shared/scopes.ts';
import { merchantRoles, type UserRole, scopesOfRole } from '../shared/roles.ts';
import type { Instant } from '../shared/time.ts';
import { revokeTokensBeyond } from './tokens.ts';
import { type UnitOfWork } from '../database/database.ts';
import { Problem } from '../api/problem-error.ts';
import { sessionTopic } from './sessions.ts';

/** A user's role at a merchant. */
export interface Membership {
  merchantId: number;
  merchantName: string;
  role: UserRole;
}

function selectUsers(on: Runner) {
  return db(on).selectFrom('people').select(userRecord.columns);
}

export async function findUser(on: Runner, id: number): Promise<User | null> {
  const row = await selectUsers(on).where('id', '=', id).executeTakeFirst();
  return row ? userRecord.read(row) : null;
}

/** `email` is in lower case. */
export async function findUserByEmail(on: Runner, email: string): Promise<User | null> {
  const row = await selectUsers(on).where('email', '=', email).executeTakeFirst();
  return row ? userRecord.read(row) : null;
}

export function accountExists(email: string): Problem {
  return new Problem('account_exists', `${email} already has an account. Sign in with it and accept the invitation.`);
}

/** Creates a user. Throws `account_exists`, even if a concurrent request has just created the account. */
export async function createUser(
  unit: UnitOfWork,
  user: { email: string; name: string; passwordHash?: string; now: Instant },
): Promise<number> {
  const created = await db(unit)
    .insertInto('people')
    .values(
      userRecord.write({
        email: user.email,
        name: user.name,
        isManager: false,
        passwordHash: user.passwordHash ?? null,
        secondFactor: null,
        secondFactorStep: 0,
        newSecondFactor: null,
        locale: null,
        createdAt: user.now,
        updatedAt: user.now,
      }),
    )
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!created) throw accountExists(user.email);
  return created.id;
}

export async function updateUser(
  unit: UnitOfWork,
  id: number,
  change: Partial<Omit<User, 'id' | 'email'>>,
  now: Instant,
): Promise<void> {
  await db(unit)
    .updateTable('people')
    .set(userRecord.write({ ...change, updatedAt: now }))
    .where('id', '=', id)
    .execute();
}

/** Assigns a role to a user; replaces their previous role at that merchant. */
export async function assignRole(
  unit: UnitOfWork,
  userId: number,
  assignment: { merchantId: number | null; role: UserRole },
  now: Instant,
): Promise<void> {
  if (assignment.role === 'manager') return await updateUser(unit, userId, { isManager: true }, now);
  if (assignment.merchantId === null) throw new Error('This role requires a merchant');
  await db(unit)
    .insertInto('memberships')
    .values({ merchant_id: assignment.merchantId, person_id: userId, role: assignment.role, created_at: now })
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'person_id']).doUpdateSet({ role: assignment.role as 'owner' }),
    )
    .execute();
}

/** Maximum merchants listed for a manager, whose role covers all of them. */
const MAX_LISTED = 100;

export async function hasPasskey(on: Runner, userId: number): Promise<boolean> {
  const passkey = await db(on)
    .selectFrom('passkeys')
    .select('id')
    .where('person_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return passkey !== undefined;
}

/** True if a user has more than a password. */
export async function hasStrongCredential(on: Runner, { id, secondFactor }: User): Promise<boolean> {
  return secondFactor !== null || (await hasPasskey(on, id));
}

/** A user's roles, ordered by merchant name. */
export async function listMemberships(
  on: Runner,
  { id, isManager }: Pick<User, 'id' | 'isManager'>,
): Promise<Membership[]> {
  if (isManager) {
    const all = await listMerchantNames(on, { limit: MAX_LISTED });
    return byName(all.map((row) => ({ merchantId: row.id, merchantName: row.name, role: 'manager' as const })));
  }
  const rows = await db(on)
    .selectFrom('memberships')
    .select(['merchant_id', 'role'])
    .where('person_id', '=', id)
    .execute();
  const roles = new Map(rows.map((row) => [row.merchant_id, row.role]));
  if (roles.size === 0) return [];
  const names = await listMerchantNames(on, { ids: [...roles.keys()], limit: roles.size });
  return byName(
    names.map((row) => ({ merchantId: row.id, merchantName: row.name, role: roles.get(row.id) ?? 'viewer' })),
  );
}

function byName(all: Membership[]): Membership[] {
  return all.sort((a, b) => a.merchantName.localeCompare(b.merchantName, 'en') || a.merchantId - b.merchantId);
}

/** A user's role at a merchant; null if they are not a member. */
export async function findRole(
  on: Runner,
  { id, isManager }: Pick<User, 'id' | 'isManager'>,
  merchantId: number,
): Promise<UserRole | null> {
  if (isManager) {
    return (await findMerchant(on, merchantId)) ? 'manager' : null;
  }
  const row = await db(on)
    .selectFrom('memberships')
    .select('role')
    .where('merchant_id', '=', merchantId)
    .where('person_id', '=', id)
    .executeTakeFirst();
  return row?.role ?? null;
}

/** A merchant's members, in the order in which they joined. */
export async function listMembers(on: Runner, merchantId: number) {
  const members = await db(on)
    .selectFrom('memberships')
    .innerJoin('people', 'people.id', 'memberships.person_id')
    .select(['people.id', 'people.email', 'people.name', 'memberships.role', 'memberships.created_at'])
    .where('memberships.merchant_id', '=', merchantId)
    .orderBy('memberships.id')
    .execute();
  return await withLastSeen(on, members);
}

/** A merchant's members whose roles include a scope, with the language of their emails. */
export async function listMailMembers(on: Runner, merchantId: number, scope: TokenScope): Promise<MailMember[]> {
  const roles = merchantRoles.filter((role) => allScopes(scopesOfRole[role]).has(scope));
  return await db(on)
    .selectFrom('memberships')
    .innerJoin('people', 'people.id', 'memberships.person_id')
    .select(['people.id', 'people.email', 'people.locale'])
    .where('memberships.merchant_id', '=', merchantId)
    .where('memberships.role', 'in', roles)
    .orderBy('memberships.id')
    .execute();
}

/** Managers of the service, in creation order. */
export async function listManagers(on: Runner) {
  const managers = await db(on)
    .selectFrom('people')
    .select(['id', 'email', 'name', 'created_at'])
    .where('is_manager', '=', 1)
    .orderBy('id')
    .execute();
  return await withLastSeen(
    on,
    managers.map((row) => ({ ...row, role: 'manager' as const })),
  );
}

async function withLastSeen<Row extends { id: number }>(on: Runner, users: readonly Row[]) {
  const ids = users.map(({ id }) => id);
  const seen = ids.length
    ? await db(on)
        .selectFrom('sessions')
        .select((row) => ['person_id', row.fn.max('last_used_at').as('at')])
        .where('person_id', 'in', ids)
        .groupBy('person_id')
        .execute()
    : [];
  const lastSeen = new Map(seen.map((row) => [row.person_id, row.at]));
  return users.map((row) => ({ ...row, last_seen_at: lastSeen.get(row.id) ?? null }));
}

/**
 * Changes a user's role at a merchant. Locks the merchant, so that two concurrent changes cannot leave it without
 * an owner. `change` receives the previous role. Throws `last_owner`.
 */
export async function changeMembership(
  unit: UnitOfWork,
  merchantId: number,
  userId: number,
  now: Instant,
  change: (before: UserRole | null) => Promise<void>,
): Promise<void> {
  await lockMerchant(unit, merchantId);
  const before = await findRole(unit, { id: userId, isManager: false }, merchantId);
  await change(before);
  if (before === 'owner' && !(await hasOwner(unit, merchantId)))
    throw new Problem('last_owner', 'This is the last owner. Make another member an owner first.');
  await revokeBeyondRole(unit, merchantId, userId, now);
  unit.announce(sessionTopic(userId));
}

/**
 * Revokes a user's access tokens and invitations for a merchant that exceed their current role. These are tokens with
 * scopes that they lack, and pending invitations if they may not invite.
 */
export async function revokeBeyondRole(
  unit: UnitOfWork,
  merchantId: number,
  userId: number,
  now: Instant,
): Promise<void> {
  const user = await findUser(unit, userId);
  const role = user && (await findRole(unit, user, merchantId));
  const scopes = allScopes(role === null ? [] : scopesOfRole[role]);
  const creator = `person ${userId}`;
  await revokeTokensBeyond(unit, { merchantId, creator, scopes, now });
  if (scopes.has('team:manage')) return;
  await db(unit)
    .updateTable('invitations')
    .set({ accepted_at: now })
    .where('merchant_id', '=', merchantId)
    .where('invited_by', '=', creator)
    .where('accepted_at', 'is', null)
    .execute();
}

async function hasOwner(on: Runner, merchantId: number): Promise<boolean> {
  const owner = await db(on)
    .selectFrom('memberships')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('role', '=', 'owner')
    .limit(1)
    .executeTakeFirst();
  return owner !== undefined;
}

/** Changes a member's role. Throws `not_found` for users who are not members, and `last_owner`. */
export async function updateRole(
  unit: UnitOfWork,
  merchantId: number,
  userId: number,
  role: Exclude<UserRole, 'manager'>,
  now: Instant,
): Promise<void> {
  await changeMembership(unit, merchantId, userId, now, async (before) => {
    requireMember(before);
    await assignRole(unit, userId, { merchantId, role }, now);
  });
}

/** Removes a member. Throws `not_found` for users who are not members, and `last_owner`. */
export async function removeMember(unit: UnitOfWork, merchantId: number, userId: number, now: Instant): Promise<void> {
  await changeMembership(unit, merchantId, userId, now, async (before) => {
    requireMember(before);
    await db(unit)
      .deleteFrom('memberships')
      .where('merchant_id', '=', merchantId)
      .where('person_id', '=', userId)
      .execute();
  });
}

function requireMember(role: UserRole | null): void {
  if (role === null) throw new Problem('not_found', 'This user is not a member of the team.');
}

/** Merchants that a user is a member of. */
export async function listMerchantIds(on: Runner, userId: number): Promise<number[]> {
  const rows = await db(on).selectFrom('memberships').select('merchant_id').where('person_id', '=', userId).execute();
  return rows.map((row) => row.merchant_id);
}

/** True if a merchant has at least one member. */
export async function hasMembers(on: Runner, merchantId: number): Promise<boolean> {
  const member = await db(on)
    .selectFrom('memberships')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .limit(1)
    .executeTakeFirst();
  return member !== undefined;
}

/** Merchants for which a user created access tokens or invitations. */
export async function listMerchantIdsByCreator(unit: UnitOfWork, userId: number): Promise<number[]> {
  const creator = `person ${userId}`;
  const tokens = db(unit).selectFrom('access_tokens').select('merchant_id').where('created_by', '=', creator);
  const invitations = db(unit).selectFrom('invitations').select('merchant_id').where('invited_by', '=', creator);
  const rows = await tokens
    .union(invitations.where('merchant_id', 'is not', null).$narrowType<{ merchant_id: number }>())
    .execute();
  return rows.map((row) => row.merchant_id);
}
