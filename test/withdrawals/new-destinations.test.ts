// Databases: sqlite
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { webhookBodies } from '../../src/api/webhook-events.ts';
import { HOUR } from '../../src/shared/time.ts';
import { createToken } from '../../src/auth/tokens.ts';
import { signedIn } from '../support/users.ts';
import { assertWithdrawalBooks } from '../support/withdrawal-books.ts';
import { elsewhere, outside, withdrawalsOf } from '../support/withdrawals.ts';
import { openWorld, type World } from '../support/world.ts';

describe('money to a new address', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld({ env: { WITHDRAWAL_DESTINATION_DELAY_HOURS: '24' } });
    await world.work();
  });
  afterEach(async () => {
    await assertWithdrawalBooks(world.service().database);
    await world.close();
  });
  const wallets = withdrawalsOf(() => world);
  const { create, pay, mine, get, decide, prefer, only, ask, listWithdrawals, received } = wallets;

  /** An underpaid invoice: its payment needs a review. */
  const underpaid = async () => {
    const invoice = await create();
    await pay(invoice, 100_000n);
    await mine(2);
    return invoice;
  };
  const cancel = async (id: string, token = world.merchant.managerToken) =>
    await world.request('/v1/withdrawal/cancel', { body: { id }, token });
  const withdrawalEvents = async () => {
    const { body } = await world.request('/v1/events?limit=100');
    return body.events
      .filter(({ type }: any) => type === 'crypto.withdrawal.updated')
      .map((event: unknown) => webhookBodies['crypto.withdrawal.updated'].parse(event).data);
  };

  test('a refund address needs withdrawal:write: default tokens and operators are refused, and can reject without', async () => {
    const invoice = await underpaid();
    const body = { id: invoice.id, refundAddress: outside.bitcoin };
    const refused = await world.request('/v1/transaction/reject', { body });
    assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden'], refused.text);
    assert.match(refused.body.detail, /withdrawal:write/);
    const operator = await signedIn(world, 'operator');
    const byOperator = await operator.request('/v1/transaction/reject', { body });
    assert.deepEqual([byOperator.status, byOperator.body.code], [403, 'forbidden']);
    assert.match(byOperator.body.detail, /role.*withdrawal:write/);
    assert.equal((await get(invoice)).status, 'approved_required');

    const rejected = await operator.request('/v1/transaction/reject', { body: { id: invoice.id } });
    assert.deepEqual([rejected.status, rejected.body.status], [200, 'failed'], rejected.text);
    await mine(2);
    assert.deepEqual(await listWithdrawals(), []);

    // Someone with the scope refunds it later.
    const owner = await signedIn(world, 'owner');
    const refunding = await owner.request('/v1/transaction/reject', { body });
    assert.deepEqual([refunding.status, refunding.body.status], [200, 'refunding'], refunding.text);
    await mine(1);
    assert.deepEqual([(await only()).status, (await only()).purpose], ['waiting', 'refund']);
  });

  test('a refund is held, announced with its time, and leaves after the delay', async () => {
    const invoice = await underpaid();
    await decide('reject', invoice, { refundAddress: outside.bitcoin });
    await mine(3);
    const held = await only();
    assert.deepEqual([held.status, held.waitsFor?.reason, held.txHash], ['waiting', 'destination', null]);
    const heldFor = Date.parse(held.heldUntil ?? '') - Date.parse(held.createdAt);
    assert.ok(Math.abs(heldFor - 24 * 3_600_000) < 1000, String(held.heldUntil));
    const [announced, ...others] = await withdrawalEvents();
    assert.equal(others.length, 0);
    assert.deepEqual(
      [announced.status, announced.destination, announced.heldUntil, announced.waitsFor?.reason],
      ['waiting', outside.bitcoin, held.heldUntil, 'destination'],
    );
    await world.advance(23 * HOUR);
    await mine(2);
    assert.equal((await only()).txHash, null);
    await world.advance(HOUR);
    await mine(3);
    assert.deepEqual([(await only()).status, (await get(invoice)).status], ['confirmed', 'refunded']);
    assert.ok((await received('bitcoin', outside.bitcoin, 'btc')) > 0n);
  });

  test('a merchant’s token is told that only a manager may send money', async () => {
    const body = { code: 'btc', walletAddress: outside.bitcoin, source: 'credited', destination: outside.bitcoin };
    const refused = await world.request('/v1/withdrawals', { body });
    assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden']);
    assert.equal(
      refused.body.detail,
      'The access token lacks the scope withdrawal:write; this operation requires a manager’s token with that scope.',
    );
  });

  test('a held refund is cancelled with withdrawal:write: the transaction failed, and can be refunded again', async () => {
    const invoice = await underpaid();
    await decide('reject', invoice, { refundAddress: outside.bitcoin });
    await mine(1);
    const { id } = await only();
    const lacking = await cancel(id, world.merchant.token);
    assert.deepEqual([lacking.status, lacking.body.code], [403, 'forbidden']);
    const cancelled = await cancel(id);
    assert.deepEqual(
      [cancelled.status, cancelled.body.status, cancelled.body.waitsFor],
      [200, 'failed', null],
      cancelled.text,
    );
    const after = await get(invoice);
    assert.deepEqual([after.status, after.decision?.refundAddress], ['failed', null]);
    assert.deepEqual([(await cancel(id)).status, (await cancel(id)).body.code], [409, 'nothing_to_cancel']);
    await world.advance(25 * HOUR);
    await mine(3);
    assert.equal(await received('bitcoin', outside.bitcoin, 'btc'), 0n);

    await decide('reject', invoice, { refundAddress: elsewhere.bitcoin });
    await mine(1);
    await world.advance(25 * HOUR);
    await mine(3);
    assert.equal((await get(invoice)).status, 'refunded');
    const again = await decide('reject', invoice, { refundAddress: outside.bitcoin });
    assert.equal(again.status, 409);
  });

  test('rejected money that another withdrawal has taken is not refunded as well', async () => {
    const invoice = await underpaid();
    await decide('reject', invoice);
    const body = {
      code: 'btc',
      walletAddress: invoice.walletAddress,
      source: 'rejected',
      destination: outside.bitcoin,
    };
    const asked = await ask(body);
    assert.equal(asked.status, 200, asked.text);
    const { status, body: problem } = await decide('reject', invoice, { refundAddress: outside.bitcoin });
    assert.deepEqual([status, problem.code], [409, 'nothing_to_decide']);
    assert.equal((await cancel(asked.body.id)).status, 200);
    assert.equal((await decide('reject', invoice, { refundAddress: outside.bitcoin })).status, 200);
  });

  test('a refund to a deposit address of this service is refused', async () => {
    const invoice = await underpaid();
    const { status, body } = await decide('reject', invoice, { refundAddress: invoice.walletAddress });
    assert.deepEqual([status, body.errors[0].pointer, body.errors[0].code], [422, '/refundAddress', 'invalid_address']);
  });

  test('an address of another network is refused by the name of that network, in refunds and by hand', async () => {
    const invoice = await underpaid();
    const detailOf = ({ status, body }: Awaited<ReturnType<typeof decide>>) => [status, body.errors[0].detail];
    for (const [address, network] of [
      ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'Bitcoin mainnet'],
      ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'Bitcoin testnet'],
      ['ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', 'Litecoin mainnet'],
    ] as const) {
      const refused = [422, `is a ${network} address; this service is on Bitcoin regtest`];
      assert.deepEqual(detailOf(await decide('reject', invoice, { refundAddress: address })), refused);
      const { walletAddress } = invoice;
      assert.deepEqual(
        detailOf(await ask({ code: 'btc', walletAddress, source: 'rejected', destination: address })),
        refused,
      );
    }
    assert.equal((await get(invoice)).status, 'approved_required');
  });

  test('what a manager sends by hand is held as well, unless it goes to the effective destination', async () => {
    await prefer({ 'auto-withdrawal-destination-btc': elsewhere.bitcoin });
    const first = await create();
    await pay(first);
    await mine(2);
    const body = { code: 'btc', walletAddress: first.walletAddress, source: 'credited' };
    const pending = await ask({ ...body, destination: elsewhere.bitcoin });
    assert.equal(pending.body.waitsFor.reason, 'destination');
    assert.equal((await cancel(pending.body.id)).status, 200);
    await world.advance(24 * HOUR);
    await mine(1);
    const known = await ask({ ...body, destination: elsewhere.bitcoin });
    assert.deepEqual([known.body.heldUntil, known.body.waitsFor.reason], [null, 'turn']);
    const byOwner = await (await signedIn(world, 'owner')).request('/v1/withdrawal/cancel', {
      body: { id: known.body.id },
    });
    assert.deepEqual([byOwner.status, byOwner.body.code], [409, 'nothing_to_cancel'], byOwner.text);
    assert.match(byOwner.body.detail, /A manager can cancel it/);
    await mine(1);
    await mine(2);
    assert.equal((await listWithdrawals()).at(-1)?.status, 'confirmed');
    const too = await cancel(known.body.id);
    assert.deepEqual([too.status, too.body.code], [409, 'nothing_to_cancel']);
  });

  test('a cancelled withdrawal of unattributed money puts it back into the list', async () => {
    await prefer({ 'wallet-rotate-amount-btc': '1' });
    const retired = await create();
    await pay(retired);
    await mine(2);
    await pay(retired, 40_000n);
    await mine(2);
    const [unattributed] = await wallets.list({ status: 'approved_required' });
    assert.ok(unattributed);
    const body = { code: 'btc', walletAddress: retired.walletAddress, source: 'stray', destination: outside.bitcoin };
    const asked = await ask(body);
    assert.equal((await get(unattributed)).status, 'failed');
    assert.equal((await cancel(asked.body.id)).status, 200);
    assert.deepEqual((await get(unattributed)).availableActions, ['withdraw']);
    assert.equal((await ask(body)).status, 200);
  });
});

