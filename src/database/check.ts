import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import { type Check, combine, type Finding, ok, problem, warning } from '../system/diagnosis.ts';
import type { Runner } from './engine.ts';
import type { Database } from './database.ts';

/** Free space below which a SQLite file may soon fill the disk. */
const MIN_FREE_BYTES = 1024 ** 3;
/** Slower round trips noticeably delay every payment: an approved card takes twelve. */
const SLOW_MS = 20;
const MIN_POSTGRES_VERSION = 140_000;

/** Checks that the database responds quickly and stores durably. */
export function checkDatabase(database: Database, url: string): Check {
  return {
    name: 'database',
    run: async () => {
      // The first one connects, and a busy machine may delay another.
      const roundTripsMs = [];
      for (let count = 0; count < 3; count += 1) {
        const startedMs = performance.now();
        await sql`select 1`.execute(database.query);
        roundTripsMs.push(performance.now() - startedMs);
      }
      const roundTripMs = Math.round(Math.min(...roundTripsMs));
      const speed =
        roundTripMs > SLOW_MS
          ? [warning(`A round trip takes ${roundTripMs} ms.`, 'Run the service close to its database.')]
          : [];
      return combine([
        ...speed,
        ...(database.engine === 'sqlite' ? await sqliteFindings(url) : await postgresFindings(database)),
      ]);
    },
  };
}

/** Free space on the disk of a SQLite file; null for other databases. */
export async function readFreeBytes(url: string): Promise<number | null> {
  if (!url.startsWith('sqlite:') || url === 'sqlite::memory:') return null;
  const { bavail, bsize } = await statfs(dirname(url.slice('sqlite:'.length)));
  return bavail * bsize;
}

async function sqliteFindings(url: string): Promise<Finding[]> {
  const path = url.slice('sqlite:'.length);
  if (path === ':memory:')
    return [problem('The database is in memory.', 'Set DATABASE_URL to a file, or to PostgreSQL.')];
  if (!existsSync(path))
    return [problem(`${path} does not exist.`, 'Correct DATABASE_URL, or create it: npx paylatch migrate')];
  const free = (await readFreeBytes(url)) ?? 0;
  const gigabytes = (free / 1024 ** 3).toFixed(1);
  return [
    free < MIN_FREE_BYTES
      ? problem(`${gigabytes} GB are free on the disk of ${path}.`, 'Free disk space, or move the database.')
      : ok(`SQLite, with ${gigabytes} GB free on its disk.`),
  ];
}

async function postgresFindings({ query }: Runner): Promise<Finding[]> {
  const { rows } = await sql<
    Record<'version' | 'number' | 'fsync' | 'pages' | 'commit', string> & { standby: boolean }
  >`
    select current_setting('server_version') as version, current_setting('server_version_num') as number,
      current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
      current_setting('synchronous_commit') as commit, pg_is_in_recovery() as standby`.execute(query);
  const [server] = rows;
  if (!server) return [];
  return [
    ok(`PostgreSQL ${server.version}.`),
    ...(Number(server.number) < MIN_POSTGRES_VERSION
      ? [problem(`PostgreSQL ${server.version} is not supported.`, 'Upgrade to PostgreSQL 14 or later.')]
      : []),
    ...(server.standby
      ? [problem('The server is a standby and refuses writes.', 'Connect to the primary (target_session_attrs).')]
      : []),
    ...([server.fsync, server.pages, server.commit].includes('off')
      ? [
          problem(
            'A crash of the server can lose acknowledged payments.',
            'Set fsync, full_page_writes and synchronous_commit to on.',
          ),
        ]
      : []),
  ];
}

/** Checks that acknowledged payments are stored on a synchronous replica, if there are replicas; also checks the replica used for reads. */
export function checkReplication(database: Database, replica: Database | null): Check {
  return {
    name: 'replication',
    run: async () => {
      if (database.engine === 'sqlite') return ok('SQLite has no replicas.');
      return combine([await replicationFinding(database), ...(replica ? [await replicaFinding(replica)] : [])]);
    },
  };
}

async function replicationFinding({ query }: Runner): Promise<Finding> {
  // Base backups and WAL receivers do not replay. They count only if writes wait for them.
  const { rows } = await sql<{ application_name: string | null; sync_state: string | null }>`
    select application_name, sync_state from pg_stat_replication
    where replay_lsn is not null or sync_state is distinct from 'async'`.execute(query);
  const { rows: settings } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings
    where name in ('synchronous_commit', 'synchronous_standby_names')`.execute(query);
  const settingOf = (name: string) => settings.find((each) => each.name === name)?.setting ?? '';
  if (rows.length === 0)
    return settingOf('synchronous_standby_names') === ''
      ? ok('There are no replicas.')
      : problem(
          'No replica is connected, but synchronous_standby_names requires one: every write waits.',
          'Start a replica. To serve without one until then, empty synchronous_standby_names.',
        );
  if (rows.every(({ sync_state: state }) => state === null))
    return warning(
      `Replicas whose state this user cannot read: ${rows.length}.`,
      'Grant the role pg_read_all_stats to the user of DATABASE_URL.',
    );
  const synchronous = rows.filter(({ sync_state: state }) => state === 'sync' || state === 'quorum');
  const names = rows.map(({ application_name: name }) => name ?? 'unnamed').join(', ');
  const commit = settingOf('synchronous_commit');
  if (synchronous.length === 0)
    return problem(
      `No replica is synchronous (${names}): a failover can lose acknowledged payments.`,
      'Set synchronous_standby_names, with Patroni synchronous_mode: true.',
    );
  if (commit === 'off' || commit === 'local')
    return problem(
      `Writes do not wait for the synchronous replica (synchronous_commit = ${commit}): a failover can lose acknowledged payments.`,
      'Set synchronous_commit to on, and remove overrides for the user and the database.',
    );
  return ok(`Synchronous replicas: ${synchronous.length} of ${rows.length} (${names}).`);
}

/** The replica of DATABASE_REPLICA_URL must follow the primary, and report its state: otherwise the primary is read. */
async function replicaFinding(replica: Runner): Promise<Finding> {
  const { rows } = await sql<{ standby: boolean; receives: boolean; timeline: number | null }>`
    select pg_is_in_recovery() as standby, exists (select from pg_stat_wal_receiver) as receives,
      (select received_tli from pg_stat_wal_receiver) as timeline`
    .execute(replica.query)
    .catch(() => ({ rows: [] }));
  const [state] = rows;
  if (!state)
    return warning('DATABASE_REPLICA_URL does not respond: the primary serves all reads.', 'Start the replica.');
  if (!state.standby || !state.receives)
    return warning(
      'DATABASE_REPLICA_URL is not a streaming replica of the primary. The primary serves all reads.',
      'Correct DATABASE_REPLICA_URL, or the replication.',
    );
  return state.timeline === null
    ? warning(
        'The state of DATABASE_REPLICA_URL cannot be read by its user: the primary serves all reads.',
        'Grant the role pg_read_all_stats to the user.',
      )
    : ok('DATABASE_REPLICA_URL follows the primary.');
}

/** Difference between the clocks of this machine and the database server, in milliseconds; null on SQLite. */
export async function databaseClockOffsetMs({ query, engine }: Database): Promise<number | null> {
  if (engine === 'sqlite') return null;
  const beforeMs = Date.now();
  const { rows } = await sql<{ ms: string }>`
    select (extract(epoch from clock_timestamp()) * 1000)::bigint::text as ms`.execute(query);
  const middleMs = (beforeMs + Date.now()) / 2;
  return rows[0] ? Number(rows[0].ms) - middleMs : null;
}
