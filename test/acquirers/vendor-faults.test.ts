// Databases: sqlite
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { paidTwice } from './simulators/charges.ts';
import type { Fault } from './simulators/faults.ts';
import { openAdyen, openHyperswitch, openXendit } from './simulators/test-clients.ts';

/** By fault: true if the card is charged, and the result for the caller. */
const expected: Readonly<
  Record<
    Exclude<Fault, 'none' | 'late' | 'malformed' | 'trickle'>,
    { isCharged: boolean; status: number | 'none' | 'cut' }
  >
> = {
  silent: { isCharged: false, status: 'none' },
  silent_after: { isCharged: true, status: 'none' },
  cut_before: { isCharged: false, status: 'cut' },
  cut_after: { isCharged: true, status: 'cut' },
  truncated_response: { isCharged: true, status: 'cut' },
  http_500: { isCharged: false, status: 500 },
  http_500_after: { isCharged: true, status: 500 },
  http_503: { isCharged: false, status: 503 },
  bad_gateway: { isCharged: false, status: 502 },
  rate_limited: { isCharged: false, status: 429 },
};

for (const [name, open] of Object.entries({ adyen: openAdyen, hyperswitch: openHyperswitch, xendit: openXendit }))
  describe(`the ${name} server`, () => {
    for (const [fault, { isCharged, status }] of Object.entries(expected))
      test(`fails a charge as ${fault}`, async () => {
        const { vendor, charge } = await open();
        vendor.next('charge', { outcome: 'approved', fault: fault as Fault });
        if (status === 'none') {
          const abort = new AbortController();
          const arrival = vendor.waitForRequest('charge');
          const result = charge({}, abort.signal);
          await arrival;
          abort.abort();
          await assert.rejects(result, { name: 'AbortError' });
        } else if (status === 'cut') await assert.rejects(charge(), TypeError);
        else assert.equal((await charge()).status, status);

        assert.deepEqual(
          vendor.charges().map(({ state }) => state),
          isCharged ? ['paid'] : [],
        );
        assert.equal(vendor.webhooks.pending.length, isCharged ? 1 : 0);
        await vendor.close();
      });

    test('responds late, after its webhook', async () => {
      const { vendor, charge, reference } = await open();
      vendor.next('charge', { outcome: 'approved', fault: 'late' });
      const arrival = vendor.waitForRequest('charge');
      const result = charge();
      await arrival;
      assert.equal(vendor.webhooks.take()?.reference, reference);
      assert.equal(vendor.releaseResponses(), 1);
      assert.ok((await result).status < 300);
      await vendor.close();
    });

    test('plans several calls in order, and forgets plans', async () => {
      const { vendor, charge } = await open();
      vendor.next('charge', { fault: 'http_503' }, 2);
      assert.equal((await charge()).status, 503);
      vendor.reset();
      assert.ok((await charge()).status < 300);
      assert.deepEqual(paidTwice(vendor.charges()), []);
      await vendor.close();
    });

    test('records every request with masked credentials', async () => {
      const log = join(mkdtempSync(join(tmpdir(), 'paylatch-test-')), 'requests.jsonl');
      const { vendor, charge } = await open({ log });
      await charge();
      assert.ok(existsSync(log));
      const [request] = readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.deepEqual(Object.keys(request), ['vendor', 'method', 'path', 'headers', 'body']);
      assert.equal(request.vendor, name);
      assert.doesNotMatch(JSON.stringify(request.headers), /testAdyen|snd_test|Basic/);
      assert.match(request.path, /^\/(?:v3\/payment_request|payment)s$/);
      await fetch(`${vendor.url}/unknown`);
      await assert.rejects(vendor.close(), /1 violations of the contract/);
    });

    test('reports an unknown operation to the test', async () => {
      const seen: string[] = [];
      const { vendor } = await open({ mayViolate: true, onViolation: ({ where }) => seen.push(where) });
      for (const path of ['/favicon.ico', '/pages/unknown'])
        assert.equal((await fetch(`${vendor.origin}${path}`)).status, 404);
      await fetch(`${vendor.url}/unknown`);
      assert.throws(() => vendor.next('chargeTwice', {}), /has no operation chargeTwice/);
      assert.deepEqual(seen, ['GET /unknown']);
      assert.throws(() => vendor.assertClean(), /1 violations of the contract\nGET \/unknown/);
      await vendor.close();
    });
  });