describe('a destination of automatic withdrawals', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld({ env: { WITHDRAWAL_DESTINATION_DELAY_HOURS: '24' } });
    await world.work();
  });
  afterEach(async () => await world.close());
  const { fillWallets, prefer, mine, withdrawTo, listWithdrawals } = withdrawalsOf(() => world);

  const KEY = 'auto-withdrawal-destination-btc';
  const patch = async (body: unknown, token = world.merchant.token) =>
    await world.request('/v1/merchant/preferences', { method: 'PATCH', body, token });
  const post = async (preferences: unknown, token = world.merchant.token) =>
    await world.request('/v1/merchant/preferences', { body: { preferences }, token });
  const withScopes = async (...scopes: ('preference:write' | 'preference:read' | 'withdrawal:write')[]) => {
    const { database, clock, random } = world.service().invoices.context;
    const merchantId = world.merchant.id;
    return await database.inTransaction(
      async (unit) => await createToken(unit, { environment: 'sandbox', random, clock, merchantId, scopes }),
    );
  };

  test('is set with the scope withdrawal:write alone, as auto-withdrawal is; a mixed request changes nothing', async () => {
    for (const [key, value] of [
      ['auto-withdrawal', true],
      [KEY, outside.bitcoin],
      [KEY, null],
    ] as const) {
      const { status, body } = await patch({ key, value });
      assert.deepEqual([status, body.code], [403, 'forbidden'], key);
      assert.match(body.detail, /withdrawal:write/);
    }
    const mixed = await post([
      { key: 'callback-url', value: 'https://shop.example/callbacks' },
      { key: KEY, value: outside.bitcoin },
    ]);
    assert.deepEqual([mixed.status, mixed.body.code], [403, 'forbidden']);
    const { body } = await world.request('/v1/merchant/preferences');
    assert.deepEqual(body.merchantPreferences, []);

    const token = await withScopes('preference:write', 'preference:read', 'withdrawal:write');
    assert.equal(
      (
        await post(
          [
            { key: 'auto-withdrawal', value: true },
            { key: KEY, value: outside.bitcoin },
          ],
          token,
        )
      ).status,
      200,
    );
    const { body: listed } = await world.request('/v1/merchant/preferences/keys');
    const scopeOf = (name: string) => listed.keys.find(({ key }: any) => key === name).scope;
    assert.deepEqual(
      [scopeOf(KEY), scopeOf('auto-withdrawal'), scopeOf('callback-url')],
      ['withdrawal:write', 'withdrawal:write', 'preference:write'],
    );
  });

  test('that is pending is shown with its time by preferences and withdrawals, until it holds', async () => {
    await withdrawTo('btc', outside.bitcoin);
    const { body: preferences } = await world.request('/v1/merchant/preferences');
    const { pending } = preferences.merchantPreferences.find(({ key }: any) => key === KEY);
    assert.equal(pending.current_value, null);
    const { body: keys } = await world.request(`/v1/merchant/preferences/keys?key=${KEY}`);
    assert.deepEqual(keys.keys[0].pending, pending);
    const { body: listed } = await world.request('/v1/withdrawals?per_page=1');
    assert.deepEqual(
      listed.pendingDestinations.map((each: any) => [
        each.code,
        each.destination,
        each.previousDestination,
        each.effectiveAt,
      ]),
      [['btc', outside.bitcoin, null, pending.effective_at]],
    );
    await world.advance(24 * HOUR);
    const { body: later } = await world.request('/v1/withdrawals');
    assert.deepEqual(later.pendingDestinations, []);
    const { body: held } = await world.request(`/v1/merchant/preferences/keys?key=${KEY}`);
    assert.equal(held.keys[0].pending, null);
  });

  test('that another one has replaced while it was pending never holds', async () => {
    await withdrawTo('btc', outside.bitcoin);
    await world.advance(6 * HOUR);
    await prefer({ [KEY]: elsewhere.bitcoin });
    await world.advance(19 * HOUR);
    await fillWallets('btc', ['150000']);
    await mine(3);
    assert.deepEqual(await listWithdrawals(), []);
    await world.advance(5 * HOUR);
    await mine(3);
    assert.deepEqual(
      (await listWithdrawals()).map(({ destination }) => destination),
      [elsewhere.bitcoin],
    );
  });
});

