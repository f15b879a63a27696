import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import fc from 'fast-check';
import type { Operation } from '../../src/api/operation.ts';
import { defaultScopes } from '../../src/shared/scopes.ts';
import { operations } from '../../src/api/operations.ts';
import { webhookEventTypes } from '../../src/api/webhook-events.ts';
import { preferenceKeys } from '../../src/merchants/preferences/keys.ts';
import { paymentMethods } from '../../src/methods/catalog.ts';
import operationIds from './operation-ids.json' with { type: 'json' };
import { ApiDocument, type DocumentedOperation, type Schema } from '../support/api-document.ts';
import { openUnlimitedFixture } from '../support/attacks.ts';
import { onSqlite, testEngine } from '../support/databases.ts';
import { replaceNames, exampleStages } from '../support/example-stages.ts';
import {
  bodyChange,
  malformedTexts,
  codeText,
  containersOf,
  changedAt,
  hostileJson,
  hostileTo,
  hostileToParameter,
  jsonWithoutObject,
  pointerTo,
  unknownFieldNames,
  valueAt,
  withField,
  withoutField,
} from '../support/hostile.ts';
import { addressedCalls, ownCalls } from '../support/operation-calls.ts';
import { readProblem } from '../support/problems.ts';
import { cards, createLink, submission, submitCard } from '../support/requests.ts';
import { SERVICE_KEY } from '../support/signing.ts';
import { dumpRows, rowCounter, tableNames } from '../support/rows.ts';
import { allowedBy, anyCharacters } from '../support/schema-values.ts';
import { type FixtureResponse, openFixture, type Fixture } from '../support/fixture.ts';
import { type MailServer, openMailServer } from '../support/mail-server.ts';

/** Random calls of each kind and operation, on each database: allowed, forbidden, changed, cut. */
const RUNS = Number(process.env['CONTRACT_RUNS'] ?? (testEngine === 'sqlite' ? 20 : 8));

/** Number of hostile values per field; the operations in `thorough` get all. */
const VALUES = 16;
/** Their fields have nearly every type of the API. */
const thorough: readonly string[] = ['createTransaction', 'submitCard', 'setPaymentMethods', 'listTransactions'];

const CVV = '947';

interface Sent {
  query?: Readonly<Record<string, string>> | undefined;
  body?: unknown;
  /** A body that is sent unchanged. */
  text?: string;
  contentType?: string;
}

const readDocument = async (fixture: Fixture) => (await fixture.request('/openapi.json', { token: null })).body;

/** As the document says: a list with commas, an object as `name[key]`. */
function toParameters([name, value]: [string, unknown]): [string, string][] {
  if (Array.isArray(value)) return [[name, value.join(',')]];
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).map(([key, each]) => [`${name}[${key}]`, String(each)]);
}

const send = async (fixture: Fixture, target: { method: string; path: string }, sent: Sent, token: string) => {
  const search = new URLSearchParams(Object.entries(sent.query ?? {}).flatMap(toParameters)).toString();
  const path = search === '' ? target.path : `${target.path}?${search}`;
  const body = sent.text ?? (sent.body === undefined ? undefined : hostileJson(sent.body));
  return await fixture.request(path, {
    ...{ method: target.method, token, ...(body !== undefined && { body }) },
    // Compression would take most of the time.
    headers: { 'accept-encoding': 'identity', ...(sent.contentType && { 'content-type': sent.contentType }) },
  });
};

/** Only a manager has every scope; other tokens cannot set most preferences, whatever the value. */
function tokenFor({ merchant }: Fixture, { managerOnly, scope }: Operation): string {
  const isManagers = managerOnly || scope === 'preference:write' || !defaultScopes.includes(scope);
  return isManagers ? merchant.managerToken : merchant.token;
}

