import { findMerchant, listMerchantNames, lockMerchant } from '../merchants/merchants.ts';
import type { Runner } from '../database/engine.ts';
import { db, type Person, personRecord } from './schema.ts';
import { allScopes } from '../shared/scopes.ts';
import { type PersonRole, scopesOfRole } from '../shared/roles.ts';
import type { Instant } from '../shared/time.ts';
import { revokeTokensBeyond } from './tokens.ts';
import { type UnitOfWork } from '../database/database.ts';
import { Problem } from '../api/problem-error.ts';
import { sessionTopic } from './sessions.ts';

/** What a person is for a merchant. */
export interface Membership {
  merchantId: number;
  merchantName: string;
  role: PersonRole;
}

type Reading = Runner;

function people(on: Reading) {
  return db(on).selectFrom('people').select(personRecord.columns);
}

export async function findPerson(on: Reading, id: number): Promise<Person | null> {
  const row = await people(on).where('id', '=', id).executeTakeFirst();
  return row ? personRecord.read(row) : null;
}

/** `email` is in lower case. */
export async function findPersonByEmail(on: Reading, email: string): Promise<Person | null> {
  const row = await people(on).where('email', '=', email).executeTakeFirst();
  return row ? personRecord.read(row) : null;
}

export function accountExists(email: string): Problem {
  return new Problem('account_exists', `${email} has an account already. Sign in with it, and accept the invitation.`);
}

/** Throws `account_exists`, also where somebody else has just made an account of the address. */
export async function makePerson(
  unit: UnitOfWork,
  person: { email: string; name: string; passwordHash?: string; now: Instant },
): Promise<number> {
  const made = await db(unit)
    .insertInto('people')
    .values(
      personRecord.write({
        email: person.email,
        name: person.name,
        isManager: false,
        passwordHash: person.passwordHash ?? null,
        secondFactor: null,
        secondFactorStep: 0,
        newSecondFactor: null,
        createdAt: person.now,
        updatedAt: person.now,
      }),
    )
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) throw accountExists(person.email);
  return made.id;
}

/** Changes what is given. */
export async function updatePerson(
  unit: UnitOfWork,
  id: number,
  change: Partial<Omit<Person, 'id' | 'email'>>,
  now: Instant,
): Promise<void> {
  await db(unit)
    .updateTable('people')
    .set(personRecord.write({ ...change, updatedAt: now }))
    .where('id', '=', id)
    .execute();
}

/** Gives a person a role; what they had at that merchant before is over. */
export async function giveRole(
  unit: UnitOfWork,
  personId: number,
  given: { merchantId: number | null; role: PersonRole },
  now: Instant,
): Promise<void> {
  if (given.role === 'manager') return await updatePerson(unit, personId, { isManager: true }, now);
  if (given.merchantId === null) throw new Error('A role at no merchant');
  await db(unit)
    .insertInto('memberships')
    .values({ merchant_id: given.merchantId, person_id: personId, role: given.role, created_at: now })
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'person_id']).doUpdateSet({ role: given.role as 'owner' }),
    )
    .execute();
}

/** Merchants that a manager, who is one for all, is shown at once. */
const MOST_SHOWN = 100;

export async function hasPasskey(on: Reading, personId: number): Promise<boolean> {
  const passkey = await db(on)
    .selectFrom('passkeys')
    .select('id')
    .where('person_id', '=', personId)
    .limit(1)
    .executeTakeFirst();
  return passkey !== undefined;
}

/** Whether a person has more than a password. */
export async function isProtected(on: Reading, { id, secondFactor }: Person): Promise<boolean> {
  return secondFactor !== null || (await hasPasskey(on, id));
}

