import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import fc from 'fast-check';
import type { Operation } from '../../src/contract/operation.ts';
import { usualScopes } from '../../src/contract/access-token.ts';
import { operations } from '../../src/contract/operations.ts';
import { preferenceKeys } from '../../src/merchants/preferences/keys.ts';
import { paymentMethods } from '../../src/methods/catalogue.ts';
import { ApiDocument, type DocumentedOperation } from '../support/api-document.ts';
import { named, stages } from '../support/example-stages.ts';
import { cards, createLink, submission, submitCard } from '../support/requests.ts';
import { SERVICE_KEY } from '../support/signing.ts';
import { dumpRows } from '../support/rows.ts';
import { allowedBy } from '../support/schema-values.ts';
import { openWorld, type World } from '../support/world.ts';

/** Calls of each operation that the document allows, and as many that it forbids, on each database. */
const RUNS = Number(process.env['CONTRACT_RUNS'] ?? 100);

interface Sent {
  query?: Readonly<Record<string, string>> | undefined;
  body?: unknown;
}

const readDocument = async (world: World) => (await world.request('/openapi.json', { token: null })).body;

const send = async (world: World, target: { method: string; path: string }, sent: Sent, token: string) => {
  const search = new URLSearchParams(sent.query).toString();
  const path = search === '' ? target.path : `${target.path}?${search}`;
  const body = sent.body === undefined ? {} : { body: JSON.stringify(sent.body) };
  return await world.request(path, { method: target.method, token, ...body });
};

/** Only the manager’s holds what a token has to be asked for. */
function tokenFor({ merchant }: World, { managerOnly, scope }: Operation): string {
  return managerOnly || !usualScopes.includes(scope) ? merchant.managerToken : merchant.token;
}

describe('the document of the API', () => {
  let world: World;
  let api: ApiDocument;
  before(async () => {
    world = await openWorld({
      post: () => Promise.resolve({ status: 204, retryAfter: null, body: '' }),
      env: { PAYLATCH_SECRET_KEY: SERVICE_KEY },
      // So that something is to be signed.
      simulatedKeys: false,
    });
    api = new ApiDocument(await readDocument(world));
  });
  after(async () => await world.close());

  test('is valid OpenAPI 3.1, and describes every operation once', async () => {
    const document = await readDocument(world);
    assert.equal(document.openapi, '3.1.1');
    const { valid, errors } = await new Validator().validate(document);
    assert.ok(valid, JSON.stringify(errors));
    const named = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
    assert.deepEqual(api.operations.map(named).toSorted(), operations.map(named).toSorted());
    assert.equal(new Set(operations.map(({ id }) => id)).size, operations.length);
  });

  test('has examples that work, and answer what they say', async () => {
    for (const described of operations) {
      const names = (await stages[described.id]?.(world)) ?? {};
      assert.ok(described.examples.length > 0, described.id);
      for (const { summary, query, body, role, answer } of described.examples) {
        const token = role === 'manager' ? world.merchant.managerToken : tokenFor(world, described);
        const sent = { query: named(query, names), body: named(body, names) };
        const real = await send(world, described, sent, token);
        assert.equal(real.status, 200, `${summary}: ${real.text}`);
        assert.deepEqual(steady(real.body ?? real.text), steady(answer), `${described.id}: ${summary}`);
        const documented = api.operations.find(({ operationId }) => operationId === described.id);
        assert.ok(documented);
        assert.equal(api.refuse(documented, real), null, `${described.id}: ${summary}`);
      }
    }
  });
});

