import { db, type Person } from './schema.ts';
import type { Origin } from '../audit/audit-log.ts';
import type { SignInStep } from '../api/account.ts';
import { hashSecret } from './tokens.ts';
import type { UnitOfWork } from '../database/database.ts';
import { Problem, validationProblem } from '../api/problem-error.ts';
import type { PeopleContext } from './context.ts';
import { findPerson, findPersonByEmail, hasPasskey, isProtected, updatePerson } from './users.ts';
import { plainRecoveryCode } from './second-factor.ts';
import { beginSession, endSessions, markSteppedUp, type Session, wasSteppedUp } from './sessions.ts';
import { passwordWeakness } from './passwords.ts';

/** A session that has just begun: its cookie's content, and what is to be done next. */
export interface Begun {
  /** Null where the person has to sign in with their passkey: there is no session yet. */
  secret: string | null;
  next: SignInStep;
  personId: number;
}

/** Counts one more try to get in, from an address and as somebody. */
export async function countTry(context: PeopleContext, origin: Origin, email: string | null): Promise<void> {
  await context.requireWithin('sign_in_address', origin.address);
  if (email !== null) await context.requireWithin('sign_in_person', email);
}

/** One answer for whoever is not let in, so that it tells nobody who is known here. */
export function signInFailed(): Problem {
  return new Problem('sign_in_failed', 'The e-mail address or the password is not right.');
}

/** The first step by password: who has a second factor is asked for it next; in production everybody must have one, or a passkey. */
export async function signInByPassword(
  context: PeopleContext,
  given: { email: string; password: string },
  origin: Origin,
): Promise<Begun> {
  await countTry(context, origin, given.email);
  const person = await findPersonByEmail(context.database, given.email);
  const isRight = await context.passwords.isRight(given.password, person?.passwordHash ?? null);
  if (!person || !isRight) throw signInFailed();
  return await context.database.inTransaction(async (unit) => await begin(context, unit, person, 'password', origin));
}

/** Begins a session of somebody who has given their password or passkey. */
export async function begin(
  context: PeopleContext,
  unit: UnitOfWork,
  person: Pick<Person, 'id' | 'secondFactor'>,
  method: Session['method'],
  origin: Origin,
): Promise<Begun> {
  const { id: personId } = person;
  const ownsPasskey = await hasPasskey(unit, personId);
  const step = nextStep(context, { ...person, ownsPasskey }, method);
  if (step === 'passkey') return { secret: null, next: step, personId };
  const isSteppedUp = step === 'done' && (method === 'passkey' || !ownsPasskey);
  const secret = await beginSession(unit, { ...context, personId, method, step, isSteppedUp, origin });
  return { secret, next: step, personId };
}

/** A passkey is two factors: that somebody has it, and that they are who may use it. */
function nextStep(
  { environment }: PeopleContext,
  { secondFactor, ownsPasskey }: Pick<Person, 'secondFactor'> & { ownsPasskey: boolean },
  method: Session['method'],
): SignInStep {
  if (method === 'passkey') return 'done';
  if (secondFactor !== null) return 'second_factor';
  if (environment !== 'production') return 'done';
  return ownsPasskey ? 'passkey' : 'set_up_second_factor';
}

/** The second step: the code of an authenticator, or a recovery code. Ends in a session with a cookie of its own. */
export async function signInBySecondFactor(
  context: PeopleContext,
  session: Session,
  code: string,
  origin: Origin,
): Promise<Begun> {
  const person = await requirePerson(context, session.personId);
  await countTry(context, origin, person.email);
  return await context.database.inTransaction(async (unit) => {
    if (!(await takeCode(context, unit, person, code))) throw codeRefused();
    return await goOn(context, unit, session, origin);
  });
}

/** In place of a session that was good for one step, one that is good for all. */
export async function goOn(context: PeopleContext, unit: UnitOfWork, session: Session, origin: Origin): Promise<Begun> {
  await endSessions(unit, session.personId, { id: session.id }, context.clock.now());
  const { personId, method } = session;
  const secret = await beginSession(unit, { ...context, personId, method, step: 'done', origin, isSteppedUp: true });
  return { secret, next: 'done', personId };
}

