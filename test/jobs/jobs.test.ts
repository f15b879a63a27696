import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, mock, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Instant, MINUTE, SECOND } from '../../src/shared/time.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { createCleanupJob, createJobRunner, type Job, type JobRunner, wakeJob } from '../../src/jobs/runner.ts';
import { createLog } from '../../src/system/log.ts';
import { createMetrics } from '../../src/system/metrics.ts';
import { SimulatedClock } from '../support/clock.ts';
import { createMigratedDatabase, type TestDatabase, testEngine } from '../support/databases.ts';

/** Background work runs on a wake-up by name, when it is due, and within two seconds of a missed wake-up. */
describe('background jobs', () => {
  let place: TestDatabase;
  let database: Database;
  let runner: JobRunner | null = null;
  const clock = new SimulatedClock();
  const log = createLog('silent');
  /** The due time of the job `work` in the database; its rounds are counted and find nothing. */
  let due: Instant | null = null;
  let rounds: Record<string, number> = {};
  let onRound = () => {};

  const jobOf = (name: string, more: Partial<Job> = {}): Job => ({
    name,
    async runOnce() {
      rounds[name] = (rounds[name] ?? 0) + 1;
      onRound();
      return await Promise.resolve(0);
    },
    ...more,
  });
  const work = () => jobOf('work', { earliestDue: () => sql<Instant | null>`select ${due}` });
  /** Starts jobs and waits for their first round. */
  const start = async (...jobs: Job[]) => await startOn(database, ...jobs);
  const startOn = async (on: Database, ...jobs: Job[]) => {
    runner = createJobRunner(jobs, { database: on, clock, log, metrics: createMetrics() });
    runner.start();
    await runner.runUntilIdle(jobs.map(({ name }) => name));
    rounds = {};
  };
  /** Waits for pending reads of due work, and for the start of due rounds. */
  const responded = async () => {
    for (let times = 0; times < 20; times += 1) {
      await sql`select 1`.execute(db(database));
      mock.timers.tick(0);
    }
  };
  /** The next round of any job. */
  const nextRound = async () => {
    await new Promise<void>((resolve) => {
      onRound = resolve;
    });
  };

  before(async () => {
    place = await createMigratedDatabase();
    // On one connection, a test's statement runs after those of the jobs.
    database = openDatabase(place.url, (error) => assert.fail(error), { maxConnections: 1 });
    await database.listen();
  });
  beforeEach(async () => {
    mock.timers.reset();
    await runner?.stop();
    [due, runner, onRound] = [null, null, () => {}];
  });
  after(async () => {
    mock.timers.reset();
    await runner?.stop();
    await database.close();
    await place.drop();
  });

  test('run by name after the commit of a unit of work that wakes them', async () => {
    await start(work(), jobOf('other'));
    const ran = nextRound();
    await database.inTransaction(async (unit) => await Promise.resolve(wakeJob(unit, 'work')));
    await ran;
    await assert.rejects(
      database.inTransaction(async (unit) => {
        wakeJob(unit, 'other');
        await Promise.reject(new Error('rolled back'));
      }),
    );
    await runner?.runUntilIdle(['work', 'other']);
    assert.deepEqual(rounds, { work: 2, other: 1 });
  });

  test('are woken by another process on the same database', async () => {
    // On SQLite other processes are commands, and their work is found when it is due.
    if (testEngine === 'sqlite') return;
    await start(work());
    const another = openDatabase(place.url, (error) => assert.fail(error));
    try {
      const ran = nextRound();
      await another.inTransaction(async (unit) => await Promise.resolve(wakeJob(unit, 'work')));
      await ran;
    } finally {
      await another.close();
    }
  });

  test('of a cleanup that fails run again after a minute, until it succeeds', async () => {
    let cleanups = 0;
    await start(
      createCleanupJob('cleanup', clock, async () => {
        cleanups += 1;
        await Promise.resolve();
        if (cleanups <= 3) throw new Error('disk full');
      }),
    );
    for (let minute = 1; minute <= 10; minute += 1) {
      clock.advance(MINUTE);
      await runner?.runUntilIdle(['cleanup']);
    }
    assert.equal(cleanups, 4);
  });

  test('run one statement every two seconds while nothing is due', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    let requested = 0;
    const countedDue = () => {
      requested += 1;
      return sql<Instant | null>`select null`;
    };
    await start(jobOf('work', { earliestDue: countedDue }), jobOf('other', { earliestDue: countedDue }));
    for (let times = 1; times <= 3; times += 1) {
      mock.timers.tick(2000);
      assert.equal(requested, 2 * times);
      // The next timer is set after the read has finished.
      await responded();
    }
    assert.deepEqual(rounds, {});
  });

  test('run at their due time', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    await start(work());
    due = clock.now() + 1.5 * SECOND;
    await runner?.runDue();
    mock.timers.tick(1499);
    assert.deepEqual(rounds, {});
    mock.timers.tick(1);
    assert.deepEqual(rounds, { work: 1 });
  });

  test('run at their due time, even if woken before', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    await start(work());
    due = clock.now() + 1.5 * SECOND;
    await runner?.runDue();
    await runner?.runUntilIdle(['work']);
    mock.timers.tick(1499);
    assert.deepEqual(rounds, { work: 1 });
    mock.timers.tick(1);
    assert.deepEqual(rounds, { work: 2 });
  });

  test('run within two seconds of a missed wake-up', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    // Announcements reach this process, but not the jobs.
    const missing = { isConnected: true, subscribe: () => () => {}, dispatch() {} };
    let requested = 0;
    const counting = () => {
      requested += 1;
      return sql<Instant | null>`select ${due}`;
    };
    await startOn({ ...database, announcements: missing }, jobOf('work', { earliestDue: counting }), jobOf('other'));
    const another = openDatabase(place.url, (error) => assert.fail(error));
    try {
      const writer = testEngine === 'postgres' ? another : database;
      let arrived = () => {};
      const arrival = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      const unsubscribe = database.announcements.subscribe('written', () => arrived());
      await writer.inTransaction(async (unit) => {
        wakeJob(unit, 'work');
        unit.announce('written');
        await Promise.resolve();
      });
      await arrival;
      unsubscribe();
      due = clock.now();
      const ran = nextRound();
      mock.timers.tick(1999);
      assert.deepEqual([requested, rounds], [0, {}]);
      mock.timers.tick(1);
      assert.equal(requested, 1);
      // The round follows immediately.
      mock.timers.reset();
      await ran;
      assert.deepEqual(Object.keys(rounds), ['work']);
    } finally {
      await another.close();
    }
  });

  test('do not run if their source reports no change', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    let isNeeded = false;
    let requested = 0;
    await start(
      jobOf('work', {
        intervalMs: 500,
        async hasWork() {
          requested += 1;
          return await Promise.resolve(isNeeded);
        },
      }),
    );
    mock.timers.tick(500);
    await nextTurn();
    assert.deepEqual([requested, rounds], [1, {}]);
    isNeeded = true;
    mock.timers.tick(500);
    await nextTurn();
    assert.deepEqual([requested, rounds], [2, { work: 1 }]);
  });

  test('run again within two seconds of a failure', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    await start(jobOf('work'));
    onRound = () => {
      onRound = () => {};
      throw new Error('the database is unavailable');
    };
    await runner?.runUntilIdle(['work']);
    mock.timers.tick(2000);
    await responded();
    assert.deepEqual(rounds, { work: 2 });
  });
});
