import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openFixture, type Fixture, type FixtureOptions } from '../support/fixture.ts';
import { spanAttributes } from '../../src/system/tracing.ts';
import { readConfig } from '../../src/config.ts';
import { ConfigError } from '../../src/system/settings.ts';
import { onSqlite, testEngine } from '../support/databases.ts';
import { findCard } from '../support/card-search.ts';
import { openOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.ts';
import { cards, createLink, submission, submitCard } from '../support/requests.ts';
import { openEndpoint, type TestEndpoint } from '../support/webhook-endpoint.ts';

const CLIENT_TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('traces', () => {
  let receiver: OtlpReceiver;
  let endpoint: TestEndpoint;
  before(async () => {
    receiver = await openOtlpReceiver();
    endpoint = await openEndpoint();
  });
  after(async () => {
    await endpoint.close();
    await receiver.close();
  });

  const open = async (env: Record<string, string> = {}, options: FixtureOptions = {}): Promise<Fixture> => {
    const fixture = await openFixture({ ...options, env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...env } });
    const body = { key: 'callback-url', value: endpoint.url };
    await fixture.request('/v1/merchant/preferences', { method: 'PATCH', body });
    return fixture;
  };
  /** Closes the service, which exports all spans, and returns them. */
  const spansOf = async (fixture: Fixture): Promise<ReceivedSpan[]> => {
    await fixture.close();
    return receiver.spans.splice(0);
  };
  const cardSubmission = (span: ReceivedSpan) => span.name === 'POST /fiat/v1/transaction/submit';

  test('of a card payment contain its request, charge, statements, and the delivery of its webhooks', async () => {
    const fixture = await open({ OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b', OTEL_SERVICE_NAME: 'kettle-payments' });
    const { reference, path, clientToken } = await createLink(fixture, { description: 'Ada’s cups' });
    // A short name occurs in random bytes by chance.
    const sent = submission(reference, cards.visa, { first_name: 'Augusta Ada' });
    await fixture.request('/fiat/v1/transaction/submit', { body: sent });
    await fixture.work();
    const spans = await spansOf(fixture);
    const request = spans.find(cardSubmission);
    assert.ok(request, spans.map(({ name }) => name).join('\n'));
    assert.equal(request.parentId, '');
    assert.equal(request.attributes['http.response.status_code'], 200);
    const trace = spans.filter(({ traceId }) => traceId === request.traceId);
    const childrenOf = (parent: ReceivedSpan | undefined, name: string) =>
      trace.filter((span) => span.parentId === parent?.spanId && span.name === name);

    const [charge] = childrenOf(request, 'sandbox charge');
    assert.deepEqual(charge?.attributes, { 'paylatch.acquirer': 'sandbox', 'paylatch.acquirer.call': 'charge' });
    assert.ok(childrenOf(charge, 'insert').length > 0, 'the sandbox stores the charge');
    assert.ok(childrenOf(request, 'update').length > 0);
    for (const statement of trace.filter(({ attributes }) => attributes['db.system.name'])) {
      assert.equal(statement.attributes['db.system.name'], testEngine === 'postgres' ? 'postgresql' : 'sqlite');
      assert.doesNotMatch(String(statement.attributes['db.query.text']), /'/);
    }

    const deliveries = childrenOf(request, 'job callbacks');
    const posts = deliveries.flatMap((delivery) => childrenOf(delivery, 'POST webhook'));
    assert.equal(posts.length, 2);
    assert.equal(endpoint.received.length, 2);
    assert.deepEqual(
      new Set(posts.map(({ attributes }) => attributes['paylatch.webhook.id'])),
      new Set(endpoint.received.map(({ headers }) => headers['webhook-id'])),
    );
    for (const { attributes } of posts) assert.equal(attributes['http.response.status_code'], 204);
    for (const delivery of deliveries)
      assert.ok(
        trace.some(({ parentId, attributes }) => parentId === delivery.spanId && attributes['db.system.name']),
        'the attempt is recorded within the delivery',
      );
    // Every span has its parent in the trace.
    const ids = new Set(trace.map(({ spanId }) => spanId));
    for (const { name, parentId } of trace) assert.ok(parentId === '' || ids.has(parentId), name);

    const job = spans.find(({ name, parentId }) => name === 'job callbacks' && parentId === '');
    assert.ok(job && job.traceId !== request.traceId, 'a round has its own trace');
    const idle = spans.filter(({ name, parentId }) => name.startsWith('job ') && parentId === '');
    assert.ok(
      idle.every(({ name }) => !/rate.limit|idempotency/.test(name)),
      'rounds without work are not exported',
    );

    const bytes = receiver.bytes();
    assert.equal(receiver.headers()['x-key'], 'a b');
    assert.ok(bytes.includes('kettle-payments'));
    for (const field of ['first_name', 'last_name', 'email', 'phone', 'postcode', 'address'] as const)
      assert.ok(!bytes.includes(sent[field]), field);
    const secrets = { path: path.split('/').at(-1) ?? '', clientToken, endpoint: endpoint.url, reference };
    const { token, callbackSecret } = fixture.merchant;
    for (const [name, secret] of Object.entries({ ...secrets, token, callbackSecret, purpose: 'cups' }))
      assert.ok(!bytes.includes(secret), name);
    assert.deepEqual(findCard(bytes, { number: cards.visa, cvv: '123' }), []);
    const allowed: readonly string[] = spanAttributes;
    for (const { attributes } of spans)
      for (const name of Object.keys(attributes)) assert.ok(allowed.includes(name), name);
  });

  onSqlite('link to the trace of the client, continue it, or ignore it', async () => {
    for (const [use, parent, links] of [
      ['link', '', 1],
      ['parent', 'b7ad6b7169203331', 0],
      ['ignore', '', 0],
    ] as const) {
      const fixture = await open({ INCOMING_TRACES: use });
      await fixture.request('/v1/merchant/preferences', { headers: { traceparent: CLIENT_TRACE } });
      await fixture.request('/v1/merchant/preferences', { headers: { traceparent: `${CLIENT_TRACE}; drop` } });
      await fixture.request('/readyz');
      const all = await spansOf(fixture);
      assert.ok(!all.some(({ name }) => name.endsWith('/readyz')));
      const spans = all.filter(({ name }) => name === 'GET /v1/merchant/preferences');
      assert.deepEqual(
        spans.map((span) => [span.parentId, span.links.length]),
        [
          [parent, links],
          ['', 0],
        ],
        use,
      );
    }
  });

  onSqlite('report failures by their kind, and link a retry of a webhook to the change', async () => {
    endpoint.respond = () => 500;
    const fixture = await open();
    const { reference } = await createLink(fixture);
    await submitCard(fixture, reference);
    await fixture.work();
    endpoint.respond = () => 204;
    await fixture.advance(60 * 60 * 1_000_000);
    const spans = await spansOf(fixture);
    const request = spans.find(cardSubmission);
    const posts = spans.filter(({ name }) => name === 'POST webhook');
    const failed = posts.find(({ hasError }) => hasError);
    assert.equal(failed?.attributes['error.type'], '500');
    const retry = posts.find(({ attributes }) => attributes['paylatch.webhook.attempt'] === 2);
    const delivery = spans.find(({ spanId }) => spanId === retry?.parentId);
    assert.equal(delivery?.parentId, '');
    assert.deepEqual(delivery?.links, [{ traceId: request?.traceId, spanId: request?.spanId }]);
  });

  onSqlite('are sampled as a whole, and a receiver that is down is logged once', async () => {
    const none = await open({ OTEL_TRACES_SAMPLER_ARG: '0' });
    const { reference } = await createLink(none);
    await submitCard(none, reference);
    await none.work();
    assert.deepEqual(await spansOf(none), []);

    receiver.status = 400;
    const failing = await open();
    await createLink(failing);
    await failing.close();
    receiver.status = 200;
    assert.equal(failing.log().split('traces could not be exported').length, 2);
  });

  onSqlite('are off unless an endpoint is set, and wrong settings are named', () => {
    assert.equal(readConfig({}).tracing, null);
    const endpointUrl = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' };
    assert.deepEqual(
      readConfig({ ...endpointUrl, OTEL_RESOURCE_ATTRIBUTES: 'a.b=c%2Cd, e=f' }).tracing?.resourceAttributes,
      { 'a.b': 'c,d', e: 'f' },
    );
    for (const wrong of [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' },
      { OTEL_EXPORTER_OTLP_HEADERS: 'secret-without-equals' },
      { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=%zz' },
      { OTEL_TRACES_SAMPLER_ARG: '1.5' },
      { INCOMING_TRACES: 'yes' },
    ]) {
      assert.throws(
        () => readConfig({ ...endpointUrl, ...wrong }),
        (error) =>
          error instanceof ConfigError &&
          error.message.startsWith(Object.keys(wrong)[0] ?? '?') &&
          !/secret-without|%zz/.test(error.message),
      );
    }
  });
});
