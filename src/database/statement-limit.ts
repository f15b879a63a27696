import { AsyncLocalStorage } from 'node:async_hooks';

const limits = new AsyncLocalStorage<number | undefined>();

/** Runs `work` with a different maximum time for each PostgreSQL statement; undefined: the database's own limit. */
export function limitStatements<Result>(limitMs: number | undefined, work: () => Result): Result {
  return limits.run(limitMs, work);
}

/** The maximum time of a statement of the current work; undefined: the database's own limit. */
export function statementLimitMs(): number | undefined {
  return limits.getStore();
}
