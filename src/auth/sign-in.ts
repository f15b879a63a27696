import { db, type User } from './schema.ts';
import type { Origin } from '../audit/audit-log.ts';
import type { SignInStep } from '../api/account.ts';
import { hashSecret } from './tokens.ts';
import type { UnitOfWork } from '../database/database.ts';
import { Problem, validationProblem } from '../api/problem-error.ts';
import type { AuthContext } from './context.ts';
import { findUser, findUserByEmail, hasPasskey, hasStrongCredential, updateUser } from './users.ts';
import { recordSignIn } from './new-sign-in.ts';
import { normalizeRecoveryCode } from './second-factor.ts';
import { createSession, endSessions, markSteppedUp, type Session, wasSteppedUp } from './sessions.ts';
import { passwordWeakness } from './passwords.ts';

/** The result of a sign-in step: the session cookie's secret and the next step. */
export interface SignInResult {
  /** Null if the user must sign in with their passkey: no session exists yet. */
  secret: string | null;
  next: SignInStep;
  userId: number;
}

/** Counts a sign-in attempt against the limits of its IP address and email address. */
export async function countSignInAttempt(context: AuthContext, origin: Origin, email: string | null): Promise<void> {
  await context.enforceRateLimit('sign_in_address', origin.address);
  if (email !== null) await context.enforceRateLimit('sign_in_user', email);
}

/**
 * Counts an attempt after a password or in a session. Anonymous attempts are counted separately: they must not prevent
 * these. Only the user is counted, because colleagues share an IP address.
 */
export async function countConfirmation(context: AuthContext, userId: number): Promise<void> {
  await context.enforceRateLimit('sign_in_user', `user ${userId}`);
}

/** The same error for unknown users and wrong passwords, so that it does not reveal who has an account. */
export function signInFailed(): Problem {
  return new Problem('sign_in_failed', 'The email address or the password is wrong.');
}

/** Signs in with a password. A second factor follows if the user has one; production requires one, or a passkey. */
export async function signInWithPassword(
  context: AuthContext,
  credentials: { email: string; password: string },
  origin: Origin,
): Promise<SignInResult> {
  await countSignInAttempt(context, origin, credentials.email);
  const user = await findUserByEmail(context.database, credentials.email);
  const isCorrect = await context.passwords.verify(credentials.password, user?.passwordHash ?? null);
  if (!user || !isCorrect) throw signInFailed();
  return await context.database.inTransaction(
    async (unit) => await createSignInSession(context, unit, user, 'password', origin),
  );
}

/** Creates a session after a verified password or passkey. */
export async function createSignInSession(
  context: AuthContext,
  unit: UnitOfWork,
  user: Pick<User, 'id' | 'secondFactor'>,
  method: Session['method'],
  origin: Origin,
): Promise<SignInResult> {
  const { id: userId } = user;
  const ownsPasskey = await hasPasskey(unit, userId);
  const step = nextStep(context, { ...user, ownsPasskey }, method);
  if (step === 'passkey') return { secret: null, next: step, userId };
  const isSteppedUp = step === 'done' && (method === 'passkey' || !ownsPasskey);
  if (step === 'done') await recordSignIn(context, unit, userId, origin);
  const secret = await createSession(unit, { ...context, userId, method, step, isSteppedUp, origin });
  return { secret, next: step, userId };
}

/** A passkey counts as two factors: possession and user verification. */
function nextStep(
  { environment }: AuthContext,
  { secondFactor, ownsPasskey }: Pick<User, 'secondFactor'> & { ownsPasskey: boolean },
  method: Session['method'],
): SignInStep {
  if (method === 'passkey') return 'done';
  if (secondFactor !== null) return 'second_factor';
  if (environment !== 'production') return 'done';
  return ownsPasskey ? 'passkey' : 'set_up_second_factor';
}

/** The second step: an authenticator code or recovery code. Creates a new session with a new cookie. */
export async function signInWithSecondFactor(
  context: AuthContext,
  session: Session,
  code: string,
  origin: Origin,
): Promise<SignInResult> {
  const user = await requireUser(context, session.userId);
  await countConfirmation(context, user.id);
  return await context.database.inTransaction(async (unit) => {
    if (!(await consumeCode(context, unit, user, code))) throw wrongCode();
    return await completeSignIn(context, unit, session, origin);
  });
}

