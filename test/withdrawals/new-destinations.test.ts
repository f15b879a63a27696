// Databases: sqlite
import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { webhookBodies } from '../../src/api/webhook-events.ts';
import { readConfig } from '../../src/config.ts';
import { HOUR } from '../../src/shared/time.ts';
import { createToken } from '../../src/auth/tokens.ts';
import type { TokenScope } from '../../src/shared/scopes.ts';
import { onSqlite } from '../support/databases.ts';
import { signedIn } from '../support/users.ts';
import { assertWithdrawals } from '../support/withdrawal-checks.ts';
import { otherExternal, external, withdrawalsOf } from '../support/withdrawals.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

test('the delay for a new address is 24 hours in production unless it is set, and none in the sandbox', () => {
  const production = {
    ...{ PAYLATCH_ENV: 'production', PUBLIC_URL: 'https://pay.example', PAYLATCH_SECRET_KEY: 'ab'.repeat(32) },
  };
  const delayOf = (env: Record<string, string>) => readConfig(env).withdrawalDestinationDelay / HOUR;
  assert.equal(delayOf(production), 24);
  assert.equal(delayOf({ ...production, WITHDRAWAL_DESTINATION_DELAY_HOURS: '' }), 24);
  assert.equal(delayOf({ ...production, WITHDRAWAL_DESTINATION_DELAY_HOURS: '1' }), 1);
  assert.equal(delayOf({}), 0);
  assert.equal(delayOf({ WITHDRAWAL_DESTINATION_DELAY_HOURS: '48' }), 48);
});

