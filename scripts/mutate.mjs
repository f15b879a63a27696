/*
 * Mutation tests: changes the code and expects tests to fail.
 *
 *   npm run mutate                          both parts
 *   npm run mutate -- --stryker             all mutations of the pure modules by Stryker
 *   npm run mutate -- --breaks              the mutations of test/mutation/breaks.mjs
 *   npm run mutate -- --only tenant CSRF    mutations whose name or file contains one of these words
 *   npm run mutate -- --breaks --quick      skips the run without mutations
 *
 * Mutations are applied to a copy of the working tree. Exits with 1 if one survives or no longer matches the code.
 */
import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { breaks } from '../test/mutation/breaks.mjs';
import { build, isStale } from './build.mjs';
import { bundleTests } from './bundle-tests.mjs';
import { startPostgres } from './postgres.mjs';
import { installPackages } from './regtest.mjs';

const root = join(import.meta.dirname, '..');
/** The service under test, for tests that run it in its own process. */
const SERVER = 'test/e2e/server.ts';
/** Timeout above the slowest tests on a busy machine: a mutation that makes tests hang counts as detected. */
const TIMEOUT_MS = 15 * 60_000;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    stryker: { type: 'boolean', default: false },
    breaks: { type: 'boolean', default: false },
    only: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
});
if (positionals.length > 0 && !options.only) throw new Error('Put filter words after --only.');
const runsAll = !options.stryker && !options.breaks && !options.only;

const print = (line) => process.stdout.write(`${line}\n`);

async function runStryker() {
  installPackages(root, 'test/mutation');
  const stryker = join(root, 'test', 'mutation', 'node_modules', '.bin', 'stryker');
  const child = spawn(stryker, ['run', 'test/mutation/stryker.config.mjs'], { cwd: root, stdio: 'inherit' });
  return await new Promise((resolve) => child.on('close', (code) => resolve(code === 0)));
}

/** Copies tracked and new files, and the build output; packages are shared. */
function copyTree(copy) {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  // Tracked but deleted files.
  for (const file of listed.toString().split('\0'))
    if (file !== '' && existsSync(join(root, file))) {
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      cpSync(join(root, file), join(copy, file));
    }
  cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true });
  // Newer build output, so that commands in tests do not rebuild mutated sources.
  utimesSync(join(copy, 'dist', 'built'), new Date(), new Date('2100-01-01'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

/** Runs a program until it ends or reports a failed test; null on success. */
async function firstFailure(command, args, { cwd, env, pattern }) {
  // Its own process group, so that processes started by tests end with it.
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = () => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  };
  let output = '';
  let failure = null;
  const fail = (message) => {
    failure ??= message;
    end();
  };
  const timer = setTimeout(() => fail('a timeout of the tests'), TIMEOUT_MS);
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
      const [, name] = pattern.exec(output) ?? [];
      if (name !== undefined) fail(name.trim());
    });
  const code = await new Promise((resolve) => {
    child.on('error', () => resolve(1));
    child.on('close', resolve);
  });
  clearTimeout(timer);
  end();
  return failure ?? (code === 0 ? null : `exit code ${code}`);
}

/** Runs test files in the copy; returns the first failed test, or null. */
async function runTests(copy, files, { databaseUrl = '' } = {}) {
  const inBrowser = files.filter((file) => file.startsWith('test/component/'));
  const inNode = files.filter((file) => !inBrowser.includes(file));
  const temporary = join(copy, 'temporary');
  mkdirSync(temporary);
  try {
    const env = { ...process.env, TMPDIR: temporary, NODE_TEST_CONTEXT: undefined };
    if (inBrowser.length > 0) {
      const args = ['--files', ...inBrowser];
      const runner = join(root, 'node_modules', '.bin', 'web-test-runner');
      const failure = await firstFailure(runner, args, { cwd: copy, env, pattern: /^\s*(?:𐄂|❌) (.*)$/mu });
      if (failure) return failure;
    }
    if (inNode.length === 0) return null;
    const outdir = join(copy, 'test-results', 'mutation');
    rmSync(outdir, { recursive: true, force: true });
    const bundled = await bundleTests([...inNode, SERVER], outdir, copy);
    return await firstFailure(
      process.execPath,
      [
        // Some mutations make a test hang: its timeout counts as detected.
        ...['--test', '--test-concurrency=2', '--test-timeout=120000', '--test-reporter=tap', '--enable-source-maps'],
        // Fixed examples, so that a mutation is not detected by chance.
        ...['--import', './test/support/property-seed.mjs', ...bundled.slice(0, -1)],
      ],
      {
        cwd: copy,
        env: { ...env, TEST_SERVER: bundled.at(-1), TEST_POSTGRES_URL: databaseUrl },
        pattern: /^\s*not ok \d+ - (.*)\n/m,
      },
    );
  } finally {
    rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The mutated source; null if the mutation no longer matches. */
function applyMutation({ file, find, replace }) {
  const path = join(root, file);
  const parts = existsSync(path) ? readFileSync(path, 'utf8').split(find) : [];
  return parts.length === 2 ? parts.join(replace) : null;
}

async function runBreaks() {
  const isWanted = ({ name, file }) => positionals.some((word) => `${name} ${file}`.includes(word));
  const chosen = options.only ? breaks.filter(isWanted) : breaks;
  const stale = chosen.filter((each) => applyMutation(each) === null);
  for (const { name, file } of stale)
    print(`STALE ${name}: the text to replace does not occur exactly once in ${file}`);
  const applicable = chosen.filter((each) => !stale.includes(each));
  if (applicable.length === 0) return stale.length === 0;

  if (isStale()) await build();
  // In memory if possible, like the databases of tests.
  const copy = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'paylatch-mutate-'));
  const postgres = applicable.some((each) => each.postgres) ? await startPostgres({ survivesPowerLoss: false }) : null;
  const run = async (files, isOnPostgres) =>
    await runTests(copy, files, isOnPostgres ? { databaseUrl: postgres.url } : {});
  const startedAt = Date.now();
  const secondsSince = (moment) => `${((Date.now() - moment) / 1000).toFixed(0)} s`;
  let detectedCount = 0;
  try {
    copyTree(copy);
    // Tests that fail without a mutation would detect every one.
    for (const isOnPostgres of options.quick ? [] : [false, true]) {
      const files = [
        ...new Set(
          applicable.filter((each) => (each.postgres ?? false) === isOnPostgres).flatMap((each) => each.tests),
        ),
      ];
      if (files.length === 0) continue;
      const failure = await run(files, isOnPostgres);
      if (failure) throw new Error(`Fails without a mutation: ${failure}`);
    }
    if (!options.quick) print(`All tests pass without mutations (${secondsSince(startedAt)}).`);
    for (const each of applicable) {
      const mutationStartedAt = Date.now();
      writeFileSync(join(copy, each.file), applyMutation(each));
      const failure = await run(each.tests, each.postgres ?? false);
      cpSync(join(root, each.file), join(copy, each.file));
      if (failure) detectedCount += 1;
      const what = failure ? `detected by "${failure}"` : `SURVIVED ${each.tests.join(' ')}`;
      print(`${each.name}: ${what} (${secondsSince(mutationStartedAt)})`);
    }
  } finally {
    await postgres?.stop();
    rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
  }
  print(`${detectedCount} of ${chosen.length} mutations detected, ${stale.length} stale (${secondsSince(startedAt)})`);
  return detectedCount === chosen.length;
}

const results = [];
if (runsAll || options.breaks || options.only) results.push(await runBreaks());
if (runsAll || options.stryker) results.push(await runStryker());
process.exit(results.every(Boolean) ? 0 : 1);
