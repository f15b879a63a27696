import { type Kysely, PostgresAdapter } from 'kysely';

export type Engine = 'sqlite' | 'postgres';

/** Tables known to the database module: none. Each module declares its own (`tables-of.ts`). */
export interface NoTables {
  none: never;
}

/** Runs statements: the database, or a unit of work. */
export interface Runner {
  readonly query: Kysely<NoTables>;
}

/** Every database with PostgreSQL's protocol counts as PostgreSQL. */
export function engineOf({ query }: Runner): Engine {
  return query.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}
