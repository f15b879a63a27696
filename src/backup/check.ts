import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { readProperty, setProperty } from '../database/installation.ts';
import { formatInstant, HOUR, type Instant, parseMoment } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import { type Check, ok, problem, warning } from '../system/diagnosis.ts';

const LAST_BACKUP = 'last_backup_at';
/** A daily backup, with time to run. */
const MAX_AGE: Instant = 26 * HOUR;

/** Records that a backup was completed. */
export async function recordBackup(database: Database, at: Instant): Promise<void> {
  await setProperty(database, LAST_BACKUP, formatInstant(at));
}

/** Checks the age of the last backup, made by `paylatch backup` or by PostgreSQL's WAL archiving. */
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
      const backup = await findLastBackup(database);
      const action = 'Schedule: npx paylatch backup FILE, or archive the WAL. See docs/backups.md.';
      if (backup === null) {
        if (isSandbox) return ok('There is no backup, as is usual in a sandbox.');
        return problem('There has never been a backup.', action);
      }
      const { at: last, isArchived } = backup;
      const hours = Math.floor((clock.now() - last) / HOUR);
      const source = isArchived ? 'WAL was last archived' : 'The last backup was completed';
      const found = `${source} ${hours} ${hours === 1 ? 'hour' : 'hours'} ago.`;
      return clock.now() - last > MAX_AGE ? warning(found, action) : ok(found);
    },
  };
}

/** Finds the last backup, made by `paylatch backup` or by PostgreSQL's WAL archiving. */
export async function findLastBackup(database: Database): Promise<{ at: Instant; isArchived: boolean } | null> {
  const archivedAt = await lastArchived(database);
  const times = [await lastRecorded(database), archivedAt].filter((at) => at !== null);
  if (times.length === 0) return null;
  const at = Math.max(...times);
  return { at, isArchived: at === archivedAt };
}

async function lastRecorded(database: Database): Promise<Instant | null> {
  const value = await readProperty(database, LAST_BACKUP);
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