/** For whom a person is what, by name. */
export async function listMemberships(
  on: Reading,
  { id, isManager }: Pick<Person, 'id' | 'isManager'>,
): Promise<Membership[]> {
  if (isManager) {
    const all = await listMerchantNames(on, { limit: MOST_SHOWN });
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

/** What somebody is for a merchant; null for who is nothing there. */
export async function roleAt(
  on: Reading,
  { id, isManager }: Pick<Person, 'id' | 'isManager'>,
  merchantId: number,
): Promise<PersonRole | null> {
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

/** A merchant's people, in the order in which they came. */
export async function listPeople(on: Reading, merchantId: number) {
  const members = await db(on)
    .selectFrom('memberships')
    .innerJoin('people', 'people.id', 'memberships.person_id')
    .select(['people.id', 'people.email', 'people.name', 'memberships.role', 'memberships.created_at'])
    .where('memberships.merchant_id', '=', merchantId)
    .orderBy('memberships.id')
    .execute();
  return await withLastSeen(on, members);
}

/** Managers of the service, in the order in which they came. */
export async function listManagers(on: Reading) {
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

async function withLastSeen<Row extends { id: number }>(on: Reading, people: readonly Row[]) {
  const ids = people.map(({ id }) => id);
  const seen = ids.length
    ? await db(on)
        .selectFrom('sessions')
        .select((row) => ['person_id', row.fn.max('last_used_at').as('at')])
        .where('person_id', 'in', ids)
        .groupBy('person_id')
        .execute()
    : [];
  const lastSeen = new Map(seen.map((row) => [row.person_id, row.at]));
  return people.map((row) => ({ ...row, last_seen_at: lastSeen.get(row.id) ?? null }));
}

/**
 * Changes what a person is for a merchant, which is held meanwhile so that two changes at the same time cannot
 * leave it without an owner. `change` is told the role from before. Throws `last_owner`.
 */
export async function changeMember(
  unit: UnitOfWork,
  merchantId: number,
  personId: number,
  now: Instant,
  change: (before: PersonRole | null) => Promise<void>,
): Promise<void> {
  await lockMerchant(unit, merchantId);
  const before = await roleAt(unit, { id: personId, isManager: false }, merchantId);
  await change(before);
  if (before === 'owner' && !(await hasOwner(unit, merchantId)))
    throw new Problem('last_owner', 'It is the last owner. Make somebody else an owner first.');
  await endBeyondRole(unit, merchantId, personId, now);
  unit.announce(sessionTopic(personId));
}

/**
 * Ends what a person created for a merchant that their present role could not create: access tokens with scopes
 * that they lack, and open invitations where they may not invite.
 */
export async function endBeyondRole(
  unit: UnitOfWork,
  merchantId: number,
  personId: number,
  now: Instant,
): Promise<void> {
  const person = await findPerson(unit, personId);
  const role = person && (await roleAt(unit, person, merchantId));
  const scopes = allScopes(role === null ? [] : scopesOfRole[role]);
  const creator = `person ${personId}`;
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

async function hasOwner(on: Reading, merchantId: number): Promise<boolean> {
  const owner = await db(on)
    .selectFrom('memberships')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('role', '=', 'owner')
    .limit(1)
    .executeTakeFirst();
  return owner !== undefined;
}

/** Gives a member another role. Throws `not_found` for who is none, and `last_owner`. */
export async function setRole(
  unit: UnitOfWork,
  merchantId: number,
  personId: number,
  role: Exclude<PersonRole, 'manager'>,
  now: Instant,
): Promise<void> {
  await changeMember(unit, merchantId, personId, now, async (before) => {
    requireMember(before);
    await giveRole(unit, personId, { merchantId, role }, now);
  });
}

/** Takes a person out of a merchant. Throws `not_found` for who is no member, and `last_owner`. */
export async function removeMember(
  unit: UnitOfWork,
  merchantId: number,
  personId: number,
  now: Instant,
): Promise<void> {
  await changeMember(unit, merchantId, personId, now, async (before) => {
    requireMember(before);
    await db(unit)
      .deleteFrom('memberships')
      .where('merchant_id', '=', merchantId)
      .where('person_id', '=', personId)
      .execute();
  });
}

function requireMember(role: PersonRole | null): void {
  if (role === null) throw new Problem('not_found', 'There is no such person in the team.');
}

/** Merchants that a user is a member of. */
export async function merchantsOf(on: Reading, personId: number): Promise<number[]> {
  const rows = await db(on).selectFrom('memberships').select('merchant_id').where('person_id', '=', personId).execute();
  return rows.map((row) => row.merchant_id);
}

/** Whether a merchant has a member. */
export async function hasMembers(on: Reading, merchantId: number): Promise<boolean> {
  const member = await db(on)
    .selectFrom('memberships')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .limit(1)
    .executeTakeFirst();
  return member !== undefined;
}

/** Merchants for which a user created access tokens or invitations. */
export async function merchantsServedBy(unit: UnitOfWork, personId: number): Promise<number[]> {
  const creator = `person ${personId}`;
  const tokens = db(unit).selectFrom('access_tokens').select('merchant_id').where('created_by', '=', creator);
  const invitations = db(unit).selectFrom('invitations').select('merchant_id').where('invited_by', '=', creator);
  const rows = await tokens
    .union(invitations.where('merchant_id', 'is not', null).$narrowType<{ merchant_id: number }>())
    .execute();
  return rows.map((row) => row.merchant_id);
}
