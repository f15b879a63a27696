import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { createToken } from '../../src/auth/tokens.ts';
import { createLogoEncoder } from '../../src/merchants/logo/encode.ts';
import { systemRandom } from '../../src/system/random.ts';
import { packageRoot } from '../../src/system/root.ts';
import { onSqlite } from '../support/databases.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import {
  encodeJpeg,
  encodePng,
  encodeWebp,
  decodePixels,
  type Paint,
  pngChunk,
  pngHeader,
  pngSignature,
} from '../support/images.ts';
import { createLink } from '../support/requests.ts';

const worker = join(packageRoot(), 'dist', 'server', 'image-worker.js');
const text = (content: string) => Buffer.from(content, 'latin1');
const script = text('<script>alert(document.domain)</script>');

/** Chunks of a PNG file. Throws unless the file consists of nothing else. */
function chunksOf(file: Buffer) {
  assert.ok(file.subarray(0, 8).equals(pngSignature));
  const chunks: { type: string; data: Buffer }[] = [];
  for (let start = 8; start < file.length; ) {
    const length = file.readUInt32BE(start);
    const data = file.subarray(start + 8, start + 8 + length);
    const type = file.toString('latin1', start + 4, start + 8);
    assert.ok(pngChunk(type, data).equals(file.subarray(start, start + 12 + length)), `${type} is intact`);
    chunks.push({ type, data });
    start += 12 + length;
  }
  assert.equal(chunks.at(-1)?.type, 'IEND');
  return chunks;
}

/** Checks that a file is a plain PNG whose pixels are complete; returns its size. */
function requirePlainPng(file: Buffer) {
  const chunks = chunksOf(file);
  const header = chunks[0]?.data ?? Buffer.alloc(13);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const pixels = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)));
  assert.deepEqual([...header.subarray(8, 10)], [8, 6], 'RGBA with 8 bits');
  assert.equal(pixels.length, height * (1 + width * 4));
  assert.deepEqual(
    chunks.map(({ type }) => type).filter((type) => type !== 'IDAT'),
    ['IHDR', 'IEND'],
  );
  assert.ok(width <= 256 && height <= 256);
  return { width, height };
}