describe('withdrawals to a new address', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await openFixture({ env: { WITHDRAWAL_DESTINATION_DELAY_HOURS: '24' } });
    await fixture.work();
  });
  afterEach(async () => {
    await assertWithdrawals(fixture.service().database);
    await fixture.close();
  });
  const wallets = withdrawalsOf(() => fixture);
  const { create, pay, mine, get, review, prefer, onlyWithdrawal, requestWithdrawal, listWithdrawals, received } =
    wallets;

  /** An underpaid invoice, which needs review. */
  const underpaid = async () => {
    const invoice = await create();
    await pay(invoice, 100_000n);
    await mine(2);
    return invoice;
  };
  const cancel = async (id: string, token = fixture.merchant.managerToken) =>
    await fixture.request('/v1/withdrawal/cancel', { body: { id }, token });
  const withdrawalEvents = async () => {
    const { body } = await fixture.request('/v1/events?limit=100');
    return body.events
      .filter(({ type }: any) => type === 'crypto.withdrawal.updated')
      .map((event: unknown) => webhookBodies['crypto.withdrawal.updated'].parse(event).data);
  };

  test('a refund address needs withdrawal:write: default tokens and operators are refused, and can reject without', async () => {
    const invoice = await underpaid();
    const body = { id: invoice.id, refundAddress: external.bitcoin };
    const refusal = await fixture.request('/v1/transaction/reject', { body });
    assert.deepEqual([refusal.status, refusal.body.code], [403, 'forbidden'], refusal.text);
    assert.match(refusal.body.detail, /withdrawal:write/);
    const operator = await signedIn(fixture, 'operator');
    const byOperator = await operator.request('/v1/transaction/reject', { body });
    assert.deepEqual([byOperator.status, byOperator.body.code], [403, 'forbidden']);
    assert.match(byOperator.body.detail, /role.*withdrawal:write/);
    assert.equal((await get(invoice)).status, 'approved_required');

    const rejected = await operator.request('/v1/transaction/reject', { body: { id: invoice.id } });
    assert.deepEqual([rejected.status, rejected.body.status], [200, 'failed'], rejected.text);
    await mine(2);
    assert.deepEqual(await listWithdrawals(), []);

    // A token with the scope refunds it later.
    const owner = await signedIn(fixture, 'owner');
    const refunding = await owner.request('/v1/transaction/reject', { body });
    assert.deepEqual([refunding.status, refunding.body.status], [200, 'refunding'], refunding.text);
    await mine(1);
    assert.deepEqual([(await onlyWithdrawal()).status, (await onlyWithdrawal()).purpose], ['waiting', 'refund']);
  });

  test('a refund is held, reported with its time, and sent after the delay', async () => {
    const invoice = await underpaid();
    await review('reject', invoice, { refundAddress: external.bitcoin });
    await mine(3);
    const heldRefund = await onlyWithdrawal();
    assert.deepEqual(
      [heldRefund.status, heldRefund.waitsFor?.reason, heldRefund.txHash],
      ['waiting', 'new_destination', null],
    );
    const heldFor = Date.parse(heldRefund.heldUntil ?? '') - Date.parse(heldRefund.createdAt);
    assert.ok(Math.abs(heldFor - 24 * 3_600_000) < 1000, String(heldRefund.heldUntil));
    const [announced, ...others] = await withdrawalEvents();
    assert.equal(others.length, 0);
    assert.deepEqual(
      [announced.status, announced.destination, announced.heldUntil, announced.waitsFor?.reason],
      ['waiting', external.bitcoin, heldRefund.heldUntil, 'new_destination'],
    );
    await fixture.advance(23 * HOUR);
    await mine(2);
    assert.equal((await onlyWithdrawal()).txHash, null);
    await fixture.advance(HOUR);
    await mine(3);
    assert.deepEqual([(await onlyWithdrawal()).status, (await get(invoice)).status], ['confirmed', 'refunded']);
    assert.ok((await received('bitcoin', external.bitcoin, 'btc')) > 0n);
  });

  test('a merchant’s token cannot create withdrawals', async () => {
    const body = { code: 'btc', walletAddress: external.bitcoin, source: 'credited', destination: external.bitcoin };
    const refusal = await fixture.request('/v1/withdrawals', { body });
    assert.deepEqual([refusal.status, refusal.body.code], [403, 'forbidden']);
    assert.equal(
      refusal.body.detail,
      'The access token lacks the scope withdrawal:write; this operation requires a manager’s token with that scope.',
    );
  });

  test('a held refund is canceled with withdrawal:write; the failed transaction can be refunded again', async () => {
    const invoice = await underpaid();
    await review('reject', invoice, { refundAddress: external.bitcoin });
    await mine(1);
    const { id } = await onlyWithdrawal();
    const lacking = await cancel(id, fixture.merchant.token);
    assert.deepEqual([lacking.status, lacking.body.code], [403, 'forbidden']);
    const cancelled = await cancel(id);
    assert.deepEqual(
      [cancelled.status, cancelled.body.status, cancelled.body.waitsFor],
      [200, 'failed', null],
      cancelled.text,
    );
    const after = await get(invoice);
    assert.deepEqual([after.status, after.decision?.refundAddress], ['failed', null]);
    assert.deepEqual([(await cancel(id)).status, (await cancel(id)).body.code], [409, 'withdrawal_not_cancellable']);
    await fixture.advance(25 * HOUR);
    await mine(3);
    assert.equal(await received('bitcoin', external.bitcoin, 'btc'), 0n);

    await review('reject', invoice, { refundAddress: otherExternal.bitcoin });
    await mine(1);
    await fixture.advance(25 * HOUR);
    await mine(3);
    assert.equal((await get(invoice)).status, 'refunded');
    const again = await review('reject', invoice, { refundAddress: external.bitcoin });
    assert.equal(again.status, 409);
  });

  test('rejected deposits of another withdrawal are not refunded as well', async () => {
    const invoice = await underpaid();
    await review('reject', invoice);
    const body = {
      code: 'btc',
      walletAddress: invoice.walletAddress,
      source: 'rejected',
      destination: external.bitcoin,
    };
    const response = await requestWithdrawal(body);
    assert.equal(response.status, 200, response.text);
    const { status, body: problem } = await review('reject', invoice, { refundAddress: external.bitcoin });
    assert.deepEqual([status, problem.code], [409, 'nothing_to_review']);
    assert.equal((await cancel(response.body.id)).status, 200);
    assert.equal((await review('reject', invoice, { refundAddress: external.bitcoin })).status, 200);
  });

  test('a refund to a deposit address of this service is refused', async () => {
    const invoice = await underpaid();
    const { status, body } = await review('reject', invoice, { refundAddress: invoice.walletAddress });
    assert.deepEqual([status, body.errors[0].pointer, body.errors[0].code], [422, '/refundAddress', 'invalid_address']);
  });

  test('a refund to a deposit address of another chain with the same address format is refused', async () => {
    const [invoice, other] = [await underpaid(), await create()];
    const moveTo = async (chain: string) =>
      await db(fixture.service().database)
        .updateTable('wallets')
        .set({ chain })
        .where('address', '=', other.walletAddress)
        .execute();
    await moveTo('litecoin');
    const { status, body } = await review('reject', invoice, { refundAddress: other.walletAddress });
    await moveTo('bitcoin');
    assert.deepEqual([status, body.errors[0].code], [422, 'invalid_address']);
  });

  test('an address of another network is refused with the network’s name', async () => {
    const invoice = await underpaid();
    const detailOf = ({ status, body }: Awaited<ReturnType<typeof review>>) => [status, body.errors[0].detail];
    for (const [address, network] of [
      ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'Bitcoin mainnet'],
      ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'Bitcoin testnet'],
      ['ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', 'Litecoin mainnet'],
    ] as const) {
      const refusal = [422, `is a ${network} address; this service is on Bitcoin regtest`];
      assert.deepEqual(detailOf(await review('reject', invoice, { refundAddress: address })), refusal);
      const { walletAddress } = invoice;
      assert.deepEqual(
        detailOf(await requestWithdrawal({ code: 'btc', walletAddress, source: 'rejected', destination: address })),
        refusal,
      );
    }
    assert.equal((await get(invoice)).status, 'approved_required');
  });

  test('manual withdrawals are held as well, unless they go to the effective destination', async () => {
    await prefer({ 'auto-withdrawal-destination-btc': otherExternal.bitcoin });
    const first = await create();
    await pay(first);
    await mine(2);
    const body = { code: 'btc', walletAddress: first.walletAddress, source: 'credited' };
    const pending = await requestWithdrawal({ ...body, destination: otherExternal.bitcoin });
    assert.equal(pending.body.waitsFor.reason, 'new_destination');
    assert.equal((await cancel(pending.body.id)).status, 200);
    await fixture.advance(24 * HOUR);
    await mine(1);
    const direct = await requestWithdrawal({ ...body, destination: otherExternal.bitcoin });
    assert.deepEqual([direct.body.heldUntil, direct.body.waitsFor.reason], [null, 'queued']);
    const byOwner = await (await signedIn(fixture, 'owner')).request('/v1/withdrawal/cancel', {
      body: { id: direct.body.id },
    });
    assert.deepEqual([byOwner.status, byOwner.body.code], [409, 'withdrawal_not_cancellable'], byOwner.text);
    assert.match(byOwner.body.detail, /Only a manager can cancel it/);
    await mine(1);
    await mine(2);
    assert.equal((await listWithdrawals()).at(-1)?.status, 'confirmed');
    const too = await cancel(direct.body.id);
    assert.deepEqual([too.status, too.body.code], [409, 'withdrawal_not_cancellable']);
  });

  test('canceling a withdrawal of an unattributed deposit returns it to the review queue', async () => {
    await prefer({ 'wallet-rotate-amount-btc': '1' });
    const retired = await create();
    await pay(retired);
    await mine(2);
    await pay(retired, 40_000n);
    await mine(2);
    const [unattributed] = await wallets.list({ status: 'approved_required' });
    assert.ok(unattributed);
    const body = {
      code: 'btc',
      walletAddress: retired.walletAddress,
      source: 'unattributed',
      destination: external.bitcoin,
    };
    const response = await requestWithdrawal(body);
    assert.equal((await get(unattributed)).status, 'failed');
    assert.equal((await cancel(response.body.id)).status, 200);
    assert.deepEqual((await get(unattributed)).availableActions, ['withdraw']);
    assert.equal((await requestWithdrawal(body)).status, 200);
  });
});