describe('the document of the API', () => {
  let fixture: Fixture;
  let mail: MailServer;
  let api: ApiDocument;
  before(async () => {
    mail = await openMailServer();
    fixture = await openFixture({
      post: () => Promise.resolve({ status: 204, retryAfter: null, body: '' }),
      env: { PAYLATCH_SECRET_KEY: SERVICE_KEY, ...mail.env },
      // Needs a withdrawal to sign.
      simulatedKeys: false,
    });
    api = new ApiDocument(await readDocument(fixture));
  });
  after(async () => {
    await fixture.close();
    await mail.close();
  });

  onSqlite('is valid OpenAPI 3.1, and describes every operation once', async () => {
    const document = await readDocument(fixture);
    assert.equal(document.openapi, '3.1.1');
    const { valid, errors } = await new Validator().validate(document);
    assert.ok(valid, JSON.stringify(errors));
    const named = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
    assert.deepEqual(api.operations.map(named).toSorted(), operations.map(named).toSorted());
    assert.equal(new Set(operations.map(({ id }) => id)).size, operations.length);
  });

  onSqlite('keeps every operation ID that was released', () => {
    const ids = new Set<string>(operations.map(({ id }) => id));
    assert.deepEqual(
      operationIds.filter((id) => !ids.has(id)),
      [],
    );
  });

  /** Spectral's recommended rules that no other test covers. */
  onSqlite('follows the rules of linters: contact, declared tags, no unused component', async () => {
    const document = await readDocument(fixture);
    assert.ok(URL.canParse(document.info.contact.url));
    const tags = new Set(document.tags.map(({ name }: { name: string }) => name));
    const text = JSON.stringify(document);
    for (const { operationId, tags: own, description } of Object.values<any>(document.paths).flatMap((path) =>
      Object.values<any>(path),
    )) {
      assert.ok(own.length === 1 && tags.has(own[0]) && description !== '', operationId);
    }
    for (const [kind, components] of Object.entries<object>(document.components))
      for (const name of Object.keys(components))
        assert.ok(kind === 'securitySchemes' || text.includes(`"#/components/${kind}/${name}"`), `${name} is unused`);
  });

  onSqlite('describes every webhook: signed headers and a body of its event type', async () => {
    const { webhooks, components } = await readDocument(fixture);
    assert.deepEqual(Object.keys(webhooks), webhookEventTypes);
    const union = components.schemas.WebhookEvent.anyOf.map(({ $ref }: { $ref: string }) => $ref);
    for (const [type, { post }] of Object.entries<any>(webhooks)) {
      const headers = post.parameters.map(({ $ref }: { $ref: string }) => $ref.split('/').at(-1));
      assert.deepEqual(headers, ['webhook-id', 'webhook-timestamp', 'webhook-signature']);
      const { $ref } = post.requestBody.content['application/json'].schema;
      assert.ok(union.includes($ref), $ref);
      const body = components.schemas[$ref.split('/').at(-1)];
      assert.equal(body.properties.type.const, type);
      assert.deepEqual(body.required, ['type', 'timestamp', 'data']);
    }
  });

  onSqlite('bounds the length of every text and list of a body, as the specification does', () => {
    const lengths: Record<string, unknown> = {};
    const measure = (given: Schema, path: string) => {
      const schema = api.resolve(given);
      const { type, anyOf, properties, items, maxLength, maxItems } = schema as Record<string, any>;
      if ('enum' in schema || 'const' in schema) return;
      if (anyOf) for (const each of anyOf) measure(each, path);
      if (type === 'string' || type === 'array') {
        const most = maxLength ?? maxItems;
        assert.ok(most > 0, `${path} has no bound`);
        lengths[path] = most;
      }
      if (items) measure(items, `${path}/0`);
      for (const [name, each] of Object.entries(properties ?? {})) measure(each as Schema, `${path}/${name}`);
    };
    for (const each of api.operations) measure(bodyOf(each) ?? {}, each.operationId);
    const link = { transaction_id: 64, payment_method: 64, description: 255, success_redirect_url: 2048 };
    const card = { transaction_id: 64, card_number: 40, card_expiry_month: 2, card_expiry_year: 4, card_cvv: 4 };
    const payer = { first_name: 100, last_name: 100, state: 100, city: 100, postcode: 20, address: 255, phone: 32 };
    const preferences = { preferences: 100, 'preferences/0/key': 64, 'preferences/0/value/0': 2048 };
    for (const [id, expected] of Object.entries<Record<string, number>>({
      createTransaction: { ...link, fail_redirect_url: 2048 },
      submitCard: { ...card, ...payer, email: 254 },
      cancelTransaction: { transaction_id: 64 },
      acceptTransaction: { transaction_id: 64, reason: 255 },
      setPaymentMethods: { payment_methods: 200, 'payment_methods/0/payment_method': 64 },
      setPreference: { key: 64 },
      setPreferences: preferences,
      setPreferencesSingular: preferences,
    }))
      for (const [field, most] of Object.entries(expected))
        assert.equal(lengths[`${id}/${field}`], most, `${id} ${field}`);
  });

  test('has examples that work, and return the documented responses', async () => {
    for (const described of operations) {
      const names = (await exampleStages[described.id]?.(fixture)) ?? {};
      assert.ok(described.examples.length > 0, described.id);
      for (const { summary, query, body, role, response } of described.examples) {
        const token = role === 'manager' ? fixture.merchant.managerToken : tokenFor(fixture, described);
        const sent = { query: replaceNames(query, names), body: replaceNames(body, names) };
        const real = await send(fixture, described, sent, token);
        assert.equal(real.status, 200, `${summary}: ${real.text}`);
        assert.deepEqual(steady(real.body ?? real.text), steady(response), `${described.id}: ${summary}`);
        const documented = api.operations.find(({ operationId }) => operationId === described.id);
        assert.ok(documented);
        assert.equal(api.refuse(documented, real), null, `${described.id}: ${summary}`);
      }
    }
  });
});

