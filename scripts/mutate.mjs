/*
 * Breaks the code on purpose, and expects tests to fail:
 *
 *   npm run mutate                          both parts
 *   npm run mutate -- --stryker             every change that Stryker knows, to the pure modules
 *   npm run mutate -- --breaks              the chosen breaks of test/mutation/breaks.mjs
 *   npm run mutate -- --only tenant CSRF    breaks whose name or file holds one of these words
 *   npm run mutate -- --breaks --quick      without running the tests unbroken first, where they have just passed
 *
 * Breaks are made in a copy of the working tree. Ends with 1 where one survives or no longer fits the code.
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
/** The service under test, where it has a process of its own. */
const SERVER = 'test/e2e/server.ts';
/** Longer than any set of tests takes on a busy machine: a break by which they never end counts as noticed. */
const LONGEST_MS = 15 * 60_000;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    stryker: { type: 'boolean', default: false },
    breaks: { type: 'boolean', default: false },
    only: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
});
if (positionals.length > 0 && !options.only) throw new Error('Words come after --only.');
const isEvery = !options.stryker && !options.breaks && !options.only;

const tell = (line) => process.stdout.write(`${line}\n`);

async function runStryker() {
  installPackages(root, 'mutation');
  const stryker = join(root, 'test', 'mutation', 'node_modules', '.bin', 'stryker');
  const child = spawn(stryker, ['run', 'test/mutation/stryker.config.mjs'], { cwd: root, stdio: 'inherit' });
  return await new Promise((ended) => child.on('close', (code) => ended(code === 0)));
}

/** Copies what git knows or would add, and what was built; packages are shared. */
function copyTree(copy) {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  // Listed, and deleted since.
  for (const file of listed.toString().split('\0'))
    if (file !== '' && existsSync(join(root, file))) {
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      cpSync(join(root, file), join(copy, file));
    }
  cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true });
  // Commands that tests run build nothing: whatever is broken, what was built is newer.
  utimesSync(join(copy, 'dist', 'built'), new Date(), new Date('2100-01-01'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

/** Runs a program until it ends, or until it prints that a test failed; null where it ends well. */
async function firstFailure(command, args, { cwd, env, pattern }) {
  // A group of its own, so that what tests have started ends with it.
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = () => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // Over already.
    }
  };
  let output = '';
  let failure = null;
  const fail = (words) => {
    failure ??= words;
    end();
  };
  const timer = setTimeout(() => fail('tests that do not end'), LONGEST_MS);
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
      const [, name] = pattern.exec(output) ?? [];
      if (name !== undefined) fail(name.trim());
    });
  const code = await new Promise((ended) => {
    child.on('error', () => ended(1));
    child.on('close', ended);
  });
  clearTimeout(timer);
  end();
  return failure ?? (code === 0 ? null : `exit code ${code}`);
}

/** Runs test files in the copy; answers which test has failed first, null where all pass. */
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
        // Some breaks make a test hang: its timeout counts as noticed.
        ...['--test', '--test-concurrency=2', '--test-timeout=120000', '--test-reporter=tap', '--enable-source-maps'],
        // The same examples each time: a break is not noticed by luck.
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

/** The source with a break in it; null where it no longer fits. */
function broken({ file, find, replace }) {
  const path = join(root, file);
  const parts = existsSync(path) ? readFileSync(path, 'utf8').split(find) : [];
  return parts.length === 2 ? parts.join(replace) : null;
}

async function runBreaks() {
  const isWanted = ({ name, file }) => positionals.some((word) => `${name} ${file}`.includes(word));
  const chosen = options.only ? breaks.filter(isWanted) : breaks;
  const stale = chosen.filter((each) => broken(each) === null);
  for (const { name, file } of stale) tell(`STALE ${name}: what is to be replaced is not exactly once in ${file}`);
  const fitting = chosen.filter((each) => !stale.includes(each));
  if (fitting.length === 0) return stale.length === 0;

  if (isStale()) await build();
  // In memory where there is such a folder, as the databases of tests are.
  const copy = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'paylatch-mutate-'));
  const postgres = fitting.some((each) => each.postgres) ? await startPostgres({ survivesPowerLoss: false }) : null;
  const run = async (files, isOnPostgres) =>
    await runTests(copy, files, isOnPostgres ? { databaseUrl: postgres.url } : {});
  const startedAt = Date.now();
  const secondsSince = (moment) => `${((Date.now() - moment) / 1000).toFixed(0)} s`;
  let noticed = 0;
  try {
    copyTree(copy);
    // Tests that fail without a break would notice every one.
    for (const isOnPostgres of options.quick ? [] : [false, true]) {
      const files = [
        ...new Set(fitting.filter((each) => (each.postgres ?? false) === isOnPostgres).flatMap((each) => each.tests)),
      ];
      if (files.length === 0) continue;
      const failure = await run(files, isOnPostgres);
      if (failure) throw new Error(`Fails without a break: ${failure}`);
    }
    if (!options.quick) tell(`All tests pass without a break (${secondsSince(startedAt)}).`);
    for (const each of fitting) {
      const begunAt = Date.now();
      writeFileSync(join(copy, each.file), broken(each));
      const failure = await run(each.tests, each.postgres ?? false);
      cpSync(join(root, each.file), join(copy, each.file));
      if (failure) noticed += 1;
      const what = failure ? `noticed by "${failure}"` : `SURVIVED ${each.tests.join(' ')}`;
      tell(`${each.name}: ${what} (${secondsSince(begunAt)})`);
    }
  } finally {
    await postgres?.stop();
    rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
  }
  tell(`${noticed} of ${chosen.length} breaks noticed, ${stale.length} stale (${secondsSince(startedAt)})`);
  return noticed === chosen.length;
}

const results = [];
if (isEvery || options.breaks || options.only) results.push(await runBreaks());
if (isEvery || options.stryker) results.push(await runStryker());
process.exit(results.every(Boolean) ? 0 : 1);
