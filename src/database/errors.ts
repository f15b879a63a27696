/** The code of every error of SQLite in Node; `errcode` holds SQLite's own. */
export const SQLITE_ERROR = 'ERR_SQLITE_ERROR';

const unreachable = /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
/** SQLSTATE classes: connection exception, insufficient resources, operator intervention. */
const refusing = /^(08|53|57)[0-9A-Z]{3}$/;
/** What the PostgreSQL driver says without a code. */
const broken =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;

/**
 * Whether an error says that the database is not there just now: nothing of the unit has come true, or,
 * where the connection broke while it committed, it is not known. It may be tried again.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as { code?: string };
  return unreachable.test(code) || refusing.test(code) || isBusy(error) || broken.test(error.message);
}

/** Another process held a lock longer than the busy timeout. Extended codes hold this in their lowest byte. */
const SQLITE_BUSY = 5;

/** Whether SQLite gave up because another process held a lock. */
export function isBusy(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return code === SQLITE_ERROR && typeof errcode === 'number' && (errcode & 0xff) === SQLITE_BUSY;
}
