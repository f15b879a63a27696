import { type Kysely, type SelectQueryBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

export type Engine = 'sqlite' | 'postgres';

/** Reads and writes that become true together, or not at all. */
export interface UnitOfWork {
  readonly query: Transaction<Tables>;
  readonly engine: Engine;
  /** Runs `action` once the unit is durable; not when it is rolled back. */
  afterCommit(action: () => void): void;
}

/**
 * The service's memory. What is written together goes through `inUnit`; `query` is for reading, and
 * for a single statement that stands alone. Inside a unit only its own `query` may be used: SQLite
 * has one connection.
 */
export interface Database {
  readonly engine: Engine;
  readonly query: Kysely<Tables>;
  inUnit<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export function createDatabase(engine: Engine, query: Kysely<Tables>): Database {
  return {
    engine,
    query,
    async inUnit(work) {
      const actions: (() => void)[] = [];
      const result = await query
        .transaction()
        .execute((transaction) => work({ query: transaction, engine, afterCommit: (action) => actions.push(action) }));
      for (const action of actions) action();
      return result;
    },
    close: () => query.destroy(),
  };
}

/**
 * Locks the rows that a query finds until the unit ends. SQLite has one writer at a time and needs
 * no lock of rows.
 */
export function lockRows<DB, TB extends keyof DB, Row>(
  unit: UnitOfWork,
  query: SelectQueryBuilder<DB, TB, Row>,
): SelectQueryBuilder<DB, TB, Row> {
  return unit.engine === 'postgres' ? query.forUpdate() : query;
}

/** Like `lockRows`, but rows that another process holds are left to it. */
export function claimRows<DB, TB extends keyof DB, Row>(
  unit: UnitOfWork,
  query: SelectQueryBuilder<DB, TB, Row>,
): SelectQueryBuilder<DB, TB, Row> {
  return unit.engine === 'postgres' ? query.forUpdate().skipLocked() : query;
}

/** Answers when the database does; rejects when it does not. */
export async function pingDatabase(database: Database): Promise<void> {
  await sql`select 1`.execute(database.query);
}
