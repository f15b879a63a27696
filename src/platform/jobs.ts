import { HOUR, type Instant } from '../contract/time.ts';
import type { Clock } from './clock.ts';
import { describeError, type Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/**
 * Work that nobody waits for: it is found in the database, so that it survives this process. A round
 * begins what is due now and answers how much that was; it may leave what takes long running.
 */
export interface Job {
  name: string;
  round(): Promise<number>;
  /** Resolves when everything that rounds have begun is done. */
  finished?(): Promise<void>;
}

export interface JobRunner {
  /** Looks for work at once; called when some was just written. */
  wake(): void;
  /** The same, and resolves when the jobs of these names have found no more; at once where none is started. */
  catchUp(names: readonly string[]): Promise<void>;
  start(): void;
  /** Ends after what is under way. */
  stop(): Promise<void>;
  /** Runs rounds of every job until none finds work. */
  drain(): Promise<void>;
}

/** How often each job looks for work that became due by time alone. */
const INTERVAL_MS = 500;
/** A bound on `drain`: work that makes work without end is a defect, and is told as one. */
const MAX_ROUNDS = 10_000;

/** A job that forgets what is over: once an hour in each process, whether or not another has done it. */
export function createSweep(name: string, clock: Clock, forget: (now: Instant) => Promise<unknown>): Job {
  let sweptAt: Instant = 0;
  return {
    name,
    async round() {
      const now = clock.now();
      if (now - sweptAt < HOUR) return 0;
      sweptAt = now;
      await forget(now);
      // What is forgotten makes no further work.
      return 0;
    },
  };
}

/** Every job has a loop of its own: one that waits for somebody outside keeps no other one waiting. */
export function createJobRunner(jobs: readonly Job[], options: { log: Log; metrics: Metrics }): JobRunner {
  const loops = jobs.map((job) => createLoop(job, options));
  const wake = () => loops.forEach((loop) => loop.wake());
  return {
    wake,
    async catchUp(names) {
      wake();
      await Promise.all(loops.filter(({ name }) => names.includes(name)).map(async (loop) => await loop.idle()));
    },
    start: () => loops.forEach((loop) => loop.start()),
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
    async drain() {
      for (let rounds = 0; rounds < MAX_ROUNDS; rounds += 1) {
        const found = await Promise.all(loops.map((loop) => loop.round()));
        for (const job of jobs) await job.finished?.();
        // What was due may have been taken by a loop of its own, which is still at it.
        const busy = loops.filter((loop) => loop.isBusy());
        await Promise.all(busy.map(async (loop) => await loop.idle()));
        if (busy.length === 0 && found.every((count) => count === 0)) return;
      }
      throw new Error('Background jobs found work without end');
    },
  };
}

function createLoop(job: Job, { log, metrics }: { log: Log; metrics: Metrics }) {
  let stopped = true;
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  /** Woken while a round was under way, which may have looked too early. */
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
      return 0;
    }
  };

  const run = async () => {
    const goesOn = () => !stopped;
    do {
      woken = false;
      while (goesOn() && (await round()) > 0);
    } while (woken && goesOn());
  };

  const isBusy = () => running !== null;

  const wake = () => {
    woken = true;
    if (stopped || running) return;
    if (timer) clearTimeout(timer);
    running = run().finally(() => {
      running = null;
      if (stopped) return;
      if (woken) wake();
      else timer = setTimeout(wake, INTERVAL_MS);
    });
  };

  return {
    name: job.name,
    round,
    wake,
    /** Resolves when what is under way, and what it was woken for meanwhile, has found no more. */
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
      if (timer) clearTimeout(timer);
      timer = null;
      await running;
      await job.finished?.();
    },
  };
}
