// Runs node:test files in the order given, one more in parallel than the machine has cores, and counts results.
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { dot, spec } from 'node:test/reporters';

/** Longer than any test file takes on a busy machine. A file that hangs fails, and the run continues. */
const LONGEST_FILE_MS = 10 * 60_000;
/** A young generation in which most of a test's objects die: a tenth less CPU time. */
const memory = '--max-semi-space-size=64';

/** Where each process leaves what it ran (`scripts/coverage.mjs`). */
const coverage = process.env.COVERAGE ? { NODE_V8_COVERAGE: join(process.env.COVERAGE, 'node') } : {};

/**
 * Resolves with how many tests passed and failed, and the seconds that each file took. A test that was skipped or left
 * to do counts as failed, and so does a file in which none ran.
 */
export async function runNodeTests(files, { cwd, env = {}, execArgv = [], isDetailed = false }) {
  const counts = { passed: 0, failed: 0 };
  const seconds = {};
  const notes = [];
  const failures = [];
  const output = new Map();
  const isFile = ({ name, file }) => name === file && files.includes(name);
  const fail = ({ file, entryFile = file, line }, words) =>
    failures.push({ file: entryFile, words: `${relative(cwd, file)}:${line} ${words}` });
  const keep = ({ file, entryFile = file, message }) => output.set(entryFile, (output.get(entryFile) ?? '') + message);
  const events = run({
    ...{
      files,
      cwd,
      execArgv: [memory, ...execArgv],
      env: { ...process.env, ...coverage, ...env },
      concurrency: availableParallelism() + 1,
      timeout: LONGEST_FILE_MS,
    },
  })
    .on('test:complete', (test) => {
      if (isFile(test)) seconds[relative(cwd, test.file)] = test.details.duration_ms / 1000;
    })
    .on('test:diagnostic', ({ message }) => {
      // An error that belongs to no test fails its file.
      if (/^(?:\d+ (?:sequences|attempts)|Error: )/.test(message)) notes.push(message);
    })
    .on('test:stdout', keep)
    .on('test:stderr', keep)
    .on('test:fail', (test) => fail(test, test.name))
    .on('test:pass', (test) => {
      if (test.skip !== undefined || test.todo !== undefined) fail(test, `left out: ${test.name}`);
      // A file stands as a test of its own only where it has none.
      if (!isFile(test)) return;
      fail(test, 'has no test that runs here');
      counts.passed -= 1;
      counts.failed += 1;
    })
    .on('test:summary', ({ counts: all, file }) => {
      if (file) return;
      counts.passed += all.passed;
      counts.failed += all.failed + all.cancelled + all.skipped + all.todo;
    });
  for await (const text of isDetailed ? events.compose(new spec()) : dot(events)) process.stdout.write(text);
  if (!isDetailed) {
    for (const file of new Set(failures.map((failure) => failure.file)))
      if (output.has(file)) process.stdout.write(`\nOutput of ${relative(cwd, file)}:\n${output.get(file)}\n`);
    for (const note of notes) process.stdout.write(`# ${note}\n`);
  }
  for (const { words } of failures) process.stdout.write(`${words}\n`);
  return { counts, seconds };
}
