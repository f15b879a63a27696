import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { OperatorError } from '../system/operator-error.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import type { Engine } from '../database/engine.ts';
import { BUSY_TIMEOUT_MS } from '../database/sqlite.ts';
import { isBusy } from '../database/errors.ts';
import { firstTables } from './0001-first-tables.ts';
import { pushPayments } from './0002-push-payments.ts';
import { confirmations } from './0003-confirmations.ts';
import { buyers } from '../payments/migrations/0004-buyers.ts';
import { prices } from '../payments/migrations/0005-prices.ts';
import { limits } from '../http/migrations/0006-limits.ts';
import { idempotency } from '../operations/migrations/0007-idempotency.ts';
import { eventLog } from '../webhooks/migrations/0008-event-log.ts';
import { callbackCare } from '../webhooks/migrations/0009-callback-care.ts';
import { clients } from '../auth/migrations/0010-clients.ts';
import { formerLinks } from '../payments/migrations/0011-former-links.ts';
import { eventPositions } from '../webhooks/migrations/0012-event-positions.ts';
import { refunds } from './0013-refunds.ts';
import { callbackReceivers } from '../webhooks/migrations/0014-callback-receivers.ts';
import { invoices } from './0015-invoices.ts';
import { simulatedChains } from '../chains/simulated/migrations/0016-simulated-chains.ts';
import { withdrawals } from './0017-withdrawals.ts';
import { coinPayments } from './0018-coin-payments.ts';
import { balances } from './0019-balances.ts';
import { people } from './0020-people.ts';
import { accountReads } from './0021-account-reads.ts';
import { decisions } from '../payments/migrations/0022-decisions.ts';
import { holdings } from './0023-holdings.ts';
import { outOfBand } from '../payments/migrations/0024-out-of-band.ts';
import { resetInvitations } from '../auth/migrations/0025-reset-invitations.ts';
import { tokenCreators } from '../auth/migrations/0026-token-creators.ts';
import { stepUp } from '../auth/migrations/0027-step-up.ts';
import { callbackUrlChanges } from './0028-callback-url-changes.ts';
import { heldWithdrawals } from '../withdrawals/migrations/0030-held-withdrawals.ts';
import { hashedRequestNames } from './0032-hashed-request-names.ts';
import { disabledMethods } from '../methods/migrations/0033-disabled-methods.ts';
import { amountsAcrossCurrencies } from '../payments/migrations/0034-amounts-across-currencies.ts';
import { environmentMark } from './0035-environment-mark.ts';
import { auditActors } from '../audit/migrations/0036-audit-actors.ts';
import { parentTokens } from '../auth/migrations/0046-parent-tokens.ts';
import { reversedDeposits } from './0050-reversed-deposits.ts';
import { addressSafety } from './0051-address-safety.ts';
import { writeOffs } from './0052-write-offs.ts';
import { ledger } from './0055-ledger.ts';
import { cancelledWithdrawals } from './0060-cancelled-withdrawals.ts';
import { settledDifferences } from './0061-settled-differences.ts';
import { dueCoinPayments } from '../invoices/migrations/0062-due-coin-payments.ts';
import { eventSubjects } from '../webhooks/migrations/0063-event-subjects.ts';
import { webhookEndpoints } from '../webhooks/migrations/0064-webhook-endpoints.ts';
import { deposits } from './0065-deposits.ts';

/** Ordered by name. A released migration is never changed. */
function migrations(engine: Engine): Record<string, Migration> {
  return {
    '0001-first-tables': firstTables(engine),
    '0002-push-payments': pushPayments(engine),
    '0003-confirmations': confirmations,
    '0004-buyers': buyers,
    '0005-prices': prices,
    '0006-limits': limits,
    '0007-idempotency': idempotency,
    '0008-event-log': eventLog(engine),
    '0009-callback-care': callbackCare,
    '0010-clients': clients(engine),
    '0011-former-links': formerLinks,
    '0012-event-positions': eventPositions(engine),
    '0013-refunds': refunds(engine),
    '0014-callback-receivers': callbackReceivers,
    '0015-invoices': invoices(engine),
    '0016-simulated-chains': simulatedChains(engine),
    '0017-withdrawals': withdrawals(engine),
    '0018-coin-payments': coinPayments(engine),
    '0019-balances': balances,
    '0020-people': people(engine),
    '0021-account-reads': accountReads(engine),
    '0022-decisions': decisions,
    '0023-holdings': holdings,
    '0024-out-of-band': outOfBand,
    '0025-reset-invitations': resetInvitations,
    '0026-token-creators': tokenCreators,
    '0027-step-up': stepUp,
    '0028-callback-url-changes': callbackUrlChanges(engine),
    '0030-held-withdrawals': heldWithdrawals,
    '0032-hashed-request-names': hashedRequestNames,
    '0033-disabled-methods': disabledMethods,
    '0034-amounts-across-currencies': amountsAcrossCurrencies,
    '0035-environment-mark': environmentMark,
    '0036-audit-actors': auditActors,
    '0046-parent-tokens': parentTokens,
    '0050-reversed-deposits': reversedDeposits,
    '0051-address-safety': addressSafety(engine),
    '0052-write-offs': writeOffs,
    '0055-ledger': ledger(engine),
    '0060-cancelled-withdrawals': cancelledWithdrawals,
    '0061-settled-differences': settledDifferences,
    '0062-due-coin-payments': dueCoinPayments,
    '0063-event-subjects': eventSubjects(engine),
    '0064-webhook-endpoints': webhookEndpoints(engine),
    '0065-deposits': deposits,
  };
}

