import { type Kysely, PostgresAdapter } from 'kysely';

export type Engine = 'sqlite' | 'postgres';

/** The tables that the database module knows: none. Each module sees its own (`tables-of.ts`). */
export interface NoTables {
  none: never;
}

/** Where a statement runs: the database, or a unit of work. */
export interface Runner {
  readonly query: Kysely<NoTables>;
}

/** What speaks PostgreSQL's protocol counts as it. */
export function engineOf({ query }: Runner): Engine {
  return query.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}
