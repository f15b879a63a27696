import type { NoTables } from './engine.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CompiledQuery, type Kysely, type Transaction } from 'kysely';
import type { Tracer } from '../system/tracing.ts';

/** Runs `work` in a transaction; resolves after its commit. */
export type Transact = <Result>(work: (transaction: Transaction<NoTables>) => Promise<Result>) => Promise<Result>;

/** Maximum units per commit, which bounds the wait of the first. */
const MAX_GROUP_SIZE = 64;

const SAVEPOINT = CompiledQuery.raw('savepoint unit');
const RELEASE = CompiledQuery.raw('release unit');
const ROLL_BACK = CompiledQuery.raw('rollback to unit');

interface PendingUnit {
  work: (transaction: Transaction<NoTables>) => Promise<unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/**
 * Group commit for a database with one connection, where every commit waits for the disk. Runs the waiting
 * units one after the other in one transaction, each within a savepoint, and commits them with one disk write.
 * A unit's promise resolves only after the commit. A unit that fails is rolled back alone.
 */
export function createGroupCommit(query: Kysely<NoTables>, { bind }: Pick<Tracer, 'bind'>): Transact {
  const waiting: PendingUnit[] = [];
  let isRunning = false;

  const run = async (): Promise<void> => {
    // Includes requests that are read from the network in this turn.
    await nextTurn();
    while (waiting.length > 0) await runGroup();
    isRunning = false;
  };

  const runGroup = async (): Promise<void> => {
    const group: PendingUnit[] = [];
    const ends: (() => void)[] = [];
    try {
      await query.transaction().execute(async (transaction) => {
        for (let next = waiting.shift(); next; next = group.length < MAX_GROUP_SIZE ? waiting.shift() : undefined) {
          group.push(next);
          ends.push(await runOne(transaction, next));
        }
      });
    } catch (error) {
      // The whole group was rolled back. If the transaction could not begin, all waiting units fail.
      for (const { reject } of group.length > 0 ? group : waiting.splice(0)) reject(error);
      return;
    }
    for (const end of ends) end();
  };

  return async (work) =>
    await new Promise((resolve, reject) => {
      waiting.push({ work: bind(work), resolve: resolve as (result: unknown) => void, reject: reject });
      if (isRunning) return;
      isRunning = true;
      run().catch(reject);
    });
}

/** Runs one unit; returns a function that resolves or rejects its promise after the commit. */
async function runOne(transaction: Transaction<NoTables>, { work, resolve, reject }: PendingUnit): Promise<() => void> {
  await transaction.executeQuery(SAVEPOINT);
  try {
    const result = await work(transaction);
    await transaction.executeQuery(RELEASE);
    return () => resolve(result);
  } catch (error) {
    try {
      await transaction.executeQuery(ROLL_BACK);
    } catch {
      // SQLite has rolled back the whole transaction, for example because the disk is full.
      throw error;
    }
    await transaction.executeQuery(RELEASE);
    return () => reject(error);
  }
}
