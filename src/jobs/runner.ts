import { type Expression, sql } from 'kysely';
import { HOUR, type Instant, MICROS_PER_MS } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import { describeError, type Log } from '../system/log.ts';
import type { Metrics } from '../system/metrics.ts';

/**
 * Background work. It is found in the database, so that it survives this process. A round begins what is due now and
 * returns how much that was; it may leave what takes long running.
 */
export interface Job {
  name: string;
  round(): Promise<number>;
  /** Whether one round takes all that can be taken: it has another one only when it is woken, and wakes itself. */
  takesAll?: boolean;
  /** Resolves when everything that rounds have begun is done. */
  finished?(): Promise<void>;
  /**
   * When its next work is due, as a subquery; null where there is none. One statement asks for that of all jobs, so
   * that a job costs nothing while it has nothing to do.
   */
  due?(on: Runner): Expression<Instant | null>;
  /** Milliseconds between rounds, for work that the database does not know of. */
  everyMs?: number;
  /** Asked before each of these rounds, without the database: whether there is anything to do. */
  isNeeded?(): Promise<boolean>;
  /** Announcements that wake it, besides its own name. */
  topics?: readonly string[];
}

export interface JobRunner {
  /** Runs the jobs of these names at once, or all; called when work was just written. */
  wake(names?: readonly string[]): void;
  /** Like `wake`; resolves when these jobs are idle, at once if they are not started. */
  catchUp(names?: readonly string[]): Promise<void>;
  /** Asks the database what is due now, and runs it; this happens every two seconds by itself. */
  ask(): Promise<void>;
  start(): void;
  /** Ends after what is under way. */
  stop(): Promise<void>;
  /** Runs rounds of every job until none finds work. */
  drain(): Promise<void>;
}

/** How often the database is asked what is due: what a wake-up that was missed costs at most. */
const ASK_EVERY_MS = 2000;
/** The same as a time: what is due later need not be named yet. */
export const ASKED_AGAIN_WITHIN: Instant = ASK_EVERY_MS * MICROS_PER_MS;
/** A bound on `drain`: work that makes work without end is a defect. */
const MAX_ROUNDS = 10_000;

/** Wakes a job in every process once the unit is durable. */
export function wakeJob(unit: UnitOfWork, name: string): void {
  unit.announce(topicOf(name));
}

function topicOf(name: string): string {
  return `job ${name}`;
}

/** A job that deletes what is over: once an hour in each process, whether or not another has done it. */
export function createSweep(name: string, clock: Clock, forget: (now: Instant) => Promise<unknown>): Job {
  let sweptAt: Instant = 0;
  return {
    name,
    everyMs: 60_000,
    async round() {
      const now = clock.now();
      if (now - sweptAt < HOUR) return 0;
      sweptAt = now;
      await forget(now);
      // Deleting creates no further work.
      return 0;
    },
  };
}

