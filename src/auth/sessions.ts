import { db } from './schema.ts';
import type { Origin } from '../audit/audit-log.ts';
import { DAY, HOUR, type Instant, MINUTE } from '../shared/time.ts';
import type { SignInStep } from '../api/account.ts';
import { hashSecret } from './tokens.ts';
import type { Clock } from '../system/clock.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import { createCleanupJob, type Job } from '../jobs/runner.ts';
import type { Random } from '../system/random.ts';

/** A session ends after this time without a request, and at the latest after `LIFETIME`. */
const IDLE_TIMEOUT: Instant = 12 * HOUR;
const LIFETIME: Instant = 7 * DAY;
/** Time for the second step of a sign-in. */
const STEP_LIFETIME: Instant = 10 * MINUTE;
/** Time for changing credentials after a step-up confirmation. */
const STEP_UP_LIFETIME: Instant = 5 * MINUTE;
/** Precision of the stored last use, which saves a write per request. */
const LAST_USE_PRECISION = MINUTE;
/** Retention of ended sessions, for investigations. */
const ENDED_RETENTION: Instant = 30 * DAY;

/** A signed-in browser of a user. */
export interface Session {
  id: number;
  userId: number;
  method: 'passkey' | 'password';
  /** The pending sign-in step; the session allows nothing else until it is `done`. */
  step: Exclude<SignInStep, 'passkey'>;
  steppedUpAt: Instant | null;
}

/** The announcement topic for changes to a user's sessions. */
export function sessionTopic(userId: number): string {
  return `sessions:${userId}`;
}

/** Creates a session; returns the cookie's secret, of which only a hash is stored. */
export async function createSession(
  unit: UnitOfWork,
  options: {
    userId: number;
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
      person_id: options.userId,
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

/** Finds the valid session for a cookie's secret. */
export async function findSession(database: Database, clock: Clock, secret: string): Promise<Session | null> {
  if (!/^[\w-]{43}$/.test(secret)) return null;
  const row = await db(database)
    .selectFrom('sessions')
    .select(['id', 'person_id', 'method', 'step', 'last_used_at', 'expires_at', 'stepped_up_at'])
    .where('hash', '=', hashSecret(secret))
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  const now = clock.now();
  if (!row || row.expires_at <= now || row.last_used_at + IDLE_TIMEOUT <= now) return null;
  if (now - row.last_used_at > LAST_USE_PRECISION)
    await db(database).updateTable('sessions').set({ last_used_at: now }).where('id', '=', row.id).execute();
  const { id, person_id: userId, method, step, stepped_up_at: steppedUpAt } = row;
  return { id, userId, method, step, steppedUpAt };
}

export async function markSteppedUp(unit: UnitOfWork, { id }: Session, now: Instant): Promise<void> {
  await db(unit).updateTable('sessions').set({ stepped_up_at: now }).where('id', '=', id).execute();
}

/** True if the user has recently confirmed their identity. */
export function wasSteppedUp({ steppedUpAt }: Session, now: Instant): boolean {
  return steppedUpAt !== null && now - steppedUpAt < STEP_UP_LIFETIME;
}

/** Ends a user's sessions: one, all, or all but one. Notifies their open pages. */
export async function endSessions(
  unit: UnitOfWork,
  userId: number,
  selection: { id: number } | { allBut: number | null },
  now: Instant,
): Promise<number> {
  let ending = db(unit)
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('person_id', '=', userId)
    .where('ended_at', 'is', null);
  if ('id' in selection) ending = ending.where('id', '=', selection.id);
  else if (selection.allBut !== null) ending = ending.where('id', '<>', selection.allBut);
  const { numUpdatedRows } = await ending.executeTakeFirstOrThrow();
  unit.announce(sessionTopic(userId));
  return Number(numUpdatedRows);
}

/** A user's recent sessions, from which a sign-in on a new device is recognized; newest first. */
export async function listRecentOrigins(reader: Runner, userId: number): Promise<Origin[]> {
  const rows = await db(reader)
    .selectFrom('sessions')
    .select(['address', 'user_agent'])
    .where('person_id', '=', userId)
    .where('step', '=', 'done')
    .orderBy('id', 'desc')
    .limit(100)
    .execute();
  return rows.map(({ address, user_agent: userAgent }) => ({ address, userAgent }));
}

/** A user's active sessions, newest first. */
export async function listSessions(database: Database, userId: number, now: Instant) {
  const rows = await db(database)
    .selectFrom('sessions')
    .select(['id', 'method', 'address', 'user_agent', 'created_at', 'last_used_at', 'expires_at'])
    .where('person_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('step', '=', 'done')
    .where('expires_at', '>', now)
    .where('last_used_at', '>', now - IDLE_TIMEOUT)
    .orderBy('id', 'desc')
    .limit(100)
    .execute();
  return rows.map((row) => ({ ...row, expires_at: Math.min(row.expires_at, row.last_used_at + IDLE_TIMEOUT) }));
}

/** Deletes sessions that ended long ago, and expired passkey challenges. */
export function createSessionCleanup(database: Database, clock: Clock): Job {
  return createCleanupJob('sessions', clock, async (now) => {
    await db(database)
      .deleteFrom('sessions')
      .where('expires_at', '<=', now - ENDED_RETENTION)
      .execute();
    await db(database).deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute();
  });
}
