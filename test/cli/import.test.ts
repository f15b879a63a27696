import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { btcpayStore, type BtcpayStore, openBtcpay } from '../support/btcpay-server.ts';
import { runCommandInProcess, runInProcess } from '../support/command-line.ts';
import { onSqlite } from '../support/databases.ts';
import { type Fixture, openFixture, type TestMerchant } from '../support/fixture.ts';
import { db } from '../support/tables.ts';

interface Item {
  source: string;
  kind: string | null;
  result: string;
  id: string | null;
  url: string | null;
  note: string | null;
}
interface Report {
  dry_run: boolean;
  imported: number;
  skipped: number;
  items: Item[];
}

describe('paylatch import', () => {
  let fixture: Fixture;
  let folder: string;
  let merchant: TestMerchant;
  before(async () => {
    fixture = await openFixture();
    folder = mkdtempSync(join(tmpdir(), 'import-'));
  });
  beforeEach(async () => {
    merchant = await fixture.makeMerchant('Kettle & Co');
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await fixture.close();
  });

  /** Uses cards, which test merchants have enabled. */
  const byCard = ['--method', 'credit_card'];
  const settings = (env: Record<string, string> = {}) => ({ DATABASE_URL: fixture.databaseUrl, ...env });
  const fileWith = (content: unknown) => {
    const file = join(folder, 'export.json');
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
  const run = async (args: readonly string[], env: Record<string, string> = {}) =>
    await runCommandInProcess<Report>(['import', ...args, ...byCard, '--merchant', String(merchant.id)], settings(env));
  const get = async (path: string) => (await fixture.request(path, { token: merchant.managerToken })).body;
  const noteOf = ({ items }: Report, source: string) => items.find((each) => each.source.includes(source))?.note;
  /** Imports from a server; returns the report and the requested paths. */
  const fromServer = async (store: BtcpayStore, args: readonly string[] = [], forbidden: readonly string[] = []) => {
    const server = await openBtcpay(store, forbidden);
    try {
      const target = ['--url', server.url, '--store', store.store.id];
      return await run(['btcpay', ...target, ...args], { BTCPAY_API_KEY: 'btcpay-key' });
    } finally {
      await server.close();
    }
  };

  test('imports a store of BTCPay Server, without duplicates in a second run', async () => {
    const store = btcpayStore();
    const dry = await fromServer(store, ['--dry-run']);
    assert.ok(dry.dry_run && dry.imported > 0);
    assert.deepEqual(await get('/fiat/v1/reusable-links'), { reusable_links: [], next_cursor: null });
    assert.deepEqual((await get('/v1/webhook-endpoints')).endpoints, []);
    assert.deepEqual((await get('/v1/merchant/preferences')).merchantPreferences, []);

    const first = await fromServer(store);
    assert.deepEqual(
      first.items.map(({ source, kind, result }) => [source, kind, result]),
      dry.items.map(({ source, kind, result }) => [source, kind, result.replace('would_import', 'imported')]),
    );
    const preferences = (await get('/v1/merchant/preferences')).merchantPreferences as {
      key: string;
      value: unknown;
    }[];
    assert.deepEqual(Object.fromEntries(preferences.map(({ key, value }) => [key, value])), {
      'brand-name': 'Tea shop',
      'brand-color': '#2f6d3c',
      'support-contact': 'help@tea.example',
      'link-lifetime-minutes': 60,
      'min-confirmation-btc': 6,
      'payment-tolerance-percent-btc': 0.5,
    });
    const [endpoint, ...more] = (await get('/v1/webhook-endpoints')).endpoints;
    assert.deepEqual(more, []);
    const { url, status, event_types } = endpoint;
    const types = ['fiat.transaction.updated', 'crypto.transaction.updated'];
    assert.deepEqual(
      { url, status, event_types },
      { url: 'http://localhost:4000/btcpay', status: 'disabled', event_types: types },
    );

    const links = (await get('/fiat/v1/reusable-links')).reusable_links as Record<string, unknown>[];
    const tea = links.find(({ title }) => title === 'Black tea');
    assert.deepEqual(
      [tea?.['amount'], tea?.['currency'], tea?.['stock'], tea?.['ask'], tea?.['description'], tea?.['image_url']],
      [4.5, 'USD', 12, ['email'], 'From Assam & Ceylon', 'https://tea.example/black.jpg'],
    );
    const amountsOf = (name: string) => links.find(({ title }) => title === name)?.['custom_amount'];
    assert.deepEqual(amountsOf('Tip'), { minimum: 1, maximum: 10_000, suggested: null });
    assert.deepEqual(amountsOf('Donation'), { minimum: 5, maximum: 10_000, suggested: null });
    assert.equal(links.length, 3);
    const page = await fixture.request(new URL(String(tea?.['url'])).pathname, {
      token: null,
      headers: { accept: 'text/html' },
    });
    assert.ok(page.status === 200 && page.text.includes('Black tea'));

    const rent = await get('/fiat/v1/transaction?transaction_id=btcpay-rent');
    assert.deepEqual([rent.amount, rent.currency, rent.status], [120, 'EUR', 'transaction_status_pending']);
    assert.equal(rent.metadata.reference, 'R-7');
    const { expiryDate } = store.paymentRequests[0] as unknown as { expiryDate: number };
    assert.equal(Date.parse(rent.expires_at), expiryDate * 1000);
    assert.equal((await get('/fiat/v1/transaction?transaction_id=btcpay-open')).currency, 'EUR');
    assert.match(noteOf(first, 'Paid in part') ?? '', /has a payment/);
    assert.match(noteOf(first, 'bitcoin') ?? '', /^currency /);
    assert.match(noteOf(first, 'Settled') ?? '', /is completed/);
    assert.match(noteOf(first, 'BTC-LN') ?? '', /no equivalent/);
    assert.match(noteOf(first, 'New kettle') ?? '', /Crowdfund has no equivalent/);
    assert.match(noteOf(first, '/subscriptions') ?? '', /none of its events/);

    const entries = await db(fixture.service().database)
      .selectFrom('audit_entries')
      .select(['actor', 'action'])
      .where('merchant_id', '=', merchant.id)
      .execute();
    assert.ok(entries.every(({ actor }) => actor?.startsWith('command line')));
    const actionsOf = (action: string) => entries.filter((each) => each.action === action).length;
    assert.deepEqual(
      ['setPreference', 'addWebhookEndpoint', 'createReusableLink', 'createTransaction'].map(actionsOf),
      [6, 1, 3, 2],
    );

    const second = await fromServer(store);
    assert.equal(second.imported, 0);
    assert.equal((await get('/fiat/v1/reusable-links')).reusable_links.length, 3);
    assert.equal((await get('/v1/webhook-endpoints')).endpoints.length, 1);
  });

  test('keeps existing preferences, and reports parts that the API key cannot read', async () => {
    const body = { key: 'brand-color', value: '#000000' };
    await fixture.request('/v1/merchant/preferences', { method: 'PATCH', body, token: merchant.managerToken });
    const report = await fromServer(btcpayStore(), [], ['/webhooks', '/invoices', '/apps', '/payment-methods']);
    assert.equal(noteOf(report, 'brandColor'), 'brand-color is already set to "#000000"');
    for (const [source, permission] of [
      ['webhooks', 'canmodifywebhooks'],
      ['apps', 'canmodifystoresettings'],
      ['Rent of the hall', 'canviewinvoices'],
      ['payment methods', 'canviewstoresettings'],
    ] as const)
      assert.match(noteOf(report, source) ?? '', new RegExp(`${permission}$`));
    assert.deepEqual(await get('/fiat/v1/reusable-links'), { reusable_links: [], next_cursor: null });
  });

  test('concurrent imports create each link once', async () => {
    const file = fileWith(btcpayStore());
    const args = ['import', 'btcpay', '--file', file, '--only', 'links', ...byCard, '--merchant', String(merchant.id)];
    const { importOne } = await import('../../src/cli/import-apply.ts');
    const { planCoinbase } = await import('../../src/cli/import-coinbase.ts');
    const [planned] = planCoinbase(
      { data: [{ id: 'c1', name: 'Cup', pricing_type: 'no_price' }], pagination: undefined },
      { country: 'USA', method: 'credit_card' },
      'USD',
    );
    assert.ok(planned);
    const other = await fixture.another();
    const { readConfig } = await import('../../src/config.ts');
    const config = readConfig({});
    const results = await Promise.all(
      [fixture.service(), other, fixture.service()].map(
        async (service) => await importOne(service, config, { merchant: merchant.id }, planned),
      ),
    );
    await other.close();
    assert.deepEqual(results.map(({ result }) => result).toSorted(), ['imported', 'skipped', 'skipped']);
    const { code, stdout } = await runInProcess(args, settings());
    assert.equal(code, 0);
    assert.match(stdout, /^imported {6}item “Black <b>tea<\/b>” {2}reusable link \S+ http/m);
    assert.match(stdout, /^Imported 5, skipped \d+\.\n$/m);
  });

  test('imports checkouts of Coinbase Commerce', async () => {
    const fixed = {
      id: '911fb68e-f410-4f55-8925-0d587b323fe5',
      name: 'The Sovereign Individual',
      description: 'Mastering the transition',
      pricing_type: 'fixed_price',
      local_price: { amount: '100.00', currency: 'USD' },
      requested_info: ['email', 'phone'],
      logo_url: 'https://res.cloudinary.com/commerce/image/upload/a.png',
      resource: 'checkout',
    };
    const free = {
      id: '427f6dea-1421-4c3e-8f3e-75b49fc4e953',
      name: 'Donate\u001B[2J',
      pricing_type: 'no_price',
      requested_info: [],
    };
    const pound = { ...fixed, id: 'gbp', name: 'In pounds', local_price: { amount: '9.00', currency: 'GBP' } };
    const file = fileWith({
      pagination: { next_uri: 'https://api.commerce.coinbase.com/checkouts?limit=2' },
      data: [fixed, free, pound],
    });
    const { code, stdout } = await runInProcess(
      ['import', 'coinbase', file, '--merchant', String(merchant.id), '--dry-run'],
      settings(),
    );
    assert.equal(code, 0);
    assert.ok(!stdout.includes('\u001B'));

    const report = await run(['coinbase', file, '--currency', 'EUR']);
    assert.deepEqual([report.imported, report.skipped], [2, 2]);
    assert.match(noteOf(report, 'In pounds') ?? '', /possible for USA and GBP: none/);
    assert.match(noteOf(report, 'further checkouts') ?? '', /next_uri/);
    const links = (await get('/fiat/v1/reusable-links')).reusable_links as Record<string, unknown>[];
    assert.deepEqual(
      links.map(({ title, amount, custom_amount, currency, ask }) => [title, amount ?? custom_amount, currency, ask]),
      [
        ['Donate [2J', { minimum: 1, maximum: 10_000, suggested: null }, 'EUR', []],
        ['The Sovereign Individual', 100, 'USD', ['email']],
      ],
    );
    assert.equal((await run(['coinbase', fileWith([fixed, free])])).imported, 0);
  });

  describe('refuses', () => {
    for (const [name, args, env, pattern] of [
      ['a URL without a store', ['btcpay', '--url', 'http://localhost:1'], {}, /Set --url and --store, or --file/],
      ['a file and a URL', ['btcpay', '--file', 'x', '--url', 'http://localhost:1'], {}, /cannot be used with option/],
      ['a private address', ['btcpay', '--url', 'https://10.0.0.5', '--store', 'a'], {}, /private network.*use --file/],
      [
        'plain HTTP to another machine',
        ['btcpay', '--url', 'http://btcpay.example', '--store', 'a'],
        {},
        /must start with https/,
      ],
      [
        'a key with a line break',
        ['btcpay', '--url', 'http://localhost:1', '--store', 'a'],
        { BTCPAY_API_KEY: 'a\nb' },
        /must be an API key/,
      ],
      [
        'a server that does not respond',
        ['btcpay', '--url', 'http://localhost:1', '--store', 'a'],
        { BTCPAY_API_KEY: 'k' },
        /does not respond/,
      ],
      ['a missing file', ['coinbase', '/nonexistent.json'], {}, /ENOENT/],
    ] as const) {
      onSqlite(name, async () => {
        const { code, stderr } = await runInProcess(
          ['import', ...args, ...byCard, '--merchant', String(merchant.id)],
          settings(env),
        );
        assert.ok(code !== 0);
        assert.match(stderr, pattern);
      });
    }

    onSqlite('data of another form, as a whole', async () => {
      const store = btcpayStore();
      Object.assign(store.store, { paymentTolerance: 'none' });
      const server = await openBtcpay({ ...btcpayStore(), apps: [{ id: 7 }] as never });
      await assert.rejects(
        run(['btcpay', '--url', server.url, '--store', store.store.id], { BTCPAY_API_KEY: 'btcpay-key' }),
        /apps\.0\.id.*Nothing was imported/,
      );
      await server.close();
      const names = { ...btcpayStore(), requestInvoices: { '\u001B[2J\u009B1m': [{}] } };
      for (const content of ['{', store, { ...btcpayStore(), webhooks: [{ url: 1 }] }, names]) {
        const args = ['import', 'btcpay', '--file', fileWith(content), '--merchant', String(merchant.id)];
        const { code, stderr } = await runInProcess(args, settings());
        assert.equal(code, 1);
        assert.match(stderr, /not valid JSON|has an unexpected format.*Nothing was imported/);
        assert.doesNotMatch(stderr.trimEnd(), /\p{Cc}/u);
      }
      assert.deepEqual((await get('/v1/merchant/preferences')).merchantPreferences, []);
    });

    onSqlite('a wrong API key, without printing it', async () => {
      const server = await openBtcpay(btcpayStore());
      const args = ['import', 'btcpay', '--url', server.url, '--store', 'a', '--merchant', String(merchant.id)];
      const { code, stderr } = await runInProcess(args, settings({ BTCPAY_API_KEY: 'wrong-key' }));
      await server.close();
      assert.equal(code, 1);
      assert.match(stderr, /rejected the API key/);
      assert.ok(!stderr.includes('wrong-key'));
    });
  });
});
