import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { createDatabase, type Database } from './database.ts';
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
  return createDatabase('postgres', new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }));
}

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('A number in the database is larger than 2^53');
  return value;
}
