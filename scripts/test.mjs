// Everything that must hold, in one run: types, lint, format, build, size, package, server tests on both
// databases, tests of chains on nodes of their own, component tests, end-to-end tests in a real browser and
// a few in other engines. Ends with "N passed, N failed".
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleTests, nameOf, testFilesOf } from './bundle-tests.mjs';
import { findChromium } from './chromium.mjs';
import { missingForEngines } from './engines.mjs';
import { startPostgres } from './postgres.mjs';
import { installRegtest, missingForChains } from './regtest.mjs';

const root = join(fileURLToPath(import.meta.url), '..', '..');
const results = join(root, 'test-results');
const only = process.argv.slice(2);
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const sameExamples = ['--import', './test/support/property-seed.mjs'];
const typescript = { options: ['--import', './scripts/decorators.mjs', ...sameExamples] };
/** The service under test, where it has a process of its own. */
const SERVER = 'test/e2e/server.ts';

/** Longer than any file of tests takes on a machine that is busy. */
const LONGEST_FILE_MS = 20 * 60_000;

let passed = 0;
let failed = 0;

function tell(line) {
  process.stdout.write(`${line}\n`);
}

/** Runs a program of the project; answers its exit code. */
async function run(command, args, env = {}) {
  return await new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    });
    child.on('error', (error) => {
      tell(String(error));
      resolve(1);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}

const tool = (name, args = [], env = {}) => run(join(root, 'node_modules', '.bin', name), args, env);
const node = (args, env) => run(process.execPath, args, env);

function add(name, counts, startedAt) {
  passed += counts.passed;
  failed += counts.failed;
  tell(
    `-- ${name}: ${counts.passed} passed, ${counts.failed} failed (${((Date.now() - startedAt) / 1000).toFixed(0)} s)\n`,
  );
}

/** A stage that passes or fails as a whole. */
async function check(name, action) {
  if (only.length > 0 && !only.includes(name)) return;
  tell(`-- ${name}`);
  const startedAt = Date.now();
  const code = await action();
  add(name, code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }, startedAt);
}

/** A stage that counts; what ends badly without a failed test, or ran none, is a failure. */
async function suite(name, action) {
  if (only.length > 0 && !only.includes(name)) return;
  tell(`-- ${name}`);
  const startedAt = Date.now();
  const { code, counts } = await action();
  const silent = (code !== 0 && counts.failed === 0) || counts.passed + counts.failed === 0;
  add(name, silent ? { ...counts, failed: counts.failed + 1 } : counts, startedAt);
}

/** Counts of a node:test run from its TAP report; what was skipped or left to do counts as failed. */
function tapCounts(file) {
  const report = readFileSync(file, 'utf8');
  const sum = (word) => Number(report.match(new RegExp(`^# ${word} (\\d+)$`, 'm'))?.[1] ?? 0);
  return { passed: sum('pass'), failed: sum('fail') + sum('cancelled') + sum('skipped') + sum('todo') };
}

