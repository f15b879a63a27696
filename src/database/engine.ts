import { type Kysely, PostgresAdapter } from 'kysely';
import type { Tables } from './tables.ts';

export type Engine = 'sqlite' | 'postgres';

/** Where a statement runs: the database, or a unit of work. */
export interface Runner {
  readonly query: Kysely<Tables>;
}

/** What speaks PostgreSQL's protocol counts as it. */
export function engineOf({ query }: Runner): Engine {
  return query.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}
