// Databases: sqlite
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { request } from 'undici';
import { noticesOf, packagesOf } from '../../scripts/licenses.mjs';
import { openFixture } from '../support/fixture.ts';

describe('license notices of browser code', () => {
  test('include each bundled package and icon set with its license', async () => {
    const fixture = await openFixture();
    const { statusCode, headers, body } = await request(`${fixture.url}/licenses.txt`);
    const text = await body.text();
    assert.equal(statusCode, 200);
    assert.match(String(headers['content-type']), /^text\/plain/);
    assert.equal(headers['cache-control'], 'public, max-age=86400');
    for (const name of ['@awesome.me/webawesome', '@simplewebauthn/browser', 'lit', 'lit-html', 'qrcode', 'uplot'])
      assert.match(text, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+$`, 'm'), name);
    for (const words of ['Lucide', 'Tabler Icons', 'Cole Bemis', 'Google LLC', 'Leon Sorokin', 'Fonticons'])
      assert.ok(text.includes(words), words);
    assert.ok(text.split('Permission is hereby granted, free of charge').length > 10);
    // Server-only packages need no notice.
    assert.doesNotMatch(text, /^(?:kysely|hono|pg) \d/m);
    const packed = await request(`${fixture.url}/licenses.txt`, { headers: { 'accept-encoding': 'br' } });
    assert.equal(packed.headers['content-encoding'], 'br');
    assert.ok((await packed.body.arrayBuffer()).byteLength < text.length / 5);
    await fixture.close();
  });

  test('a package without a license text fails the build', () => {
    const folder = mkdtempSync(join(tmpdir(), 'notices-'));
    const within = (name: string) => join(folder, 'node_modules', name);
    const put = (name: string, file: string, text: string) => {
      mkdirSync(within(name), { recursive: true });
      writeFileSync(join(within(name), file), text);
    };
    put('@some/kettle', 'package.json', '{"name":"@some/kettle","version":"1.2.3","license":"MIT"}');
    put('@some/kettle', 'index.js', '');
    const modules = [join(within('@some/kettle'), 'index.js'), join(folder, 'pages', 'client.ts')];
    assert.throws(() => noticesOf(packagesOf(modules)), /@some\/kettle 1\.2\.3/);
    put('@some/kettle', 'LICENSE.md', 'Do with it what you like.\n');
    assert.equal(noticesOf(packagesOf(modules)), '@some/kettle 1.2.3\nMIT\n\nDo with it what you like.\n');
    // A nested package with its own version.
    const inner = join('@some/kettle', 'node_modules', 'lid');
    put(inner, 'package.json', '{"name":"lid","version":"0.1.0"}');
    put(inner, 'COPYING', 'As the kettle.');
    const both = noticesOf(packagesOf([...modules, join(within(inner), 'a', 'b.js')]));
    assert.deepEqual(both.match(/^.+ \d\.\d\.\d$/gm), ['@some/kettle 1.2.3', 'lid 0.1.0']);
    rmSync(folder, { recursive: true });
  });
});
