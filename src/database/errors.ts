/** The code of all SQLite errors in Node.js; `errcode` holds SQLite's result code. */
export const SQLITE_ERROR = 'ERR_SQLITE_ERROR';

const connectionErrorCode = /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
/** SQLSTATE classes: connection exception, insufficient resources, operator intervention, system error. */
const unavailableState = /^(08|53|57|58)[0-9A-Z]{3}$/;
/** SQLSTATE of writes that a standby or a read-only server rejects. */
const READ_ONLY_STATE = '25006';
/** Messages of PostgreSQL driver errors that have no code. */
const brokenConnectionMessage =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect)/;

/**
 * True if an error means that the database is unavailable. Either the transaction was not committed, or the connection
 * broke during the commit and its outcome is unknown. The request can be retried.
 */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionError);
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as { code?: string };
  return (
    connectionErrorCode.test(code) ||
    unavailableState.test(code) ||
    isReadOnlyError(error) ||
    unavailableResults.has(sqliteResult(error) ?? 0) ||
    brokenConnectionMessage.test(error.message)
  );
}

/** True if no pooled connection became free in time. The server may still be available. */
export function isPoolFull(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('timeout exceeded when trying to connect');
}

/** True if PostgreSQL aborted the transaction because of a deadlock. It changed nothing and can be retried. */
export function isDeadlock(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '40P01';
}

/**
 * True if PostgreSQL aborted a statement that changes the schema because another one changed the same object: an
 * internal error ("tuple concurrently updated"), or a name that is taken or gone despite `if [not] exists`.
 */
export function isSchemaConflict(error: unknown): boolean {
  const { code, table } = (error ?? {}) as { code?: unknown; table?: unknown };
  return code === 'XX000' || code === '42P07' || code === '42704' || (code === '23505' && table === 'pg_class');
}

/** SQLSTATE of a statement that was canceled, for example by the server's `statement_timeout`. */
const CANCELED_STATE = '57014';

/** A statement took longer than its limit, or the network to the server is cut. */
export class StatementTimeout extends Error {
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('The statement timed out');
  }
}

/** True if a statement was canceled because it took too long. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof StatementTimeout || (error as { code?: unknown } | null)?.code === CANCELED_STATE;
}

/** True if PostgreSQL rejected a write because it is a standby, such as a demoted primary, or read-only. */
export function isReadOnlyError(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === READ_ONLY_STATE;
}

/** Another process held a lock longer than the busy timeout. */
const SQLITE_BUSY = 5;
/** Busy, read-only, disk I/O error, disk full, cannot open the file. */
const unavailableResults: ReadonlySet<number> = new Set([SQLITE_BUSY, 8, 10, 13, 14]);

/** SQLite's primary result code: the lowest byte of an extended result code. */
function sqliteResult(error: unknown): number | undefined {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return code === SQLITE_ERROR && typeof errcode === 'number' ? errcode & 0xff : undefined;
}

/** True if SQLite timed out waiting for another process's lock. */
export function isBusy(error: unknown): boolean {
  return sqliteResult(error) === SQLITE_BUSY;
}
