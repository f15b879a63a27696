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
from paylatch import Paylatch

paylatch = Paylatch(base_url="https://pay.example", token=os.environ["ACCESS_TOKEN"])

result = paylatch.set_preference(
    page=2,
    name="Owner's \\\\ <b>",
    is_on=True,
    list=[
        1.5,
        None,
    ],
    none={},
    empty=[],
)`,
    );
    assert.match(
      sample('python', { isFile: true }),
      /^request = Request\(\n {4}"https:\/\/pay.example\/v1\/x\?page=2",$/m,
    );
  });

  test('PHP', () => {
    assert.equal(
      sample('php'),
      `use Paylatch\\Paylatch;

$paylatch = new Paylatch('https://pay.example', getenv('ACCESS_TOKEN'));

$result = $paylatch->setPreference(
    page: 2,
    name: 'Owner\\'s \\\\ <b>',
    is_on: true,
    list: [
        1.5,
        null,
    ],
    none: [],
    empty: [],
);`,
    );
    assert.match(
      sample('php', { isFile: true }),
      /^echo file_get_contents\('https:\/\/pay.example\/v1\/x\?page=2', false/m,
    );
    const withoutInput = { query: {}, body: undefined } as unknown as typeof request;
    assert.match(sample('php', withoutInput), /setPreference\(\);$/);
    assert.match(sample('python', withoutInput), /set_preference\(\)$/);
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
