import { db } from './schema.ts';
import type { Origin } from '../audit/audit-log.ts';
import { DAY, HOUR, type Instant, MINUTE } from '../shared/time.ts';
import type { SignInStep } from '../api/account.ts';
import { hashSecret } from './tokens.ts';
import type { Clock } from '../system/clock.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import { createCleanupJob, type Job } from '../jobs/runner.ts';
import type { Random } from '../system/random.ts';

/** Without a request for so long, and at the latest after so long, one has to sign in again. */
const IDLE: Instant = 12 * HOUR;
const LIFETIME: Instant = 7 * DAY;
/** For the second step of signing in. */
const STEP_LIFETIME: Instant = 10 * MINUTE;
/** How long credentials may be changed after the person has proved who they are. */
const STEP_UP_LIFETIME: Instant = 5 * MINUTE;
/** How much later than it happened the last use may be written down. */
const LAST_USE_PRECISION = MINUTE;
/** For whoever looks into where an account was open. */
const ENDED_KEPT: Instant = 30 * DAY;

/** Somebody's browser that has signed in. */
export interface Session {
  id: number;
  personId: number;
  method: 'passkey' | 'password';
  /** Good for nothing but this step until it is `done`. */
  step: Exclude<SignInStep, 'passkey'>;
  steppedUpAt: Instant | null;
}

/** The name under which a change of somebody's sessions is announced. */
export function sessionTopic(personId: number): string {
  return `sessions:${personId}`;
}

/** Begins a session; answers what the browser keeps in its cookie, which nothing else knows. */
export async function beginSession(
  unit: UnitOfWork,
  options: {
    personId: number;
    method: Session['method'];
    step: Session['step'];
    isSteppedUp: boolean;
    origin: Origin;
    clock: Clock;
    random: Random;
  },
): Promise<string> {
  const secret = Buffer.from(options.random.bytes(32)).toString('base64url');
  const now = options.clock.now();
  await db(unit)
    .insertInto('sessions')
    .values({
      person_id: options.personId,
      hash: hashSecret(secret),
      method: options.method,
      step: options.step,
      address: options.origin.address,
      user_agent: options.origin.userAgent.slice(0, 400),
      created_at: now,
      last_used_at: now,
      expires_at: now + (options.step === 'done' ? LIFETIME : STEP_LIFETIME),
      ended_at: null,
      stepped_up_at: options.isSteppedUp ? now : null,
    })
    .execute();
  return secret;
}

/** The session that a cookie's content belongs to, if it is good still. */
export async function findSession(database: Database, clock: Clock, secret: string): Promise<Session | null> {
  if (!/^[\w-]{43}$/.test(secret)) return null;
  const row = await db(database)
    .selectFrom('sessions')
    .select(['id', 'person_id', 'method', 'step', 'last_used_at', 'expires_at', 'stepped_up_at'])
    .where('hash', '=', hashSecret(secret))
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  const now = clock.now();
  if (!row || row.expires_at <= now || row.last_used_at + IDLE <= now) return null;
  if (now - row.last_used_at > LAST_USE_PRECISION)
    await db(database).updateTable('sessions').set({ last_used_at: now }).where('id', '=', row.id).execute();
  const { id, person_id: personId, method, step, stepped_up_at: steppedUpAt } = row;
  return { id, personId, method, step, steppedUpAt };
}

export async function markSteppedUp(unit: UnitOfWork, { id }: Session, now: Instant): Promise<void> {
  await db(unit).updateTable('sessions').set({ stepped_up_at: now }).where('id', '=', id).execute();
}

/** Whether the person has proved who they are a moment ago. */
export function wasSteppedUp({ steppedUpAt }: Session, now: Instant): boolean {
  return steppedUpAt !== null && now - steppedUpAt < STEP_UP_LIFETIME;
}

/** Ends sessions of a person: one, all, or all but one. Pages that they have open are told. */
export async function endSessions(
  unit: UnitOfWork,
  personId: number,
  which: { id: number } | { allBut: number | null },
  now: Instant,
): Promise<number> {
  let ending = db(unit)
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('person_id', '=', personId)
    .where('ended_at', 'is', null);
  if ('id' in which) ending = ending.where('id', '=', which.id);
  else if (which.allBut !== null) ending = ending.where('id', '<>', which.allBut);
  const { numUpdatedRows } = await ending.executeTakeFirstOrThrow();
  unit.announce(sessionTopic(personId));
  return Number(numUpdatedRows);
}

/** Where a person's account is open, latest first. */
export async function listSessions(database: Database, personId: number, now: Instant) {
  const rows = await db(database)
    .selectFrom('sessions')
    .select(['id', 'method', 'address', 'user_agent', 'created_at', 'last_used_at', 'expires_at'])
    .where('person_id', '=', personId)
    .where('ended_at', 'is', null)
    .where('step', '=', 'done')
    .where('expires_at', '>', now)
    .where('last_used_at', '>', now - IDLE)
    .orderBy('id', 'desc')
    .limit(100)
    .execute();
  return rows.map((row) => ({ ...row, expires_at: Math.min(row.expires_at, row.last_used_at + IDLE) }));
}

/** Forgets what is over for long, and challenges that nobody has answered. */
export function createSessionSweep(database: Database, clock: Clock): Job {
  return createCleanupJob('sessions', clock, async (now) => {
    await db(database)
      .deleteFrom('sessions')
      .where('expires_at', '<=', now - ENDED_KEPT)
      .execute();
    await db(database).deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute();
  });
}
