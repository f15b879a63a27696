import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { freePort } from '../support/ports.ts';
import { startProgram, until } from '../support/program.ts';
import { installService } from './installed.ts';

describe('the package of the service', () => {
  let service: Awaited<ReturnType<typeof installService>>;
  before(async () => {
    service = await installService();
  });
  after(async () => await service.remove());

  const inPackage = (path: string) => join(service.folder, 'node_modules/paylatch', path);

  test('contains the build output, and no sources', () => {
    for (const path of service.files) {
      assert.match(path, /^(dist\/.+|scripts\/paylatch\.mjs|package\.json|README\.md|LICENSE)$/);
    }
  });

  const programTest = 'contains the program in ASCII, of which V8 needs half of the memory';
  const checkProgram = async () => {
    const scripts = service.files.filter((path) => /^dist\/server\/.+\.js$/.test(path));
    assert.ok(scripts.length > 0);
    for (const path of scripts) {
      const [other] = /[^\n]{0,40}[\u0080-\uffff][^\n]{0,20}/.exec(await readFile(inPackage(path), 'utf8')) ?? [];
      assert.equal(other, undefined, `${path}: escape the character, or use an HTML entity`);
    }
  };
  // A build for coverage keeps the comments.
  if (!process.env.COVERAGE) test(programTest, checkProgram);

  test('does not include Node.js', async () => {
    const manifest = JSON.parse(await readFile(inPackage('package.json'), 'utf8')) as Record<string, object>;
    assert.equal(manifest['optionalDependencies'], undefined);
    const installed = Object.keys({ ...manifest['dependencies'], ...manifest['peerDependencies'] });
    assert.deepEqual(
      installed.filter((name) => /^node(?:-|$)|runtime/.test(name)),
      [],
    );
  });

  test('reports an outdated Node.js in one line', async () => {
    const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`;
    const args = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, inPackage('scripts/paylatch.mjs')];
    const { stderr, code } = (await promisify(execFile)(process.execPath, args).catch(
      (error: { stderr: string; code: number }) => error,
    )) as { stderr: string; code: number };
    assert.equal(code, 1);
    assert.match(stderr, /^Paylatch needs Node\.js 24 or later; this is 20\.20\.2\. .+\n$/);
  });

  test('passes publint', async () => {
    const { buffer, byteOffset, byteLength } = await readFile(service.tarball);
    const tarball = buffer.slice(byteOffset, byteOffset + byteLength);
    const { messages } = await publint({ pack: { tarball }, strict: true });
    assert.deepEqual(messages, []);
  });

  test('runs without a build', async () => {
    const help = await service.run(process.execPath, [inPackage('scripts/paylatch.mjs'), '--help']);
    assert.match(help, /Usage: paylatch/);
    const port = await freePort();
    const settings = { PORT: String(port), DATABASE_URL: `sqlite:${join(service.folder, 'paylatch.db')}` };
    const program = await startProgram(settings, inPackage('scripts/paylatch.mjs'));
    try {
      const element = await fetch(`${program.origin}/widget/v1/pay-form.js`);
      assert.equal(await element.text(), await readFile(inPackage('dist/widget/pay-form.js'), 'utf8'));
      const shop = `http://127.0.0.1:${port + 1}/`;
      await until('the demo shop is open', async () => (await fetch(shop).catch(() => null))?.status === 200);
    } finally {
      await program.kill();
    }
  });
});
