import type { NoTables } from './engine.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CompiledQuery, type Kysely, type Transaction } from 'kysely';

/** Reads and writes that become true together; resolves when they are durable. */
export type Transact = <Result>(work: (transaction: Transaction<NoTables>) => Promise<Result>) => Promise<Result>;

/** Units that are committed together at most: who came first does not wait for ever. */
const MOST_TOGETHER = 64;

const SAVEPOINT = CompiledQuery.raw('savepoint unit');
const RELEASE = CompiledQuery.raw('release unit');
const ROLL_BACK = CompiledQuery.raw('rollback to unit');

interface Waiting {
  work: (transaction: Transaction<NoTables>) => Promise<unknown>;
  succeed: (result: unknown) => void;
  fail: (error: unknown) => void;
}

/**
 * For a database with one connection, where a commit waits for the disk and everybody for the commit:
 * runs the units that wait one after the other in one transaction, each within a savepoint, and commits
 * them with one write to the disk. Each is told of its own end, and of success only when it is durable;
 * one that fails is undone alone.
 */
export function createGroupCommit(query: Kysely<NoTables>): Transact {
  const waiting: Waiting[] = [];
  let isRunning = false;

  const run = async (): Promise<void> => {
    // Whoever is being read from the network in this turn comes along.
    await nextTurn();
    while (waiting.length > 0) await runGroup();
    isRunning = false;
  };

  const runGroup = async (): Promise<void> => {
    const group: Waiting[] = [];
    const ends: (() => void)[] = [];
    try {
      await query.transaction().execute(async (transaction) => {
        for (let next = waiting.shift(); next; next = group.length < MOST_TOGETHER ? waiting.shift() : undefined) {
          group.push(next);
          ends.push(await runOne(transaction, next));
        }
      });
    } catch (error) {
      // Nothing of the group has come true; where it could not even begin, of nobody who waits.
      for (const { fail } of group.length > 0 ? group : waiting.splice(0)) fail(error);
      return;
    }
    for (const end of ends) end();
  };

  return async (work) =>
    await new Promise((resolve, reject) => {
      waiting.push({ work, succeed: resolve as (result: unknown) => void, fail: reject });
      if (isRunning) return;
      isRunning = true;
      run().catch(reject);
    });
}

/** Answers how to tell the unit of its end, once that is durable. */
async function runOne(transaction: Transaction<NoTables>, { work, succeed, fail }: Waiting): Promise<() => void> {
  await transaction.executeQuery(SAVEPOINT);
  try {
    const result = await work(transaction);
    await transaction.executeQuery(RELEASE);
    return () => succeed(result);
  } catch (error) {
    await transaction.executeQuery(ROLL_BACK);
    await transaction.executeQuery(RELEASE);
    return () => fail(error);
  }
}