describe('the uploaded logo', () => {
  let fixture: Fixture;
  before(async () => (fixture = await openFixture()));
  after(async () => await fixture.close());

  const upload = async (file: Buffer | string, token = fixture.merchant.managerToken) =>
    await fixture.request('/v1/merchant/logo', {
      ...{ method: 'POST', token },
      body: { image: typeof file === 'string' ? file : file.toString('base64') },
    });
  const open = async (url: string) => {
    const response = await fetch(url.replace(/^https?:\/\/[^/]+/, fixture.url));
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const refusal = async (file: Buffer | string) => {
    const { status, body } = await upload(file);
    assert.equal(status, 422, JSON.stringify(body));
    const [error] = body.errors;
    assert.equal(error.pointer, '/image');
    return error.code;
  };
  const pageOf = async ({ path }: { path: string }) => {
    const response = await fetch(`${fixture.url}${path}`);
    return { html: await response.text(), policy: response.headers.get('content-security-policy') ?? '' };
  };

  test('is served from our origin, replaced, and removed', async () => {
    const link = await createLink(fixture, { transaction_id: 'logo-1' });
    const { managerToken: token } = fixture.merchant;
    await fixture.request('/v1/merchant/preferences', {
      ...{ method: 'PATCH', token },
      body: { key: 'brand-logo-url', value: 'https://cdn.example/logo.png' },
    });
    assert.equal((await fixture.request('/v1/merchant/logo', { token })).body.logo, null);
    assert.match((await pageOf(link)).html, /src="https:\/\/cdn\.example\/logo\.png"/);

    const { status, body } = await upload(encodePng(512, 128));
    assert.equal(status, 200);
    assert.deepEqual([body.logo.width, body.logo.height], [256, 64]);
    const file = await open(body.logo.url);
    assert.deepEqual(requirePlainPng(file.bytes), { width: 256, height: 64 });
    assert.ok(body.logo.url.endsWith(`/logos/${createHash('sha256').update(file.bytes).digest('hex')}.png`));
    assert.equal(file.headers.get('content-type'), 'image/png');
    assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(file.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(file.headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.match(file.headers.get('content-security-policy') ?? '', /^default-src 'none'; .*sandbox$/);

    const page = await pageOf(link);
    assert.ok(page.html.includes(`src="${new URL(body.logo.url).pathname}"`));
    assert.match(page.policy, /img-src 'self' data:(;|$)/, 'no other origin is needed');

    const second = (await upload(encodePng(8, 8, () => [1, 2, 3, 255]))).body.logo;
    assert.notEqual(second.url, body.logo.url);
    assert.equal((await open(body.logo.url)).status, 404);
    assert.deepEqual((await fixture.request('/v1/merchant/logo', { token })).body.logo, second);

    const removal = await fixture.request('/v1/merchant/logo/remove', { method: 'POST', token, body: {} });
    assert.deepEqual(removal.body, { logo: null });
    assert.equal((await open(second.url)).status, 404);
    assert.match((await pageOf(link)).html, /src="https:\/\/cdn\.example\/logo\.png"/);
  });

  onSqlite('accepts PNG, JPEG and WebP, and keeps color, proportion and transparency', async () => {
    const half: Paint = (x) => (x < 300 ? [200, 40, 40, 255] : [0, 0, 0, 0]);
    const files = {
      png: encodePng(600, 300, half),
      jpeg: await encodeJpeg(600, 300, half),
      webp: await encodeWebp(600, 300, half),
      lossless: await encodeWebp(600, 300, half, true),
    };
    for (const [name, file] of Object.entries(files)) {
      const { logo } = (await upload(file)).body;
      assert.deepEqual([logo?.width, logo?.height], [256, 128], name);
      const { bytes } = await open(logo.url);
      requirePlainPng(bytes);
      const { data } = await decodePixels(bytes);
      const near = (offset: number, expected: readonly number[]) =>
        expected.forEach((value, index) =>
          assert.ok(
            Math.abs((data[offset + index] ?? -99) - value) < 12,
            `${name}: ${data.slice(offset, offset + 4).join(' ')}`,
          ),
        );
      near(0, [200, 40, 40, 255]);
      if (name === 'jpeg') near(255 * 4, [0, 0, 0, 255]);
      else near(255 * 4 + 3, [0]);
    }
  });

  onSqlite('contains nothing of the file but its pixels', async () => {
    const metadata = [pngChunk('tEXt', text(`Comment\0${String(script)}`)), pngChunk('acTL', Buffer.alloc(8))];
    const files = {
      'metadata and animation': encodePng(9, 9, undefined, metadata),
      'HTML after the end': Buffer.concat([encodePng(9, 9), script]),
      'HTML in a JPEG comment': await (async () => {
        const jpeg = await encodeJpeg(9, 9);
        const comment = Buffer.concat([Buffer.of(0xff, 0xfe, 0, script.length + 2), script]);
        return Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2), text('PK\x03\x04')]);
      })(),
      'HTML in a WebP chunk': await (async () => {
        const webp = await encodeWebp(9, 9);
        return Buffer.concat([webp, text('EXIF'), Buffer.of(script.length, 0, 0, 0), script]);
      })(),
    };
    for (const [name, file] of Object.entries(files)) {
      const { status, body } = await upload(file);
      assert.equal(status, 200, `${name}: ${JSON.stringify(body)}`);
      const { bytes } = await open(body.logo.url);
      assert.deepEqual(requirePlainPng(bytes), { width: 9, height: 9 }, name);
      assert.equal(bytes.includes('script'), false, name);
    }
  });

  onSqlite('refuses other files, and changes nothing', async () => {
    const { logo } = (await upload(encodePng(3, 3))).body;
    const png = encodePng(40, 40, (x, y) => [x * y, x, y, 255]);
    const jpeg = await encodeJpeg(40, 40);
    const webp = await encodeWebp(40, 40);
    const animated = Buffer.concat([
      text('RIFF\x20\0\0\0WEBPVP8X'),
      Buffer.of(10, 0, 0, 0, 0x02, 0, 0, 0, 8, 0, 0, 8, 0, 0),
      text('ANIM'),
      Buffer.of(6, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ]);
    const svg = text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const cmyk = Buffer.from(jpeg);
    const frame =
      cmyk.indexOf(Buffer.of(0xff, 0xc2)) >= 0
        ? cmyk.indexOf(Buffer.of(0xff, 0xc2))
        : cmyk.indexOf(Buffer.of(0xff, 0xc0));
    cmyk[frame + 9] = 4;
    const scan = jpeg.indexOf(Buffer.of(0xff, 0xda));
    const hugeJpeg = Buffer.from(jpeg);
    hugeJpeg.writeUInt16BE(65_535, frame + 5);
    const twoHeaders = Buffer.concat([pngSignature, pngHeader(1, 1), pngHeader(9000, 9000), png.subarray(33)]);
    const hugeWebp = Buffer.from(webp);
    hugeWebp.writeUInt16LE(16_383, hugeWebp.indexOf('VP8 ') + 14);
    const files: Record<string, readonly [string, Buffer | string]> = {
      SVG: ['unsupported_image', svg],
      GIF: ['unsupported_image', text('GIF89a\x01\0\x01\0')],
      HTML: ['unsupported_image', script],
      'one byte': ['damaged_image', Buffer.of(0x89)],
      'CMYK JPEG': ['unsupported_image', cmyk],
      'animated WebP': ['animated_image', animated],
      'huge PNG': ['too_many_pixels', Buffer.concat([pngSignature, pngHeader(50_000, 50_000), png.subarray(33)])],
      'long PNG': ['too_many_pixels', Buffer.concat([pngSignature, pngHeader(1, 8001), png.subarray(33)])],
      'huge JPEG': ['too_many_pixels', hugeJpeg],
      'huge WebP': ['too_many_pixels', hugeWebp],
      'PNG with two headers': ['damaged_image', twoHeaders],
      'PNG without size': ['damaged_image', Buffer.concat([pngSignature, pngHeader(0, 5), png.subarray(33)])],
      'PNG with less pixels than its size': [
        'damaged_image',
        Buffer.concat([pngSignature, pngHeader(400, 400), png.subarray(33)]),
      ],
      // The decoders would read another image than the check.
      'JPEG with a marker that has no length': [
        'damaged_image',
        Buffer.concat([jpeg.subarray(0, 2), Buffer.of(0xff, 0xd0), jpeg.subarray(2)]),
      ],
      'WebP with an unknown first chunk': [
        'damaged_image',
        Buffer.concat([webp.subarray(0, 12), Buffer.from('/abc\x04\0\0\0data', 'latin1'), webp.subarray(12)]),
      ],
      'PNG with a short header': [
        'damaged_image',
        Buffer.concat([pngSignature, pngChunk('IHDR', pngHeader(40, 40).subarray(8, 20)), png.subarray(33)]),
      ],
      'JPEG with two frames': [
        'damaged_image',
        Buffer.concat([jpeg.subarray(0, frame), jpeg.subarray(frame, scan), jpeg.subarray(frame)]),
      ],
      'JPEG without a frame': ['damaged_image', Buffer.concat([jpeg.subarray(0, frame), jpeg.subarray(scan)])],
      'JPEG with data between its segments': [
        'damaged_image',
        Buffer.concat([jpeg.subarray(0, 2), text('data'), jpeg.subarray(2)]),
      ],
      'WebP with a frame of an animation': [
        'animated_image',
        Buffer.concat([webp.subarray(0, 12), Buffer.from('ANMF\x04\0\0\0data', 'latin1'), webp.subarray(12)]),
      ],
      'cut PNG': ['damaged_image', png.subarray(0, -20)],
      'cut WebP': ['damaged_image', webp.subarray(0, 40)],
      'JPEG without pixels': ['damaged_image', jpeg.subarray(0, 30)],
      'PNG with a wrong type': ['damaged_image', Buffer.concat([Buffer.of(0xff, 0xd8), png.subarray(2)])],
    };
    for (const [name, [code, file]] of Object.entries(files)) assert.equal(await refusal(file), code, name);
    assert.deepEqual((await fixture.request('/v1/merchant/logo', { token: fixture.merchant.token })).body.logo, logo);
    // Bytes that fill the space before a marker are valid.
    const filled = Buffer.concat([jpeg.subarray(0, 2), Buffer.of(0xff, 0xff), jpeg.subarray(2)]);
    assert.equal((await upload(filled)).status, 200);
  });

  onSqlite('limits the file and its size in memory', async () => {
    const big = Buffer.alloc(1_000_001, 1);
    assert.equal((await upload(big)).status, 422);
    assert.equal((await upload('A'.repeat(2_000_000))).status, 413);
    assert.equal((await upload('not Base64')).status, 422);
    // Other operations keep their limit.
    const key = { key: 'brand-name', value: 'x'.repeat(70_000) };
    const { status } = await fixture.request('/v1/merchant/preferences', { method: 'PATCH', body: key });
    assert.equal(status, 413);
  });

  test('belongs to its merchant, and needs the scope', async () => {
    const other = await fixture.makeMerchant('Other');
    const mine = (await upload(encodePng(5, 5, () => [9, 9, 9, 255]))).body.logo;
    const same = (
      await upload(
        encodePng(5, 5, () => [9, 9, 9, 255]),
        other.managerToken,
      )
    ).body.logo;
    assert.equal(same.url, mine.url);
    const remove = { method: 'POST', body: {}, token: other.managerToken };
    await fixture.request('/v1/merchant/logo/remove', remove);
    assert.equal((await open(mine.url)).status, 200, 'the same logo of another merchant stays');
    const reader = await readerToken(fixture);
    assert.deepEqual((await fixture.request('/v1/merchant/logo', { token: reader })).body.logo, mine);
    assert.equal((await upload(encodePng(5, 5), reader)).status, 403);
    assert.equal((await fixture.request('/v1/merchant/logo/remove', { ...remove, token: reader })).status, 403);
    assert.equal((await fixture.request('/v1/merchant/logo', { token: null })).status, 401);
  });

  onSqlite('leaves an audit entry without the image', async () => {
    const { logo } = (await upload(encodePng(6, 6))).body;
    await refusal(script);
    const token = fixture.merchant.managerToken;
    const { entries } = (await fixture.request('/v1/audit-log?per_page=2', { token })).body;
    const [refused, stored] = entries;
    assert.deepEqual([refused.action, refused.outcome], ['setLogo', 'validation_failed']);
    assert.deepEqual([stored.action, stored.outcome, stored.subject], ['setLogo', 'done', 'logo']);
    assert.deepEqual(stored.after, { hash: /[0-9a-f]{64}/.exec(logo.url)?.[0], width: 6, height: 6 });
  });
});

async function readerToken(fixture: Fixture): Promise<string> {
  const { database } = fixture.service();
  const options = { environment: 'sandbox', random: systemRandom, clock: fixture.clock } as const;
  return await database.inTransaction(
    async (unit) =>
      await createToken(unit, { ...options, merchantId: fixture.merchant.id, scopes: ['preference:read'] }),
  );
}

describe('the logo encoder', () => {
  const encode = createLogoEncoder({ worker });

  onSqlite('stops an image that takes too long', async () => {
    const impatient = createLogoEncoder({ worker, timeLimitMs: 1 });
    await assert.rejects(impatient(encodePng(2000, 2000)), { code: 'validation_failed' });
  });

  onSqlite('processes one image at a time, and a few wait', async () => {
    const results = await Promise.allSettled(Array.from({ length: 10 }, async () => await encode(encodePng(2, 2))));
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    assert.deepEqual(reasons, ['unavailable', 'unavailable']);
    await encode(encodePng(2, 2));
  });

  onSqlite('refuses or returns a plain PNG, whatever the bytes', async () => {
    const noise: Paint = (x, y) => [x * 7, y * 13, x * y, 255 - x];
    const files = [
      encodePng(20, 14, noise),
      await encodeJpeg(20, 14, noise),
      await encodeWebp(20, 14, noise),
      await encodeWebp(20, 14, noise, true),
    ];
    const change = fc.record({ at: fc.nat(2000), byte: fc.nat(255) });
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.array(change, { maxLength: 4 }),
        fc.option(fc.nat(600)),
        fc.uint8Array({ maxLength: 30 }),
        async (file, changes, cut, tail) => {
          const bytes = Buffer.concat([file.subarray(0, cut ?? file.length), tail]);
          for (const { at, byte } of changes) if (at < bytes.length) bytes[at] = byte;
          try {
            const { png, width, height } = await encode(bytes);
            assert.deepEqual(requirePlainPng(Buffer.from(png)), { width, height });
            accepted += 1;
          } catch (error) {
            assert.equal((error as { code?: string }).code, 'validation_failed', String(error));
          }
        },
      ),
      { numRuns: 60 },
    );
    assert.ok(accepted > 5, `${accepted} accepted`);
  });
});
