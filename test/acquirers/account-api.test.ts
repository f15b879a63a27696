// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { toHealthEntry } from '../../src/acquirers/accounts.ts';
import { db } from '../../src/acquirers/schema.ts';
import { listStoredHealth } from '../../src/acquirers/stored-health.ts';
import { HOUR, MINUTE, SECOND, toMillis } from '../../src/shared/time.ts';
import { createBuyers } from '../support/buyer.ts';
import { SimulatedClock } from '../support/clock.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { readProblem } from '../support/problems.ts';
import { createLink } from '../support/requests.ts';
import { signedIn } from '../support/users.ts';
import { openFixture, type RequestOptions, type Fixture } from '../support/fixture.ts';
import { sendTo } from './simulators/webhooks.ts';
import { startXendit } from './simulators/xendit/index.ts';

const ACCOUNTS = '/v1/acquirer-accounts';
const ACCOUNT = '/v1/acquirer-account';
const qr = { payment_method: 'qr_code', country: 'THA', currency: 'THB' };

describe('the API of acquirer accounts', () => {
  const clock = new SimulatedClock();
  let fixture: Fixture;
  let vendor: Awaited<ReturnType<typeof startXendit>>;
  let credentials: Record<string, string>;
  before(async () => {
    fixture = await openFixture({ clock });
    await enableEveryMethod(fixture, fixture.merchant);
    vendor = await startXendit({ now: () => toMillis(clock.now()) });
    credentials = { ...vendor.credentials, accountCountry: 'TH', apiUrl: vendor.url };
  });
  after(async () => {
    await fixture.close();
    await vendor.close();
  });

  const call = async (path: string, options: RequestOptions = {}) =>
    await fixture.request(path, { token: fixture.merchant.managerToken, ...options });
  const read = async (id: string) => (await call(`${ACCOUNT}?id=${id}`)).body;
  const update = async (body: object) => await call(ACCOUNT, { method: 'PATCH', body });
  const add = async (fields: object = {}) => {
    const body = { acquirer: 'xendit', name: 'Xendit Thailand', credentials, routes: [qr], ...fields };
    const { status, body: account, text } = await call(ACCOUNTS, { body });
    assert.equal(status, 200, text);
    await fixture.work();
    return account;
  };
  const { startPayment, tryStartPayment } = createBuyers(() => fixture);
  const payByQr = async () => await startPayment(await createLink(fixture, { ...qr, amount: 1250 }), 'qr_code');
  const routed = () => fixture.service().payments.acquirers;

  test('adds an account whose secrets are never returned, tests it, and shows its health', async () => {
    const unsaved = await call('/v1/acquirers/check', { body: { acquirer: 'xendit', credentials } });
    assert.equal(unsaved.body.result, 'ok', unsaved.text);
    const { id, webhook_url: webhookUrl } = await add();
    assert.equal(webhookUrl, `${fixture.url}/acquirers/${id}/webhooks`);
    assert.equal((await call(`${ACCOUNT}/check`, { body: { id } })).body.result, 'ok');
    await payByQr();
    vendor.webhooks.send = sendTo(webhookUrl);
    const [charge] = vendor.charges().slice(-1);
    vendor.receiveFunds(charge?.reference ?? '');
    clock.advance(SECOND);
    await vendor.webhooks.deliver();
    const waiting = await read(id);
    assert.equal(waiting.notifications.pending > 0, true);
    await fixture.work();
    const account = await read(id);
    assert.deepEqual(
      [account.health.circuit, account.health.success_rate, account.notifications.pending, account.open_disputes],
      ['closed', 1, 0, 0],
    );
    assert.ok(account.health.calls > 0 && account.health.calls_last_minute > 0 && account.health.median_ms !== null);
    assert.notEqual(account.notifications.last_received_at, null);
    assert.deepEqual(
      account.credentials.filter(({ is_set: isSet }: { is_set: boolean }) => isSet),
      [
        { name: 'secretKey', value: null, is_set: true },
        { name: 'callbackToken', value: null, is_set: true },
        { name: 'accountCountry', value: 'TH', is_set: true },
        { name: 'apiUrl', value: vendor.url, is_set: true },
      ],
    );
    const { text: listed } = await call(ACCOUNTS);
    const { text: audited } = await call('/v1/audit-log');
    for (const text of [listed, audited, JSON.stringify(account), fixture.log()])
      for (const secret of Object.values(vendor.credentials)) assert.ok(!text.includes(secret), text);
    assert.match(audited, /addAcquirerAccount/);
    await update({ id, enabled: false });
  });

  test('shows the cause and time of an open circuit', async () => {
    // Nothing listens there.
    const { id } = await add({ name: 'Failing', credentials: { ...credentials, apiUrl: 'http://127.0.0.1:9' } });
    const openedAfter = clock.now();
    for (let number = 0; number < 5; number += 1)
      await tryStartPayment(await createLink(fixture, { ...qr, amount: 1250 }), 'qr_code');
    const { health } = await read(id);
    assert.deepEqual(
      [health.circuit, health.last_failure.call, health.last_failure.reason, health.success_rate],
      ['open', 'issue', 'failed', 0],
    );
    assert.ok(Date.parse(health.circuit_since) >= Math.floor(toMillis(openedAfter)));
    // Other processes, such as the CLI, read what this one has stored.
    await fixture.work();
    const [stored] = await listStoredHealth(fixture.service().database, id);
    assert.ok(stored);
    assert.deepEqual(toHealthEntry(stored.figures), health);
    // The open circuit admits no call.
    clock.advance(SECOND);
    await fixture.work();
    const [unchanged] = await listStoredHealth(fixture.service().database, id);
    assert.equal(unchanged?.measuredAt, stored.measuredAt);
    await update({ id, enabled: false });
  });

  test('replaces credentials as a whole, and shows when', async () => {
    const { id, credentials_updated_at: before } = await add();
    clock.advance(MINUTE);
    const { secretKey: _secretKey, ...incomplete } = credentials;
    const refused = await call(`${ACCOUNT}/credentials`, { body: { id, credentials: incomplete } });
    assert.deepEqual(
      readProblem(refused, '').errors?.map(({ pointer, code }) => [pointer, code]),
      [['/credentials/secretKey', 'required']],
    );
    const wrong = { ...credentials, secretKey: 'xnd_development_wrong' };
    const replaced = await call(`${ACCOUNT}/credentials`, { body: { id, credentials: wrong } });
    assert.ok(replaced.body.credentials_updated_at > before, replaced.text);
    const { body } = await call(`${ACCOUNT}/check`, { body: { id } });
    assert.deepEqual([body.result, body.detail], ['failed', 'Xendit rejected the API key.']);
    await update({ id, enabled: false });
  });

  test('shows an account whose sealing key is missing, which can get new credentials', async () => {
    const { id } = await add({ name: 'Sealed elsewhere' });
    await db(fixture.service().database)
      .updateTable('acquirer_accounts')
      .set({ credentials: `sealed1.0123abcd.${'A'.repeat(80)}` })
      .where('account_key', '=', id)
      .execute();
    const { status, body, text } = await call(ACCOUNTS);
    assert.equal(status, 200, text);
    const shown = body.accounts.find((each: { id: string }) => each.id === id);
    assert.deepEqual(
      shown.credentials.filter((field: { is_set: boolean }) => field.is_set),
      [],
    );
    const checked = await call(`${ACCOUNT}/check`, { body: { id } });
    assert.deepEqual(checked.body, { result: 'failed', detail: 'The stored credentials cannot be read.' });
    const replaced = await call(`${ACCOUNT}/credentials`, { body: { id, credentials } });
    assert.equal(replaced.status, 200, replaced.text);
    assert.equal((await call(`${ACCOUNT}/check`, { body: { id } })).body.result, 'ok');
    await update({ id, enabled: false });
  });

  test('rejects unsupported and repeated routes, with their pointers', async () => {
    const { id, updated_at: updatedAt } = await add();
    const routes = [qr, { ...qr, country: 'BRA', currency: 'BRL' }, qr, { ...qr, payment_method: 'cheque' }];
    const refused = await update({ id, routes });
    assert.deepEqual(
      readProblem(refused, '').errors?.map(({ pointer, code }) => [pointer, code]),
      [
        ['/routes/1/payment_method', 'not_offered'],
        ['/routes/2/payment_method', 'duplicate'],
        ['/routes/3/payment_method', 'unknown_method'],
      ],
    );
    assert.equal((await read(id)).updated_at, updatedAt);
    await update({ id, enabled: false });
  });

  test('refuses a change of an account that has changed since it was read', async () => {
    const { id, updated_at: readAt } = await add();
    assert.equal((await update({ id, name: 'First', updated_at: readAt })).status, 200);
    const second = await update({ id, name: 'Second', updated_at: readAt });
    assert.deepEqual([second.status, second.body.code, (await read(id)).name], [409, 'edit_conflict', 'First']);
    assert.equal((await update({ id, name: 'Third' })).status, 200);
    await update({ id, enabled: false });
  });

  test('refuses credentials for an account that has changed since it was read', async () => {
    const { id, updated_at: readAt } = await add();
    const replace = async (change: object) =>
      await call(`${ACCOUNT}/credentials`, {
        body: { id, updated_at: readAt, credentials: { ...credentials, ...change } },
      });
    assert.equal((await replace({ accountCountry: 'ID' })).status, 200);
    const second = await replace({ accountCountry: 'MY' });
    assert.deepEqual([second.status, second.body.code], [409, 'edit_conflict']);
    const { value } = (await read(id)).credentials.find(({ name }: { name: string }) => name === 'accountCountry');
    assert.equal(value, 'ID');
    await update({ id, enabled: false });
  });

  test('records the changed settings of replaced credentials in the audit log, without secrets', async () => {
    const { id } = await add();
    const changed = { ...credentials, accountCountry: 'ID', secretKey: 'xnd_development_replaced' };
    await call(`${ACCOUNT}/credentials`, { body: { id, credentials: changed } });
    const { body, text } = await call('/v1/audit-log');
    const entry = body.entries.find(({ action }: { action: string }) => action === 'setAcquirerCredentials');
    const settings = ({ credentials: values }: { credentials: Record<string, unknown> }) => [
      values['accountCountry'],
      values['secretKey'],
    ];
    assert.deepEqual(
      [settings(entry.before), settings(entry.after)],
      [
        ['TH', 'another value'],
        ['ID', 'set'],
      ],
    );
    assert.ok(!text.includes('xnd_development_'), text);
    await update({ id, enabled: false });
  });

  test('shows no settings of shared accounts in the audit log, only which are set and changed', async () => {
    const { id } = await add({ shared: true });
    await call(`${ACCOUNT}/credentials`, { body: { id, credentials: { ...credentials, accountCountry: 'ID' } } });
    await update({ id, enabled: false });
    const { body } = await call('/v1/audit-log');
    const entries = body.entries.filter(({ subject }: { subject: string }) => subject === `acquirer account ${id}`);
    assert.equal(entries.length, 3);
    assert.ok(!JSON.stringify(entries).includes(vendor.url), 'the API URL is the operator’s');
    const { before, after } = entries.find(({ action }: { action: string }) => action === 'setAcquirerCredentials');
    assert.deepEqual(
      [before.credentials, after.credentials],
      ['another value', 'set'].map((accountCountry) => ({
        ...{ secretKey: 'set', callbackToken: 'set', accountCountry, apiUrl: 'set' },
        ...{ promptPayChannel: null, accountBank: null, vietnameseAccountBank: null },
      })),
    );
  });

  test('receives no new payments while disabled', async () => {
    const { id } = await add();
    const { key } = routed().find(id) ?? {};
    assert.equal(key, id);
    await update({ id, enabled: false });
    await fixture.work();
    await payByQr();
    assert.deepEqual(routed().find(id)?.health?.().calls, 0);
    await update({ id, enabled: true });
    await fixture.work();
    await payByQr();
    assert.equal(routed().find(id)?.health?.().calls, 1);
    await update({ id, enabled: false });
  });

  test('hides the accounts of other merchants, and shares shared ones', async () => {
    const other = await fixture.makeMerchant('Other & Co');
    const own = await add({ name: 'Own' });
    const shared = await add({ name: 'Shared', shared: true });
    const { body } = await fixture.request(ACCOUNTS, { token: other.managerToken });
    const listed = body.accounts.map(({ id }: { id: string }) => id);
    assert.deepEqual([listed.includes(own.id), listed.includes(shared.id)], [false, true]);
    for (const path of [`${ACCOUNT}?id=${own.id}`, `${ACCOUNT}?id=nobody`])
      assert.equal((await fixture.request(path, { token: other.managerToken })).status, 404);
    for (const { id } of [own, shared]) await update({ id, enabled: false });
  });

  test('requires a step-up before a change', async () => {
    const { id } = await add();
    const manager = await signedIn(fixture, 'manager');
    const send = async (path: string, body: object, method = 'POST') =>
      await manager.request(path, { method, body, merchant: fixture.merchant.id });
    const changes = [
      async () => await send(ACCOUNTS, { acquirer: 'xendit', name: 'Mine', credentials }),
      async () => await send(ACCOUNT, { id, enabled: false }, 'PATCH'),
      async () => await send(`${ACCOUNT}/credentials`, { id, credentials }),
      async () => await send('/v1/acquirers/check', { acquirer: 'xendit', credentials }),
    ];
    for (const change of changes) assert.equal((await change()).status, 200);
    clock.advance(HOUR);
    for (const change of changes) {
      const { status, body } = await change();
      assert.deepEqual([status, body.code], [403, 'step_up_required']);
    }
    assert.equal((await send(`${ACCOUNT}/check`, { id })).status, 200);
  });
});
