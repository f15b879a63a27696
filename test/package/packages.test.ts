import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { publint } from 'publint';
import { packageRoot } from '../../src/system/root.ts';
import { installInProject, pack, type Packed, type PackageName, packageNames, type Project } from './installed.ts';

/** Largest tarball of each package, in bytes. */
const sizeLimits: Record<PackageName, number> = {
  client: 60_000,
  medusa: 40_000,
  'pay-form': 25_000,
  react: 10_000,
  testing: 25_000,
  vendure: 40_000,
  vue: 10_000,
};

/** Paylatch packages that each package depends on. */
const dependencies: Partial<Record<PackageName, PackageName>> = {
  ...{ react: 'pay-form', vue: 'pay-form', medusa: 'client', vendure: 'client' },
};

/** Names that each package exports at run time. Plugins load only in their platform, which the `shops` stage tests. */
const exported: Record<Exclude<PackageName, 'medusa' | 'vendure'>, string> = {
  client:
    'PaylatchError,WebhookError,clientCredentials,createClient,createWebhookReceiver,memoryWebhookStore,verifyWebhook',
  'pay-form': 'PayForm',
  react: 'PayForm',
  testing: 'IssuerPage,LinkPage,PayForm,PaymentForm,SimulatorPage,scenarios',
  vue: 'PayForm',
};

const readJson = async (...path: string[]) =>
  JSON.parse(await readFile(join(...path), 'utf8')) as Record<string, unknown>;

describe('the packages for merchants’ projects', () => {
  let folder: string;
  let packed: Record<PackageName, Packed>;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'paylatch-packages-'));
    const entries = await Promise.all(
      packageNames.map(async (name) => [name, await pack(join('packages', name), folder)] as const),
    );
    packed = Object.fromEntries(entries) as Record<PackageName, Packed>;
  });
  after(async () => await rm(folder, { recursive: true }));

  for (const name of packageNames)
    describe(`@paylatch/${name}`, () => {
      let project: Project;
      before(async () => {
        const dependency = dependencies[name];
        const names: PackageName[] = dependency ? [name, dependency] : [name];
        project = await installInProject(names.map((each) => packed[each].tarball));
      });
      after(async () => await project.remove());

      test('installs without other packages, and exports its names', async () => {
        const dependency = dependencies[name];
        const names = [name, ...(dependency ? [dependency] : [])].map((each) => `@paylatch/${each}`);
        assert.deepEqual((await project.packages()).toSorted(), names.toSorted());
        if (name === 'medusa' || name === 'vendure') return;
        // Without a DOM too, for server rendering.
        const script = `console.log(Object.keys(await import('@paylatch/${name}')).sort().join())`;
        assert.equal(
          await project.run(process.execPath, ['--input-type=module', '--eval', script]),
          `${exported[name]}\n`,
        );
      });

      test('contains its build, README and license, within its size', (context) => {
        const { files, size } = packed[name];
        context.diagnostic(`${size} bytes packed`);
        assert.ok(size <= sizeLimits[name], `${size} bytes`);
        const others = files.filter((path) => !/^dist\/[\w.-]+\.(?:js|css|json|d\.ts)$/.test(path));
        assert.deepEqual(others.toSorted(), ['LICENSE', 'README.md', 'package.json']);
      });

      test('has a manifest that publint accepts, with paths that exist', async () => {
        const { buffer, byteOffset, byteLength } = await readFile(packed[name].tarball);
        const tarball = buffer.slice(byteOffset, byteOffset + byteLength);
        const { messages } = await publint({ pack: { tarball }, strict: true });
        assert.deepEqual(messages, []);
        const manifest = await readJson(project.folder, 'node_modules/@paylatch', name, 'package.json');
        assert.equal(manifest['version'], (await readJson(packageRoot(), 'package.json'))['version']);
        for (const field of ['customElements', 'web-types']) {
          const path = manifest[field] as string | undefined;
          if (path !== undefined) assert.ok(packed[name].files.includes(path), path);
        }
      });

      test('has types that resolve like its modules', async () => {
        const attw = join(packageRoot(), 'node_modules/.bin/attw');
        // ES modules only: `require()` loads them since Node.js 20.19.
        await project.run(attw, [
          packed[name].tarball,
          '--profile',
          'esm-only',
          '--exclude-entrypoints',
          'pay-form.css',
        ]);
      });

      if (name === 'client')
        test('reports an unreachable service', async () => {
          const script = `
            import { createClient, PaylatchError } from '@paylatch/client';
            const paylatch = createClient({ baseUrl: 'http://127.0.0.1:1', token: 'a', maxRetries: 0 });
            const error = await paylatch.listPreferences().catch((error) => error);
            console.log(error instanceof PaylatchError, error.code);`;
          const output = await project.run(process.execPath, ['--input-type=module', '--eval', script]);
          assert.equal(output, 'true unreachable\n');
        });

      test('has a README whose first example imports the package', async () => {
        const readme = await readFile(join(packageRoot(), 'packages', name, 'README.md'), 'utf8');
        assert.match(readme, new RegExp(`^# @paylatch/${name}\n`));
        assert.match(readme, new RegExp(`^npm install .*@paylatch/${name}`, 'm'));
        assert.match(readme, new RegExp(`'@paylatch/${name}'`));
      });
    });

  test('the element is the one that the service serves', async () => {
    for (const name of ['pay-form.js', 'pay-form.css'])
      assert.deepEqual(
        await readFile(join(packageRoot(), 'packages/pay-form/dist', name)),
        await readFile(join(packageRoot(), 'dist/widget', name)),
      );
  });

  test('the client and the test kit import nothing', async () => {
    for (const name of ['client', 'testing']) {
      const source = await readFile(join(packageRoot(), 'packages', name, 'dist/index.js'), 'utf8');
      assert.doesNotMatch(source, /^import /m);
    }
    const client = await readFile(join(packageRoot(), 'packages/client/dist/index.js'), 'utf8');
    // It also runs where Node.js' globals do not exist.
    assert.doesNotMatch(client, /\bimport\b|\bprocess\b|\bBuffer\b|\brequire\b/);
    assert.ok(client.length < 26_000, `${client.length} bytes`);
    assert.doesNotMatch(await readFile(join(packageRoot(), 'packages/client/dist/index.d.ts'), 'utf8'), /^import /m);
  });
});
