import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Problem } from '../../src/api/problem-error.ts';
import type { OfferedMethod, PageState } from '../../src/api/page-state.ts';
import type { CoinRates } from '../../src/rates/port.ts';
import { cryptoCurrencyCodes } from '../../src/shared/crypto-currency.ts';
import { HOUR, MINUTE, SECOND } from '../../src/shared/time.ts';
import { createBuyers, type Link } from '../support/buyer.ts';
import { onSqlite } from '../support/databases.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { invoicesOf } from '../support/invoices.ts';
import { createLink } from '../support/requests.ts';
import { db } from '../support/tables.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('the exchange rates of a payment link', () => {
  let fixture: Fixture;
  let sandboxRates: CoinRates;
  before(async () => {
    fixture = await openFixture({ env: { TRUSTED_PROXIES: 'loopback' } });
    await enableEveryMethod(fixture, fixture.merchant);
    sandboxRates = fixture.service().invoices.context.rates;
  });
  after(async () => await fixture.close());

  const { detailOf, startPayment, tryStartPayment, stateOf: stateAtHome } = createBuyers(() => fixture);
  const { chain, mine } = invoicesOf(() => fixture);

  /** Sets the price of one bitcoin in dollars; null makes the prices of these coins unavailable. */
  const setRate = (usd: string | null, unavailable: readonly string[] = []) => {
    fixture.service().invoices.context.rates = {
      rate: (code, currency) => {
        if (usd === null || unavailable.includes(code))
          throw new Problem('rate_unavailable', `The exchange rate ${code} is unavailable. The sources differ.`);
        return { ...sandboxRates.rate(code, currency), ...(code === 'btc' && { rate: usd }) };
      },
    };
  };
  beforeEach(async () => {
    setRate('98000');
    await fixture.advance(20 * MINUTE);
  });

  const linkOf20 = async (fields: Record<string, unknown> = {}) => await createLink(fixture, { amount: 20, ...fields });
  const stateAt = async (link: Link, address: string): Promise<PageState> =>
    (await fixture.request(`${link.path}/state`, { token: null, headers: { 'x-forwarded-for': address } })).body;
  const cryptoOf = ({ methods }: PageState): OfferedMethod | undefined =>
    methods.find(({ code }) => code === 'crypto_payment');
  const minutesLeft = (state: PageState) =>
    Math.round((Date.parse(cryptoOf(state)?.quoteExpiresAt ?? '') - Date.parse(state.serverTime)) / 60_000);
  const priceOf = (state: PageState) => cryptoOf(state)?.choices?.find(({ code }) => code === 'btc')?.amount;

  test('are locked for a full window for each buyer, on one link and on another', async () => {
    const link = await linkOf20();
    const first = await stateAt(link, '203.0.113.1');
    assert.deepEqual([priceOf(first), minutesLeft(first)], ['0.00020409', 15]);
    setRate('49000');
    await fixture.advance(13 * MINUTE);
    const second = await stateAt(link, '198.51.100.1');
    assert.deepEqual([priceOf(second), minutesLeft(second)], ['0.00040817', 15]);
    const other = await stateAt(await linkOf20(), '203.0.113.1');
    assert.deepEqual([priceOf(other), minutesLeft(other)], ['0.00040817', 15]);
    // The first buyer keeps the lock, even from another address of the same network.
    for (const address of ['203.0.113.1', '203.0.113.77']) {
      const kept = await stateAt(link, address);
      assert.deepEqual([priceOf(kept), minutesLeft(kept)], ['0.00020409', 2]);
    }
    await fixture.advance(2 * MINUTE + SECOND);
    const renewed = await stateAt(link, '203.0.113.1');
    assert.deepEqual([priceOf(renewed), minutesLeft(renewed)], ['0.00040817', 15]);
  });

  test('are not locked by the merchant’s preview, and expired locks are deleted', async () => {
    const link = await linkOf20();
    // The lock of its creator ends.
    await fixture.advance(16 * MINUTE);
    await fixture.request(`${link.path}/preview`, { token: null });
    await fixture.advance(10 * MINUTE);
    assert.equal(minutesLeft(await stateAtHome(link)), 15);
    await fixture.advance(3 * HOUR);
    await fixture.advance(MINUTE);
    assert.deepEqual(await db(fixture.service().database).selectFrom('rate_locks').selectAll().execute(), []);
  });

  onSqlite('hide crypto while unavailable; starting it returns the reason', async () => {
    const link = await linkOf20({ payment_method: 'crypto_payment' });
    assert.ok(cryptoOf(await stateAtHome(link)));
    await fixture.advance(16 * MINUTE);
    setRate(null);
    const state = await stateAtHome(link);
    assert.equal(cryptoOf(state), undefined);
    assert.equal(state.selectedMethod, state.methods[0]?.code);
    const { status, body, headers } = await tryStartPayment(link, 'crypto_payment', 'btc');
    assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'rate_unavailable', '60']);
    assert.match(body.detail, /The sources differ/);
    const { status: pageStatus } = await fixture.request(link.path, { token: null, headers: { accept: 'text/html' } });
    assert.equal(pageStatus, 200);
    setRate('98000');
    assert.equal((await stateAtHome(link)).selectedMethod, 'crypto_payment');
  });

  onSqlite('of one coin hide this coin', async () => {
    setRate('98000', ['usdt', 'eth']);
    const link = await linkOf20();
    const choices = cryptoOf(await stateAtHome(link))?.choices?.map(({ code }) => code);
    assert.deepEqual(
      new Set(choices),
      new Set(cryptoCurrencyCodes.filter((code) => code !== 'usdt' && code !== 'eth')),
    );
    const { status, body } = await tryStartPayment(link, 'crypto_payment', 'usdt');
    assert.deepEqual([status, body.code], [503, 'rate_unavailable']);
    assert.equal((await startPayment(link, 'crypto_payment', 'usdc')).instructions.action, 'crypto');
  });

  test('that were locked before an outage are kept, and so is a started payment', async () => {
    const link = await linkOf20();
    assert.equal(priceOf(await stateAtHome(link)), '0.00020409');
    setRate(null);
    await fixture.advance(5 * MINUTE);
    assert.equal(priceOf(await stateAtHome(link)), '0.00020409');
    const payment = await startPayment(link, 'crypto_payment', 'btc');
    assert.ok(payment.instructions.action === 'crypto' && payment.instructions.amount === '0.00020409');
    await fixture.advance(11 * MINUTE);
    const state = await stateAtHome(link);
    assert.equal(state.started?.code, 'crypto_payment');
    assert.ok(cryptoOf(state));
  });

  test('of a late deposit are awaited: it is valued once there is a rate again', async () => {
    const link = await linkOf20();
    const payment = await startPayment(link, 'crypto_payment', 'btc');
    assert.ok(payment.instructions.action === 'crypto');
    await fixture.advance(16 * MINUTE);
    setRate(null);
    await chain().pay({ address: payment.instructions.address, code: 'btc', amount: 20_409n });
    await mine(2);
    assert.equal((await detailOf(link)).amount_received, 0);
    setRate('98000');
    await fixture.advance(2 * MINUTE);
    assert.equal((await detailOf(link)).amount_received, 20);
  });

  onSqlite('are required for an invoice, and not for an existing one', async () => {
    const nextIndexes = async () =>
      await db(fixture.service().database)
        .selectFrom('wallet_accounts')
        .select(['id', 'next_index'])
        .orderBy('id')
        .execute();
    const invoice = (txId: string) => ({ body: { txId, code: 'btc', amount: '150000', type: 'revolver' } });
    assert.equal((await fixture.request('/v1/transaction/invoice', invoice('rate-1'))).status, 200);
    setRate(null);
    const issued = await nextIndexes();
    const { status, body } = await fixture.request('/v1/transaction/invoice', invoice('rate-2'));
    assert.deepEqual([status, body.code, body.retryable], [503, 'rate_unavailable', true]);
    assert.match(body.detail, /The sources differ/);
    assert.deepEqual(await nextIndexes(), issued);
    assert.equal((await fixture.request('/v1/transaction/invoice', invoice('rate-1'))).status, 200);
    setRate('98000');
    assert.equal((await fixture.request('/v1/transaction/invoice', invoice('rate-2'))).status, 200);
  });
});
