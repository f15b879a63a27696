/*
 * Runs all checks and tests; ends with "N passed, N failed".
 *
 *   npm test                                       all stages
 *   npm test -- lint server-sqlite                 some stages
 *   npm test -- test/payments/payment.test.ts        some files; `--postgres` runs them on PostgreSQL
 *
 * Outdated build outputs of a stage are rebuilt first.
 */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build, isStale } from './build.mjs';
import { bundleTests, moduleTests, testFilesOf } from './bundle-tests.mjs';
import { findChromium } from './chromium.mjs';
import { missingForEngines } from './engines.mjs';
import { runNodeTests } from './node-tests.mjs';
import { startPostgres } from './postgres.mjs';
import { installPackages, installTestNodes, missingForChains } from './regtest.mjs';

const root = join(import.meta.dirname, '..');
const results = join(root, 'test-results');
/** The service under test, for tests that run it in its own process. */
const SERVER = 'test/e2e/server.ts';
/** The process that tests of withdrawals kill. */
const KILLED_PROCESS = 'test/support/killed-process-main.ts';
const sameExamples = ['--import', './test/support/property-seed.mjs'];

const total = { passed: 0, failed: 0 };

/** True if a stage was requested; by default all are. */
function isRequested(name) {
  return requestedStages.length === 0 || requestedStages.includes(name);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}

/** Runs a program; resolves with its exit code and, if quiet, its output. */
async function run(command, args, { env = {}, isQuiet = false } = {}) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', isQuiet ? 'pipe' : 'inherit', isQuiet ? 'pipe' : 'inherit'],
    env: { ...process.env, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text));
  const code = await new Promise((resolveCode) => {
    child.on('error', (error) => {
      output += String(error);
      resolveCode(1);
    });
    child.on('close', (status) => resolveCode(status ?? 1));
  });
  return { code, output };
}

const tool = async (name, args = [], options = {}) => await run(join(root, 'node_modules/.bin', name), args, options);
const node = async (args, options = {}) => await run(process.execPath, args, options);

/** A stage that passes or fails as a whole. Its output is printed at the end, so that several can run at once. */
async function check(name, action) {
  if (!isRequested(name)) return;
  const startedAt = Date.now();
  const { code, output } = await action();
  if (code !== 0) print(output);
  add(name, code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }, startedAt);
}

/** A stage with tests. An error without a failed test, or no tests at all, counts as a failure. */
async function suite(name, action) {
  if (!isRequested(name)) return;
  print(`-- ${name}`);
  const startedAt = Date.now();
  const { code = 0, counts, seconds = {} } = await action();
  const isSilent = (code !== 0 && counts.failed === 0) || counts.passed + counts.failed === 0;
  writeFileSync(join(results, `${name}.seconds.json`), JSON.stringify(seconds, null, 2));
  add(name, isSilent ? { ...counts, failed: counts.failed + 1 } : counts, startedAt);
}

function add(name, { passed, failed }, startedAt) {
  total.passed += passed;
  total.failed += failed;
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(0);
  print(`-- ${name}: ${passed} passed, ${failed} failed (${seconds} s)\n`);
}

const MEMORY = '/dev/shm';
/** Far more than the databases of one run need. */
const MIN_FREE_BYTES = 4 * 1024 ** 3;

/** Keeps databases in memory if there is space: tests kill processes, never the machine. */
function keepInMemory() {
  if (!existsSync(MEMORY)) return;
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < MIN_FREE_BYTES) return;
  const folder = mkdtempSync(join(MEMORY, 'paylatch-'));
  // PostgreSQL runs as another user and must reach its data directory.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  // Also deletes files of processes that were killed.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}

/**
 * Bundle folder of this process, so that two runs in one working copy don't share it. Coverage is computed from it later.
 */
const BUNDLE_FOLDER = join(process.env.COVERAGE ?? results, `bundle-${process.pid}`);
/** The bundles of this run by source file. */
let bundles;

/** Bundles all stages of this run once: they share the compiled code and the migrated database next to it. */
async function bundlesOfRun() {
  bundles ??= (async () => {
    const sources = [...new Set([...bundledFiles(), SERVER, KILLED_PROCESS])];
    const bundled = await bundleTests(sources, BUNDLE_FOLDER);
    if (!process.env.COVERAGE) process.on('exit', () => rmSync(BUNDLE_FOLDER, { recursive: true, force: true }));
    return new Map(sources.map((file, index) => [file, bundled[index]]));
  })();
  return await bundles;
}

