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
  return unreachable.test(code) || refusing.test(code) || code === 'SQLITE_BUSY' || broken.test(error.message);
}