describe('the delay of new destinations', () => {
  test('is none in the sandbox unless it is set: the first destination holds at once', async (t) => {
    const world = await openWorld();
    t.after(async () => await world.close());
    await world.work();
    const { withdrawTo, fillWallets, mine, only } = withdrawalsOf(() => world);
    await withdrawTo('btc', outside.bitcoin);
    await fillWallets('btc', ['150000']);
    await mine(2);
    assert.equal((await only()).status, 'sent');
  });
});

test('a testnet address is refused as such by a service on mainnet', async () => {
  const world = await openWorld({
    env: {
      CHAIN_BTC_URL: 'http://127.0.0.1:1',
      CHAIN_BTC_NETWORK: 'mainnet',
      // Of the BIP 84 test vectors.
      CHAIN_BTC_ACCOUNT_KEY:
        'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
    },
  });
  for (const [value, network] of [
    ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'Bitcoin testnet'],
    ['2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc', 'Bitcoin testnet'],
    ['mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'Bitcoin or Litecoin testnet'],
    ['bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', 'Bitcoin regtest'],
    ['ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', 'Litecoin mainnet'],
  ] as const) {
    const { status, body } = await world.request('/v1/merchant/preferences', {
      method: 'PATCH',
      body: { key: 'auto-withdrawal-destination-btc', value },
      token: world.merchant.managerToken,
    });
    assert.deepEqual(
      [status, body.errors[0].detail],
      [422, `is a ${network} address; this service is on Bitcoin mainnet`],
    );
  }
  await world.close();
});
