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
import { statementLog } from './statement-log.ts';
import { noTracer, type Tracer } from '../system/tracing.ts';

type ParsedType = Parameters<typeof pg.types.getTypeParser>[0];

export interface PostgresOptions {
  maxConnections?: number;
  /** Uses named prepared statements for frequent statements (`statement.ts`). A pooler must support them. */
  usePreparedStatements?: boolean;
  /** Records the statements. */
  tracer?: Tracer;
}

/**
 * Opens PostgreSQL, or a database with its protocol, by a `postgres://` URL. `onIdleError` receives the errors of
 * idle connections, which the pool replaces.
 */
export function openPostgres(
  url: string,
  onIdleError: (error: Error) => void,
  { maxConnections = 10, usePreparedStatements = false, tracer = noTracer }: PostgresOptions = {},
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    types: {
      // Identifiers, timestamps and amounts stay within the integers that a double represents exactly.
      getTypeParser: (oid: ParsedType, format?: 'text' | 'binary') =>
        oid === pg.types.builtins.INT8 && format !== 'binary' ? parseSafeInteger : pg.types.getTypeParser(oid, format),
    },
  });
  pool.on('error', onIdleError);
  // A connection that breaks in use rejects its query. It also emits this event, which would end the process
  // without a listener.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const hub = new AnnouncementHub();
  const query = new Kysely<NoTables>({
    dialect: new PostgresDialect({ pool: usePreparedStatements ? withPreparedStatements(pool) : pool }),
    ...statementLog(tracer),
  });
  return createDatabase('postgres', query, {
    hub,
    relay: createPostgresRelay({ url, query, hub, onError: onIdleError }),
  });
}

/** Wraps a pool so that its connections use named prepared statements. */
function withPreparedStatements(pool: pg.Pool): PostgresPool {
  // Kysely identifies a connection by its object, so each client keeps one wrapper.
  const wrappers = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    async connect() {
      const client = await pool.connect();
      let wrapper = wrappers.get(client);
      if (!wrapper) {
        wrapper = wrapClient(client);
        wrappers.set(client, wrapper);
      }
      return wrapper;
    },
    end: async () => await pool.end(),
    options: pool.options,
  };
}

function wrapClient(client: pg.PoolClient): PostgresPoolClient {
  const plain = client as PostgresPoolClient;
  function query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  function query<Row>(statement: string | PostgresCursor<Row>, values: readonly unknown[] = []) {
    if (typeof statement !== 'string') return plain.query(statement);
    const name = preparedName(statement);
    if (name === undefined) return plain.query<Row>(statement, values);
    return client.query({ name, text: statement, values: [...values] }) as unknown as Promise<PostgresQueryResult<Row>>;
  }
  return { query, release: () => client.release() };
}

function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('A number in the database exceeds 2^53');
  return value;
}