/** The programs that tests start. Processes would otherwise compile the same megabytes again. */
function programEnv(bundled) {
  return {
    ...{ TEST_SERVER: bundled.get(SERVER), TEST_KILLED_PROCESS: bundled.get(KILLED_PROCESS) },
    // Coverage needs compiled functions, not cached ones.
    ...(!process.env.COVERAGE && { NODE_COMPILE_CACHE: join(dirname(bundled.get(SERVER)), 'compile-cache') }),
  };
}

/** Runs bundled tests, with the service that they start. */
async function bundledTests(files, { env = {}, isDetailed = false } = {}) {
  const bundled = await bundlesOfRun();
  return await runNodeTests(groupByProcess(files.map((file) => bundled.get(file))), {
    cwd: root,
    env: { ...programEnv(bundled), TEST_POSTGRES_URL: '', ...env },
    execArgv: sameExamples,
    isDetailed,
  });
}

/** Runs tests on a new PostgreSQL server; tests that kill a server start another. */
async function onPostgres(action) {
  const postgres = await startPostgres({ survivesPowerLoss: false });
  try {
    return await action({ TEST_POSTGRES_URL: postgres.url });
  } finally {
    await postgres.stop();
  }
}

/** The slowest files, each in a process of its own. They run first, so that no core is idle for long at the end. */
const LONGEST = [
  ...['withdrawal-crash', 'starting', 'migrations', 'backup', 'account-area', 'contract', 'cluster', 'wire'],
  ...['program', 'upgrade', 'cli', 'credentials', 'crash', 'log', 'races', 'export', 'invoice-model'],
  ...['acquirer-failures', 'link-payment-reversals', 'ledger', 'invoice-concurrency', 'invoice-crash'],
  ...['load', 'security-headers', 'failover', 'node-faults-litecoind', 'jobs'],
  ...['withdrawals-ethereum', 'deposits-litecoind', 'withdrawals-bitcoin', 'withdrawals-litecoind'],
];
const rank = (file) =>
  LONGEST.findIndex((name) => basename(file).startsWith(`${name}.test.`)) + 1 || LONGEST.length + 1;

/** The databases in a test file's line `// Databases: sqlite`; both by default. */
function databasesOf(file) {
  const [, names = 'sqlite, postgres'] = readFileSync(join(root, file), 'utf8').match(/^\/\/ Databases: (.+)$/m) ?? [];
  return names.split(', ');
}

/** Loading the program takes longer than most test files, so short files share a process. */
const FILES_PER_PROCESS = 16;

function groupByProcess(files) {
  const [long, short] = [[], []];
  for (const file of files) (rank(file) > LONGEST.length ? short : long).push(file);
  // Even a few files use all cores.
  const minProcesses = Math.min(short.length, availableParallelism());
  const shared = Array.from({ length: Math.max(Math.ceil(short.length / FILES_PER_PROCESS), minProcesses) }, () => []);
  // Neighboring files often take similar time, so they are spread over the processes.
  for (const [index, file] of short.entries()) shared[index % shared.length].push(file);
  return [...long.map((file) => [file]), ...shared];
}

const longestFirst = (files) => files.toSorted((a, b) => rank(a) - rank(b));

/** The server's test files for a database. */
function serverFiles(database) {
  return longestFirst(moduleTests().filter((file) => databasesOf(file).includes(database)));
}

/** Requests that the vendor servers received in the last run of acquirer tests. */
const REQUEST_LOG = join(results, 'acquirer-requests.jsonl');

function acquirerFiles(database) {
  return longestFirst(testFilesOf('acquirers').filter((file) => databasesOf(file).includes(database)));
}

/** Of the attacks, only races depend on the database. */
const postgresFiles = () => [
  ...serverFiles('postgres'),
  ...acquirerFiles('postgres'),
  join('test', 'attacks', 'races.test.ts'),
];

