import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { startAcquirer } from './acquirer.ts';
import {
  etcdArguments,
  haproxyConfiguration,
  passwords,
  patroniConfiguration,
  pgbouncerConfiguration,
  ports,
} from './configuration.ts';
import { createMachine, createSwitch, type Machine, run, startAs } from './network.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Does not block this process, which runs the load and the acquirer. */
const runInBackground = promisify(execFile);
const program = join(root, 'scripts', 'paylatch.mjs');
const MACHINES = 3;
const PROCESSES = 3;
/** Size of a machine's disk. It is in memory, so that filling it affects no other program. */
const DISK = '400m';
const START_MS = 90_000;

/** A process of the service. */
export interface ServiceProcess {
  port: number;
  child: ChildProcess;
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/** Starts three machines with etcd, Patroni and PostgreSQL; HAProxy, PgBouncer, and three processes of the service. */
export async function startCluster({ folder, pool }: { folder: string; pool: string }) {
  const databaseUser = idsOf('postgres');
  const logFile = (name: string) => openSync(join(folder, `${name}.log`), 'a');
  createSwitch();
  const machines = Array.from({ length: MACHINES }, (_, index) => createMachine(index + 1));
  const disk = ({ name }: Machine) => join(folder, name);
  const configurationFile = (machine: Machine) => join(folder, `${machine.name}.yaml`);
  const writeFor = (path: string, text: string) => {
    writeFileSync(path, text, { mode: 0o600 });
    chownSync(path, databaseUser.uid, databaseUser.gid);
  };
  const start = (name: string, user: string, machine: Machine | null, command: readonly string[]) => {
    const log = logFile(machine ? `${machine.name}-${name}` : name);
    return startAs(user, machine, command, { cwd: folder, stdio: ['ignore', log, log] });
  };

  for (const machine of machines) {
    mkdirSync(disk(machine));
    run('mount', '-t', 'tmpfs', '-o', `size=${DISK},mode=0700`, 'tmpfs', disk(machine));
    chownSync(disk(machine), databaseUser.uid, databaseUser.gid);
    writeFor(configurationFile(machine), patroniConfiguration(machine, machines, disk(machine)));
  }
  // etcd has its own disk, as recommended.
  const etcdDisk = join(folder, 'etcd');
  mkdirSync(etcdDisk);
  run('mount', '-t', 'tmpfs', '-o', 'size=600m,mode=0700', 'tmpfs', etcdDisk);
  chownSync(etcdDisk, databaseUser.uid, databaseUser.gid);

  const startEtcd = (machine: Machine) =>
    start('etcd', 'postgres', machine, ['etcd', ...etcdArguments(machine, machines, join(etcdDisk, machine.name))]);
  const startPatroni = (machine: Machine) =>
    start('patroni', 'postgres', machine, ['/usr/bin/python3', '/usr/bin/patroni', configurationFile(machine)]);

  for (const machine of machines) startEtcd(machine);
  for (const machine of machines) startPatroni(machine);
  const processPorts = Array.from({ length: PROCESSES }, (_, index) => ports.process + index);
  writeFileSync(join(folder, 'haproxy.cfg'), haproxyConfiguration(machines, processPorts));
  start('haproxy', 'haproxy', null, ['haproxy', '-db', '-f', join(folder, 'haproxy.cfg')]);

  const queryAsAdmin = async <Row extends pg.QueryResultRow>(text: string, machine?: Machine, database = 'postgres') =>
    await query<Row>(
      machine
        ? `postgres://postgres:${passwords.postgres}@${machine.address}:${ports.postgres}/${database}`
        : `postgres://postgres:${passwords.postgres}@127.0.0.1:${ports.primary}/${database}`,
      text,
    );
  await until('PostgreSQL accepts writes', async () => (await queryAsAdmin('create table ready ()')) !== null);
  await queryAsAdmin('drop table ready');
  await queryAsAdmin(`create role paylatch login password '${passwords.paylatch}' in role pg_monitor`);
  await queryAsAdmin('create database paylatch owner paylatch');

  writeFor(join(folder, 'users.txt'), `"paylatch" "${passwords.paylatch}"\n`);
  writeFor(join(folder, 'pgbouncer.ini'), pgbouncerConfiguration(folder, pool));
  const startPgbouncer = () => start('pgbouncer', 'postgres', null, ['pgbouncer', join(folder, 'pgbouncer.ini')]);
  let pgbouncer = startPgbouncer();

  const marks = join(folder, 'address-marks');
  mkdirSync(marks);
  // The owner of the repository, which another user may be unable to read.
  const owner = statSync(root);
  chownSync(marks, owner.uid, owner.gid);
  const { PATH = '' } = process.env;
  const settings = {
    PATH,
    DATABASE_URL: `postgres://paylatch:${passwords.paylatch}@127.0.0.1:${ports.pgbouncer}/paylatch`,
    DATABASE_REPLICA_URL: `postgres://paylatch:${passwords.paylatch}@127.0.0.1:${ports.replicas}/paylatch`,
    DATABASE_PREPARED_STATEMENTS: pool === 'session' ? 'on' : 'off',
    PUBLIC_URL: `http://127.0.0.1:${ports.service}`,
    TRUSTED_PROXIES: 'loopback',
    ADDRESS_MARKS: marks,
    SEALING_KEY: 'cd'.repeat(32),
    DEMO_SHOP: 'off',
    // As in production.
    LOG_LEVEL: 'info',
    LIMIT_TOKEN_PER_SECOND: '0',
    LIMIT_CARD_PER_HOUR: '0',
    LIMIT_SUBMIT_PER_HOUR: '0',
  };
  /** Processes of the service that exited unexpectedly. */
  const crashes: string[] = [];
  const stopping = new Set<ChildProcess>();
  const startProcess = (port: number): ServiceProcess => {
    const log = logFile(`paylatch-${port}`);
    const child = spawn(process.execPath, [program, 'start'], {
      ...{ cwd: folder, stdio: ['ignore', log, log], uid: owner.uid, gid: owner.gid },
      env: { ...settings, HOST: '127.0.0.1', PORT: String(port) },
    });
    child.on('exit', (code, signal) => {
      if (!stopping.has(child)) crashes.push(`A process of the service ended with ${signal ?? code}`);
    });
    return { port, child };
  };
  const isReady = async (url: string) => (await fetch(url, { signal: AbortSignal.timeout(2000) })).status === 200;
  const [firstPort = 0] = processPorts;
  await until('PgBouncer reaches the primary', async () => (await query(settings.DATABASE_URL, 'select 1')) !== null);
  /** Runs a command of the service, and returns its output. */
  const command = async (args: readonly string[], input = ''): Promise<Record<string, unknown>> => {
    const running = runInBackground(process.execPath, [program, ...args, '--output', 'json'], {
      ...{ env: settings, cwd: folder, uid: owner.uid, gid: owner.gid },
    });
    running.child.stdin?.end(input);
    return JSON.parse((await running).stdout) as Record<string, unknown>;
  };
  // The first command migrates.
  const acquirer = await startAcquirer(folder, settings.PUBLIC_URL, command);
  const processes = [startProcess(firstPort)];
  await until('the service is ready', () => isReady(`http://127.0.0.1:${firstPort}/readyz`));
  for (const port of processPorts.slice(1)) processes.push(startProcess(port));
  for (const { port } of processes)
    await until(`process ${port} is ready`, () => isReady(`http://127.0.0.1:${port}/readyz`));
  await until('HAProxy reaches the service', () => isReady(`${settings.PUBLIC_URL}/healthz`));

  /** The state of each machine, from Patroni's REST API; machines that do not respond are omitted. */
  const states = async () => {
    const found = await Promise.all(
      machines.map(async (machine) => {
        const url = `http://${machine.address}:${ports.patroni}/patroni`;
        const response = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => null);
        const state = (await response?.json().catch(() => null)) as PatroniState | null | undefined;
        return state ? { machine, state } : null;
      }),
    );
    return found.filter((each) => each !== null);
  };
  const findPrimary = async (): Promise<Machine | null> =>
    (await states()).find(({ state }) => state.role === 'master' || state.role === 'primary')?.machine ?? null;