/** Every job has a loop of its own: one that waits for an answer from outside delays no other. */
export function createJobRunner(
  jobs: readonly Job[],
  options: { database: Database; clock: Clock; log: Log; metrics: Metrics },
): JobRunner {
  const { database, clock, log } = options;
  const loops = jobs.map((job) => createLoop(job, options));
  const wake = (names?: readonly string[]) => {
    for (const loop of loops) if (!names || names.includes(loop.name)) loop.wake();
  };
  let stopListening: (() => void) | null = null;
  let timer: NodeJS.Timeout | undefined;
  let asking: Promise<void> | null = null;

  /** Calls `onWake` for each loop that an announcement is for. Returns a function that unsubscribes. */
  const listen = (onWake: (loop: Loop) => void): (() => void) => {
    const { announcements } = database;
    const ends = loops.flatMap((loop) =>
      loop.topics.map((topic) => announcements.subscribe(topic, () => onWake(loop))),
    );
    return () => {
      for (const end of ends) end();
    };
  };

  /** Milliseconds until each job's next work is due, by job name. Jobs without due work are missing. */
  const readDue = async (): Promise<Map<string, number>> => {
    const asked = jobs.flatMap(({ name, due }) => (due ? [sql`(${due(database)}) as ${sql.id(name)}`] : []));
    if (asked.length === 0) return new Map();
    const { rows } = await sql<Record<string, Instant | null>>`select ${sql.join(asked)}`.execute(database.query);
    const now = clock.now();
    const known = Object.entries(rows[0] ?? {}).flatMap(([name, due]) => (due === null ? [] : [{ name, due }]));
    // Rounded up: a moment too early would find nothing.
    return new Map(known.map(({ name, due }) => [name, Math.ceil((due - now) / MICROS_PER_MS)]));
  };

  /** Wakes the jobs that have work due, and sets a timer for work that is due before the database is asked again. */
  const ask = async () => {
    try {
      const due = await readDue();
      for (const loop of loops) {
        const inMs = due.get(loop.name) ?? Infinity;
        if (inMs < ASK_EVERY_MS) loop.wakeIn(Math.max(0, inMs));
      }
    } catch (error) {
      log.error({ error: describeError(error) }, 'due work could not be read');
    }
  };
  const askAgain = () => {
    timer = setTimeout(() => {
      asking = ask().finally(() => {
        asking = null;
        if (stopListening) askAgain();
      });
    }, ASK_EVERY_MS);
  };

  return {
    wake,
    ask,
    async catchUp(names) {
      wake(names);
      const woken = loops.filter(({ name }) => !names || names.includes(name));
      await Promise.all(woken.map(async (loop) => await loop.idle()));
    },
    start() {
      stopListening = listen((loop) => loop.wake());
      for (const loop of loops) loop.start();
      askAgain();
    },
    async stop() {
      stopListening?.();
      stopListening = null;
      clearTimeout(timer);
      await asking;
      await Promise.all(loops.map((loop) => loop.stop()));
    },
    async drain() {
      const woken = new Set<string>();
      const stopHearing = listen(({ name }) => woken.add(name));
      try {
        let next = loops;
        for (let rounds = 0; next.length > 0; rounds += 1) {
          if (rounds === MAX_ROUNDS) throw new Error('Background jobs found work without end');
          woken.clear();
          const found = await Promise.all(next.map((loop) => loop.round()));
          for (const job of jobs) await job.finished?.();
          // What was due may have been taken by a loop of its own, which is still at it.
          const busy = loops.filter((loop) => loop.isBusy());
          await Promise.all(busy.map(async (loop) => await loop.idle()));
          const hasFound = new Set([...next.filter((_, index) => found[index] !== 0), ...busy]);
          // As in production: a job runs again if it found work, was woken, has work due, or asks for a round.
          const due = hasFound.size > 0 ? await readDue() : new Map<string, number>();
          const isNext = await Promise.all(
            loops.map(
              async (loop) =>
                hasFound.has(loop) ||
                woken.has(loop.name) ||
                (due.get(loop.name) ?? Infinity) <= 0 ||
                (hasFound.size > 0 && (await loop.isNeeded())),
            ),
          );
          next = loops.filter((_, index) => isNext[index]);
        }
      } finally {
        stopHearing();
      }
    },
  };
}

type Loop = ReturnType<typeof createLoop>;

function createLoop(job: Job, { log, metrics }: { log: Log; metrics: Metrics }) {
  let stopped = true;
  /** Until work that is due soon, and until the next round of a job that has them at intervals. */
  let dueTimer: NodeJS.Timeout | undefined;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  /** Woken since the last round began, which may have looked too early. */
  let woken = false;

  const round = async (): Promise<number> => {
    const startedMs = performance.now();
    const measure = (result: 'done' | 'idle' | 'failed') =>
      metrics.jobRounds.observe({ job: job.name, result }, (performance.now() - startedMs) / 1000);
    try {
      const found = await job.round();
      measure(found > 0 ? 'done' : 'idle');
      return found;
    } catch (error) {
      measure('failed');
      log.error({ job: job.name, error: describeError(error) }, 'job failed');
      // What it was woken for is not done, and may be due in no table.
      wakeIn(ASK_EVERY_MS);
      return 0;
    }
  };

  const run = async (isNeeded: () => Promise<boolean>) => {
    // Where that cannot be told, the round says why.
    if (!woken && !(await isNeeded().catch(() => true))) return;
    let found = 0;
    const goesOn = () => !stopped && (woken || (found > 0 && !job.takesAll));
    do {
      woken = false;
      found = await round();
    } while (goesOn());
  };

  const isBusy = () => running !== null;

  const begin = (isNeeded: () => Promise<boolean>) => {
    if (stopped || running) return;
    clearTimeout(timer);
    running = run(isNeeded).finally(() => {
      running = null;
      if (stopped) return;
      if (woken) begin(isNeeded);
      else if (job.everyMs !== undefined) timer = setTimeout(begin, job.everyMs, job.isNeeded ?? always);
    });
  };

  const wake = () => {
    woken = true;
    begin(always);
  };

  const wakeIn = (ms: number) => {
    clearTimeout(dueTimer);
    if (!stopped) dueTimer = setTimeout(wake, ms);
  };

  return {
    name: job.name,
    topics: [topicOf(job.name), ...(job.topics ?? [])],
    round,
    /** True if a job that runs at intervals has work now. True on errors as well: the round reports them. */
    async isNeeded() {
      return job.everyMs !== undefined && (await (job.isNeeded ?? always)().catch(() => true));
    },
    wake,
    wakeIn,
    /** Resolves when what is under way, and what it was woken for in the meantime, has found no more. */
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
