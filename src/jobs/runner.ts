/*
 * Map of this module: `runner.ts` runs background jobs in rounds, woken by commits and due times, and `due.ts` claims
 * due rows for one process. Reasons: docs/decisions/jobs.md.
 */

import { type Expression, sql } from 'kysely';
import { HOUR, type Instant, MICROS_PER_MS, MINUTE } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import { runPrepared } from '../database/statement.ts';
import { describeError, type Log } from '../system/log.ts';
import type { Metrics } from '../system/metrics.ts';
import { noTracer, type Tracer } from '../system/tracing.ts';

/**
 * Background work, stored in the database so that it survives a crash. A round starts all due work and returns its
 * count; slow work may keep running after the round.
 */
export interface Job {
  name: string;
  runOnce(): Promise<number>;
  /** True if one round claims all available work. The next round then runs only when the job is woken. */
  claimsAll?: boolean;
  /** Resolves when all work started by rounds has finished. */
  finished?(): Promise<void>;
  /**
   * The due time of its next work, as a subquery; null if there is none. One statement reads it for all jobs, so an
   * idle job costs nothing.
   */
  earliestDue?(reader: Runner): Expression<Instant | null>;
  /** Milliseconds between rounds, for work that is not stored in the database. */
  intervalMs?: number;
  /** Checked before each of these rounds, without a query: true if there is work. */
  hasWork?(): Promise<boolean>;
  /** Announcement topics that also wake it. */
  topics?: readonly string[];
}

export interface JobRunner {
  /** Runs the named jobs now, or all of them. Resolves when they are idle, or immediately if they are not started. */
  runUntilIdle(names?: readonly string[]): Promise<void>;
  /** Reads due work from the database and runs it. This also happens every two seconds. */
  runDue(): Promise<void>;
  start(): void;
  /** Stops after the running rounds. */
  stop(): Promise<void>;
  /** Runs rounds of every job until none finds work. */
  drain(): Promise<void>;
}

/** Interval between reads of due work: the maximum delay after a missed wake-up. */
const POLL_INTERVAL_MS = 2000;
/** The same in microseconds. Work due later than this needs no timer yet. */
export const POLL_INTERVAL: Instant = POLL_INTERVAL_MS * MICROS_PER_MS;
/** Limit for `drain`: work that creates work endlessly is a defect. */
const MAX_ROUNDS = 10_000;

/** Wakes a job in every process after the commit. */
export function wakeJob(unit: UnitOfWork, name: string): void {
  unit.announce(topicOf(name));
}

/** Wakes a job in this process, for work that other processes have no part in. */
export function wakeLocalJob({ announcements }: Pick<Database, 'announcements'>, name: string): void {
  announcements.dispatch(topicOf(name));
}

function topicOf(name: string): string {
  return `job ${name}`;
}

/** A job that deletes expired rows, once an hour in each process; after a failure, again after a minute. */
export function createCleanupJob(name: string, clock: Clock, deleteExpired: (now: Instant) => Promise<unknown>): Job {
  let cleanedAt: Instant = 0;
  return {
    name,
    intervalMs: 60_000,
    async runOnce() {
      const now = clock.now();
      if (now - cleanedAt < HOUR) return 0;
      cleanedAt = now - HOUR + MINUTE;
      await deleteExpired(now);
      cleanedAt = now;
      // Deleting creates no further work.
      return 0;
    },
  };
}

