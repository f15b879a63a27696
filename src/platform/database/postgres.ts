import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { AnnouncementHub } from './announcements.ts';
import { createDatabase, type Database } from './database.ts';
import { createPostgresRelay } from './postgres-relay.ts';
import type { Tables } from './tables.ts';

const INT8 = 20;

/**
 * PostgreSQL, or what speaks its protocol, by a `postgres://` address. `onIdleError` hears of idle
 * connections that break; the pool replaces them.
 */
export function openPostgres(url: string, onIdleError: (error: Error) => void, maxConnections = 10): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    types: {
      // Identifiers, moments and amounts are kept within what a double carries exactly.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 && format !== 'binary' ? safeInteger : pg.types.getTypeParser(oid, format),
    },
  });
  pool.on('error', onIdleError);
  // One that breaks while it is used tells whoever waits for its answer, and this event besides, which
  // would end the process if nobody heard it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const hub = new AnnouncementHub();
  const query = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return createDatabase('postgres', query, {
    hub,
    relay: createPostgresRelay({ url, query, hub, onError: onIdleError }),
  });
}

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('A number in the database is larger than 2^53');
  return value;
}
