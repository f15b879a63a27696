import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DAY } from '../../src/shared/time.ts';
import { type MailServer, openMailServer } from '../support/mail-server.ts';
import { runInProcess } from '../support/command-line.ts';
import { dumpRows } from '../support/rows.ts';
import { openEndpoint, type TestEndpoint } from '../support/webhook-endpoint.ts';
import { creation, detailOf, submission, withoutPayers } from '../support/requests.ts';
import { transactionRecord } from '../../src/payments/schema.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const person = {
  first_name: 'Zoë',
  last_name: 'Quillfeather',
  email: 'Zoe.Quill@Post.example',
  phone: '+44 20 7946 0123',
};
/** Spellings in which a stored text may contain the person. */
const spellings = [/zo[eë]\s+quillfeather/iu, /zoe\.quill(?:@|%(?:25)?40)post\.example/i, /\+44 20 7946 0123/];

describe('the erasure of a payer', () => {
  let fixture: Fixture;
  let endpoint: TestEndpoint;
  let mail: MailServer;
  before(async () => {
    mail = await openMailServer();
    fixture = await openFixture({ env: { ...mail.env, RETENTION_PAYER_DATA_DAYS: '30' } });
    endpoint = await openEndpoint();
    // An endpoint that returns what it received.
    endpoint.respond = ({ body }) => {
      endpoint.body = body;
      return 200;
    };
    endpoint.headers = { 'x-customer': person.email };
    await fixture.request('/v1/merchant/preferences', {
      method: 'PATCH',
      body: { key: 'callback-url', value: endpoint.url },
    });
  });
  after(async () => {
    await endpoint.close();
    await fixture.close();
    await mail.close();
  });

  /** Creates and pays a transaction whose texts name the person. */
  const pay = async (token = fixture.merchant.token): Promise<string> => {
    const body = creation({
      payer: person,
      description: `Cups for Zoë Quillfeather (${person.email.toLowerCase()})`,
      metadata: { customer: person.email },
      line_items: [{ name: `Engraving "Zoë Quillfeather"`, quantity: 1, unit_amount: 12.5 }],
      success_redirect_url: `https://shop.example/paid?next=${encodeURIComponent(`/orders?to=${encodeURIComponent(person.email)}`)}`,
    });
    const created = await fixture.request('/fiat/v1/transaction', {
      ...{ body, token },
      headers: { 'idempotency-key': body.transaction_id },
    });
    assert.equal(created.status, 200, created.text);
    const fields = submission(body.transaction_id, undefined, person);
    const paid = await fixture.request('/fiat/v1/transaction/submit', {
      ...{ body: fields, token },
      headers: { 'idempotency-key': `pay ${body.transaction_id}` },
    });
    assert.equal(paid.status, 200, paid.text);
    const refund = { transaction_id: body.transaction_id, amount: 1 };
    await fixture.request('/fiat/v1/transaction/refund', {
      ...{ body: refund, token },
      headers: { 'idempotency-key': `refund ${body.transaction_id}` },
    });
    await db(fixture.service().database)
      .insertInto('audit_entries')
      .values({
        ...{
          merchant_id: 1,
          person_id: null,
          actor: 'token 1',
          action: 'rejectTransaction',
          subject: body.transaction_id,
        },
        ...{ before: JSON.stringify({ decision_reason: `${person.email} called` }), after: null, outcome: 'done' },
        ...{ address: '', user_agent: '', request_id: '', at: 1 },
      })
      .execute();
    await fixture.work();
    return body.transaction_id;
  };
  /** Tables with the person, in any spelling. Text of JSON in JSON is unescaped. */
  const findPerson = async (): Promise<string[]> =>
    Object.entries(await dumpRows(fixture.service().database)).flatMap(([table, rows]) => {
      const text = rows.join('\n').replaceAll(/\\+"/g, '"');
      return spellings.filter((spelling) => spelling.test(text)).map((spelling) => `${table}: ${String(spelling)}`);
    });
  const erase = async (body: object, token = fixture.merchant.managerToken) =>
    await fixture.request('/v1/payers/erase', { body, token });

  test('removes it from every table, and keeps amounts, times and the masked card', async () => {
    const references = [await pay(), await pay()];
    const shop = await fixture.makeMerchant('Other');
    const other = await pay(shop.token);
    const found = await findPerson();
    for (const table of [
      'fiat_transactions',
      'card_attempts',
      'events',
      'callback_attempts',
      'idempotency_keys',
      'audit_entries',
    ])
      assert.ok(
        found.some((each) => each.startsWith(`${table}:`)),
        `the test stores the person in ${table}`,
      );
    const before = await detailOf(fixture, references[0] ?? '');

    // Another merchant erases only its own, and an unknown email address nothing.
    assert.deepEqual((await erase({ email: person.email }, shop.managerToken)).body, { transactions: 1 });
    assert.deepEqual((await erase({ email: 'nobody@post.example' })).body, { transactions: 0 });
    assert.equal((await erase({ transaction_id: other })).status, 404);
    assert.ok((await findPerson()).length > 0);

    // The second payment's audit entries name the merchant 1, as the first one's.
    assert.deepEqual((await erase({ email: person.email.toUpperCase() })).body, { transactions: 2 });
    assert.deepEqual(await findPerson(), []);
    const now = await detailOf(fixture, references[0] ?? '');
    const { updated_at: _before, payer: _payer, ...kept } = before;
    const { updated_at: _now, ...left } = now;
    assert.deepEqual(left, {
      ...kept,
      attempts: withoutPayers(before).attempts,
      descriptions: 'Cups for [erased] ([erased])',
      metadata: { customer: '[erased]' },
      line_items: [{ ...before.line_items[0], name: 'Engraving "[erased]"' }],
    });

    // A repeated request still takes effect once.
    const refund = { transaction_id: references[0], amount: 1 };
    const again = await fixture.request('/fiat/v1/transaction/refund', {
      ...{ body: refund, headers: { 'idempotency-key': `refund ${references[0]}` } },
    });
    assert.equal(again.headers.get('idempotency-replayed'), 'true');

    const audit = await db(fixture.service().database)
      .selectFrom('audit_entries')
      .select(['subject', 'after', 'outcome'])
      .where('action', '=', 'erasePayer')
      .where('outcome', '=', 'done')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    assert.deepEqual(audit, { subject: 'payer by email', after: '{"transactions":2}', outcome: 'done' });
  });

  test('of one payment leaves the others, on the command line too', async () => {
    const [first, second] = [await pay(), await pay()];
    const { merchant, databaseUrl } = fixture;
    const run = async (...args: string[]) =>
      await runInProcess(['payer', 'erase', '--merchant', String(merchant.id), ...args], {
        DATABASE_URL: databaseUrl,
      });
    const erased = await run('--transaction-id', first, '--output', 'json');
    assert.deepEqual(JSON.parse(erased.stdout), { transactions: 1 }, erased.stderr);
    assert.equal((await detailOf(fixture, first)).descriptions, 'Cups for [erased] ([erased])');
    assert.match((await detailOf(fixture, second)).descriptions, /Quillfeather/);
    assert.match((await run()).stderr, /--email is required/);
  });

  test('finds nothing left after the retention of payer data', async () => {
    const reference = await pay();
    await fixture.advance(31 * DAY);
    assert.deepEqual((await erase({ email: person.email })).body, { transactions: 0 });
    assert.deepEqual((await erase({ transaction_id: reference })).body, { transactions: 1 });
    assert.deepEqual(await findPerson(), []);
    assert.equal((await detailOf(fixture, reference)).descriptions, 'Cups for [erased] ([erased])');
  });

  test('finds a payer who is known only by the recipient of the link, or by the request', async () => {
    for (const find of ['id', 'email', 'both']) {
      const body = creation({ description: `Cups for ${person.email}` });
      const { transaction_id } = body;
      assert.equal((await fixture.request('/fiat/v1/transaction', { body })).status, 200);
      const { email } = person;
      if (find !== 'both') {
        const sent = await fixture.request('/fiat/v1/transaction/send', { body: { transaction_id, email } });
        assert.equal(sent.status, 200, sent.text);
      }
      await fixture.work();
      const request = { ...(find !== 'email' && { transaction_id }), ...(find !== 'id' && { email }) };
      assert.deepEqual((await erase(request)).body, { transactions: 1 });
      assert.deepEqual(await findPerson(), [], find);
    }
  });

  test('keeps the payers of payments whose links were only sent to the address', async () => {
    const other = { first_name: 'Bob', last_name: 'Carpenter', email: 'bob@post.example' };
    const body = creation({ payer: other });
    const { transaction_id } = body;
    await fixture.request('/fiat/v1/transaction', { body });
    await fixture.request('/fiat/v1/transaction/send', { body: { transaction_id, email: person.email } });
    await fixture.work();
    assert.deepEqual((await erase({ email: person.email })).body, { transactions: 0 });
    assert.deepEqual(await findPerson(), []);
    assert.equal((await detailOf(fixture, transaction_id)).payer.email, other.email);
  });

  test('leaves no response to a webhook that was being delivered', async () => {
    const [arrived, released] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
    const { respond, headers } = endpoint;
    // The endpoint itself may name the payer after the erasure.
    endpoint.headers = {};
    endpoint.respond = async (received) => {
      arrived.resolve(received.body);
      await released.promise;
      return await respond(received);
    };
    const body = creation({ payer: person, description: 'Cups for Zoë Quillfeather' });
    assert.equal((await fixture.request('/fiat/v1/transaction', { body })).status, 200);
    const fields = submission(body.transaction_id);
    assert.equal((await fixture.request('/fiat/v1/transaction/submit', { body: fields })).status, 200);
    const delivered = fixture.work();
    assert.match(await arrived.promise, /Quillfeather/);
    await erase({ transaction_id: body.transaction_id });
    released.resolve();
    await delivered;
    Object.assign(endpoint, { respond, headers });
    assert.deepEqual(await findPerson(), []);
  });

  test('leaves no digest of the request, so that a repeated creation conflicts', async () => {
    const body = creation({ payer: { email: person.email } });
    const create = async () => await fixture.request('/fiat/v1/transaction', { body });
    assert.equal((await create()).status, 200);
    assert.equal((await create()).status, 200);
    await erase({ transaction_id: body.transaction_id });
    assert.equal((await create()).body.code, 'transaction_id_conflict');
    const { request_digest } = await db(fixture.service().database)
      .selectFrom('fiat_transactions')
      .select('request_digest')
      .where('transaction_id', '=', body.transaction_id)
      .executeTakeFirstOrThrow();
    assert.equal(request_digest, '');
  });

  test('removes it from what issuers, banks and reviewers wrote', async () => {
    const reference = await pay();
    const { database } = fixture.service();
    const { id, ...transaction } = await db(database)
      .selectFrom('fiat_transactions')
      .select(['id', 'merchant_id', 'payment_method', 'created_at', 'updated_at'])
      .where('transaction_id', '=', reference)
      .executeTakeFirstOrThrow();
    const note = `from ${person.email}`;
    const fields = {
      ...{ buyer_network: '203.0.113.0/24', buyer_locale: 'fr' },
      ...{ decision_reason: note, fail_redirect_url: `https://shop.example/failed?to=${person.email}` },
    };
    await db(database).updateTable('fiat_transactions').set(fields).where('id', '=', id).execute();
    await db(database)
      .updateTable('card_attempts')
      .set({ charge_details: JSON.stringify({ authorizationCode: note }) })
      .where('fiat_transaction_id', '=', id)
      .execute();
    await db(database)
      .insertInto('payment_instructions')
      .values({
        ...{
          ...transaction,
          fiat_transaction_id: id,
          number: 1,
          instructions_key: `bank ${reference}`,
          amount_minor: 1,
        },
        ...{ fee_fix_minor: 0, fee_percent_millionths: 0, provider: 'sandbox', acquirer_reference: null },
        ...{ state: 'withdrawn', expires_at: null, confirmations: null, next_check_at: null, checks_made: 0 },
        ...{ choice: note, reference: note, in_review: 0 },
        instructions: JSON.stringify({ action: 'redirect', url: `https://bank.example/?payer=${person.email}` }),
      })
      .execute();
    assert.deepEqual((await erase({ transaction_id: reference })).body, { transactions: 1 });
    const rows = await dumpRows(database);
    const stored = [rows['fiat_transactions'], rows['card_attempts'], rows['payment_instructions']].flat().join('\n');
    for (const spelling of spellings) assert.doesNotMatch(stored, spelling);
    assert.doesNotMatch(stored, /203\.0\.113\.0/);
    const { buyer_locale } = await db(database)
      .selectFrom('fiat_transactions')
      .select('buyer_locale')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.equal(buyer_locale, null);
  });

  test('leaves administrative entries of the audit log', async () => {
    const email = 'partner@other.example';
    const url = 'https://other.example/webhooks';
    const { managerToken: token } = fixture.merchant;
    await fixture.request('/v1/people/invite', { body: { email, role: 'viewer' }, token });
    const body = creation({ payer: { email, address: url } });
    assert.equal((await fixture.request('/fiat/v1/transaction', { body })).status, 200);
    for (const value of [url, endpoint.url])
      await fixture.request('/v1/merchant/preferences', {
        ...{ method: 'PATCH', body: { key: 'callback-url', value } },
      });
    assert.deepEqual((await erase({ email })).body, { transactions: 1 });
    const list = async (action: string) => (await fixture.request(`/v1/audit-log?action=${action}`, { token })).text;
    assert.match(await list('invitePerson'), /partner@other\.example/);
    assert.match(await list('setPreference'), /https:\/\/other\.example\/webhooks/);
  });

  test('needs its scope, and at least one of the two fields', async () => {
    assert.equal((await erase({ email: person.email }, fixture.merchant.token)).body.code, 'forbidden');
    for (const body of [{}, { email: 'x' }]) assert.equal((await erase(body)).status, 422, JSON.stringify(body));
  });

  test('after the retention finds a payment with any personal column', async () => {
    const { database } = fixture.service();
    // Search keys are stored with the payer only.
    const columns = transactionRecord.personalColumns.filter((each) => !each.endsWith('_key'));
    for (const column of columns) {
      const transaction_id = `only ${column}`;
      const body = creation({ transaction_id });
      assert.equal((await fixture.request('/fiat/v1/transaction', { body })).status, 200);
      const canceled = await fixture.request('/fiat/v1/transaction/cancel', { body: { transaction_id } });
      assert.equal(canceled.status, 200, canceled.text);
      await db(database)
        .updateTable('fiat_transactions')
        .set({ [column]: column === 'payer' ? JSON.stringify({ first_name: 'Ann' }) : 'a value' })
        .where('transaction_id', '=', transaction_id)
        .execute();
    }
    await fixture.advance(31 * DAY);
    for (const column of columns) {
      const stored = await db(database)
        .selectFrom('fiat_transactions')
        .select(column)
        .where('transaction_id', '=', `only ${column}`)
        .executeTakeFirst();
      assert.deepEqual(stored, { [column]: null });
    }
  });
});
