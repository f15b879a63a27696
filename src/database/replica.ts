import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { Runner } from './engine.ts';
import { isConnectionError, isPoolFull, isReadOnlyError, isStatementTimeout } from './errors.ts';
import { limitStatements } from './statement-limit.ts';

/** A replica that takes longer to connect, or to report its position, is unavailable. */
export const REPLICA_RESPONSE_MS = 1000;
/** Maximum wait for a replica to replay the primary's last write. */
const CATCH_UP_MS = 100;
const POLL_MS = 5;
/** An unavailable replica is tried again after this time, by one read. */
const RETRY_AFTER_MS = 5000;
/** SQLSTATE of a statement that conflicts with the replay of writes. */
const CONFLICT_STATE = '40001';

/** A position in the write-ahead log. After a failover, positions of an old timeline are not comparable. */
interface LogPosition {
  at: string;
  timeline: number;
}

/**
 * Adds a replica to a database, for `onReplica`. A replica is read only once it has replayed everything that the
 * primary had written when the read began, so any process sees every write that was acknowledged before. Otherwise the
 * primary is read. A read that takes too long on the replica fails: it would take as long on the primary.
 */
export function withReplica(
  primary: Database,
  replica: Database,
  onError: (error: Error) => void,
  now = () => performance.now(),
): Database {
  let unavailableUntilMs = 0;

  /** Calls `onResponse` once the replica has responded. Returns null if it lags. */
  const readReplica = async <Result>(
    read: (database: Database) => Promise<Result>,
    onResponse: () => void,
  ): Promise<{ result: Result } | null> => {
    const position = await readPosition(primary);
    if (!position) return null;
    // One transaction, because a proxy or pooler may route each connection to a different replica. Each statement has
    // its own snapshot.
    const transaction = replica.query.transaction().setIsolationLevel('read committed').setAccessMode('read only');
    let timeout: Error | undefined;
    const readAll = async (query: Runner['query']) => {
      const on = { ...replica, query };
      const isCurrent = await catchUp(on, position);
      onResponse();
      if (!isCurrent) return null;
      try {
        return { result: await limitStatements(undefined, async () => await read(on)) };
      } catch (error) {
        if (isStatementTimeout(error)) timeout = error as Error;
        throw error;
      }
    };
    try {
      return await limitStatements(REPLICA_RESPONSE_MS, async () => await transaction.execute(readAll));
    } catch (error) {
      // The rollback on the broken connection throws another error.
      throw timeout ?? error;
    }
  };

  return {
    ...primary,
    async onReplica(read) {
      if (now() < unavailableUntilMs) return await read(primary);
      const isRetry = unavailableUntilMs > 0;
      // Other reads use the primary in the meantime.
      if (isRetry) unavailableUntilMs = now() + RETRY_AFTER_MS;
      let hasResponded = false;
      try {
        const done = await readReplica(read, () => {
          hasResponded = true;
          if (isRetry) unavailableUntilMs = 0;
        });
        if (done) return done.result;
      } catch (error) {
        // A bug in the caller: reads must not write.
        if (isReadOnlyError(error)) throw error;
        if (hasResponded && isStatementTimeout(error)) throw error;
        // All its connections are in use: only this read goes to the primary.
        if (isPoolFull(error)) return await read(primary);
        if (isConnectionError(error)) {
          unavailableUntilMs = now() + RETRY_AFTER_MS;
          onError(new Error('The replica does not respond. The primary is read instead.', { cause: error }));
        } else if ((error as { code?: unknown }).code !== CONFLICT_STATE) throw error;
      }
      return await read(primary);
    },
    async close() {
      await replica.close();
      await primary.close();
    },
  };
}

/** The end of the primary's durable log. Every acknowledged write is before it. */
async function readPosition(primary: Runner): Promise<LogPosition | undefined> {
  const { rows } = await sql<LogPosition>`
    select pg_current_wal_flush_lsn()::text as at,
      ('x' || substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8))::bit(32)::int as timeline`.execute(
    primary.query,
  );
  return rows[0];
}

/** Waits until a replica has replayed the log to a position; false if it lags, or follows another primary. */
async function catchUp(replica: Runner, { at, timeline }: LogPosition): Promise<boolean> {
  const deadlineMs = performance.now() + CATCH_UP_MS;
  for (;;) {
    const { rows } = await sql<{ follows: boolean | null; replayed: boolean | null }>`
      select (select received_tli from pg_stat_wal_receiver) = ${timeline} as follows,
        pg_last_wal_replay_lsn() >= ${at}::pg_lsn as replayed`.execute(replica.query);
    const [state] = rows;
    if (state?.follows !== true) return false;
    if (state.replayed === true) return true;
    if (performance.now() >= deadlineMs) return false;
    await pause(POLL_MS);
  }
}
