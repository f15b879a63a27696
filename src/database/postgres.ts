import type { Socket } from 'node:net';
import type { NoTables } from './engine.ts';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, type PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { AnnouncementHub } from './announcements.ts';
import { createDatabase, type Database } from './database.ts';
import { createPostgresRelay } from './postgres-relay.ts';
import { isReadOnlyError, StatementTimeout } from './errors.ts';
import { REPLICA_RESPONSE_MS, withReplica } from './replica.ts';
import { statementLimitMs } from './statement-limit.ts';
import { preparedName, requireRows, rowsExpectedOf } from './statement.ts';
import { statementLog } from './statement-log.ts';
import { noTracer, type Tracer } from '../system/tracing.ts';

type ParsedType = Parameters<typeof pg.types.getTypeParser>[0];

export interface PostgresOptions {
  maxConnections?: number;
  /** Uses named prepared statements for frequent statements (`statement.ts`). A pooler must support them. */
  usePreparedStatements?: boolean;
  /** A replica for `onReplica`, with as many connections. */
  replicaUrl?: string | null;
  /** Maximum time to open a connection, or to wait for a free one. */
  connectTimeoutMs?: number;
  /**
   * Maximum time of a statement; unlimited by default. The network to the server may be cut without closing the
   * connection. Its statement would otherwise fail when the kernel gives up, after a quarter of an hour.
   */
  statementTimeoutMs?: number;
  /** Records the statements. */
  tracer?: Tracer;
}

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Opens PostgreSQL, or a database that speaks its protocol, from a `postgres://` URL. `onIdleError` receives the errors
 * of idle connections, which the pool replaces.
 */
export function openPostgres(
  url: string,
  onIdleError: (error: Error) => void,
  options: PostgresOptions = {},
): Database {
  const { maxConnections = 10, connectTimeoutMs = CONNECT_TIMEOUT_MS, tracer = noTracer } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    // Only the wrapper below sends a statement before the previous one has returned.
    pipeline: true,
    connectionTimeoutMillis: connectTimeoutMs,
    // Detects idle connections to a server that has disappeared.
    keepAlive: true,
    keepAliveInitialDelayMillis: CONNECT_TIMEOUT_MS,
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
    dialect: new PostgresDialect({ pool: wrapPool(pool, options) }),
    ...statementLog(tracer),
  });
  const database = createDatabase('postgres', query, {
    hub,
    relay: createPostgresRelay({ url, query, hub, onError: onIdleError }),
  });
  const { replicaUrl = null, ...others } = options;
  if (replicaUrl === null) return database;
  const replica = openPostgres(replicaUrl, onIdleError, {
    ...others,
    connectTimeoutMs: Math.min(connectTimeoutMs, REPLICA_RESPONSE_MS),
  });
  return withReplica(database, replica, onIdleError);
}

/** Wraps a pool to prepare frequent statements, and to discard broken connections. */
function wrapPool(pool: pg.Pool, options: PostgresOptions): PostgresPool {
  // Kysely identifies a connection by its object, so each client keeps one wrapper.
  const wrappers = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    async connect() {
      const client = await pool.connect();
      let wrapper = wrappers.get(client);
      if (!wrapper) {
        wrapper = wrapClient(client, options);
        wrappers.set(client, wrapper);
      }
      return wrapper;
    },
    end: async () => await pool.end(),
    options: pool.options,
  };
}

function wrapClient(
  client: pg.PoolClient,
  { usePreparedStatements = false, statementTimeoutMs }: PostgresOptions,
): PostgresPoolClient {
  let shouldDiscard = false;
  /** Statements of the unit of work without a response yet: `begin`, and writes without a result. */
  let pipelined: { text: string; rows: number | null; response: Promise<unknown> }[] = [];
  let isInTransaction = false;

  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  /** Collects statements sent without waiting in between, and sends them with one system call. */
  const collect = () => {
    if (stream.writableCorked > 0) return;
    stream.cork();
    process.nextTick(() => stream.uncork());
  };

  const send = async <Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>> => {
    const name = usePreparedStatements ? preparedName(text) : undefined;
    const limitMs = statementLimitMs() ?? statementTimeoutMs;
    const timer = limitMs === undefined ? undefined : setTimeout(() => abortConnection(client), limitMs);
    collect();
    try {
      return (await client.query({
        ...(name !== undefined && { name }),
        ...{ text, values: [...values] },
      })) as unknown as PostgresQueryResult<Row>;
    } catch (error) {
      // A pooler or proxy may still route to a demoted primary. A new connection reaches the new primary.
      if (isReadOnlyError(error)) shouldDiscard = true;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };

  const sendPipelined = <Row>(
    text: string,
    values: readonly unknown[],
    rows: number | null,
  ): PostgresQueryResult<Row> => {
    const response = send(text, values).then(({ rowCount }) => requireRows(rows, rowCount));
    // Reported with the next statement.
    response.catch(() => undefined);
    pipelined.push({ text, rows, response });
    return { command: 'UPDATE', rowCount: rows ?? 0, rows: [] };
  };

  /** Waits for the pipelined statements; rejects with the first failure. */
  const awaitPipelined = async (): Promise<void> => {
    const sent = pipelined;
    pipelined = [];
    const outcomes = await Promise.allSettled(sent.map(({ response }) => response));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  };

  const query = async <Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>> => {
    if (isBegin(text)) {
      isInTransaction = true;
      return sendPipelined(text, values, null);
    }
    if (text === 'commit' || text === 'rollback') isInTransaction = false;
    if (text === 'rollback') pipelined = [];
    if (mustAwaitPipelined(text)) await awaitPipelined();
    const rows = isInTransaction ? rowsExpectedOf(text) : undefined;
    if (rows !== undefined) return sendPipelined(text, values, rows);
    if (pipelined.length === 0) return await send(text, values);
    const [outcome] = await Promise.allSettled([send<Row>(text, values)]);
    await awaitPipelined();
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  };

  /** A failed `begin` must not let a write commit on its own; a commit must not follow an unchecked row count. */
  const mustAwaitPipelined = (text: string) =>
    text === 'commit'
      ? pipelined.some(({ rows }) => rows !== null)
      : !/^select\b/.test(text) && pipelined.some((each) => isBegin(each.text));

  return {
    query: query as PostgresPoolClient['query'],
    release: () => client.release(shouldDiscard),
  };
}

function isBegin(text: string): boolean {
  return /^(?:begin|start transaction)\b/.test(text);
}

/** Closes a connection without waiting for the server: its statement fails, and the pool replaces it. */
function abortConnection(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: { stream: Socket } };
  connection.stream.destroy(new StatementTimeout());
}

function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('A number in the database exceeds 2^53');
  return value;
}