/** Confirms who has signed in by a code of the second factor, or a recovery code. */
export async function stepUpBySecondFactor(
  context: PeopleContext,
  session: Session,
  code: string,
  origin: Origin,
): Promise<void> {
  const person = await requirePerson(context, session.personId);
  await countTry(context, origin, person.email);
  await context.database.inTransaction(async (unit) => {
    if (!(await takeCode(context, unit, person, code))) throw codeRefused();
    await markSteppedUp(unit, session, context.clock.now());
  });
}

/** Confirms who has signed in by one of their passkeys. */
export async function stepUpByPasskey(
  context: PeopleContext,
  session: Session,
  response: unknown,
  origin: Origin,
): Promise<void> {
  await countTry(context, origin, null);
  await context.passkeys.verifyAnswer(`step up session ${session.id}`, response, session.personId);
  await context.database.inTransaction(async (unit) => await markSteppedUp(unit, session, context.clock.now()));
}

/** Confirms by the password who has neither a second factor nor a passkey. */
export async function stepUpByPassword(
  context: PeopleContext,
  session: Session,
  password: string,
  origin: Origin,
): Promise<void> {
  const person = await requirePerson(context, session.personId);
  if (await isProtected(context.database, person)) throw stepUpRequired();
  await countTry(context, origin, person.email);
  if (!(await context.passwords.isRight(password, person.passwordHash))) throw signInFailed();
  await context.database.inTransaction(async (unit) => await markSteppedUp(unit, session, context.clock.now()));
}

/** Credentials are changed only by who has confirmed their identity a moment ago. */
export function requireSteppedUp({ clock }: PeopleContext, session: Session): void {
  if (!wasSteppedUp(session, clock.now())) throw stepUpRequired();
}

function stepUpRequired(): Problem {
  return new Problem(
    'step_up_required',
    'Confirm your identity first: with a code, a recovery code or a passkey; with your password if you have none of these.',
  );
}

/** Takes a code of the second factor that a person has; false where it is wrong, or was taken before. */
export async function takeCode(
  { secondFactors, clock }: PeopleContext,
  unit: UnitOfWork,
  person: Person,
  code: string,
): Promise<boolean> {
  if (person.secondFactor === null) return false;
  const now = clock.now();
  const after = person.secondFactorStep;
  const period = secondFactors.periodOf(person.id, person.secondFactor, code, { now, after });
  if (period !== null) {
    // Of two that come at once with the same code, one is too late.
    const { numUpdatedRows } = await db(unit)
      .updateTable('people')
      .set({ second_factor_step: period })
      .where('id', '=', person.id)
      .where('second_factor_step', '<', period)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }
  const recovery = plainRecoveryCode(code);
  if (recovery === null) return false;
  const { numUpdatedRows } = await db(unit)
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('hash', '=', hashSecret(recovery))
    .where('person_id', '=', person.id)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export function codeRefused(): Problem {
  return new Problem('second_factor_wrong', 'The code is not right, or was used before. Wait for the next one.');
}

export async function requirePerson({ database }: PeopleContext, id: number): Promise<Person> {
  const person = await findPerson(database, id);
  if (!person) throw new Error('A session of nobody');
  return person;
}

/** Sets a password, and ends what was open elsewhere. */
export async function changePassword(
  context: PeopleContext,
  unit: UnitOfWork,
  { personId, hash, keep }: { personId: number; hash: string; keep: number | null },
): Promise<void> {
  const now = context.clock.now();
  await updatePerson(unit, personId, { passwordHash: hash }, now);
  await endSessions(unit, personId, { allBut: keep }, now);
}

/** Refuses a password that would be guessed at once. */
export function requireStrength(password: string, about: readonly string[]): void {
  const weakness = passwordWeakness(password, [...about, 'paylatch']);
  if (weakness) throw validationProblem([{ pointer: '/password', code: 'weak_password', detail: weakness }]);
}
