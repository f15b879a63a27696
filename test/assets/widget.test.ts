// Databases: sqlite
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { listFiles } from '../../scripts/inventory.mjs';
import { type IntegrityList, integrityList, buyerPages } from '../../src/api/integrity.ts';
import { packageRoot } from '../../src/system/root.ts';
import { integrityOf } from '../../src/assets/subresource-integrity.ts';
import { findCard } from '../support/card-search.ts';
import { allowOrigins, createForm, openPage } from '../support/frames.ts';
import { invoicesOf } from '../support/invoices.ts';
import { sendRaw } from '../support/raw-http.ts';
import { cards, createLink } from '../support/requests.ts';
import { ScriptedAcquirer } from '../support/scripted-acquirer.ts';
import { openProductionFixture, openFixture, type Fixture } from '../support/fixture.ts';

const dist = join(packageRoot(), 'dist');
const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string };

const bytesOf = async (fixture: Fixture, path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(fixture.url + path, { headers });
  assert.equal(response.status, 200, path);
  return new Uint8Array(await response.arrayBuffer());
};

const integrityListOf = async (fixture: Fixture, path = '/widget/v1/integrity.json'): Promise<IntegrityList> =>
  integrityList.parse((await fixture.request(path, { token: null })).body);

describe('files for merchants’ pages', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());

  for (const [name, type] of [
    ['pay-form.js', 'text/javascript; charset=utf-8'],
    ['pay-form.css', 'text/css; charset=utf-8'],
    ['integrity.json', 'application/json'],
  ] as const) {
    for (const [release, caching] of [
      ['v1', 'public, max-age=300, stale-while-revalidate=86400'],
      [version, 'public, max-age=31536000, immutable'],
    ] as const) {
      test(`${name} of ${release} loads on every origin, with the right cache lifetime`, async () => {
        const response = await fixture.request(`/widget/${release}/${name}`, {
          token: null,
          headers: { origin: 'https://shop.example' },
        });
        assert.equal(response.status, 200);
        assert.equal(response.headers.get('content-type'), type);
        assert.equal(response.headers.get('cache-control'), caching);
        assert.equal(response.headers.get('access-control-allow-origin'), '*');
        assert.equal(response.headers.get('cross-origin-resource-policy'), 'cross-origin');
        assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
        assert.equal(response.headers.get('set-cookie'), null);
      });
    }
  }

  test('are served precompressed or uncompressed, with an ETag for each encoding', async () => {
    const plain = readFileSync(join(dist, 'widget', 'pay-form.js'));
    const tags = new Set<string | undefined>();
    for (const [accepted, encoding, unpack] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip', 'gzip', gunzipSync],
      ['identity', null, (bytes: Uint8Array) => Buffer.from(bytes)],
      ['nonsense', null, (bytes: Uint8Array) => Buffer.from(bytes)],
    ] as const) {
      const response = await rawBytes(fixture, '/widget/v1/pay-form.js', { 'accept-encoding': accepted });
      assert.equal(response.headers.get('content-encoding'), encoding, accepted);
      assert.match(response.headers.get('vary') ?? '', /Accept-Encoding/);
      assert.ok(unpack(response.bytes).equals(plain), accepted);
      tags.add(response.headers.get('etag') ?? undefined);
    }
    assert.equal(tags.size, 3);
    assert.ok(!tags.has(undefined));
  });

  test('are not sent again for a matching ETag', async () => {
    for (const name of ['pay-form.js', 'integrity.json']) {
      const path = `/widget/v1/${name}`;
      const { headers } = await fixture.request(path, { token: null });
      const etag = headers.get('etag') ?? '';
      for (const known of [etag, `"other", ${etag}`, `W/${etag.replace(/^W\//, '')}`, '*']) {
        const again = await fixture.request(path, { token: null, headers: { 'if-none-match': known } });
        assert.equal(again.status, 304, known);
        assert.equal(again.text, '');
        assert.match(again.headers.get('cache-control') ?? '', /max-age=300/);
        assert.equal(again.headers.get('access-control-allow-origin'), '*');
      }
      const changed = await fixture.request(path, { token: null, headers: { 'if-none-match': '"other"' } });
      assert.equal(changed.status, 200);
    }
  });

  test('are 404 under another version or name', async () => {
    for (const path of [
      '/widget/v2/pay-form.js',
      '/widget/0.0.1/pay-form.js',
      '/widget/pay-form.js',
      '/widget/v1/',
      '/widget/v1/pay-form.ts',
      '/widget/v1/pay-form.js.br',
      '/widget/v1/__proto__',
      '/widget/v1/..%2f..%2fpackage.json',
      '/widget/v1/%00',
      '/widget/__proto__/pay-form.js',
    ]) {
      const { status, headers } = await sendRaw(fixture.url, { path });
      assert.equal(status, 404, path);
      assert.equal(headers.get('cache-control'), 'no-store', path);
    }
  });

  test('can be imported without a browser', async () => {
    const source = Buffer.from(await bytesOf(fixture, '/widget/v1/pay-form.js'));
    const { PayForm } = (await import(`data:text/javascript;base64,${source.toString('base64')}`)) as {
      PayForm: unknown;
    };
    assert.equal(typeof PayForm, 'function');
  });
});