/** A value without parts that differ in each call: times, addresses, tokens, identifiers. */
function steady(value: unknown, key = ''): unknown {
  if (lots.includes(key)) return typeof value;
  if (Array.isArray(value)) return value.map((each) => steady(each));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, steady(entry, name)]));
  if (typeof value !== 'string') return value;
  return value
    .replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, 'a moment')
    .replace(/^https?:\/\/[^/]+(\/logos\/)[0-9a-f]+\.png$/, '$1…')
    .replace(/^https?:\/\/[^/]+\/([peib])\/[\w-]+$/, '/$1/…')
    .replace(/^https?:\/\/[^/]+(\/account\/join#)[\w-]+$/, '$1…')
    .replace(/^https?:\/\/[^/]+(\/\.well-known\/webhook-keys\/)\d+$/, '$1…')
    .replace(/^req_[\w-]{16}$/, 'req_…')
    .replace(/^evt_[\w-]{27}$/, 'evt_…')
    .replace(/^\d{10}$/, 'Unix seconds')
    .replace(/^pl_page_.*$/, 'pl_page_…')
    .replace(/^whsec_.*$/, 'whsec_…')
    .replace(/^pl_test_.*$/, 'pl_test_…')
    .replace(/^cHNidP.*$/, 'a PSBT')
    .replace(/^[0-9a-f]{64}$/, 'a hash');
}

/** Fields whose value differs in each call. */
const lots = [
  'response_headers',
  'redelivered',
  'recent',
  'id',
  'merchant_id',
  'next_cursor',
  'next',
  'reference',
  'duration_ms',
  'buyer_network',
  // The acquirer's adapter declares them.
  ...['credentials', 'capabilities'],
  ...['webhook_url', 'walletAddress', 'uri', 'address', 'destination', 'by', 'requestedBy', 'self'],
];

describe('requests', () => {
  let fixture: Fixture;
  let api: ApiDocument;
  let likely: Record<string, readonly unknown[]>;
  let countStored: () => Promise<Record<string, number>>;

  before(async () => {
    fixture = await openUnlimitedFixture();
    // The first scan of the chains.
    await fixture.work();
    api = new ApiDocument(await readDocument(fixture));
    const { database } = fixture.service();
    const tables = (await tableNames(database)).filter((name) => !recordsOfRefusals.includes(name));
    countStored = rowCounter(database, tables);
    const references: string[] = [];
    for (let index = 0; index < 4; index += 1) references.push((await createLink(fixture)).reference);
    await submitCard(fixture, references[0] ?? '');
    await submitCard(fixture, references[1] ?? '', cards.challenge);
    // Numbers that random requests do not hit: otherwise they would revoke the tokens of the test.
    const tokens = db(database).updateTable('access_tokens');
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
  after(async () => await fixture.close());

  /** Creates the object that an operation changes; without one, the identifier is unknown. */
  const objects: Readonly<Record<string, () => Promise<string>>> = {
    submitCard: async () => (await createLink(fixture)).reference,
    cancelTransaction: async () => (await createLink(fixture)).reference,
    acceptTransaction: async () => {
      const { reference } = await createLink(fixture);
      await submitCard(fixture, reference);
      return reference;
    },
  };

  /** A valid call, including rules beyond the schema: a card number, a preference. */
  const validCall = async ({ id }: Operation): Promise<Sent> => {
    const { query, body } = ownCalls[id]?.() ?? addressedCalls[id]?.((await objects[id]?.()) ?? 'none') ?? {};
    if (id === 'setPreference') return { body: { key: 'min-confirmation-btc', value: '6' } };
    if (id === 'submitCard') return { body: { ...(body as object), card_cvv: CVV } };
    return { query, body };
  };

  for (const described of operations) {
    describe(described.id, () => {
      let documented: DocumentedOperation;
      before(() => {
        const found = api.operations.find(({ operationId }) => operationId === described.id);
        assert.ok(found);
        documented = found;
      });

      /** Sends a call and validates the response against the document. */
      const sendValid = async (sent: Sent, label = JSON.stringify(sent).slice(0, 300)) => {
        const response = await send(fixture, described, sent, tokenFor(fixture, described));
        assert.equal(api.refuse(documented, response), null, `${label}: ${response.status} ${response.text}`);
        assertNoCard(sent, response, label);
        if (response.status !== 200) readProblem(response, label);
        return response;
      };

      /** Sends an invalid call; returns the pointers of its errors. */
      const invalid = async (sent: Sent) => {
        const response = await sendValid(sent);
        assert.equal(
          response.status,
          422,
          `${JSON.stringify(sent).slice(0, 300)}: ${response.status} ${response.text}`,
        );
        const { code, errors = [] } = readProblem(response, '');
        assert.equal(code, 'validation_failed', response.text);
        return errors as { pointer: string; code: string }[];
      };

      /** Sends one invalid value per field: all must be reported. Rules that depend on another field fail without it. */
      const refuseAll = async (
        values: Map<string, unknown>,
        pointer: (name: string) => string,
        sentWith: (values: Map<string, unknown>) => Sent,
      ) => {
        const sent = sentWith(values);
        const errors = await invalid(sent);
        const isAt = (name: string, at: string) => at === pointer(name) || at.startsWith(`${pointer(name)}/`);
        for (const [name, value] of values) {
          if (errors.some((error) => isAt(name, error.pointer))) continue;
          const label = `${name} ${hostileJson(value).slice(0, 100)}`;
          assert.ok(values.size > 1, `${label} is refused at ${JSON.stringify(errors)}`);
          await refuseAll(new Map([[name, value]]), pointer, sentWith);
        }
        // A rule may require a field in place of an invalid one.
        for (const error of errors.filter(({ code }) => code !== 'required'))
          assert.ok(
            [...values.keys()].some((name) => isAt(name, error.pointer)),
            `${hostileJson(sent).slice(0, 300)}: ${error.pointer} is right`,
          );
      };

      const refuseFields = async (valid: unknown) => {
        const schema = bodyOf(documented) ?? {};
        for (const container of containersOf(api, schema, valid)) {
          const { path, children } = container;
          const hostile = Object.entries(children).map(([name, child]): [string, unknown[]] => {
            const resolved = api.resolve(child);
            const here = valueAt(valid, path) as Record<string, unknown>;
            const values = hostileTo(resolved, (value) => api.validator(child)(value), here[name]);
            return [
              name,
              readLater[described.id] === name
                ? values.filter((value) => !malformedTexts.includes(value as string))
                : values,
            ];
          });
          const sentWith = (values: Map<string, unknown>): Sent => ({
            body: [...values].reduce<unknown>(
              (body, [name, value]) =>
                changedAt(body, path, (inner) =>
                  Array.isArray(inner) ? [value] : withField(inner as object, name, value),
                ),
              valid,
            ),
          });
          for (const values of rounds(described.id, hostile))
            await refuseAll(values, (name) => pointerTo([...path, name]), sentWith);
          if (container.schema['type'] !== 'object' || 'additionalProperties' in container.schema) continue;
          for (const name of (container.schema['required'] ?? []) as string[]) {
            const errors = await invalid({
              body: changedAt(valid, path, (inner) => withoutField(inner as object, name)),
            });
            assert.deepEqual(
              errors.map(({ pointer, code }) => [pointer, code]),
              [[pointerTo([...path, name]), 'required']],
            );
          }
          const unknown = [...unknownFieldNames, cards.visa];
          const errors = await invalid({
            body: changedAt(valid, path, (inner) =>
              unknown.reduce((object, name) => withField(object, name, 'a'), inner as object),
            ),
          });
          assert.equal(errors.length, unknown.length);
          for (const { code } of errors) assert.equal(code, 'unknown_field');
          const named = errors.map(({ pointer }) => pointer);
          for (const name of unknownFieldNames.filter(({ length }) => length <= 64))
            assert.ok(named.includes(pointerTo([...path, name])), name);
        }
      };

      const refuseParameters = async (valid: Readonly<Record<string, string>>) => {
        const { parameters = [] } = documented;
        const own = parameters.filter((parameter) => parameter.in === 'query');
        const hostile = own.map(({ name, schema }): [string, string[]] => {
          const { type, items = {} } = schema as { type?: string; items?: Schema };
          const single = type === 'array' ? items : schema;
          const validate = api.queryValidator({ type: 'object', properties: { value: single } });
          const allows = (value: string) => value.split(',').every((each) => validate({ value: each }));
          return [
            name,
            hostileToParameter(api.resolve(single), type === 'array' ? allows : (value) => validate({ value })),
          ];
        });
        const pointer = (name: string) => `?${name}`;
        for (const values of rounds(described.id, hostile))
          await refuseAll(values, pointer, (given) => ({
            query: { ...valid, ...Object.fromEntries(given) } as Record<string, string>,
          }));
        for (const { name } of own.filter(({ required }) => required))
          assert.deepEqual(
            (await invalid({ query: {} })).map((error) => error.pointer),
            [pointer(name)],
          );
        const names = unknownFieldNames.filter((name) => name.isWellFormed() && name.length <= 64);
        const unknown = await invalid({
          query: names.reduce<object>((query, name) => withField(query, name, 'a'), valid) as Record<string, string>,
        });
        assert.deepEqual(unknown.map((error) => error.pointer).toSorted(), names.map(pointer).toSorted());
        const [first] = own;
        if (!first) return;
        const twice = await send(
          fixture,
          { ...described, path: `${described.path}?${first.name}=1&${first.name}=1` },
          {},
          tokenFor(fixture, described),
        );
        assert.deepEqual(
          readProblem(twice, 'twice').errors?.map((error) => error.pointer),
          [pointer(first.name)],
        );
      };

      /** Rules for every body, whatever its contents. */
      const refuseForms = async (valid: unknown) => {
        const text = hostileJson(valid);
        for (const body of jsonWithoutObject(text))
          assert.ok(
            (await invalid({ text: body })).some(({ pointer }) => pointer === ''),
            body,
          );
        const refusals: [Sent, number, string][] = [
          [{ text: `${text}x` }, 400, 'malformed_json'],
          [{ text, contentType: 'text/plain' }, 415, 'unsupported_media_type'],
          [{ text: text.padEnd((described.maxBodyBytes ?? 64 * 1024) + 1) }, 413, 'body_too_large'],
          [{ text, query: { currency: 'EUR' } }, 422, 'validation_failed'],
        ];
        for (const [sent, status, code] of refusals) {
          const response = await sendValid(sent, code);
          assert.deepEqual([response.status, response.body.code], [status, code]);
        }
      };

      test('allowed by the document get a documented response', async () => {
        await fc.assert(
          fc.asyncProperty(sentBy(api, documented, likely), async (sent) => {
            const { status, text } = await sendValid(sent);
            assert.notEqual(status, 400, text);
          }),
          { numRuns: RUNS, includeErrorInReport: true },
        );
      });

      onSqlite('forbidden by it are refused with a pointer to the error, and change nothing', async () => {
        const { query = {}, body } = await validCall(described);
        const before = await dumpRows(fixture.service().database);
        if (body === undefined) await refuseParameters(query);
        else {
          await refuseFields(body);
          await refuseForms(body);
        }
        await fc.assert(
          fc.asyncProperty(forbiddenTo(api, documented, likely), async (sent) => void (await invalid(sent))),
          { numRuns: RUNS, includeErrorInReport: true },
        );
        assert.deepEqual(withoutUse(await dumpRows(fixture.service().database)), withoutUse(before));
      });

      onSqlite('changed at random get a documented response, or are refused without effect', async () => {
        let valid = await validCall(described);
        let stored = await countStored();
        await fc.assert(
          fc.asyncProperty(changeOf(documented), async (change) => {
            const sent = change(valid);
            const { status } = await sendValid(sent);
            const now = await countStored();
            if (status !== 200) assert.deepEqual(now, stored, `${hostileJson(sent)} was rejected, but data was stored`);
            else valid = await validCall(described);
            stored = status === 200 ? await countStored() : now;
          }),
          { numRuns: RUNS, includeErrorInReport: true },
        );
      });
    });
  }
});

/** Texts that are validated only after their object is found. */
const readLater: Readonly<Record<string, string>> = { submitWithdrawal: 'signed' };

/** The last use of a token is always recorded, and so are refused changes of settings. */
const recordsOfRefusals = ['access_tokens', 'audit_entries'];

function withoutUse(rows: Record<string, string[]>) {
  return Object.entries(rows).filter(([table]) => !recordsOfRefusals.includes(table));
}

/** Rounds with one value per field: all values for a thorough operation, otherwise a different sample per field. */
function rounds(id: string, hostile: readonly [string, readonly unknown[]][]): Map<string, unknown>[] {
  const chosen = hostile.map(([name, values], field): [string, readonly unknown[]] => {
    const step = thorough.includes(id) ? 1 : Math.ceil(values.length / VALUES);
    return [name, values.filter((_, index) => (index + field + id.length) % step === 0)];
  });
  const length = Math.max(0, ...chosen.map(([, values]) => values.length));
  return Array.from({ length }, (_, round) => {
    const left = chosen.filter(([, values]) => round < values.length);
    return new Map(left.map(([name, values]) => [name, values[round]]));
  });
}

const anyText = fc.oneof(anyCharacters(0, 20), fc.constantFrom(...codeText));

/** One change of a call: a value in its body, the text of the body, or the query. */
function changeOf(documented: DocumentedOperation): fc.Arbitrary<(valid: Sent) => Sent> {
  const names = Object.keys(querySchema(documented).properties);
  if (!bodyOf(documented))
    return fc
      .dictionary(fc.constantFrom(...names, '__proto__'), anyText, { maxKeys: 4 })
      .map((change) => ({ query = {} }) => ({ query: { ...query, ...change } }));
  return bodyChange.map((change) => ({ body }: Sent) => ({ text: change(body) }));
}

/** Asserts that a response contains neither card number nor security code. */
function assertNoCard(sent: Sent, { text }: FixtureResponse, label: string): void {
  assert.doesNotMatch(text, /4[\s-]?242[\s-]?4242[\s-]?4242/, `${label}: the response repeats the card number`);
  if (JSON.stringify(sent).includes(CVV))
    assert.doesNotMatch(
      text,
      new RegExp(`(?<![\\w-])${CVV}(?![\\w-])`),
      `${label}: the response repeats the security code`,
    );
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

/** Values near the allowed ones, and some unlike them. */
function forbiddenTo(
  api: ApiDocument,
  described: DocumentedOperation,
  likely: Record<string, readonly unknown[]>,
): fc.Arbitrary<Sent> {
  const body = bodyOf(described);
  const schema = body ?? querySchema(described);
  const validate = body ? api.validator(schema) : api.queryValidator(schema);
  const names = Object.keys(api.resolve(schema)['properties'] ?? {});
  const value = body ? fc.jsonValue() : fc.string({ unit: 'grapheme', minLength: 1 });
  const name =
    names.length > 0 ? fc.oneof(fc.constantFrom(...names), fc.string({ minLength: 1 })) : fc.string({ minLength: 1 });
  const changed = fc
    .tuple(allowedBy(api, schema, likely), name, fc.option(value, { nil: undefined }))
    .map(([right, field, wrong]) =>
      wrong === undefined ? withoutField(right as object, field) : withField(right as object, field, wrong),
    );
  const strange = body ? fc.jsonValue() : fc.dictionary(fc.string({ minLength: 1 }), value, { minKeys: 1 });
  return fc
    .oneof({ weight: 5, arbitrary: changed }, { weight: 1, arbitrary: strange })
    .filter((sent) => !validate(sent as object))
    .map((sent) => (body ? { body: sent } : { query: sent as Record<string, string> }));
}
