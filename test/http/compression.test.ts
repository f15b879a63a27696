// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { createLink } from '../support/requests.ts';

describe('compression', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());

  test('text is compressed for clients that accept it, with one Vary header', async () => {
    for (const path of ['/openapi.json', '/reference', '/healthz']) {
      const plain = await request(fixture.url + path);
      assert.equal(plain.headers['content-encoding'], undefined, path);
      assert.equal(plain.headers.vary, 'Accept-Encoding', path);
      const body = Buffer.from(await plain.body.arrayBuffer());
      const packed = await request(fixture.url + path, { headers: { 'accept-encoding': 'gzip' } });
      assert.equal(packed.headers.vary, 'Accept-Encoding', path);
      const bytes = Buffer.from(await packed.body.arrayBuffer());
      const read = packed.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
      assert.deepEqual(read, body, path);
      if (body.length > 10_000) assert.ok(bytes.length < body.length / 2, path);
    }
  });

  test('short JSON is sent with its length, uncompressed', async () => {
    const { link } = await createLink(fixture);
    for (const path of ['/fiat/v1/transactions', '/fiat/v1/transactions?limit=0', `${new URL(link).pathname}/none`]) {
      const { headers, body } = await request(fixture.url + path, {
        headers: { 'accept-encoding': 'gzip', authorization: `Bearer ${fixture.merchant.token}` },
      });
      assert.match(String(headers['content-type']), /json/, path);
      assert.equal(headers['content-encoding'], undefined, path);
      assert.equal(Number(headers['content-length']), Buffer.byteLength(await body.text()), path);
    }
  });

  test('an unsupported encoding gets an uncompressed response', async () => {
    const { headers, body } = await request(`${fixture.url}/metrics`, { headers: { 'accept-encoding': 'br' } });
    assert.equal(headers['content-encoding'], undefined);
    await body.dump();
  });
});
