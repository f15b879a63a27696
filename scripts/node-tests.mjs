// Runs node:test files in the given order, with one more process than the machine has cores, and counts results.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { run } from 'node:test';
import { dot, spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';

/** A larger young generation: fewer collections, a tenth less CPU time. */
const memory = '--max-semi-space-size=64';

/** The output folder for coverage (`scripts/coverage.mjs`). */
const coverage = process.env.COVERAGE ? { NODE_V8_COVERAGE: join(process.env.COVERAGE, 'node') } : {};

/**
 * Runs each list of files in its own process. Resolves with the numbers of passed and failed tests, and each file's
 * duration in seconds. Skipped tests and suites, todos and files without tests count as failed.
 */
export async function runNodeTests(processes, { cwd, env = {}, execArgv = [], isDetailed = false }) {
  const entries = processes.map((files, index) => (files.length === 1 ? files[0] : writeEntry(files, index)));
  const counts = { passed: 0, failed: 0 };
  const silent = new Set(processes.flat());
  const seconds = {};
  const notes = [];
  const failures = [];
  const output = new Map();
  /** True for the event that node:test reports for a whole process. */
  const isProcess = ({ name, file }) => name === file && entries.includes(name);
  const fail = ({ file, entryFile = file, line }, message) =>
    failures.push({ entry: entryFile, message: `${relative(cwd, file)}:${line} ${message}` });
  const keep = ({ file, entryFile = file, message }) => output.set(entryFile, (output.get(entryFile) ?? '') + message);
  const events = run({
    ...{
      files: entries,
      cwd,
      execArgv: [memory, '--import', import.meta.resolve('./deadline.mjs'), ...execArgv],
      env: { ...process.env, ...coverage, ...env },
      concurrency: availableParallelism() + 1,
    },
  })
    .on('test:complete', (test) => {
      if (isProcess(test)) return;
      silent.delete(test.file);
      const file = relative(cwd, test.file);
      if (test.nesting === 0) seconds[file] = (seconds[file] ?? 0) + test.details.duration_ms / 1000;
    })
    .on('test:diagnostic', ({ message }) => {
      // An error that belongs to no test fails its file.
      if (/^(?:\d+ (?:sequences|attempts)|Error: )/.test(message)) notes.push(message);
    })
    .on('test:stdout', keep)
    .on('test:stderr', keep)
    .on('test:fail', (test) => {
      fail(test, test.name);
      // Printed immediately, so that an interrupted run still shows its failures.
      if (!isDetailed)
        process.stdout.write(`\n${relative(cwd, test.file)}:${test.line} ${test.name}\n${reason(test)}\n`);
    })
    .on('test:pass', (test) => {
      const skipped = test.skip ?? test.todo;
      if (skipped !== undefined) {
        fail(test, `skipped: ${test.name}${typeof skipped === 'string' ? ` (${skipped})` : ''}`);
        // The summary does not count suites, and the tests of a skipped one do not run.
        if (test.details.type === 'suite') counts.failed += 1;
      }
      if (isProcess(test)) counts.passed -= 1;
    })
    .on('test:summary', ({ counts: all, file }) => {
      if (file) return;
      counts.passed += all.passed;
      counts.failed += all.failed + all.cancelled + all.skipped + all.todo;
    });
  for await (const text of isDetailed ? events.compose(new spec()) : dot(events)) process.stdout.write(text);
  for (const file of silent) fail({ file, line: 1 }, 'contains no test that runs here');
  counts.failed += silent.size;
  if (!isDetailed) {
    for (const entry of new Set(failures.map((failure) => failure.entry)))
      if (output.has(entry)) process.stdout.write(`\nOutput of ${relative(cwd, entry)}:\n${output.get(entry)}\n`);
    for (const note of notes) process.stdout.write(`# ${note}\n`);
  }
  for (const { message } of failures) process.stdout.write(`${message}\n`);
  return { counts, seconds };
}

/** The error of a failed test, without the wrapper of node:test. */
function reason({ details: { error } }) {
  return inspect(error.cause ?? error);
}

/** Writes a module that imports several test files in turn. */
function writeEntry(files, index) {
  const entry = join(dirname(files[0]), `together-${index}.mjs`);
  writeFileSync(entry, files.map((file) => `await import(${JSON.stringify(pathToFileURL(file))});\n`).join(''));
  return entry;
}
