import type { NoTables } from './engine.ts';
import {
  Kysely,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely';
import pg from 'pg';
import { AnnouncementHub } from './announcements.ts';
import { createDatabase, type Database } from './database.ts';
import { createPostgresRelay } from './postgres-relay.ts';
import { preparedName } from './statement.ts';

type ParsedType = Parameters<typeof pg.types.getTypeParser>[0];

export interface PostgresOptions {
  maxConnections?: number;
  /** Whether each connection keeps what runs often prepared, under names (`statement.ts`). A pooler must know of them. */
  prepares?: boolean;
}

/**
 * PostgreSQL, or what speaks its protocol, by a `postgres://` address. `onIdleError` hears of idle
 * connections that break; the pool replaces them.
 */
export function openPostgres(
  url: string,
  onIdleError: (error: Error) => void,
  { maxConnections = 10, prepares = false }: PostgresOptions = {},
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    types: {
      // Identifiers, moments and amounts are kept within what a double carries exactly.
      getTypeParser: (oid: ParsedType, format?: 'text' | 'binary') =>
        oid === pg.types.builtins.INT8 && format !== 'binary' ? safeInteger : pg.types.getTypeParser(oid, format),
    },
  });
  pool.on('error', onIdleError);
  // One that breaks while it is used tells whoever waits for its answer, and this event besides, which
  // would end the process if nobody heard it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const hub = new AnnouncementHub();
  const query = new Kysely<NoTables>({ dialect: new PostgresDialect({ pool: prepares ? preparing(pool) : pool }) });
  return createDatabase('postgres', query, {
    hub,
    relay: createPostgresRelay({ url, query, hub, onError: onIdleError }),
  });
}

/** The same pool, whose connections are told the names of the statements that they are to keep. */
function preparing(pool: pg.Pool): PostgresPool {
  // A connection is the same object each time that it is taken: Kysely knows it by that.
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    async connect() {
      const client = await pool.connect();
      let named = known.get(client);
      if (!named) {
        named = withNames(client);
        known.set(client, named);
      }
      return named;
    },
    end: async () => await pool.end(),
    options: pool.options,
  };
}

function withNames(client: pg.PoolClient): PostgresPoolClient {
  const plain = client as PostgresPoolClient;
  function query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  function query<Row>(asked: string | PostgresCursor<Row>, values: readonly unknown[] = []) {
    if (typeof asked !== 'string') return plain.query(asked);
    const name = preparedName(asked);
    if (name === undefined) return plain.query<Row>(asked, values);
    return client.query({ name, text: asked, values: [...values] }) as unknown as Promise<PostgresQueryResult<Row>>;
  }
  return { query, release: () => client.release() };
}

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('A number in the database is larger than 2^53');
  return value;
}