/** Each job has its own loop, so a job that waits for an external response delays no other. */
export function createJobRunner(
  jobs: readonly Job[],
  options: { database: Database; clock: Clock; log: Log; metrics: Metrics; tracer?: Tracer },
): JobRunner {
  const { database, clock, log } = options;
  const loops = jobs.map((job) => createLoop(job, options));
  let stopListening: (() => void) | null = null;
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | null = null;

  /** Calls `onWake` for each loop whose topic is announced. Returns a function that unsubscribes. */
  const listen = (onWake: (loop: Loop) => void): (() => void) => {
    const { announcements } = database;
    const unsubscribers = loops.flatMap((loop) =>
      loop.topics.map((topic) => announcements.subscribe(topic, () => onWake(loop))),
    );
    return () => {
      for (const unsubscribe of unsubscribers) unsubscribe();
    };
  };

  /** Milliseconds until each job's next work is due, by job name. Jobs without due work are omitted. */
  const readDue = async (): Promise<Map<string, number>> => {
    const dueColumns = jobs.flatMap(({ name, earliestDue }) =>
      earliestDue ? [sql`(${earliestDue(database)}) as ${sql.id(name)}`] : [],
    );
    if (dueColumns.length === 0) return new Map();
    const { rows } = await runPrepared(database, sql<Record<string, Instant | null>>`select ${sql.join(dueColumns)}`);
    const now = clock.now();
    const dueTimes = Object.entries(rows[0] ?? {}).flatMap(([name, due]) => (due === null ? [] : [{ name, due }]));
    // Rounded up: a round that starts too early would find nothing.
    return new Map(dueTimes.map(({ name, due }) => [name, Math.ceil((due - now) / MICROS_PER_MS)]));
  };

  /** Wakes the jobs with due work, and sets a timer for work that is due before the database is read again. */
  const runDue = async () => {
    try {
      const due = await readDue();
      for (const loop of loops) {
        const inMs = due.get(loop.name) ?? Infinity;
        if (inMs < POLL_INTERVAL_MS) loop.wakeIn(Math.max(0, inMs));
      }
    } catch (error) {
      log.error({ error: describeError(error) }, 'due work could not be read');
    }
  };
  const schedulePoll = () => {
    timer = setTimeout(() => {
      polling = runDue().finally(() => {
        polling = null;
        if (stopListening) schedulePoll();
      });
    }, POLL_INTERVAL_MS);
  };

  return {
    runDue,
    async runUntilIdle(names) {
      const woken = loops.filter(({ name }) => !names || names.includes(name));
      for (const loop of woken) loop.wake();
      await Promise.all(woken.map(async (loop) => await loop.idle()));
    },
    start() {
      stopListening = listen((loop) => loop.wake());
      for (const loop of loops) loop.start();
      schedulePoll();
    },
    async stop() {
      stopListening?.();
      stopListening = null;
      clearTimeout(timer);
      await polling;
      await Promise.all(loops.map((loop) => loop.stop()));
    },
    async drain() {
      const woken = new Set<string>();
      const unsubscribe = listen(({ name }) => woken.add(name));
      try {
        let next = loops;
        for (let rounds = 0; next.length > 0; rounds += 1) {
          if (rounds === MAX_ROUNDS)
            throw new Error('Background jobs kept finding work: the limit of rounds was reached');
          woken.clear();
          const workCounts = await Promise.all(next.map((loop) => loop.runOnce()));
          for (const job of jobs) await job.finished?.();
          // A job's own loop may have claimed the due work and still be running.
          const busy = loops.filter((loop) => loop.isBusy());
          await Promise.all(busy.map(async (loop) => await loop.idle()));
          const loopsWithWork = new Set([...next.filter((_, index) => workCounts[index] !== 0), ...busy]);
          // As in production: a job runs again if it found work, was woken, has due work, or requests a round.
          const due = loopsWithWork.size > 0 ? await readDue() : new Map<string, number>();
          const isNext = await Promise.all(
            loops.map(
              async (loop) =>
                loopsWithWork.has(loop) ||
                woken.has(loop.name) ||
                (due.get(loop.name) ?? Infinity) <= 0 ||
                (loopsWithWork.size > 0 && (await loop.hasWork())),
            ),
          );
          next = loops.filter((_, index) => isNext[index]);
        }
      } finally {
        unsubscribe();
      }
    },
  };
}

type Loop = ReturnType<typeof createLoop>;

function createLoop(job: Job, { log, metrics, tracer = noTracer }: { log: Log; metrics: Metrics; tracer?: Tracer }) {
  let stopped = true;
  /** Fires when work is due. `timer` fires for the next round of a job with an interval. */
  let dueTimer: NodeJS.Timeout | undefined;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  /** Woken since the last round began, which may have missed the new work. */
  let woken = false;

  const runOnce = async (): Promise<number> => {
    const startedMs = performance.now();
    const measure = (result: 'done' | 'idle' | 'failed') =>
      metrics.jobRounds.observe({ job: job.name, result }, (performance.now() - startedMs) / 1000);
    try {
      // A round that finds no work is not recorded. `parent: null`: a request may have woken the job.
      const span = {
        name: `job ${job.name}`,
        kind: 'internal',
        parent: null,
        attributes: { 'paylatch.job': job.name },
      } as const;
      const workCount = await tracer.trace(
        span,
        () => job.runOnce(),
        (count) => count > 0,
      );
      measure(workCount > 0 ? 'done' : 'idle');
      return workCount;
    } catch (error) {
      measure('failed');
      log.error({ job: job.name, error: describeError(error) }, 'job failed');
      // The work is unfinished, and may have no due time in a table.
      wakeIn(POLL_INTERVAL_MS);
      return 0;
    }
  };

  const run = async (hasWork: () => Promise<boolean>) => {
    // If the check fails, run anyway so that the run reports the error.
    if (!woken && !(await hasWork().catch(() => true))) return;
    let workCount = 0;
    const shouldContinue = () => !stopped && (woken || (workCount > 0 && !job.claimsAll));
    do {
      woken = false;
      workCount = await runOnce();
    } while (shouldContinue());
  };

  const isBusy = () => running !== null;

  const startRun = (hasWork: () => Promise<boolean>) => {
    if (stopped || running) return;
    clearTimeout(timer);
    running = run(hasWork).finally(() => {
      running = null;
      if (stopped) return;
      if (woken) startRun(hasWork);
      else if (job.intervalMs !== undefined) timer = setTimeout(startRun, job.intervalMs, job.hasWork ?? always);
    });
  };

  const wake = () => {
    woken = true;
    startRun(always);
  };

  const wakeIn = (ms: number) => {
    clearTimeout(dueTimer);
    if (!stopped) dueTimer = setTimeout(wake, ms);
  };

  return {
    name: job.name,
    topics: [topicOf(job.name), ...(job.topics ?? [])],
    runOnce,
    /** True if a job that runs at intervals has work now, or the check fails: the run then reports the error. */
    async hasWork() {
      return job.intervalMs !== undefined && (await (job.hasWork ?? always)().catch(() => true));
    },
    wake,
    wakeIn,
    /** Resolves when the running round, and further rounds requested in the meantime, find no more work. */
    async idle() {
      while (isBusy()) await running;
    },
    isBusy,
    start() {
      stopped = false;
      wake();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      clearTimeout(dueTimer);
      await running;
      await job.finished?.();
    },
  };
}

const always = async () => await Promise.resolve(true);