/** Runs test files of node:test with what else Node is told. */
async function nodeTests(name, files, { options = [], env = {} } = {}) {
  const report = join(results, `${name}.tap`);
  const code = await node(
    [
      // A file that never ends fails, and the run goes on.
      ...[...options, '--test', '--test-concurrency=2', `--test-timeout=${LONGEST_FILE_MS}`],
      ...['--test-reporter=dot', '--test-reporter-destination=stdout'],
      ...['--test-reporter=tap', `--test-reporter-destination=${report}`],
      ...files,
    ],
    env,
  );
  const counts = tapCounts(report);
  if (counts.failed > 0 || code !== 0)
    tell(readFileSync(report, 'utf8').replace(/^\s*ok .*\n(\s+---\n(.*\n)*?\s+\.\.\.\n)?/gm, ''));
  else
    for (const [line] of readFileSync(report, 'utf8').matchAll(/^ *# \d+ (sequences|attempts).*$/gm)) tell(line.trim());
  return { code, counts };
}

const MEMORY = '/dev/shm';
/** Far more than all databases of one run take. */
const ROOMY_BYTES = 4 * 1024 ** 3;

/**
 * Databases of tests lie in memory where a machine has room for them: those that are killed are processes, not
 * machines.
 */
function inMemory() {
  if (!existsSync(MEMORY)) return {};
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ROOMY_BYTES ? { TMPDIR: MEMORY } : {};
}

if (!findChromium()) {
  tell(
    'Missing: a Chromium for the browser tests. Debian: apt-get install chromium. Elsewhere: npx playwright install chromium, or set CHROMIUM_PATH.',
  );
  tell('0 passed, 1 failed');
  process.exit(1);
}

await check('types', () => tool('tsc', ['--noEmit', '-p', '.']));
await check('lint', () => tool('oxlint', ['--type-aware', '--deny-warnings']));
await check('imports', () => node(['scripts/imports.mjs']));
await check('format', () => tool('biome', ['format', '.']));
await check('build', () => node(['scripts/build.mjs']));
await check('size', () => node(['scripts/size.mjs']));
await suite('package', async () => {
  const code = await node(['scripts/package.mjs']);
  return code === 0
    ? await nodeTests('package', testFilesOf('package'), typescript)
    : { code, counts: { passed: 0, failed: 0 } };
});
/** What touches no database, is about SQLite, or takes too long to be done twice: tested once. */
const withoutDatabase = [
  ...[
    'bad-input',
    'card',
    'compression',
    'dashboard',
    'embedding-guide',
    'ending',
    'file-answer',
    'formats',
    'gather',
    'imports',
    'integrity',
    'invoice-attribution',
    'invoice-judge',
    'invoice-request',
    'languages',
    'log',
  ],
  ...['money', 'outbound', 'plans', 'provider-calls', 'random', 'sealed', 'security-headers', 'wire'],
  'withdrawal-crash',
];
/** Runs tests as JavaScript, with the service that they start. */
async function bundledTests(name, files, env = {}) {
  const bundled = await bundleTests([...files, SERVER], join(results, name));
  return await nodeTests(name, bundled.slice(0, -1), {
    options: ['--enable-source-maps', ...sameExamples],
    env: { TEST_SERVER: bundled.at(-1), ...inMemory(), ...env },
  });
}
/** The tests of the server, but some, on a database. */
async function serverTests(name, TEST_POSTGRES_URL, without = []) {
  const files = testFilesOf('server').filter((file) => !without.includes(nameOf(file)));
  // Of the attacks, only races depend on the database.
  const races = TEST_POSTGRES_URL === '' ? [] : [join('test', 'attacks', 'races.test.ts')];
  return await bundledTests(name, [...files, ...races], { TEST_POSTGRES_URL });
}
await suite('attacks', () => bundledTests('attacks', testFilesOf('attacks'), { TEST_POSTGRES_URL: '' }));
await suite('server-sqlite', () => serverTests('server-sqlite', ''));
await suite('server-postgres', async () => {
  // Tests that kill a database start one of their own.
  const postgres = await startPostgres({ survivesPowerLoss: false });
  try {
    return await serverTests('server-postgres', postgres.url, withoutDatabase);
  } finally {
    await postgres.stop();
  }
});
await suite('chains', async () => {
  const missing = missingForChains();
  for (const line of missing) tell(line);
  if (missing.length > 0) return { code: 1, counts: { passed: 0, failed: missing.length } };
  installRegtest(root);
  return await bundledTests('chains', testFilesOf('chains'));
});
await suite('component', async () => {
  const code = await tool('web-test-runner');
  const { passed: ok, failed: bad } = JSON.parse(readFileSync(join(results, 'component.json'), 'utf8'));
  return { code, counts: { passed: ok, failed: bad } };
});
await suite('e2e', async () => {
  const [server] = await bundleTests([SERVER], join(results, 'e2e-server'));
  const code = await tool('playwright', ['test'], { TEST_SERVER: server });
  const { stats } = JSON.parse(readFileSync(join(results, 'e2e.json'), 'utf8'));
  return { code, counts: { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped } };
});
await suite('engines', async () => {
  const missing = missingForEngines();
  for (const line of missing) tell(line);
  return missing.length === 0
    ? await bundledTests('engines', testFilesOf('engines'))
    : { code: 1, counts: { passed: 0, failed: missing.length } };
});

tell(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