  const cluster = {
    ...{ machines, processes, crashes, settings, disk, startEtcd, startPatroni, queryAsAdmin, findPrimary },
    ...{ acquirer, command },
    origin: settings.PUBLIC_URL,
    async patronictl(...args: string[]) {
      await runInBackground('patronictl', ['-c', configurationFile(machines[0] ?? fail()), ...args]);
    },
    async restartPgbouncer() {
      const ended = once(pgbouncer, 'exit');
      // Stops at once, and breaks all connections.
      pgbouncer.kill('SIGTERM');
      await ended;
      pgbouncer = startPgbouncer();
    },
    /** Drains a process, starts another in its place, and waits until HAProxy uses it. Returns the exit code. */
    async replaceProcess(index: number): Promise<number | null> {
      const { port, child } = processes[index] ?? fail();
      const ended = once(child, 'exit') as Promise<[number | null]>;
      stopping.add(child);
      child.kill('SIGTERM');
      const [code] = await ended;
      processes[index] = startProcess(port);
      await until(`process ${port} is ready`, () => isReady(`http://127.0.0.1:${port}/readyz`));
      await pause(2000);
      return code;
    },
    /** Waits until there is one primary and two replicas that stream from it, one of them synchronous. */
    async waitUntilHealthy() {
      await until('all machines are healthy', async () => {
        const roles = (await states()).filter(({ state }) => state.state === 'running').map(({ state }) => state.role);
        if (roles.length !== MACHINES || roles.filter((role) => role !== 'replica').length !== 1) return false;
        const replicas = await queryAsAdmin<{ sync_state: string }>(
          "select sync_state from pg_stat_replication where state = 'streaming'",
        );
        return replicas.length === MACHINES - 1 && replicas.some((replica) => replica.sync_state === 'sync');
      });
    },
  };
  await cluster.waitUntilHealthy();
  return cluster;
}

interface PatroniState {
  role: string;
  state: string;
}

/** Sends one statement on its own connection. */
async function query<Row extends pg.QueryResultRow>(connectionString: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 3000, query_timeout: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Waits until a condition is true. Its errors count as false. */
export async function until(what: string, isTrue: () => Promise<boolean>, limitMs = START_MS): Promise<void> {
  const deadline = performance.now() + limitMs;
  let cause: unknown;
  while (
    !(await isTrue().catch((error: unknown) => {
      cause = error;
      return false;
    }))
  ) {
    if (performance.now() > deadline) throw new Error(`Waited ${limitMs / 1000} s in vain until ${what}`, { cause });
    await pause(250);
  }
}

function idsOf(user: string): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${user}:`));
  const [, , uid, gid] = line?.split(':') ?? fail();
  return { uid: Number(uid), gid: Number(gid) };
}

function fail(): never {
  throw new Error('Missing');
}
