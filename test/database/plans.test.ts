// Databases: sqlite
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { HOUR } from '../../src/shared/time.ts';
import { createMigratedDatabase } from '../support/databases.ts';
import { createBuyers } from '../support/buyer.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { invoicesOf } from '../support/invoices.ts';
import { cards, createLink, submitCard } from '../support/requests.ts';
import { assertContinues, openShop } from '../support/shop.ts';
import { testQuery } from '../support/ledger-checks.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { external, withdrawalsOf } from '../support/withdrawals.ts';

/** All statements sent to SQLite. */
async function statementsOf(work: () => Promise<void>): Promise<Set<string>> {
  const { prototype } = DatabaseSync;
  const { prepare } = prototype;
  const seen = new Set<string>();
  prototype.prepare = function (text, ...rest) {
    seen.add(text);
    return prepare.call(this, text, ...rest);
  };
  try {
    await work();
  } finally {
    prototype.prepare = prepare;
  }
  return seen;
}

/** Scans of few rows: migrations, chains, addresses of a block, limited subqueries, the first rows of an index, and leftovers of an upgrade. */
const few =
  /^SCAN (?:(?:kysely_migration|sqlite_master|chain_cursors|given|matching|next|numbered|earliest|oldest|CONSTANT ROW)\b|\(subquery-|callbacks USING INDEX callbacks_(?:notices_)?due$|statistics_changes USING COVERING INDEX statistics_changes_quarter$|\w+ USING INDEX \w+_plain(?:_names)?$)/;

/** An index lookup by chain alone would read all rows. */
const allOfAChain = /^SEARCH wallets .*\(chain=\?\)$/;

/** The steps in which SQLite would run a statement. */
function planOf(file: DatabaseSync, text: string): string[] {
  const values = (text.match(/\?/g) ?? []).map(() => 1);
  const plan = file.prepare(`explain query plan ${text}`).all(...values);
  return plan.map(({ detail }) => String(detail));
}

/** Tables that SQLite would scan. */
function scansOf(file: DatabaseSync, text: string): string[] {
  return planOf(file, text).filter(
    (detail) => (detail.startsWith('SCAN ') && !few.test(detail)) || allOfAChain.test(detail),
  );
}

/** Sent by the tests themselves. */
const ownQuestions = new Set(['select "webhook_id" from "callbacks" where "state" = ?']);

/** Run once at the start of a process: every sealed secret is checked against the sealing keys. */
const startQuestions = new Set([
  'select "merchant_id", "number", "secret", "previous_secret" from "webhook_endpoints"',
  'select "id", "second_factor", "new_second_factor" from "people" where ("second_factor" is not null or "new_second_factor" is not null)',
]);

/** Statements over tables that stay small: an installation has few acquirer accounts, and one row of its own. */
const smallTables = new Set([
  'update installation set name = name',
  'select * from "acquirer_accounts" order by "id"',
  'select * from "acquirer_routes" order by "account_id"',
]);

async function askForEverything(fixture: Fixture): Promise<void> {
  const get = async (path: string) => {
    const { status, text } = await fixture.request(path);
    assert.equal(status, 200, text);
  };
  const { reference } = await createLink(fixture);
  await submitCard(fixture, reference, cards.visa);
  const refund = { body: { transaction_id: reference, amount: 1 } };
  assert.equal((await fixture.request('/fiat/v1/transaction/refund', refund)).status, 200);
  const list = '/fiat/v1/transactions';
  for (const query of ['', '?order=amount&order_direction=desc', '?status=transaction_status_failed', '?page=2'])
    await get(list + query);
  await get(`${list}?payment_method=credit_card&since=2026-01-01`);
  for (const query of ['currency=USD', 'country=USA', 'search=1242', 'search=order-&status=transaction_status_failed'])
    await get(`${list}?${query}`);
  await get(`${list}?awaiting_review=true`);
  await get(`${list}?counts=true&currency=USD`);
  await get(`${list}?search=jane&counts=true`);
  await get(`${list}/export?awaiting_review=true`);
  await get(`${list}/export`);
  await get(`${list}/export?search=12.5`);
  await get(`/fiat/v1/transaction/events?transaction_id=${reference}`);
  await get('/v1/events');
  await get('/v1/statistics?time_zone=Asia/Kathmandu');
  await get('/v1/callbacks');
  await get(`/v1/callbacks?transaction_id=${reference}&state=pending`);
  await get('/v1/callbacks?state=failed');
  await get('/metrics');
  await fixture.work();
  await askForCoins(fixture);
}

/** Invoices of each type and payment outcome, with reorgs. */
async function askForCoins(fixture: Fixture): Promise<void> {
  const { chain, create, get, list, pay, mine, review, prefer } = invoicesOf(() => fixture);
  for (const type of ['static', 'revolver', 'user']) {
    const invoice = await create({ type });
    const txHash = await pay(invoice);
    await fixture.work();
    await chain().replace(txHash, { address: invoice.walletAddress, code: 'btc', amount: 7n });
    await mine(2);
    await get(invoice);
  }
  for (const waiting of await list({ status: 'approved_required', code: 'btc' })) await review('approve', waiting);
  await chain().reorg(2);
  await mine(110);
  await enableEveryMethod(fixture, fixture.merchant);
  const { startPayment, simulate, confirm } = createBuyers(() => fixture);
  const coins = await startPayment(await createLink(fixture, { amount: 20 }), 'crypto_payment', 'btc');
  await simulate(coins, 'exact');
  await confirm(coins);
  await prefer({ 'wallet-rotate-amount-btc': 1 });
  const { walletAddress } = await create();
  await fixture.request('/v1/wallet/rotate', { body: { walletAddress }, token: fixture.merchant.managerToken });
  for (const path of [
    '/v1/wallets',
    '/v1/wallets?state=free&code=btc',
    '/v1/transactions?code=btc',
    '/v1/transactions?search=a',
  ])
    assert.equal((await fixture.request(path)).status, 200);
  await fixture.advance(25 * HOUR);
}

describe('query plans', () => {
  test('no statement of the service scans a large table', async () => {
    const [database, another] = [await createMigratedDatabase(), await createMigratedDatabase()];
    const seen = await statementsOf(async () => {
      const shop = await openShop(database);
      const { clock } = shop.fixture;
      await assertContinues(shop, { database: { ...database, drop: () => Promise.resolve() }, clock });
      await shop.fixture.close();
      const fixture = await openFixture({
        database: another,
        post: () => Promise.resolve({ status: 500, retryAfter: null, body: '' }),
      });
      await fixture.request('/v1/merchant/preferences', {
        method: 'PATCH',
        body: { key: 'callback-url', value: 'https://shop.example/callbacks' },
      });
      await askForEverything(fixture);
      await fixture.close();
    });
    assert.ok(seen.size > 100, `only ${seen.size} statements were seen`);
    const empty = await createMigratedDatabase();
    const file = new DatabaseSync(empty.url.replace(/^sqlite:/, ''));
    try {
      const slow: string[] = [];
      for (const text of seen) {
        // Plans of insertions list foreign key checks that only run on violations.
        if (
          !/^\s*(select|update|delete|with)\b/i.test(text) ||
          ownQuestions.has(text) ||
          startQuestions.has(text) ||
          smallTables.has(text) ||
          text.includes(testQuery)
        )
          continue;
        const scans = scansOf(file, text);
        if (scans.length > 0) slow.push(`${scans.join('; ')}\n    ${text}`);
      }
      assert.deepEqual(slow, []);
    } finally {
      file.close();
      await empty.drop();
    }
  });

  test('wallets to sweep are read in their order, the largest balance first', async () => {
    const fixture = await openFixture({ env: { WITHDRAWAL_DESTINATION_DELAY_HOURS: '0' } });
    const { enableWithdrawals, fillWallets, mine } = withdrawalsOf(() => fixture);
    const file = new DatabaseSync(fixture.databaseUrl.replace(/^sqlite:/, ''));
    try {
      const seen = await statementsOf(async () => {
        await fixture.work();
        await enableWithdrawals('btc', external.bitcoin);
        await fillWallets('btc', ['150000']);
        await mine(3);
      });
      const ordered = [...seen].filter((text) => text.includes('order by length(balance) desc'));
      assert.equal(ordered.length, 3, 'retired and full wallets, and those of links');
      for (const text of ordered) assert.doesNotMatch(planOf(file, text).join('; '), /TEMP B-TREE/, text);
    } finally {
      file.close();
      await fixture.close();
    }
  });
});
