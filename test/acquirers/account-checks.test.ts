// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { db } from '../../src/acquirers/schema.ts';
import { HOUR, MINUTE, toMillis } from '../../src/shared/time.ts';
import { SimulatedClock } from '../support/clock.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { type AdyenAccount, credentials, openAccount } from './adyen/account.ts';

describe('the check of an account', () => {
  const clock = new SimulatedClock();
  let fixture: Fixture;
  let vendor: AdyenAccount['vendor'];
  before(async () => {
    fixture = await openFixture({ clock });
    ({ vendor } = await openAccount({ now: () => toMillis(clock.now()) }));
  });
  after(async () => {
    await fixture.close();
    await vendor.close();
  });

  const readiness = async () => {
    const { status, body } = await fixture.request('/readyz', { token: null });
    const { accounts } = fixture.service().accountChecks.report();
    return [status, body.acquirers.status, accounts.map((account) => account.status)];
  };
  const metric = async () =>
    (await fixture.request('/metrics', { token: null })).text
      .split('\n')
      .filter((line: string) => line.startsWith('paylatch_acquirer_accounts{'));
  const checks = () => vendor.requests.filter(({ path }) => path.endsWith('/paymentMethods')).length;
  const inUnit = async (change: Parameters<ReturnType<Fixture['service']>['database']['inTransaction']>[0]) => {
    await fixture.service().database.inTransaction(change);
    await fixture.work();
  };

  /** Replaces the credentials of the first account. */
  const replace = async (replacement: object) => {
    const { accountStore, database } = fixture.service();
    const [stored] = await accountStore.list(database);
    assert.ok(stored);
    await inUnit(async (unit) => void (await accountStore.setCredentials(unit, stored, replacement)));
    await fixture.work();
  };

  test('runs in the background, again after a change of the credentials, and otherwise rarely', async () => {
    const { accountStore } = fixture.service();
    assert.deepEqual(await readiness(), [200, 'none', []]);
    const { webhookUser, webhookPassword } = vendor.credentials;
    const valid = { ...credentials, apiUrl: vendor.url, webhookUser, webhookPassword };
    let key = '';
    await inUnit(async (unit) => {
      ({ key } = await accountStore.insert(unit, {
        ...{ adapter: 'adyen', name: 'Adyen Europe', merchantId: null, credentials: valid },
      }));
    });
    await fixture.work();
    assert.deepEqual(await readiness(), [200, 'available', ['ok']]);
    assert.deepEqual(await metric(), ['paylatch_acquirer_accounts{acquirer="adyen",status="ok"} 1']);
    assert.equal(checks(), 1);
    await readiness();
    await fixture.advance(HOUR);
    assert.equal(checks(), 1, 'neither a probe nor the passing of an hour causes a check');
    await fixture.advance(6 * HOUR);
    assert.equal(checks(), 2);

    await replace({ ...valid, apiKey: 'AQEwrong' });
    assert.deepEqual(await readiness(), [200, 'unavailable', ['failed']]);
    assert.match(fixture.log(), /acquirer account failed its check/);
    assert.match(fixture.log(), /Adyen rejected the API key/);
    const { text } = await fixture.request('/readyz', { token: null });
    assert.doesNotMatch(text, new RegExp(`${key}|Adyen Europe|refused`), 'the probe is public');

    await replace(valid);
    assert.deepEqual(await readiness(), [200, 'available', ['ok']]);
    assert.match(fixture.log(), /acquirer account works again/);

    const [current] = await accountStore.list(fixture.service().database);
    assert.ok(current);
    await inUnit(async (unit) => await accountStore.update(unit, current, { disabledAt: current.updatedAt }));
    assert.deepEqual(await readiness(), [200, 'none', []]);
  });

  test('is repeated sooner while the acquirer is down', async () => {
    const { accountStore, accountChecks } = fixture.service();
    const unreachable = {
      ...credentials,
      apiUrl: 'http://127.0.0.1:1',
      webhookUser: 'user',
      webhookPassword: 'password',
    };
    await inUnit(async (unit) => {
      await accountStore.insert(unit, {
        ...{ adapter: 'adyen', name: 'Adyen Asia', merchantId: null, credentials: unreachable },
      });
    });
    await fixture.work();
    const [first] = accountChecks.report().accounts;
    assert.equal(first?.status, 'unreachable');
    await fixture.advance(16 * MINUTE);
    assert.notEqual(accountChecks.report().accounts[0]?.checked_at, first.checked_at);
  });

  test('reports accounts that cannot be connected: unreadable credentials, or an adapter of another release', async () => {
    const { accountStore, database } = fixture.service();
    const added = { merchantId: null, credentials: { ...credentials, apiUrl: vendor.url } };
    const keys: string[] = [];
    for (const name of ['Sealed elsewhere', 'Retired'])
      await inUnit(async (unit) => {
        keys.push((await accountStore.insert(unit, { adapter: 'adyen', name, ...added })).key);
      });
    const [sealed = '', retired = ''] = keys;
    const change = async (key: string, columns: object) =>
      await db(database)
        .updateTable('acquirer_accounts')
        .set({ ...columns, updated_at: clock.now() })
        .where('account_key', '=', key)
        .execute();
    await change(sealed, { credentials: `sealed1.0123abcd.${'A'.repeat(80)}` });
    await change(retired, { adapter: 'retired' });
    await fixture.restart();
    await fixture.work();
    const { accountChecks, payments } = fixture.service();
    assert.deepEqual([payments.acquirers.find(sealed), payments.acquirers.find(retired)], [null, null]);
    const statuses = accountChecks.report().accounts.map(({ acquirer, status }) => `${acquirer} ${status}`);
    assert.deepEqual(statuses.slice(-2), ['adyen failed', 'retired failed']);
    assert.match(fixture.log(), /acquirer account could not be connected/);
    assert.match(fixture.log(), /this release has no adapter for an acquirer account/);
  });
});
