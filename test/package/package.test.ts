import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { packageRoot } from '../../src/system/root.ts';
import { freePort } from '../support/ports.ts';
import { startProgram, until } from '../support/program.ts';
import { type Installed, installPackage } from './installed.ts';

describe('the package', () => {
  let project: Installed;
  before(async () => {
    project = await installPackage();
  });
  after(async () => await project.remove());

  const inPackage = (path: string) => join(project.folder, 'node_modules/paylatch', path);
  const node = async (script: string) => await project.run(process.execPath, ['--input-type=module', '--eval', script]);

  test('contains the build output, and no sources', () => {
    for (const path of project.files) {
      assert.match(path, /^(dist\/.+|scripts\/paylatch\.mjs|package\.json|README\.md|LICENSE)$/);
    }
  });

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
    const { buffer, byteOffset, byteLength } = await readFile(project.tarball);
    const tarball = buffer.slice(byteOffset, byteOffset + byteLength);
    const { messages } = await publint({ pack: { tarball }, strict: true });
    assert.deepEqual(messages, []);
  });

  test('has types that resolve like its modules', async () => {
    const attw = join(packageRoot(), 'node_modules/.bin/attw');
    // ES modules only: `require()` loads them since Node.js 20.19.
    await project.run(attw, [project.tarball, '--profile', 'esm-only']);
  });

  test('resolves every exported path, and the editors’ files', async () => {
    const manifest = JSON.parse(await readFile(inPackage('package.json'), 'utf8')) as Record<string, unknown>;
    const names = Object.keys(manifest['exports'] as object).map((name) => name.replace('.', 'paylatch'));
    assert.ok(['pay-form', 'client', 'testing'].every((name) => names.includes(`paylatch/${name}`)));
    const found = await node(`
      import { existsSync } from 'node:fs';
      import { fileURLToPath } from 'node:url';
      const names = ${JSON.stringify(names)};
      console.log(names.every((name) => existsSync(fileURLToPath(import.meta.resolve(name)))));
    `);
    assert.equal(found, 'true\n');
    for (const field of ['customElements', 'web-types']) {
      const path = manifest[field] as string;
      assert.ok(project.files.includes(path), path);
    }
  });

  test('contains the element that the service serves', async () => {
    for (const name of ['pay-form.js', 'pay-form.css']) {
      const served = await readFile(inPackage(`dist/widget/${name}`));
      assert.deepEqual(await readFile(inPackage(`dist/package/${name}`)), served);
    }
  });

  test('can be imported without a DOM', async () => {
    for (const name of ['paylatch/pay-form', 'paylatch/react', 'paylatch/vue']) {
      assert.equal(await node(`console.log(typeof (await import('${name}')).PayForm)`), 'function\n');
    }
  });

  test('contains the test kit, which has no runtime dependency', async () => {
    const exported = await node(`console.log(Object.keys(await import('paylatch/testing')).join())`);
    assert.equal(exported, 'IssuerPage,LinkPage,PayForm,PaymentForm,SimulatorPage,scenarios\n');
    const source = await readFile(inPackage('dist/package/testing.js'), 'utf8');
    assert.doesNotMatch(source, /^import /m);
  });

  test('contains the client, which has no dependencies', async () => {
    const source = await readFile(inPackage('dist/package/client.js'), 'utf8');
    assert.doesNotMatch(source, /\bimport\b|\bprocess\b|\bBuffer\b|\brequire\b/);
    assert.ok(source.length < 16_000, `${source.length} bytes`);
    const types = await readFile(inPackage('dist/package/client.d.ts'), 'utf8');
    assert.doesNotMatch(types, /^import /m);
    // In a folder without other packages.
    const alone = await mkdtemp(join(tmpdir(), 'paylatch-client-'));
    try {
      await writeFile(join(alone, 'client.mjs'), source);
      const script = `
        import { createClient, PaylatchError } from './client.mjs';
        const paylatch = createClient({ baseUrl: 'http://127.0.0.1:1', token: 'a', maxRetries: 0 });
        const error = await paylatch.listPreferences().catch((error) => error);
        console.log(error instanceof PaylatchError, error.code);`;
      await writeFile(join(alone, 'program.mjs'), script);
      const { stdout } = await promisify(execFile)(process.execPath, [join(alone, 'program.mjs')]);
      assert.equal(stdout, 'true unreachable\n');
    } finally {
      await rm(alone, { recursive: true });
    }
  });

  test('contains the service, which runs without a build', async () => {
    const help = await project.run(process.execPath, [inPackage('scripts/paylatch.mjs'), '--help']);
    assert.match(help, /Usage: paylatch/);
    const port = await freePort();
    const settings = { PORT: String(port), DATABASE_URL: `sqlite:${join(project.folder, 'paylatch.db')}` };
    const program = await startProgram(settings, inPackage('scripts/paylatch.mjs'));
    try {
      const element = await fetch(`${program.origin}/widget/v1/pay-form.js`);
      assert.equal(await element.text(), await readFile(inPackage('dist/package/pay-form.js'), 'utf8'));
      const shop = `http://127.0.0.1:${port + 1}/`;
      await until('the demo shop is open', async () => (await fetch(shop).catch(() => null))?.status === 200);
    } finally {
      await program.kill();
    }
  });
});