describe('a destination of automatic withdrawals', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await openFixture({ env: { WITHDRAWAL_DESTINATION_DELAY_HOURS: '24' } });
    await fixture.work();
  });
  afterEach(async () => await fixture.close());
  const { create, fillWallets, prefer, mine, enableWithdrawals, listWithdrawals } = withdrawalsOf(() => fixture);

  const KEY = 'auto-withdrawal-destination-btc';
  const patch = async (body: unknown, token = fixture.merchant.token) =>
    await fixture.request('/v1/merchant/preferences', { method: 'PATCH', body, token });
  const post = async (preferences: unknown, token = fixture.merchant.token) =>
    await fixture.request('/v1/merchant/preferences', { body: { preferences }, token });
  const withScopes = async (...scopes: TokenScope[]) => {
    const { database, clock, random } = fixture.service().invoices.context;
    const merchantId = fixture.merchant.id;
    return await database.inTransaction(
      async (unit) => await createToken(unit, { environment: 'sandbox', random, clock, merchantId, scopes }),
    );
  };

  test('needs the scope withdrawal:write, like auto-withdrawal; a mixed request changes nothing', async () => {
    for (const [key, value] of [
      ['auto-withdrawal', true],
      [KEY, external.bitcoin],
      [KEY, null],
    ] as const) {
      const { status, body } = await patch({ key, value });
      assert.deepEqual([status, body.code], [403, 'forbidden'], key);
      assert.match(body.detail, /withdrawal:write/);
    }
    const mixed = await post([
      { key: 'callback-url', value: 'https://shop.example/callbacks' },
      { key: KEY, value: external.bitcoin },
    ]);
    assert.deepEqual([mixed.status, mixed.body.code], [403, 'forbidden']);
    const { body } = await fixture.request('/v1/merchant/preferences');
    assert.deepEqual(body.merchantPreferences, []);

    const token = await withScopes('preference:write', 'preference:read', 'withdrawal:write');
    assert.equal(
      (
        await post(
          [
            { key: 'auto-withdrawal', value: true },
            { key: KEY, value: external.bitcoin },
          ],
          token,
        )
      ).status,
      200,
    );
    const { body: listed } = await fixture.request('/v1/merchant/preferences/keys');
    const scopeOf = (name: string) => listed.keys.find(({ key }: any) => key === name).scope;
    assert.deepEqual(
      [scopeOf(KEY), scopeOf('auto-withdrawal'), scopeOf('callback-url')],
      ['withdrawal:write', 'withdrawal:write', 'transaction:read'],
    );
  });

  onSqlite('that receives webhooks needs the scope transaction:read, like a webhook endpoint', async () => {
    const url = { key: 'callback-url', value: 'https://shop.example/callbacks' };
    const refused = await patch(url, await withScopes('preference:write'));
    assert.equal(refused.status, 403);
    assert.match(refused.body.detail, /Setting callback-url requires the scope transaction:read/);
    assert.equal((await patch(url, await withScopes('preference:write', 'transaction:read'))).status, 200);
  });

  onSqlite('is no address of this service, issued or not yet', async () => {
    const { address: unissued } = await db(fixture.service().database)
      .selectFrom('unissued_addresses')
      .select('address')
      .where('chain', '=', 'bitcoin')
      .executeTakeFirstOrThrow();
    for (const address of [(await create()).walletAddress, unissued]) {
      const { status, body } = await patch({ key: KEY, value: address }, fixture.merchant.managerToken);
      assert.equal(status, 422, address);
      assert.match(body.errors[0].detail, /is a deposit address of this service/);
    }
  });

  test('that is pending is shown with its time until it is effective', async () => {
    await enableWithdrawals('btc', external.bitcoin);
    const { body: preferences } = await fixture.request('/v1/merchant/preferences');
    const { pending } = preferences.merchantPreferences.find(({ key }: any) => key === KEY);
    assert.equal(pending.current_value, null);
    const { body: keys } = await fixture.request(`/v1/merchant/preferences/keys?key=${KEY}`);
    assert.deepEqual(keys.keys[0].pending, pending);
    const { body: listed } = await fixture.request('/v1/withdrawals?per_page=1');
    assert.deepEqual(
      listed.pendingDestinations.map((each: any) => [
        each.code,
        each.destination,
        each.previousDestination,
        each.effectiveAt,
      ]),
      [['btc', external.bitcoin, null, pending.effective_at]],
    );
    await fixture.advance(24 * HOUR);
    const { body: later } = await fixture.request('/v1/withdrawals');
    assert.deepEqual(later.pendingDestinations, []);
    const { body: heldRefund } = await fixture.request(`/v1/merchant/preferences/keys?key=${KEY}`);
    assert.equal(heldRefund.keys[0].pending, null);
  });

  test('that was replaced while pending never takes effect', async () => {
    await enableWithdrawals('btc', external.bitcoin);
    await fixture.advance(6 * HOUR);
    await prefer({ [KEY]: otherExternal.bitcoin });
    await fixture.advance(19 * HOUR);
    await fillWallets('btc', ['150000']);
    await mine(3);
    assert.deepEqual(await listWithdrawals(), []);
    await fixture.advance(5 * HOUR);
    await mine(3);
    assert.deepEqual(
      (await listWithdrawals()).map(({ destination }) => destination),
      [otherExternal.bitcoin],
    );
  });
});

describe('the delay of new destinations', () => {
  test('is 0 in the sandbox by default: a destination is effective immediately', async (t) => {
    const fixture = await openFixture();
    t.after(async () => await fixture.close());
    await fixture.work();
    const { enableWithdrawals, fillWallets, mine, onlyWithdrawal } = withdrawalsOf(() => fixture);
    await enableWithdrawals('btc', external.bitcoin);
    await fillWallets('btc', ['150000']);
    await mine(2);
    assert.equal((await onlyWithdrawal()).status, 'sent');
  });
});

test('a testnet address is refused by a service on mainnet', async () => {
  const fixture = await openFixture({
    env: {
      CHAIN_BTC_URL: 'http://127.0.0.1:1',
      CHAIN_BTC_NETWORK: 'mainnet',
      // From the BIP 84 test vectors.
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
    const { status, body } = await fixture.request('/v1/merchant/preferences', {
      method: 'PATCH',
      body: { key: 'auto-withdrawal-destination-btc', value },
      token: fixture.merchant.managerToken,
    });
    assert.deepEqual(
      [status, body.errors[0].detail],
      [422, `is a ${network} address; this service is on Bitcoin mainnet`],
    );
  }
  await fixture.close();
});
