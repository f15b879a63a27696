// Databases: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, toMillis } from '../../src/shared/time.ts';
import { openFixture } from '../support/fixture.ts';

test('security.txt contains the configured contacts and expires within a year', async () => {
  const fixture = await openFixture({
    env: { SECURITY_CONTACT: 'security@pay.example, https://pay.example/security', PUBLIC_URL: 'https://pay.example' },
  });
  try {
    const { status, headers, text } = await fixture.request('/.well-known/security.txt', { token: null });
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/plain; charset=UTF-8');
    const [contact, page, expires = '', ...rest] = text.split('\n');
    assert.equal(contact, 'Contact: mailto:security@pay.example');
    assert.equal(page, 'Contact: https://pay.example/security');
    assert.deepEqual(rest, ['Canonical: https://pay.example/.well-known/security.txt', '']);
    const untilMs = Date.parse(expires.replace('Expires: ', '')) - toMillis(fixture.clock.now());
    assert.ok(untilMs > toMillis(100 * DAY) && untilMs < toMillis(365 * DAY), expires);
  } finally {
    await fixture.close();
  }
});

test('security.txt is 404 without configured contacts', async () => {
  const fixture = await openFixture();
  try {
    assert.equal((await fixture.request('/.well-known/security.txt', { token: null })).status, 404);
  } finally {
    await fixture.close();
  }
});
