import { AsyncLocalStorage } from 'node:async_hooks';

const limits = new AsyncLocalStorage<number | undefined>();

/** Runs `work` with another maximum time for each of its PostgreSQL statements; undefined is that of the database. */
export function limitStatements<Result>(limitMs: number | undefined, work: () => Result): Result {
  return limits.run(limitMs, work);
}

/** The maximum time that applies to a statement of the current work; undefined is that of the database. */
export function statementLimitMs(): number | undefined {
  return limits.getStore();
}