/** The raw response, which `fetch` does not expose. */
async function rawBytes(fixture: Fixture, path: string, headers: Record<string, string>) {
  const { request } = await import('node:http');
  return await new Promise<{ headers: Headers; bytes: Uint8Array }>((resolve, reject) => {
    request(fixture.url + path, { headers, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => {
        const received = new Headers(
          Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]),
        );
        resolve({ headers: received, bytes: Buffer.concat(pieces) });
      });
    })
      .on('error', reject)
      .end();
  });
}

describe('the integrity list of payment pages', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());

  test('is the same under both versions, with a purpose for every file', async () => {
    const list = await integrityListOf(fixture);
    assert.deepEqual(await integrityListOf(fixture, `/widget/${version}/integrity.json`), list);
    assert.equal(list.version, version);
    for (const { purpose } of list.files) assert.match(purpose, /^[A-Z].{20,}\.$/);
    for (const page of buyerPages) {
      assert.ok(
        list.files.some(({ runs_on, kind }) => runs_on === page && kind === 'script'),
        page,
      );
    }
    const places = list.files.map(({ url, integrity, runs_on }) => `${url ?? integrity} ${runs_on}`);
    assert.equal(new Set(places).size, places.length, 'an entry appears twice');
  });

  test('contains the hash and size of the served bytes', async () => {
    const { files } = await integrityListOf(fixture);
    for (const { url, integrity, bytes } of files.filter((file) => file.url !== null)) {
      assert.ok(url?.startsWith(`${fixture.url}/`), url ?? '');
      const served = await bytesOf(fixture, new URL(url ?? '').pathname);
      assert.equal(integrityOf(served), integrity, url ?? '');
      assert.equal(served.length, bytes);
    }
  });

  test('contains every script and style of our pages, which reference them by hash', async () => {
    const { files } = await integrityListOf(fixture);
    await fixture.work();
    const form = await createForm(fixture);
    const link = await createLink(fixture);
    for (const [path, page] of [
      [form.path, 'payment_frame'],
      [`/e/${'x'.repeat(27)}`, 'payment_frame'],
      [link.path, 'link_page'],
      ['/p/nothing-here', 'link_page'],
      [new URL((await invoicesOf(() => fixture).create()).link.payment).pathname, 'invoice_page'],
    ] as const) {
      const { text } = await openPage(fixture, path);
      const known = files.filter(({ runs_on }) => runs_on === page);
      const named = [...text.matchAll(/(?:src|rel="modulepreload" href)="([^"]+)" integrity="([^"]+)"/g)];
      assert.equal(named.length, [...text.matchAll(/<script type="module"|modulepreload/g)].length, path);
      for (const [, address, integrity] of named) {
        assert.ok(
          known.some((file) => file.url === fixture.url + address && file.integrity === integrity),
          `${path} names ${address}`,
        );
      }
      const [, style = ''] = /<style>(.*?)<\/style>/s.exec(text) ?? [];
      assert.ok(
        known.some((file) => file.url === null && file.integrity === integrityOf(style)),
        `${path} has a style`,
      );
    }
  });

  test('fails to build if a script has no purpose, or no page loads it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'paylatch-dist-'));
    try {
      cpSync(join(dist, 'widget'), join(folder, 'widget'), { recursive: true });
      cpSync(join(dist, 'pages'), join(folder, 'pages'), { recursive: true });
      assert.equal(listFiles(folder, version).version, version);

      writeFileSync(join(folder, 'widget', 'tracker.js'), '');
      assert.throws(() => listFiles(folder, version), /tracker\.js has no purpose/);
      rmSync(join(folder, 'widget', 'tracker.js'));

      writeFileSync(join(folder, 'pages', 'assets', 'forgotten.js'), '');
      assert.throws(() => listFiles(folder, version), /No page loads .*forgotten\.js/);
      rmSync(join(folder, 'pages', 'assets', 'forgotten.js'));

      const file = join(folder, 'pages', '.vite', 'manifest.json');
      const manifest = JSON.parse(readFileSync(file, 'utf8'));
      const [lazy] =
        Object.entries<{ isDynamicEntry?: boolean }>(manifest).find(([, each]) => each.isDynamicEntry) ?? [];
      manifest[lazy ?? ''].src = 'pages/checkout/elements/new-thing.ts';
      writeFileSync(file, JSON.stringify(manifest));
      assert.throws(() => listFiles(folder, version), /new-thing\.ts has no purpose/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the sandbox’s own script', () => {
  const sandboxScripts = readdirSync(join(dist, 'pages', 'sandbox', 'assets')).filter((name) => name.endsWith('.js'));
  const cardNumbers = Object.values(cards).map((number) => ({ number, cvv: '' }));
  const holdsTestCard = (content: Uint8Array | string) =>
    cardNumbers.some((card) => findCard(Buffer.from(content), card).some((form) => form.startsWith('the number')));

  test('is referenced by the sandbox’s card form, and served', async () => {
    const fixture = await openFixture();
    try {
      const { path } = await createForm(fixture);
      const { text } = await openPage(fixture, path);
      assert.equal(sandboxScripts.length, 1);
      for (const name of sandboxScripts) {
        assert.ok(text.includes(`<script type="module" src="/sandbox/assets/${name}"`));
        const script = await bytesOf(fixture, `/sandbox/assets/${name}`);
        assert.ok(holdsTestCard(script), 'it offers no test card, so searching for them is not a test');
        assert.ok((await integrityListOf(fixture)).files.some(({ url }) => url?.endsWith(name)));
      }
    } finally {
      await fixture.close();
    }
  });

  test('is absent in production: not referenced, listed or served, and no other file contains a test card', async () => {
    const fixture = await openProductionFixture(new ScriptedAcquirer());
    try {
      await allowOrigins(fixture, ['https://shop.example']);
      const { path, linkPath } = await createForm(fixture);
      const pages = await Promise.all(
        [path, linkPath, `/e/${'x'.repeat(27)}`].map((each) =>
          openPage(fixture, each, { origin: 'https://shop.example' }),
        ),
      );
      assert.equal(pages[0]?.status, 200);
      for (const { text } of pages) {
        assert.doesNotMatch(text, /sandbox\/assets/);
        assert.ok(!holdsTestCard(text));
      }
      const list = await integrityListOf(fixture);
      assert.ok(list.files.length > 0);
      assert.ok(list.files.every(({ url }) => url === null || url.startsWith('https://pay.example/')));
      assert.doesNotMatch(JSON.stringify(list), /sandbox/i);
      for (const name of sandboxScripts) {
        for (const address of [
          `/sandbox/assets/${name}`,
          `/assets/${name}`,
          `/assets/../sandbox/assets/${name}`,
          `/assets/%2e%2e/sandbox/assets/${name}`,
          `/assets/..%2fsandbox/assets/${name}`,
          `/assets/..%5csandbox%5cassets%5c${name}`,
        ]) {
          const { status } = await sendRaw(fixture.url, { path: address });
          assert.equal(status, 404, address);
        }
      }
      const served = [
        ...readdirSync(join(dist, 'pages', 'assets')).map((name) => `/assets/${name}`),
        ...readdirSync(join(dist, 'widget'))
          .filter((name) => !/\.(?:br|gz)$/.test(name))
          .map((name) => `/widget/v1/${name}`),
        '/widget/v1/integrity.json',
        '/texts/card/en',
        '/texts/link/en',
        '/icon.svg',
      ];
      for (const address of served) {
        assert.ok(!holdsTestCard(await bytesOf(fixture, address)), `${address} contains a test card`);
      }
    } finally {
      await fixture.close();
    }
  });
});
