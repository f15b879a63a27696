import { describeError, type Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/**
 * Work that nobody waits for: it is found in the database, so that it survives this process. A round
 * does what is due now and answers how much that was.
 */
export interface Job {
  name: string;
  round(): Promise<number>;
}

export interface JobRunner {
  /** Looks for work at once; called when some was just written. */
  wake(): void;
  start(): void;
  /** Ends after the rounds under way. */
  stop(): Promise<void>;
  /** Runs rounds of every job until none finds work. */
  drain(): Promise<void>;
}

/** How often each job looks for work that became due by time alone. */
const INTERVAL_MS = 500;
/** A bound on `drain`: work that makes work without end is a defect, and is told as one. */
const MAX_ROUNDS = 10_000;

export function createJobRunner(jobs: readonly Job[], options: { log: Log; metrics: Metrics }): JobRunner {
  let stopped = true;
  let woken = false;
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;

  const round = async (): Promise<number> => {
    const done = await Promise.all(
      jobs.map(async (job) => {
        try {
          return await job.round();
        } catch (error) {
          options.metrics.jobFailures.inc({ job: job.name });
          options.log.error({ job: job.name, error: describeError(error) }, 'job failed');
          return 0;
        }
      }),
    );
    return done.reduce((sum, count) => sum + count, 0);
  };

  const drain = async (goesOn = () => true) => {
    for (let rounds = 0; goesOn() && (await round()) > 0; rounds += 1) {
      if (rounds === MAX_ROUNDS) throw new Error('Background jobs found work without end');
    }
  };

  const run = () => {
    if (stopped) return;
    if (timer) clearTimeout(timer);
    timer = null;
    if (running) {
      woken = true;
      return;
    }
    woken = false;
    running = drain(() => !stopped)
      .catch((error: unknown) => options.log.error({ error: describeError(error) }, 'jobs failed'))
      .finally(() => {
        running = null;
        if (!stopped) timer = setTimeout(run, woken ? 0 : INTERVAL_MS);
      });
  };

  return {
    wake: run,
    drain: () => drain(),
    start() {
      stopped = false;
      run();
    },
    async stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
      timer = null;
      await running;
    },
  };
}
