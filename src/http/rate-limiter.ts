import { db, statement } from './schema.ts';
import { sql } from 'kysely';
import type { Quota } from '../shared/limits.ts';
import { DAY, HOUR, type Instant } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { Database } from '../database/database.ts';
import { createCleanupJob, type Job } from '../jobs/runner.ts';

/** The result of counting one request against a limit. */
export interface RateLimitResult {
  isAllowed: boolean;
  /** Requests still allowed now. */
  remaining: number;
  /** Time until the next request is allowed, if this one is not; otherwise until the full quota is available. */
  resetAfter: Instant;
}

/** A rate limit, counted per key. */
export interface RateLimiter {
  readonly quota: Quota;
  consume(name: string): Promise<RateLimitResult>;
  /** Returns the same result without counting a request. */
  peek(name: string): Promise<RateLimitResult>;
}

/**
 * Any later value was written with a clock that was ahead, and counts as now. The clocks of processes must differ by
 * less than an hour: otherwise, a process would renew a quota that another one has counted.
 */
const latestArrival = ({ window }: Quota, now: Instant): Instant => now + window + HOUR;

/**
 * The generic cell rate algorithm (ITU-T I.371). Each key stores one value, the theoretical arrival time: when all
 * its requests would have arrived at an even rate. It may be ahead of now by at most the window.
 */
function evaluate(quota: Quota, arrival: Instant, now: Instant): RateLimitResult & { arrival: Instant } {
  const interval = quota.window / quota.amount;
  const next = (arrival > latestArrival(quota, now) ? now : Math.max(arrival, now)) + interval;
  const ahead = next - now;
  if (ahead > quota.window)
    return { isAllowed: false, remaining: 0, resetAfter: ahead - quota.window, arrival: arrival };
  return {
    isAllowed: true,
    remaining: Math.floor((quota.window - ahead) / interval + 1e-9),
    resetAfter: ahead,
    arrival: next,
  };
}

const unlimited: RateLimitResult = { isAllowed: true, remaining: Number.MAX_SAFE_INTEGER, resetAfter: 0 };

/** Number of keys above which keys with a full quota are removed. */
const CLEANUP_SIZE = 10_000;

/** Counts in memory, for frequent requests: each process counts separately. */
export function createMemoryLimiter(quota: Quota, clock: Clock): RateLimiter {
  const arrival = new Map<string, Instant>();
  let cleanupSize = CLEANUP_SIZE;
  const removeIdle = (now: Instant) => {
    for (const [name, value] of arrival) if (value <= now) arrival.delete(name);
    cleanupSize = Math.max(CLEANUP_SIZE, 2 * arrival.size);
  };
  return {
    quota,
    consume(name) {
      if (quota.amount === 0) return Promise.resolve(unlimited);
      const now = clock.now();
      if (arrival.size >= cleanupSize) removeIdle(now);
      const result = evaluate(quota, arrival.get(name) ?? 0, now);
      if (result.isAllowed) arrival.set(name, result.arrival);
      return Promise.resolve(result);
    },
    peek(name) {
      return Promise.resolve(quota.amount === 0 ? unlimited : evaluate(quota, arrival.get(name) ?? 0, clock.now()));
    },
  };
}

/** A single statement, so that concurrent requests are counted one after the other. */
const consumeShared = statement(
  (query, values: { name: string; now: Instant; latest: Instant; interval: number; first: Instant; last: Instant }) => {
    const arrival = sql.ref('rate_limits.reached_at');
    const next = sql<number>`case when ${arrival} > ${values.now} and ${arrival} <= ${values.latest} then ${arrival} else ${values.now} end + ${values.interval}`;
    return query
      .insertInto('rate_limits')
      .values({ name: values.name, reached_at: values.first })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet({ reached_at: next }).where(next, '<=', values.last),
      )
      .returning('reached_at');
  },
);

/** Counts in the database, for rare requests and security limits: all processes share one count. */
export function createSharedLimiter(quota: Quota, clock: Clock, database: Database): RateLimiter {
  const readArrival = async (name: string): Promise<Instant | undefined> => {
    const row = await db(database)
      .selectFrom('rate_limits')
      .select('reached_at')
      .where('name', '=', name)
      .executeTakeFirst();
    return row?.reached_at;
  };
  return {
    quota,
    async consume(name) {
      if (quota.amount === 0) return unlimited;
      const now = clock.now();
      const interval = Math.ceil(quota.window / quota.amount);
      const latest = latestArrival(quota, now);
      const values = { name, now, latest, interval, first: now + interval, last: now + quota.window };
      const [updated] = (await database.writeOne(async (runner) => await consumeShared(runner, values))).rows;
      if (updated) return { ...evaluate(quota, updated.reached_at - interval, now), isAllowed: true };
      const arrival = (await readArrival(name)) ?? now + quota.window;
      return { ...evaluate(quota, arrival, now), isAllowed: false, remaining: 0 };
    },
    async peek(name) {
      return quota.amount === 0 ? unlimited : evaluate(quota, (await readArrival(name)) ?? 0, clock.now());
    },
  };
}

/** Deletes keys whose full quota is available again, and those written with a clock that was ahead. */
export function createRateLimitCleanup(database: Database, clock: Clock): Job {
  return createCleanupJob('limits', clock, async (now) => {
    await db(database)
      .deleteFrom('rate_limits')
      // No window is as long as a day.
      .where((eb) => eb('reached_at', '<=', now).or('reached_at', '>', now + DAY))
      .execute();
  });
}
