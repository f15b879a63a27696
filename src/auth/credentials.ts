import { db, type User } from './schema.ts';
import type { AccountSecurity } from '../api/account.ts';
import { formatInstant } from '../shared/time.ts';
import { hashSecret } from './tokens.ts';
import { lockRows, type UnitOfWork } from '../database/database.ts';
import { Problem } from '../api/problem-error.ts';
import type { AuthContext } from './context.ts';
import { hasStrongCredential, updateUser } from './users.ts';
import { generateRecoveryCodes } from './second-factor.ts';
import { listSessions, type Session } from './sessions.ts';
import { wrongCode, requireUser } from './sign-in.ts';

/** A user's credentials and active sessions. */
export async function readCredentials(context: AuthContext, session: Session): Promise<AccountSecurity> {
  const { database } = context;
  const user = await requireUser(context, session.userId);
  const passkeys = await db(database)
    .selectFrom('passkeys')
    .select(['id', 'name', 'is_synced', 'created_at', 'last_used_at'])
    .where('person_id', '=', user.id)
    .orderBy('id')
    .execute();
  const { left } = await db(database)
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('person_id', '=', user.id)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  const sessions = await listSessions(database, user.id, context.clock.now());
  return {
    passkeys: passkeys.map((row) => ({
      id: row.id,
      name: row.name,
      isSynced: row.is_synced === 1,
      createdAt: formatInstant(row.created_at),
      lastUsedAt: row.last_used_at === null ? null : formatInstant(row.last_used_at),
    })),
    hasPassword: user.passwordHash !== null,
    hasSecondFactor: user.secondFactor !== null,
    recoveryCodesLeft: user.secondFactor === null ? 0 : left,
    sessions: sessions.map((row) => ({
      id: row.id,
      isCurrent: row.id === session.id,
      method: row.method,
      address: row.address,
      userAgent: row.user_agent,
      createdAt: formatInstant(row.created_at),
      lastUsedAt: formatInstant(row.last_used_at),
      expiresAt: formatInstant(row.expires_at),
    })),
  };
}

/** True if a user's only credential is a password. */
export async function hasOnlyPassword({ database }: AuthContext, user: User): Promise<boolean> {
  return user.passwordHash !== null && !(await hasStrongCredential(database, user));
}

/** Creates an authenticator secret, which takes effect once a code confirms it. */
export async function startSecondFactorSetup(context: AuthContext, user: User) {
  const { sealed, secret, uri } = context.secondFactors.create(user.id, user.email);
  const now = context.clock.now();
  await context.database.inTransaction(
    async (unit) => await updateUser(unit, user.id, { newSecondFactor: sealed }, now),
  );
  return { secret, uri };
}

/** Activates the new authenticator; returns recovery codes. */
export async function confirmSecondFactor(
  context: AuthContext,
  unit: UnitOfWork,
  user: User,
  code: string,
): Promise<string[]> {
  const { newSecondFactor, secondFactor } = user;
  if (newSecondFactor === null)
    throw new Problem('second_factor_not_started', 'No second factor setup is in progress. Start again.');
  const now = context.clock.now();
  const timeStep = context.secondFactors.timeStepOf(user.id, newSecondFactor, code, { now, after: 0 });
  if (timeStep === null) throw wrongCode();
  const { numUpdatedRows } = await db(unit)
    .updateTable('people')
    .set({ second_factor: newSecondFactor, new_second_factor: null, second_factor_step: timeStep, updated_at: now })
    .where('id', '=', user.id)
    .where('new_second_factor', '=', newSecondFactor)
    .where('second_factor', secondFactor === null ? 'is' : '=', secondFactor)
    .executeTakeFirstOrThrow();
  // Only one of two concurrent confirmations succeeds.
  if (numUpdatedRows !== 1n) throw wrongCode();
  await db(unit).deleteFrom('recovery_codes').where('person_id', '=', user.id).execute();
  const codes = generateRecoveryCodes(context.random);
  await db(unit)
    .insertInto('recovery_codes')
    .values(codes.map((each) => ({ person_id: user.id, hash: hashSecret(each), used_at: null })))
    .execute();
  return codes;
}

export async function removeSecondFactor({ clock }: AuthContext, unit: UnitOfWork, userId: number): Promise<void> {
  await updateUser(unit, userId, { secondFactor: null }, clock.now());
  await db(unit).deleteFrom('recovery_codes').where('person_id', '=', userId).execute();
}

/** Removes a passkey, unless it is the user's last credential. */
export async function removePasskey(unit: UnitOfWork, userId: number, id: number): Promise<void> {
  // Two passkeys removed at the same time must not both be seen as not the last one.
  const user = await lockRows(
    unit,
    db(unit).selectFrom('people').select('password_hash').where('id', '=', userId),
  ).executeTakeFirstOrThrow();
  const passkeys = await db(unit).selectFrom('passkeys').select('id').where('person_id', '=', userId).execute();
  if (!passkeys.some((passkey) => passkey.id === id)) throw new Problem('not_found', 'You have no such passkey.');
  if (passkeys.length === 1 && user.password_hash === null)
    throw new Problem(
      'last_credential',
      'This is your only sign-in method. Add another passkey or set a password first.',
    );
  await db(unit).deleteFrom('passkeys').where('id', '=', id).execute();
}
