// Runs payments on a highly available installation and injects faults. See `npm run ha -- --help`.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, isStale } from './build.mjs';
import { faultNames } from './ha/faults.ts';

const usage = `Usage: npm run ha -- [--faults A,B] [--seconds N] [--rounds N] [--pool session|transaction] [--workers N] [--keep]

  --faults A,B   some faults, in this order: ${faultNames.join(', ')}
  --seconds N    load before and after each fault (default: 15)
  --rounds N     repeats the faults (default: 1)
  --pool MODE    PgBouncer's pool mode (default: session)
  --workers N    clients that pay at the same time (default: 4)
  --keep         leaves the cluster running until Ctrl-C, and prints how to reach it

Needs Linux, root, and Debian's packages (.ci/ha installs them). All processes run in their own namespaces: they end
with this one, and their ports and mounts are invisible outside.
`;

function fail(message) {
  process.stderr.write(`${message}\n\n${usage}`);
  process.exit(2);
}

function readOptions() {
  const text = { type: 'string' };
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        ...{ faults: text, seconds: text, rounds: text, pool: text, workers: text },
        ...{ keep: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
      },
    }));
  } catch (error) {
    fail(error.message);
  }
  if (values.help) {
    process.stdout.write(usage);
    process.exit(0);
  }
  const number = (name, min, fallback) => {
    const value = Number(values[name] ?? fallback);
    if (!(value >= min)) fail(`--${name} must be a number, at least ${min}.`);
    return value;
  };
  const faults = values.faults?.split(',') ?? faultNames;
  const unknown = faults.filter((name) => !faultNames.includes(name));
  if (unknown.length > 0) fail(`Unknown fault: ${unknown.join(', ')}.`);
  const pool = values.pool ?? 'session';
  if (!['session', 'transaction'].includes(pool)) fail('--pool must be session or transaction.');
  return {
    ...{ faults, pool, keep: values.keep === true },
    ...{ seconds: number('seconds', 1, 15), rounds: number('rounds', 1, 1), workers: number('workers', 1, 4) },
  };
}

const options = readOptions();
if (process.platform !== 'linux' || process.getuid() !== 0) fail('This needs Linux and root, to create namespaces.');
for (const command of [
  'patroni',
  'patronictl',
  'etcd',
  'haproxy',
  'pgbouncer',
  'unshare',
  'nsenter',
  'setpriv',
  'ip',
]) {
  try {
    execFileSync('which', [command], { stdio: 'ignore' });
  } catch {
    fail(`The command ${command} is missing. Install Debian's packages: .ci/ha`);
  }
}
if (isStale()) {
  process.stderr.write('Building…\n');
  await build();
}
const folder = mkdtempSync(join(tmpdir(), 'paylatch-ha-'));
chmodSync(folder, 0o755);
const main = fileURLToPath(new URL('ha/main.ts', import.meta.url));
// The shell is the first process of the namespace. It reaps orphans, such as a PostgreSQL whose Patroni was killed.
const shell = 'ip link set lo up && "$@"; exit $?';
const child = spawn(
  'setpriv',
  [
    ...['--pdeathsig', 'KILL', 'unshare', '--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'],
    ...['sh', '-c', shell, 'sh', process.execPath, '--disable-warning=ExperimentalWarning'],
    ...['--import', fileURLToPath(new URL('decorators.mjs', import.meta.url)), main],
    JSON.stringify({ ...options, folder }),
  ],
  { stdio: 'inherit' },
);
// Ends all processes of the namespace.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGKILL'));
const code = await new Promise((resolve) => child.on('exit', (status) => resolve(status ?? 130)));
if (code === 1) {
  const logs = fileURLToPath(new URL('../test-results/ha', import.meta.url));
  rmSync(logs, { recursive: true, force: true });
  mkdirSync(logs, { recursive: true });
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.log')))
    copyFileSync(join(folder, name), join(logs, name));
  process.stdout.write(`Logs: ${logs}\n`);
}
rmSync(folder, { recursive: true, force: true });
process.exit(code);