/** Names of all migrations, oldest first. */
export const migrationNames: readonly string[] = Object.keys(migrations('sqlite')).sort();

/**
 * The advisory lock of a migration on PostgreSQL. It has the number of Kysely's migrator, which releases up to 0.2
 * use, so that those wait too.
 */
const LOCK = sql.lit(3_853_314_791_062_309_107n);
/** Busy timeout of a migration on SQLite, short so that waiting is reported soon, and the delay between attempts. */
const LOCK_TIMEOUT_MS = 250;
const RETRY_MS = 100;

export type MigrationStep =
  /** Another process migrates, or runs a long write. */
  { kind: 'waiting' } | { kind: 'begun'; name: string } | { kind: 'done'; name: string; durationMs: number };

export interface MigrateOptions {
  /** The last migration to apply; all by default. */
  through?: string;
  onStep?: ((step: MigrationStep) => void) | undefined;
}

/** Pending migrations of a database; rejects a database newer than this program. */
export async function pendingMigrations(database: Pick<Database, 'query' | 'engine'>): Promise<string[]> {
  const applied = await appliedMigrations(database);
  const unknown = applied.find((name) => !migrationNames.includes(name));
  if (unknown !== undefined) {
    throw new OperatorError(
      `The database is newer than this program: it has the migration ${unknown}. Run that release or a later one.`,
    );
  }
  const missing = migrationNames.find((name) => !applied.includes(name));
  if (missing !== undefined && applied.some((name) => name > missing)) {
    throw new OperatorError(
      `The migration ${missing} is missing, but later ones were applied: the database was modified manually. Restore a backup.`,
    );
  }
  return migrationNames.filter((name) => !applied.includes(name));
}

/** Applied migrations of a database, oldest first; none for an empty one. */
export async function appliedMigrations({ query, engine }: Pick<Database, 'query' | 'engine'>): Promise<string[]> {
  const found =
    engine === 'sqlite'
      ? sql`select 1 from sqlite_master where name = 'kysely_migration'`
      : sql`select 1 where to_regclass('kysely_migration') is not null`;
  if ((await found.execute(query)).rows.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(query);
  return rows.map(({ name }) => name);
}

/**
 * Applies pending migrations; returns their names. Forward only, and all or nothing: if one fails, all are rolled
 * back. If several processes start at once, one migrates and the others wait.
 */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<string[]> {
  const { through, onStep } = options;
  const isWanted = (name: string) => through === undefined || name <= through;
  // Every command calls this, so it takes no lock if nothing is pending.
  if (!(await pendingMigrations(database)).some(isWanted)) return [];
  return await inUnitAlone(
    database,
    () => onStep?.({ kind: 'waiting' }),
    async ({ query }) => await migrateWithin(query, database.engine, options),
  );
}

/** Runs a unit of work with exclusive access to the schema; reports once if it must wait. */
export async function inUnitAlone<Result>(
  database: Database,
  onWait: () => void,
  work: (unit: UnitOfWork) => Promise<Result>,
): Promise<Result> {
  let hasWaited = false;
  const wait = () => {
    if (!hasWaited) onWait();
    hasWaited = true;
  };
  const setBusyTimeout = async (ms: number) =>
    database.engine === 'sqlite' && (await sql`pragma busy_timeout = ${sql.lit(ms)}`.execute(database.query));
  await setBusyTimeout(LOCK_TIMEOUT_MS);
  try {
    for (;;) {
      try {
        return await database.inTransaction(async (unit) => {
          if (database.engine === 'postgres') await lockPostgres(unit.query, wait);
          return await work(unit);
        });
      } catch (error) {
        if (!isBusy(error)) throw error;
        wait();
        await pause(RETRY_MS);
      }
    }
  } finally {
    await setBusyTimeout(BUSY_TIMEOUT_MS);
  }
}

/** Like `migrate`, inside a unit of work with exclusive access to the schema. */
export async function migrateWithin(
  query: Database['query'],
  engine: Engine,
  { through, onStep }: MigrateOptions = {},
): Promise<string[]> {
  const pending = await pendingMigrations({ query, engine });
  const names = pending.filter((name) => through === undefined || name <= through);
  const known = migrations(engine);
  await sql`create table if not exists kysely_migration (
    name varchar(255) not null primary key,
    timestamp varchar(255) not null
  )`.execute(query);
  for (const name of names) {
    const startedMs = performance.now();
    onStep?.({ kind: 'begun', name });
    try {
      await known[name]?.up(query);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new OperatorError(`The migration ${name} failed; all migrations were rolled back. ${reason}`, {
        cause: error,
      });
    }
    await sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(
      query,
    );
    onStep?.({ kind: 'done', name, durationMs: performance.now() - startedMs });
  }
  return names;
}

/** Takes the migration lock until the transaction ends. */
async function lockPostgres(query: Database['query'], onWait: () => void): Promise<void> {
  const tried = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as free`.execute(query);
  if (tried.rows[0]?.free) return;
  onWait();
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(query);
}