/** The requested test files, or those of the requested stages, that run in bundles. */
function bundledFiles() {
  if (files.length > 0) return files.filter((file) => !/^test.(?:package|component|e2e|examples|shops)\b/.test(file));
  const byStage = {
    attacks: () => testFilesOf('attacks'),
    acquirers: () => acquirerFiles('sqlite'),
    'server-sqlite': () => serverFiles('sqlite'),
    'server-postgres': postgresFiles,
    nodes: () => testFilesOf('nodes'),
    engines: () => testFilesOf('engines'),
    deploy: () => testFilesOf('deploy'),
    sdks: () => testFilesOf('sdks'),
  };
  const isRun = (stage) => (optInSuites.has(stage) ? requestedStages.includes(stage) : isRequested(stage));
  return Object.entries(byStage).flatMap(([stage, filesOf]) => (isRun(stage) ? filesOf() : []));
}

async function componentTests(files = []) {
  const { code } = await tool('web-test-runner', files.length > 0 ? ['--files', ...files] : []);
  const { passed, failed } = JSON.parse(readFileSync(join(results, 'component.json'), 'utf8'));
  return { code, counts: { passed, failed } };
}

async function endToEndTests(files = [], { folder = 'test/e2e' } = {}) {
  const bundled = await bundlesOfRun();
  // Kept between runs: otherwise Playwright transforms every source again, below the temporary folder of this run.
  const env = {
    ...programEnv(bundled),
    PLAYWRIGHT_FOLDER: folder,
    PWTEST_CACHE_DIR: join(results, 'playwright-cache'),
  };
  const { code } = await tool('playwright', ['test', ...files], { env });
  const { stats } = JSON.parse(readFileSync(join(results, 'e2e.json'), 'utf8'));
  return { code, counts: { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped } };
}

/** Examples whose framework is not among our own packages. */
const EXAMPLES = ['angular', 'next', 'svelte'];

async function exampleTests(files = []) {
  if (files.length === 0 || files.some((file) => file.endsWith('/frameworks.spec.ts')))
    for (const name of EXAMPLES) installPackages(root, join('examples', name));
  return await endToEndTests(files, { folder: 'test/examples' });
}

/** Shop platforms, each with its own lockfile. */
const SHOPS = ['medusa', 'vendure'];

async function shopTests(files = []) {
  for (const name of SHOPS) installPackages(root, join('test/shops', name));
  await buildPackage();
  return await endToEndTests(files, { folder: 'test/shops' });
}

/** Runs an action if nothing is missing; each missing program counts as a failure. */
async function unlessMissing(missing, action) {
  for (const line of missing) print(line);
  return missing.length === 0 ? await action() : { counts: { passed: 0, failed: missing.length } };
}

async function nodeTests(files, options) {
  return await unlessMissing(missingForChains(), async () => {
    installTestNodes(root);
    return await bundledTests(files, options);
  });
}

async function engineTests(files, options) {
  return await unlessMissing(missingForEngines(), async () => await bundledTests(files, options));
}

/** Runners by test folder; modules use `module`. */
const runners = {
  module: bundledTests,
  acquirers: bundledTests,
  attacks: bundledTests,
  nodes: nodeTests,
  engines: engineTests,
  package: async (files, options) => {
    await buildPackage();
    return await runNodeTests(
      files.map((file) => [join(root, file)]),
      {
        cwd: root,
        execArgv: ['--import', './scripts/decorators.mjs', ...sameExamples],
        ...options,
      },
    );
  },
  deploy: async (files, options) => {
    if (isStale()) await build();
    return await bundledTests(files, options);
  },
  sdks: async (files, options) => {
    if (isStale()) await build();
    return await bundledTests(files, options);
  },
  component: componentTests,
  e2e: async (files) => await endToEndTests(files),
  examples: async (files) => await exampleTests(files),
  shops: async (files) => await shopTests(files),
};

async function buildPackage() {
  const { code, output } = await node(['scripts/package.mjs'], { isQuiet: true });
  if (code !== 0) throw new Error(`The package could not be built:\n${output}`);
}

async function runFiles() {
  if (isStale()) await build();
  for (const [folder, some] of Map.groupBy(files, (file) => file.split('/')[1])) {
    const action = async (env) => await (runners[folder] ?? runners.module)(some, { env, isDetailed: true });
    await suite(folder, async () => (options.postgres ? await onPostgres(action) : await action({})));
  }
}

