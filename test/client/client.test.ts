import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type Client, type ClientOptions, clientCredentials, createClient, PaylatchError } from '../../client/index.ts';
import { isFileResponse } from '../../src/api/operation.ts';
import { operations } from '../../src/api/operations.ts';
import { freePort } from '../support/ports.ts';
import { runCommandInProcess } from '../support/command-line.ts';
import { cards, creation, submission } from '../support/requests.ts';
import { countRows } from '../support/rows.ts';
import { openFixture, type TestMerchant, type Fixture } from '../support/fixture.ts';

/** Replaces a response on the wire; `serve` returns the service's own. */
type Fault = (serve: () => Promise<Response>) => Promise<Response> | Response;

const order = (fields: Record<string, unknown> = {}) => creation(fields) as Parameters<Client['createTransaction']>[0];
const card = (reference: string, number?: string) =>
  submission(reference, number) as Parameters<Client['submitCard']>[0];

/** A proxy's error page instead of the response: the operation may have run. */
const lostResponse: Fault = async (serve) => {
  await (await serve()).body?.cancel();
  return new Response('<h1>Bad Gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } });
};
const busy = (retryAfter: string): Fault => {
  const problem = { code: 'rate_limited', detail: 'Too many.', status: 429, retryable: true, request_id: 'req_1' };
  return () => Response.json(problem, { status: 429, headers: { 'retry-after': retryAfter } });
};

/** Never responds, until the request is aborted. */
const neverResponds: typeof fetch = async (_address, { signal } = {}) =>
  await new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });

