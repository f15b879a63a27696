// Databases: sqlite
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../src/system/root.ts';

const folder = mkdtempSync(join(tmpdir(), 'paylatch-node-tests-'));

/** Runs a test file as the stages do; in another process, since node:test does not run within itself. */
async function runFile(name: string, text: string) {
  const file = join(folder, `${name}.test.mjs`);
  writeFileSync(file, `import { describe, test } from 'node:test';\n${text}`);
  const runner = pathToFileURL(join(packageRoot(), 'scripts/node-tests.mjs')).href;
  const script = `import { runNodeTests } from ${JSON.stringify(runner)};
const { counts } = await runNodeTests([[${JSON.stringify(file)}]], { cwd: ${JSON.stringify(folder)} });
console.log(JSON.stringify(counts));`;
  const program = join(folder, `${name}.mjs`);
  writeFileSync(program, script);
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [program], { env }, (_error, stdout) => resolve(stdout));
  });
  return { counts: JSON.parse(output.trim().split('\n').at(-1) ?? ''), output };
}

describe('the runner of test files', () => {
  after(() => rmSync(folder, { recursive: true }));

  test('counts a skipped suite as failed, and prints the reason', async () => {
    const { counts, output } = await runFile(
      'suite',
      `describe('cells', { skip: 'haproxy is not installed' }, () => { test('moves', () => {}); });`,
    );
    assert.deepEqual(counts, { passed: 0, failed: 1 });
    assert.match(output, /^suite\.test\.mjs:\d+ skipped: cells \(haproxy is not installed\)$/m);
  });

  test('counts a skipped test as failed, once', async () => {
    const { counts, output } = await runFile(
      'test',
      `describe('cells', () => { test('a', { skip: 'caddy is not installed' }, () => {}); test('b', () => {}); });`,
    );
    assert.deepEqual(counts, { passed: 1, failed: 1 });
    assert.match(output, /skipped: a \(caddy is not installed\)$/m);
  });

  test('counts suites that run only by their tests, and a file without tests as failed', async () => {
    const suite = await runFile('run', `describe('cells', () => { test('a', () => {}); test.todo('b'); });`);
    assert.deepEqual(suite.counts, { passed: 1, failed: 1 });
    const empty = await runFile('empty', '');
    assert.deepEqual(empty.counts, { passed: 0, failed: 1 });
    assert.match(empty.output, /contains no test that runs here/);
  });
});
