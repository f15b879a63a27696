// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { highlight } from '../../pages/reference/highlight.ts';
import { sampleLanguages } from '../../pages/reference/samples.ts';

const request = {
  ...{ id: 'setPreference', method: 'PATCH', baseUrl: 'https://pay.example', path: '/v1/x', isFile: false },
  query: { page: 2 },
  body: { name: "Owner's \\ <b>", is_on: true, list: [1.5, null], none: {}, empty: [] },
};

function sample(language: string, changes: Partial<typeof request> = {}): string {
  const { write } = sampleLanguages.find(({ id }) => id === language) ?? assert.fail(language);
  return write({ ...request, ...changes });
}

describe('samples of the API reference', () => {
  test('curl', () => {
    assert.equal(
      sample('curl', { body: { name: "Owner's" } as never }),
      `curl -X PATCH 'https://pay.example/v1/x?page=2' \\
  -H "Authorization: Bearer $ACCESS_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{
  "name": "Owner'\\''s"
}'`,
    );
  });

  test('Python', () => {
    assert.equal(
      sample('python'),
      `import os
import requests

response = requests.patch(
    "https://pay.example/v1/x",
    headers={"Authorization": f"Bearer {os.environ['ACCESS_TOKEN']}"},
    params={
        "page": 2,
    },
    json={
        "name": "Owner's \\\\ <b>",
        "is_on": True,
        "list": [
            1.5,
            None,
        ],
        "none": {},
        "empty": [],
    },
)
response.raise_for_status()
print(response.json())`,
    );
  });

  test('PHP', () => {
    assert.equal(
      sample('php'),
      `$client = new GuzzleHttp\\Client(['base_uri' => 'https://pay.example']);

$response = $client->request('PATCH', '/v1/x', [
    'headers' => ['Authorization' => 'Bearer ' . getenv('ACCESS_TOKEN')],
    'query' => [
        'page' => 2,
    ],
    'json' => [
        'name' => 'Owner\\'s \\\\ <b>',
        'is_on' => true,
        'list' => [
            1.5,
            null,
        ],
        'none' => (object) [],
        'empty' => [],
    ],
]);
print_r(json_decode($response->getBody(), true));`,
    );
  });

  test('colored code contains the same text, escaped', () => {
    for (const { id, grammar } of sampleLanguages) {
      const text = sample(id);
      const html = highlight(text, grammar).toString();
      assert.match(html, /<span class="hljs-/);
      assert.doesNotMatch(html, /<b>/);
      const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#x27': "'" };
      const read = html
        .replaceAll(/<[^>]+>/g, '')
        .replaceAll(/&([^;]+);/g, (_, name: string) => entities[name] ?? name);
      assert.equal(read, text);
    }
  });
});