describe('the client', () => {
  let fixture: Fixture;
  let merchant: TestMerchant;
  let paylatch: Client;
  const faults: Fault[] = [];
  const sent: { request: string; key: string | null; token: string | null }[] = [];

  before(async () => {
    fixture = await openFixture({
      wrapFetch: (fetch) => async (request, env) => {
        const { pathname } = new URL(request.url);
        const { headers } = request;
        sent.push({
          request: `${request.method} ${pathname}`,
          key: headers.get('idempotency-key'),
          token: headers.get('authorization'),
        });
        const serve = async () => await fetch(request, env);
        const fault = faults.shift();
        return fault ? await fault(serve) : await serve();
      },
    });
  });
  beforeEach(async () => {
    merchant = await fixture.makeMerchant('Kettle & Co');
    paylatch = createTestClient();
    faults.length = 0;
    sent.length = 0;
  });
  after(async () => await fixture.close());

  const createTestClient = (options: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl: fixture.url, token: merchant.token, ...options });
  const expectError = async (call: Promise<unknown>): Promise<PaylatchError> => {
    const error: unknown = await call.then(
      () => assert.fail('The call succeeded'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof PaylatchError, String(error));
    return error;
  };
  const transactions = async () =>
    (await countRows(fixture.service().database, ['fiat_transactions']))['fiat_transactions'];

  test('has a method for every operation of the document', () => {
    for (const { id } of operations.filter(({ response }) => !isFileResponse(response)))
      assert.equal(typeof paylatch[id as keyof Client], 'function', id);
  });

  test('creates, reads, pays and lists transactions', async () => {
    const body = order();
    const created = await paylatch.createTransaction(body);
    assert.equal(created.type, 'link');
    const reference = String(body.transaction_id);
    const detail = await paylatch.getTransaction({ transaction_id: reference });
    assert.deepEqual([detail.amount, detail.status], [12.5, 'transaction_status_pending']);
    const paid = await paylatch.submitCard(card(reference));
    assert.equal(paid.response_type, 'confirmed');
    const { transactions: listed, pagination } = await paylatch.listTransactions({ per_page: 1 });
    assert.deepEqual([listed[0]?.transaction_id, pagination.per_page], [reference, 1]);
    const { value } = await paylatch.setPreference({ key: 'brand-name', value: 'Kettle' });
    assert.equal(value, 'Kettle');
    const { merchantPreferences } = await paylatch.listPreferences();
    assert.deepEqual(
      merchantPreferences.map(({ key }) => key),
      ['brand-name'],
    );
    // The base URL may contain a path, as behind a proxy, and end with a slash.
    const elsewhere = createTestClient({ baseUrl: `${fixture.url}/base/`, maxRetries: 0 });
    assert.equal((await expectError(elsewhere.listPreferences())).code, 'not_found');
    assert.equal(sent.at(-1)?.request, 'GET /base/v1/merchant/preferences');
  });

  test('throws problems with their code and all field errors', async () => {
    const wrong = await expectError(paylatch.createTransaction(order({ amount: 0.001, country: 'XXX' })));
    assert.deepEqual([wrong.code, wrong.status, wrong.retryable], ['validation_failed', 422, false]);
    assert.deepEqual(wrong.errors.map(({ pointer }) => pointer).toSorted(), ['/amount', '/country']);
    assert.match(wrong.requestId ?? '', /^req_/);
    const unknown = await expectError(paylatch.getTransaction({ transaction_id: 'order-of-nobody' }));
    assert.deepEqual([unknown.code, unknown.status, unknown.name], ['not_found', 404, 'PaylatchError']);
    assert.match(unknown.message, /transaction_id/);
    const unauthorized = await expectError(createTestClient({ token: 'pl_test_nobody' }).listPreferences());
    assert.deepEqual([unauthorized.code, unauthorized.status], ['unauthorized', 401]);
    const refused = await expectError(paylatch.setPreference({ key: 'min-confirmation-btc', value: 6 }));
    assert.equal(refused.code, 'manager_only');
  });

  test('retries calls with an idempotency key, which run once', async () => {
    faults.push(lostResponse, lostResponse);
    const before = await transactions();
    const created = await paylatch.createTransaction(order(), { idempotencyKey: 'order 1' });
    assert.equal(created.type, 'link');
    assert.deepEqual(
      sent.map(({ key }) => key),
      ['order 1', 'order 1', 'order 1'],
    );
    assert.equal((await transactions()) ?? 0, (before ?? 0) + 1);
    faults.push(busy('0'));
    await paylatch.listPreferences();
    assert.equal(sent.length, 5);
  });

  test('sends calls without a key once, and does not retry if retries are disabled', async () => {
    faults.push(lostResponse);
    const lost = await expectError(paylatch.createTransaction(order()));
    assert.deepEqual([lost.code, lost.status, lost.retryable], ['unexpected_response', 502, true]);
    assert.equal(sent.length, 1);
    faults.push(lostResponse);
    await expectError(createTestClient({ maxRetries: 0 }).listPreferences());
    assert.equal(sent.length, 2);
    // The last error is thrown, with its retry delay.
    faults.push(busy('0'), busy('0'), busy('0'));
    const exhausted = await expectError(paylatch.listPreferences());
    assert.deepEqual([exhausted.code, exhausted.retryAfterMs, sent.length], ['rate_limited', 0, 5]);
    faults.push(busy('3600'));
    assert.equal((await expectError(paylatch.listPreferences())).retryAfterMs, 3_600_000);
    assert.equal(sent.length, 6);
    // Client errors are not retried.
    await expectError(paylatch.getTransaction({ transaction_id: 'order-of-nobody' }));
    assert.equal(sent.length, 7);
  });

  test('reports unreachable services, timeouts and unexpected responses', async () => {
    const unreachableClient = createTestClient({ baseUrl: `http://127.0.0.1:${await freePort()}`, maxRetries: 0 });
    const unreachable = await expectError(unreachableClient.listPreferences());
    assert.deepEqual([unreachable.code, unreachable.status, unreachable.retryable], ['unreachable', null, true]);
    assert.ok(unreachable.cause instanceof Error);
    const silentClient = createTestClient({ maxRetries: 0, fetch: neverResponds });
    const late = await expectError(silentClient.listPreferences({ timeoutMs: 20 }));
    assert.deepEqual([late.code, late.retryable], ['timed_out', true]);
    const reason = new Error('The buyer has disconnected');
    const { any } = AbortSignal;
    for (const isOldBrowser of [false, true]) {
      if (isOldBrowser) Reflect.deleteProperty(AbortSignal, 'any');
      await paylatch.listPreferences({ signal: new AbortController().signal });
      await assert.rejects(paylatch.listPreferences({ signal: AbortSignal.abort(reason) }), reason);
    }
    AbortSignal.any = any;
    faults.push(() => new Response('<h1>Welcome</h1>'));
    assert.equal((await expectError(paylatch.listPreferences())).code, 'unexpected_response');
    faults.push(() => Response.redirect('https://elsewhere.example/'));
    assert.equal((await expectError(paylatch.listPreferences())).status, 302);
  });

  test('reads the token before every request', async () => {
    let calls = 0;
    const token = async () => await Promise.resolve((calls += 1) === 1 ? 'pl_test_old' : merchant.token);
    const changing = createTestClient({ token });
    assert.equal((await expectError(changing.listPreferences())).code, 'unauthorized');
    await changing.listPreferences();
    assert.deepEqual(sent[1]?.token, `Bearer ${merchant.token}`);
  });

  test('gets tokens with client credentials and reuses each until it expires', async () => {
    const settings = { DATABASE_URL: fixture.databaseUrl, LOG_LEVEL: 'silent' };
    const made = await runCommandInProcess(['client', 'create', '--merchant', String(merchant.id)], settings);
    const credentials = { clientId: String(made['client_id']), clientSecret: String(made['client_secret']) };
    const client = createTestClient({ token: clientCredentials({ baseUrl: fixture.url, ...credentials }) });
    await Promise.all([client.listPreferences(), client.listTransactions(), client.listPreferences()]);
    await client.listPreferences();
    assert.equal(sent.filter(({ request }) => request === 'POST /oauth/token').length, 1);
    const few = clientCredentials({ baseUrl: fixture.url, ...credentials, scope: 'transaction:read' });
    assert.equal((await expectError(createTestClient({ token: few }).listPreferences())).code, 'forbidden');
    const wrong = clientCredentials({ baseUrl: fixture.url, ...credentials, clientSecret: 'wrong' });
    const refused = await expectError(createTestClient({ token: wrong }).listPreferences());
    assert.deepEqual([refused.code, refused.status], ['token_refused', 401]);
    // Errors are not cached: the next call requests a token again.
    await expectError(createTestClient({ token: wrong }).listPreferences());
    assert.equal(sent.filter(({ request }) => request === 'POST /oauth/token').length, 4);
    assert.match(sent.find(({ request }) => request === 'POST /oauth/token')?.token ?? '', /^Basic /);
  });

  test('replaces a token of client credentials that the service rejects, once per call', async () => {
    const settings = { DATABASE_URL: fixture.databaseUrl, LOG_LEVEL: 'silent' };
    const made = await runCommandInProcess(['client', 'create', '--merchant', String(merchant.id)], settings);
    const credentials = { clientId: String(made['client_id']), clientSecret: String(made['client_secret']) };
    const client = createTestClient({ token: clientCredentials({ baseUrl: fixture.url, ...credentials }) });
    await client.listPreferences();
    const problem = { code: 'unauthorized', detail: 'Revoked.', status: 401, retryable: false, request_id: 'req_1' };
    const reject: Fault = () => Response.json(problem, { status: 401 });
    faults.push(reject);
    sent.length = 0;
    // Also a call that is not retried otherwise.
    await client.createTransaction(order());
    assert.deepEqual(
      sent.map(({ request }) => request),
      ['POST /fiat/v1/transaction', 'POST /oauth/token', 'POST /fiat/v1/transaction'],
    );
    assert.notEqual(sent[0]?.token, sent[2]?.token);
    faults.push(reject, async (serve) => await serve(), reject);
    assert.equal((await expectError(client.listPreferences())).code, 'unauthorized');
    assert.equal(sent.length, 6);
  });

  test('retries a token request like the call', async () => {
    const oauth = clientCredentials({ baseUrl: fixture.url, clientId: 'pl_client_unknown', clientSecret: 'wrong' });
    const client = createTestClient({ token: oauth });
    faults.push(busy('0'));
    assert.equal((await expectError(client.listPreferences())).code, 'token_refused');
    faults.push(busy('0'));
    assert.equal((await expectError(client.createTransaction(order()))).code, 'rate_limited');
    assert.equal(sent.length, 3);
  });

  test('iterates over all pages of a list', async () => {
    const references: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const body = order();
      await paylatch.createTransaction(body);
      references.unshift(String(body.transaction_id));
    }
    const found: string[] = [];
    for await (const { transaction_id: reference } of paylatch.eachTransaction({ per_page: 2 })) found.push(reference);
    assert.deepEqual(found, references);
    sent.length = 0;
    for await (const { transaction_id: reference } of paylatch.eachTransaction({ per_page: 2, order: 'created_at' })) {
      assert.equal(reference, references.at(-1));
      break;
    }
    assert.equal(sent.length, 1, 'pages are fetched only as needed');
    await paylatch.setPreference({ key: 'callback-url', value: 'http://localhost:1/callbacks' });
    for (const reference of references.slice(0, 3)) await paylatch.cancelTransaction({ transaction_id: reference });
    const callbackReferences: string[] = [];
    for await (const callback of paylatch.eachCallback({ per_page: 2 }))
      callbackReferences.push(callback.transaction_id);
    assert.deepEqual(callbackReferences, references.slice(0, 3).toReversed());
  });

  test('streams events and resumes from a cursor', async () => {
    const body = order();
    const reference = String(body.transaction_id);
    const end = new AbortController();
    // The service holds these requests longer than the client's timeout.
    const impatient = createTestClient({ timeoutMs: 1, maxRetries: 0 });
    const pages = impatient.followEvents({}, { signal: end.signal });
    const first = pages.next();
    await paylatch.createTransaction(body);
    await paylatch.submitCard(card(reference, cards.declined));
    await paylatch.submitCard(card(reference));
    const seen: number[] = [];
    let cursor = '';
    for (let page = await first; !page.done && seen.length < 4; page = await pages.next()) {
      seen.push(...page.value.events.map(({ data }) => data.sequence));
      cursor = page.value.next;
      if (seen.length === 4) break;
    }
    assert.deepEqual(seen, [1, 2, 3, 4]);
    const further = paylatch.followEvents({ after: cursor }, { signal: end.signal }).next();
    end.abort(new Error('Enough'));
    await assert.rejects(further, /Enough/);
  });
});
