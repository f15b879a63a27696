// Databases: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationGroups } from '../../src/api/operation.ts';
import { pageName } from '../../pages/reference/document.ts';
import { openFixture } from '../support/fixture.ts';

test('former names of reference pages lead to the present ones', async () => {
  const fixture = await openFixture();
  try {
    const pages = Object.values(operationGroups).map(pageName);
    for (const [former, present] of [
      ['callbacks', 'webhooks'],
      ['webhook-delivery', 'webhooks'],
      ['people', 'team'],
    ] as const) {
      const response = await fetch(`${fixture.url}/reference/${former}`, { redirect: 'manual' });
      assert.deepEqual([response.status, response.headers.get('location')], [301, `/reference/${present}`]);
      assert.ok(pages.includes(present));
    }
  } finally {
    await fixture.close();
  }
});
