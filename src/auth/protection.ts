import { db, type Person } from './schema.ts';
import type { Protection } from '../api/account.ts';
import { formatInstant } from '../shared/time.ts';
import { hashSecret } from './tokens.ts';
import type { UnitOfWork } from '../database/database.ts';
import { Problem } from '../api/problem-error.ts';
import type { PeopleContext } from './context.ts';
import { isProtected, updatePerson } from './users.ts';
import { newRecoveryCodes } from './second-factor.ts';
import { listSessions, type Session } from './sessions.ts';
import { codeRefused, requirePerson } from './sign-in.ts';

/** How somebody's account is protected, and where it is open. */
export async function readProtection(context: PeopleContext, session: Session): Promise<Protection> {
  const { database } = context;
  const person = await requirePerson(context, session.personId);
  const passkeys = await db(database)
    .selectFrom('passkeys')
    .select(['id', 'name', 'is_synced', 'created_at', 'last_used_at'])
    .where('person_id', '=', person.id)
    .orderBy('id')
    .execute();
  const { left } = await db(database)
    .selectFrom('recovery_codes')
    .select((row) => row.fn.countAll<number>().as('left'))
    .where('person_id', '=', person.id)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  const sessions = await listSessions(database, person.id, context.clock.now());
  return {
    passkeys: passkeys.map((row) => ({
      id: row.id,
      name: row.name,
      isSynced: row.is_synced === 1,
      createdAt: formatInstant(row.created_at),
      lastUsedAt: row.last_used_at === null ? null : formatInstant(row.last_used_at),
    })),
    hasPassword: person.passwordHash !== null,
    hasSecondFactor: person.secondFactor !== null,
    recoveryCodesLeft: person.secondFactor === null ? 0 : left,
    sessions: sessions.map((row) => ({
      id: row.id,
      isThisOne: row.id === session.id,
      method: row.method,
      address: row.address,
      userAgent: row.user_agent,
      createdAt: formatInstant(row.created_at),
      lastUsedAt: formatInstant(row.last_used_at),
      expiresAt: formatInstant(row.expires_at),
    })),
  };
}

/** Whether somebody comes in by a password and nothing else. */
export async function isWeaklyProtected({ database }: PeopleContext, person: Person): Promise<boolean> {
  return person.passwordHash !== null && !(await isProtected(database, person));
}

/** A secret for an authenticator, which counts once a code of it was given. */
export async function beginSecondFactor(context: PeopleContext, person: Person) {
  const { kept, secret, uri } = context.secondFactors.make(person.id, person.email);
  const now = context.clock.now();
  await context.database.inTransaction(async (unit) => await updatePerson(unit, person.id, { newSecondFactor: kept }, now));
  return { secret, uri };
}

/** From now on the new authenticator counts; answers the codes for the day on which it is lost. */
export async function confirmSecondFactor(
  context: PeopleContext,
  unit: UnitOfWork,
  person: Person,
  code: string,
): Promise<string[]> {
  const { newSecondFactor, secondFactor } = person;
  if (newSecondFactor === null)
    throw new Problem('second_factor_not_begun', 'No second factor is being set up. Begin once more.');
  const now = context.clock.now();
  const period = context.secondFactors.periodOf(person.id, newSecondFactor, code, { now, after: 0 });
  if (period === null) throw codeRefused();
  const { numUpdatedRows } = await db(unit)
    .updateTable('people')
    .set({ second_factor: newSecondFactor, new_second_factor: null, second_factor_step: period, updated_at: now })
    .where('id', '=', person.id)
    .where('new_second_factor', '=', newSecondFactor)
    .where('second_factor', secondFactor === null ? 'is' : '=', secondFactor)
    .executeTakeFirstOrThrow();
  // Of two that come at once, one is too late.
  if (numUpdatedRows !== 1n) throw codeRefused();
  await db(unit).deleteFrom('recovery_codes').where('person_id', '=', person.id).execute();
  const codes = newRecoveryCodes(context.random);
  await db(unit)
    .insertInto('recovery_codes')
    .values(codes.map((each) => ({ person_id: person.id, hash: hashSecret(each), used_at: null })))
    .execute();
  return codes;
}

export async function removeSecondFactor({ clock }: PeopleContext, unit: UnitOfWork, personId: number): Promise<void> {
  await updatePerson(unit, personId, { secondFactor: null }, clock.now());
  await db(unit).deleteFrom('recovery_codes').where('person_id', '=', personId).execute();
}

/** Takes a passkey away, unless nothing else would let its owner in. */
export async function removePasskey(unit: UnitOfWork, person: Person, id: number): Promise<void> {
  const own = await db(unit).selectFrom('passkeys').select('id').where('person_id', '=', person.id).execute();
  if (!own.some((passkey) => passkey.id === id)) throw new Problem('not_found', 'You have no such passkey.');
  if (own.length === 1 && person.passwordHash === null)
    throw new Problem('last_way_in', 'It is your only way to sign in. Add another passkey or set a password first.');
  await db(unit).deleteFrom('passkeys').where('id', '=', id).execute();
}
