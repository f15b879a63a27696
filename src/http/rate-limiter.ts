import { db, statement } from './schema.ts';
import { sql } from 'kysely';
import type { Quota } from '../shared/limits.ts';
import type { Instant } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { Database } from '../database/database.ts';
import { createCleanupJob, type Job } from '../jobs/runner.ts';

/** The result of counting one request against a limit. */
export interface Verdict {
  isAllowed: boolean;
  /** Requests still allowed now. */
  remaining: number;
  /** Time until the next request is allowed, if this one is not; otherwise until the full quota is available. */
  resetAfter: Instant;
}

/** A rate limit, counted per key. */
export interface Limiter {
  readonly quota: Quota;
  take(name: string): Promise<Verdict>;
  /** Returns the same result without counting a request. */
  look(name: string): Promise<Verdict>;
}

/**
 * The generic cell rate algorithm (ITU-T I.371). Each key stores one value, the theoretical arrival time: when all
 * its requests would have arrived at an even rate. It may be ahead of now by at most the window.
 */
function judge(quota: Quota, reached: Instant, now: Instant): Verdict & { reached: Instant } {
  const interval = quota.window / quota.amount;
  const next = Math.max(reached, now) + interval;
  const ahead = next - now;
  if (ahead > quota.window) return { isAllowed: false, remaining: 0, resetAfter: ahead - quota.window, reached };
  return {
    isAllowed: true,
    remaining: Math.floor((quota.window - ahead) / interval + 1e-9),
    resetAfter: ahead,
    reached: next,
  };
}

const unlimited: Verdict = { isAllowed: true, remaining: Number.MAX_SAFE_INTEGER, resetAfter: 0 };

/** Number of keys above which keys with a full quota are removed. */
const SWEEP_AT = 10_000;

/** Counts in memory, for frequent requests: each process counts separately. */
export function createMemoryLimiter(quota: Quota, clock: Clock): Limiter {
  const reached = new Map<string, Instant>();
  let sweepAt = SWEEP_AT;
  const sweep = (now: Instant) => {
    for (const [name, moment] of reached) if (moment <= now) reached.delete(name);
    sweepAt = Math.max(SWEEP_AT, 2 * reached.size);
  };
  return {
    quota,
    take(name) {
      if (quota.amount === 0) return Promise.resolve(unlimited);
      const now = clock.now();
      if (reached.size >= sweepAt) sweep(now);
      const verdict = judge(quota, reached.get(name) ?? 0, now);
      if (verdict.isAllowed) reached.set(name, verdict.reached);
      return Promise.resolve(verdict);
    },
    look(name) {
      return Promise.resolve(quota.amount === 0 ? unlimited : judge(quota, reached.get(name) ?? 0, clock.now()));
    },
  };
}

/** A single statement, so that concurrent requests are counted one after the other. */
const takeOne = statement(
  (query, of: { name: string; now: Instant; interval: number; first: Instant; last: Instant }) => {
    const reached = sql.ref('rate_limits.reached_at');
    const next = sql<number>`case when ${reached} > ${of.now} then ${reached} else ${of.now} end + ${of.interval}`;
    return query
      .insertInto('rate_limits')
      .values({ name: of.name, reached_at: of.first })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ reached_at: next }).where(next, '<=', of.last))
      .returning('reached_at');
  },
);

/** Counts in the database, for rare requests and security limits: all processes share one count. */
export function createSharedLimiter(quota: Quota, clock: Clock, database: Database): Limiter {
  const reachedBy = async (name: string): Promise<Instant | undefined> => {
    const row = await db(database)
      .selectFrom('rate_limits')
      .select('reached_at')
      .where('name', '=', name)
      .executeTakeFirst();
    return row?.reached_at;
  };
  return {
    quota,
    async take(name) {
      if (quota.amount === 0) return unlimited;
      const now = clock.now();
      const interval = Math.ceil(quota.window / quota.amount);
      const values = { name, now, interval, first: now + interval, last: now + quota.window };
      const [taken] = (await database.writeOne(async (on) => await takeOne(on, values))).rows;
      if (taken) return { ...judge(quota, taken.reached_at - interval, now), isAllowed: true };
      const reached = (await reachedBy(name)) ?? now + quota.window;
      return { ...judge(quota, reached, now), isAllowed: false, remaining: 0 };
    },
    async look(name) {
      return quota.amount === 0 ? unlimited : judge(quota, (await reachedBy(name)) ?? 0, clock.now());
    },
  };
}

/** Deletes keys whose full quota is available again. */
export function createLimitSweep(database: Database, clock: Clock): Job {
  return createCleanupJob('limits', clock, async (now) => {
    await db(database).deleteFrom('rate_limits').where('reached_at', '<=', now).execute();
  });
}