async function runStages() {
  const quiet = { isQuiet: true };
  await Promise.all([
    // `--type-check` reports compiler errors too, so `tsc` doesn't have to read the program again.
    check('lint', async () => await tool('oxlint', ['--type-aware', '--type-check', '--deny-warnings'], quiet)),
    (async () => {
      await check('imports', async () => await node(['scripts/imports.mjs'], quiet));
      await check('exports', async () => await tool('knip', ['--no-progress', '--no-config-hints'], quiet));
      await check('format', async () => await tool('biome', ['format', '.'], quiet));
      await check('build', async () => await node(['scripts/build.mjs'], quiet));
      if (isStale() && ['size', ...suites.keys()].some(isRequested)) await build();
      await check('size', async () => await node(['scripts/size.mjs'], quiet));
    })(),
  ]);
  for (const group of suiteGroups) await Promise.all(group.map(async (name) => await suite(name, suites.get(name))));
  for (const [name, action] of optInSuites) if (requestedStages.includes(name)) await suite(name, action);
}

const suites = new Map([
  ['package', async () => await runners.package(testFilesOf('package'))],
  ['attacks', async () => await bundledTests(testFilesOf('attacks'))],
  ['acquirers', async () => await bundledTests(acquirerFiles('sqlite'))],
  ['server-sqlite', async () => await bundledTests(serverFiles('sqlite'))],
  [
    'server-postgres',
    async () =>
      await onPostgres(async (env) => {
        return await bundledTests(postgresFiles(), { env });
      }),
  ],
  ['nodes', async () => await nodeTests(longestFirst(testFilesOf('nodes')))],
  ['component', async () => await componentTests()],
  ['e2e', async () => await endToEndTests()],
  ['engines', async () => await engineTests(testFilesOf('engines'))],
]);
/**
 * Run only when requested by name: they need programs (`.ci/deploy`, `.ci/sdks`) or packages that other tests do not
 * need, and take minutes.
 */
const optInSuites = new Map([
  ['deploy', async () => await runners.deploy(testFilesOf('deploy'))],
  ['sdks', async () => await runners.sdks(testFilesOf('sdks'))],
  ['examples', async () => await exampleTests()],
  ['shops', async () => await shopTests()],
]);
/** Suites of a group run at the same time: they mostly wait for other programs, or end with a single process. */
const suiteGroups = [
  ['package', 'attacks', 'acquirers'],
  ['server-sqlite'],
  ['server-postgres'],
  ['component'],
  ['e2e'],
  ['nodes', 'engines'],
];
const checks = ['lint', 'imports', 'exports', 'format', 'build', 'size'];

const stages = [...checks, ...suites.keys(), ...optInSuites.keys()];
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { postgres: { type: 'boolean', default: false } },
});
const requestedStages = positionals.filter((word) => stages.includes(word));
const files = positionals.filter((word) => !stages.includes(word)).map((word) => relative(root, resolve(word)));
const unknown = files.filter((file) => !existsSync(join(root, file)) || !/^test\/.+\.(?:test|spec)\.ts$/.test(file));
const database = options.postgres ? 'postgres' : 'sqlite';
const others = files.filter((file) => !unknown.includes(file) && !databasesOf(file).includes(database));
/** Stages and files for machines without a browser; `.ci/deploy` and `.ci/sdks` do not install one. */
const withoutBrowser = /^(?:test\/)?(?:deploy|sdks)\b/;
const problems = [
  ...unknown.map((file) => `${file} is neither a stage nor a test file. Stages: ${stages.join(', ')}.`),
  ...others.map((file) => `${file} does not run on ${database}${options.postgres ? '' : '; pass --postgres'}.`),
  ...(requestedStages.length > 0 && files.length > 0 ? ['Pass either stages or files, not both.'] : []),
  ...(findChromium() || (positionals.length > 0 && positionals.every((word) => withoutBrowser.test(word)))
    ? []
    : [
        'Missing: a Chromium for the browser tests. Debian: apt-get install chromium. Elsewhere: npx playwright install chromium, or set CHROMIUM_PATH.',
      ]),
];
problems.forEach(print);
total.failed += problems.length;
if (problems.length === 0) {
  mkdirSync(results, { recursive: true });
  keepInMemory();
  const hasAcquirers =
    files.length === 0 ? isRequested('acquirers') : files.some((file) => /^test.acquirers/.test(file));
  if (hasAcquirers) rmSync(REQUEST_LOG, { force: true });
  await (files.length > 0 ? runFiles(files) : runStages());
}
print(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
