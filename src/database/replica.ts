import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { Runner } from './engine.ts';
import { isConnectionError, isReadOnlyError } from './errors.ts';

/** Maximum wait for a replica to replay the primary's last write. */
const CATCH_UP_MS = 100;
const POLL_MS = 5;
/** An unavailable replica is tried again after this time. */
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
 * primary is read.
 */
export function withReplica(primary: Database, replica: Database, onError: (error: Error) => void): Database {
  let unavailableUntilMs = 0;

  /** Returns null if the replica lags. */
  const readReplica = async <Result>(read: (on: Database) => Promise<Result>): Promise<{ result: Result } | null> => {
    const position = await readPosition(primary);
    if (!position) return null;
    // One transaction, because a proxy or pooler may lead each connection to another replica. Each statement has its
    // own snapshot.
    const transaction = replica.query.transaction().setIsolationLevel('read committed').setAccessMode('read only');
    return await transaction.execute(async (query) => {
      const on = { ...replica, query };
      return (await catchUp(on, position)) ? { result: await read(on) } : null;
    });
  };

  return {
    ...primary,
    async onReplica(read) {
      if (performance.now() < unavailableUntilMs) return await read(primary);
      try {
        const done = await readReplica(read);
        if (done) return done.result;
      } catch (error) {
        // A defect of the caller: reads do not write.
        if (isReadOnlyError(error)) throw error;
        if (isConnectionError(error)) {
          unavailableUntilMs = performance.now() + RETRY_AFTER_MS;
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
