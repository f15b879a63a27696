import { AsyncLocalStorage } from 'node:async_hooks';
import { invoicesOf } from './invoices.ts';
import type { Fixture } from './fixture.ts';

/** Thrown by all actions of a killed process. */
class Dead extends Error {
  constructor() {
    super('the process is dead');
  }
}

/** The time of a kill: before the nth step, or after it, when its result is lost. */
export interface KillPoint {
  step: number;
  when: 'before' | 'after';
}

/** Runs an action outside the process: the chain continues on the same database. */
export type RunOutside = <Result>(act: () => Promise<Result>) => Promise<Result>;

const outside = new AsyncLocalStorage<true>();
const runOutside: RunOutside = async (act) => await outside.run(true, act);

/**
 * Simulates a kill at a step: a unit of work, or a broadcast transaction. Later actions of the process have no effect
 * until a new one is started. Returns true if the step was reached.
 */
export async function killAt(
  fixture: Fixture,
  killPoint: KillPoint | null,
  work: (runOutside: RunOutside) => Promise<void>,
): Promise<boolean> {
  const { database, simulatedChains } = fixture.service();
  let steps = 0;
  let isDead = false;
  const step = async <Result>(act: () => Promise<Result>): Promise<Result> => {
    if (outside.getStore()) return await act();
    if (isDead) throw new Dead();
    steps += 1;
    const isLast = steps === killPoint?.step;
    if (isLast) isDead = true;
    if (isLast && killPoint?.when === 'before') throw new Dead();
    const result = await act();
    if (isLast) throw new Dead();
    return result;
  };
  const { inTransaction, writeOne } = database;
  database.inTransaction = async (unit) => await step(async () => await inTransaction(unit));
  // On SQLite these are units of work too; on PostgreSQL they are not steps, but a killed process writes nothing.
  database.writeOne = async (write) => {
    if (isDead && !outside.getStore()) throw new Dead();
    return await writeOne(write);
  };
  const chains = [simulatedChains.bitcoin, simulatedChains.ethereum].flatMap((chain) => (chain ? [chain] : []));
  const real = chains.map(({ broadcast, findTransaction, feeRate }) => ({ broadcast, findTransaction, feeRate }));
  for (const [place, chain] of chains.entries()) {
    const { broadcast, findTransaction, feeRate } = real[place] ?? chain;
    chain.broadcast = async (raw) => await step(async () => await runOutside(async () => await broadcast(raw)));
    chain.findTransaction = async (...sent) => {
      if (isDead) throw new Dead();
      return await findTransaction(...sent);
    };
    chain.feeRate = async () => {
      if (isDead) throw new Dead();
      return await feeRate();
    };
  }
  try {
    await work(runOutside);
  } finally {
    Object.assign(database, { inTransaction, writeOne });
    chains.forEach((chain, place) => Object.assign(chain, real[place]));
  }
  if (isDead) await fixture.restart();
  return isDead;
}

const ifDead = (error: unknown) => {
  if (error instanceof Dead) return 0;
  throw error;
};

/** All chain jobs of the processes: their steps are the possible kills. */
export async function followChains(fixture: Fixture): Promise<void> {
  for (let found = 1; found > 0; ) {
    found = 0;
    for (const job of fixture.service().invoices.jobs) found += await job.runOnce().catch(ifDead);
  }
}

/** Mines blocks one after the other, with a kill at a step of the chain jobs. */
export async function minesWith(
  fixture: Fixture,
  killPoint: KillPoint | null,
  name: 'bitcoin' | 'ethereum',
  blocks: readonly number[],
): Promise<boolean> {
  const { chain } = invoicesOf(() => fixture);
  return await killAt(fixture, killPoint, async (runOutside) => {
    for (const count of blocks) {
      await runOutside(async () => await chain(name).mine(count));
      await followChains(fixture);
    }
  });
}