/** Replaces a session limited to one sign-in step with a full one. */
export async function completeSignIn(
  context: AuthContext,
  unit: UnitOfWork,
  session: Session,
  origin: Origin,
): Promise<SignInResult> {
  await endSessions(unit, session.userId, { id: session.id }, context.clock.now());
  const { userId, method } = session;
  await recordSignIn(context, unit, userId, origin);
  const secret = await createSession(unit, { ...context, userId, method, step: 'done', origin, isSteppedUp: true });
  return { secret, next: 'done', userId };
}

/** Confirms the user's identity with an authenticator code or recovery code. */
export async function stepUpWithSecondFactor(context: AuthContext, session: Session, code: string): Promise<void> {
  const user = await requireUser(context, session.userId);
  await countConfirmation(context, user.id);
  await context.database.inTransaction(async (unit) => {
    if (!(await consumeCode(context, unit, user, code))) throw wrongCode();
    await markSteppedUp(unit, session, context.clock.now());
  });
}

/** Confirms the user's identity with one of their passkeys. */
export async function stepUpWithPasskey(context: AuthContext, session: Session, response: unknown): Promise<void> {
  // Separate: wrong codes of someone who knows the password must not prevent it.
  await context.enforceRateLimit('sign_in_user', `passkey of user ${session.userId}`);
  await context.passkeys.verifyAuthentication(`step up session ${session.id}`, response, session.userId);
  await context.database.inTransaction(async (unit) => await markSteppedUp(unit, session, context.clock.now()));
}

/** Confirms the identity of a user with neither a second factor nor a passkey with their password. */
export async function stepUpWithPassword(context: AuthContext, session: Session, password: string): Promise<void> {
  const user = await requireUser(context, session.userId);
  if (await hasStrongCredential(context.database, user)) throw stepUpRequired();
  await countConfirmation(context, user.id);
  if (!(await context.passwords.verify(password, user.passwordHash))) throw signInFailed();
  await context.database.inTransaction(async (unit) => await markSteppedUp(unit, session, context.clock.now()));
}

/** Changing credentials requires a recent confirmation of identity. */
export function requireSteppedUp({ clock }: AuthContext, session: Session): void {
  if (!wasSteppedUp(session, clock.now())) throw stepUpRequired();
}

function stepUpRequired(): Problem {
  return new Problem(
    'step_up_required',
    'Confirm your identity first: with an authenticator code, a recovery code or a passkey, or with your password if you have none of these.',
  );
}

/** Uses an authenticator or recovery code; false if it is wrong or was used before. */
async function consumeCode(
  { secondFactors, clock }: AuthContext,
  unit: UnitOfWork,
  user: User,
  code: string,
): Promise<boolean> {
  if (user.secondFactor === null) return false;
  const now = clock.now();
  const after = user.secondFactorStep;
  const timeStep = secondFactors.timeStepOf(user.id, user.secondFactor, code, { now, after });
  if (timeStep !== null) {
    // Only one of two concurrent requests with the same code succeeds.
    const { numUpdatedRows } = await db(unit)
      .updateTable('people')
      .set({ second_factor_step: timeStep })
      .where('id', '=', user.id)
      .where('second_factor_step', '<', timeStep)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }
  const recovery = normalizeRecoveryCode(code);
  if (recovery === null) return false;
  const { numUpdatedRows } = await db(unit)
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('hash', '=', hashSecret(recovery))
    .where('person_id', '=', user.id)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export function wrongCode(): Problem {
  return new Problem('second_factor_invalid', 'The code is wrong or was used before. Wait for the next one.');
}

export async function requireUser({ database }: AuthContext, id: number): Promise<User> {
  const user = await findUser(database, id);
  if (!user) throw new Error('The user of a session does not exist');
  return user;
}

/** Sets a password, and ends the user's other sessions. */
export async function changePassword(
  context: AuthContext,
  unit: UnitOfWork,
  { userId, hash, keepSessionId }: { userId: number; hash: string; keepSessionId: number | null },
): Promise<void> {
  const now = context.clock.now();
  await updateUser(unit, userId, { passwordHash: hash }, now);
  await endSessions(unit, userId, { allBut: keepSessionId }, now);
}

/** Throws for passwords that are easy to guess. */
export function requireStrongPassword(password: string, userInputs: readonly string[]): void {
  const weakness = passwordWeakness(password, [...userInputs, 'paylatch']);
  if (weakness) throw validationProblem([{ pointer: '/password', code: 'weak_password', detail: weakness }]);
}