/** A value without what is another one at every call: moments, addresses, tokens, identifiers. */
function steady(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => steady(each));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, steady(entry, name)]));
  if (lots.includes(key)) return typeof value;
  if (typeof value !== 'string') return value;
  return value
    .replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, 'a moment')
    .replace(/^https?:\/\/[^/]+\/([pei])\/[\w-]+$/, '/$1/…')
    .replace(/^https?:\/\/[^/]+(\/account\/join#)[\w-]+$/, '$1…')
    .replace(/^https?:\/\/[^/]+(\/\.well-known\/webhook-keys\/)\d+$/, '$1…')
    .replace(/^req_[\w-]{16}$/, 'req_…')
    .replace(/^pl_page_.*$/, 'pl_page_…')
    .replace(/^whsec_.*$/, 'whsec_…')
    .replace(/^pl_test_.*$/, 'pl_test_…')
    .replace(/^cHNidP.*$/, 'a PSBT')
    .replace(/^[0-9a-f]{64}$/, 'a hash');
}

/** Fields whose value is another one at every call. */
const lots = [
  'id',
  'merchant_id',
  'next_cursor',
  'next',
  'reference',
  'duration_ms',
  'buyer_network',
  ...['walletAddress', 'uri', 'address', 'destination', 'by', 'requestedBy', 'self'],
];

describe('whatever is sent', () => {
  let world: World;
  let api: ApiDocument;
  let likely: Record<string, readonly unknown[]>;

  before(async () => {
    world = await openWorld();
    // The chains are reached.
    await world.work();
    api = new ApiDocument(await readDocument(world));
    const references: string[] = [];
    for (let index = 0; index < 4; index += 1) references.push((await createLink(world)).reference);
    await submitCard(world, references[0] ?? '');
    await submitCard(world, references[1] ?? '', cards.challenge);
    // Numbers that chance does not come upon: whoever revokes tokens would revoke those of the test.
    const tokens = world.service().database.query.updateTable('access_tokens');
    await tokens.set((row) => ({ id: row('id', '+', 1_234_567) })).execute();
    const card = submission('');
    likely = {
      ...Object.fromEntries(Object.entries(card).map(([name, value]) => [name, [value]])),
      transaction_id: references,
      payment_method: paymentMethods.map(({ code }) => code),
      card_number: Object.values(cards),
      country: ['USA', 'FRA', 'THA', 'US', 'TH'],
      currency: ['USD', 'EUR', 'THB'],
      since: ['2026-01-01', '1767225600'],
      till: ['2026-12-31', '2026-12-31T00:00:00Z'],
      key: [...preferenceKeys.keys()],
      value: ['true', '6', 6, null, 'static', 'https://shop.example/x', '["TH"]', '#123456', '12.5'],
    };
  });
  after(async () => await world.close());

  const documentedOf = (described: Operation): DocumentedOperation => {
    const documented = api.operations.find(({ operationId }) => operationId === described.id);
    assert.ok(documented, described.id);
    return documented;
  };

  for (const described of operations) {
    describe(described.id, () => {
      /** Sends it and holds the answer against the document. */
      const judged = async (documented: DocumentedOperation, sent: Sent) => {
        const answer = await send(world, described, sent, tokenFor(world, described));
        const refusal = api.refuse(documented, answer);
        assert.equal(refusal, null, `${answer.status} ${answer.text}`);
        assert.ok(answer.status < 500, answer.text);
        return answer;
      };

      test('that the document allows is answered as it says', async () => {
        const documented = documentedOf(described);
        const allowed = sentBy(api, documented, likely);
        await fc.assert(
          fc.asyncProperty(allowed, async (sent) => {
            const { status, text } = await judged(documented, sent);
            assert.notEqual(status, 400, text);
          }),
          { numRuns: RUNS, includeErrorInReport: true },
        );
      });

      test('that the document forbids is refused, and changes nothing', async () => {
        const documented = documentedOf(described);
        const before = await dumpRows(world.service().database);
        await fc.assert(
          fc.asyncProperty(forbiddenTo(api, documented, likely), async (sent) => {
            const { status, text } = await judged(documented, sent);
            assert.equal(status, 422, `${status} ${text}`);
          }),
          { numRuns: RUNS, includeErrorInReport: true },
        );
        assert.deepEqual(withoutUse(await dumpRows(world.service().database)), withoutUse(before));
      });
    });
  }
});

/** When a token was last used is written down whatever it was used for. */
function withoutUse(rows: Record<string, string[]>) {
  return Object.entries(rows).filter(([table]) => table !== 'access_tokens');
}

const bodyOf = ({ requestBody }: DocumentedOperation) => requestBody?.content['application/json']?.schema;

function querySchema({ parameters = [] }: DocumentedOperation) {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.flatMap(({ name, required }) => (required ? [name] : [])),
    additionalProperties: false,
  };
}

function sentBy(
  api: ApiDocument,
  described: DocumentedOperation,
  likely: Record<string, readonly unknown[]>,
): fc.Arbitrary<Sent> {
  const body = bodyOf(described);
  if (body) return allowedBy(api, body, likely).map((value) => ({ body: value }));
  return allowedBy(api, querySchema(described), likely).map((query) => ({ query: query as Record<string, string> }));
}

/** What is near to what is allowed, and some of what is nothing like it. */
function forbiddenTo(
  api: ApiDocument,
  described: DocumentedOperation,
  likely: Record<string, readonly unknown[]>,
): fc.Arbitrary<Sent> {
  const body = bodyOf(described);
  const schema = body ?? querySchema(described);
  const judge = body ? api.judge(schema) : api.judgeQuery(schema);
  const names = Object.keys(api.resolve(schema)['properties'] ?? {});
  const value = body ? fc.jsonValue() : fc.string({ unit: 'grapheme', minLength: 1 });
  const name =
    names.length > 0 ? fc.oneof(fc.constantFrom(...names), fc.string({ minLength: 1 })) : fc.string({ minLength: 1 });
  const changed = fc
    .tuple(allowedBy(api, schema, likely), name, fc.option(value, { nil: undefined }))
    .map(([right, field, wrong]) => changedAt(right as object, field, wrong));
  const strange = body ? fc.jsonValue() : fc.dictionary(fc.string({ minLength: 1 }), value, { minKeys: 1 });
  return fc
    .oneof({ weight: 5, arbitrary: changed }, { weight: 1, arbitrary: strange })
    .filter((sent) => !judge(sent as object))
    .map((sent) => (body ? { body: sent } : { query: sent as Record<string, string> }));
}

/** An object with another value for one field, or without it. */
function changedAt(object: object, field: string, value: unknown): object {
  const others = Object.entries(object).filter(([name]) => name !== field);
  return Object.fromEntries(value === undefined ? others : [...others, [field, value]]);
}
