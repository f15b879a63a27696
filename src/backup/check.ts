import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { readProperty, setProperty } from '../database/installation.ts';
import { DAY, formatInstant, HOUR, type Instant, parseMoment } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import { type Check, ok, problem, warning } from '../system/diagnosis.ts';

const LAST_BACKUP = 'last_backup_at';
/** Written by `deploy/postgres/paylatch-postgres`. */
const LAST_BASE_BACKUP = 'last_base_backup_at';
/** A daily backup, with time to run. */
const MAX_AGE: Instant = 26 * HOUR;
/** A weekly base backup, with time to run. */
const MAX_BASE_AGE: Instant = 8 * DAY;

/** Records that a backup was completed. */
export async function recordBackup(database: Database, at: Instant): Promise<void> {
  await setProperty(database, LAST_BACKUP, formatInstant(at));
}

/** Checks the age of the last backup. */
export function checkBackups({
  database,
  clock,
  isSandbox,
}: {
  database: Database;
  clock: Clock;
  isSandbox: boolean;
}): Check {
  return {
    name: 'backups',
    run: async () => {
      const unarchived = await findArchivingFailure(database);
      if (unarchived !== null)
        return problem(
          `PostgreSQL cannot archive its WAL file ${unarchived}.`,
          'See its log for the cause. Until then, the WAL fills its disk.',
        );
      const now = clock.now();
      const backup = await findLastBackup(database, now);
      const action = 'Schedule: npx paylatch backup FILE, or base backups and WAL archiving. See docs/backups.md.';
      if (backup === null) {
        if (isSandbox) return ok('There is no backup, as is usual in a sandbox.');
        return (await lastArchived(database)) === null
          ? problem('There has never been a backup.', action)
          : problem('WAL is archived, but no base backup is recorded, without which it cannot be restored.', action);
      }
      const hours = Math.floor((now - backup.at) / HOUR);
      const found = `${backup.source} ${hours} ${hours === 1 ? 'hour' : 'hours'} ago.`;
      return now - backup.at > MAX_AGE ? warning(found, action) : ok(found);
    },
  };
}

/**
 * Finds the last backup: by `paylatch backup`, a base backup, or PostgreSQL's WAL archiving. The WAL cannot be restored
 * without a base backup, so it only counts after a recent one.
 */
export async function findLastBackup(
  database: Database,
  now: Instant,
): Promise<{ at: Instant; source: string } | null> {
  const backupAt = await readTime(database, LAST_BACKUP);
  const baseAt = await readTime(database, LAST_BASE_BACKUP);
  const archivedAt = baseAt === null || now - baseAt > MAX_BASE_AGE ? null : await lastArchived(database);
  const sources = [
    { at: archivedAt, source: 'WAL was last archived' },
    { at: baseAt, source: 'The last base backup was completed' },
    { at: backupAt, source: 'The last backup was completed' },
  ];
  return (
    sources.flatMap(({ at, source }) => (at === null ? [] : { at, source })).toSorted((a, b) => b.at - a.at)[0] ?? null
  );
}

async function readTime(database: Database, name: string): Promise<Instant | null> {
  const value = await readProperty(database, name);
  return value === null ? null : (parseMoment(value)?.at ?? null);
}

/** Time of PostgreSQL's last successful WAL archiving; null if it does not archive. */
async function lastArchived({ query, engine }: Database): Promise<Instant | null> {
  if (engine === 'sqlite') return null;
  const { rows } = await sql<{ at: number | null }>`
    select (extract(epoch from last_archived_time) * 1000000)::bigint as at from pg_stat_archiver`.execute(query);
  return rows[0]?.at ?? null;
}

/** The WAL file that PostgreSQL failed to archive; null unless its last attempt failed. */
async function findArchivingFailure({ query, engine }: Database): Promise<string | null> {
  if (engine === 'sqlite') return null;
  const { rows } = await sql<{ wal: string }>`
    select last_failed_wal as wal from pg_stat_archiver
    where last_failed_time > coalesce(last_archived_time, '-infinity')
      and current_setting('archive_mode') <> 'off'`.execute(query);
  return rows[0]?.wal ?? null;
}
