import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { CryptoTransaction } from '../../src/api/crypto-transaction.ts';
import { createBuyers } from '../support/buyer.ts';
import { onSqlite } from '../support/databases.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { invoicesOf } from '../support/invoices.ts';
import { readProblem } from '../support/problems.ts';
import { createLink } from '../support/requests.ts';
import { ScriptedAcquirer } from '../support/scripted-acquirer.ts';
import { openProductionFixture, openFixture, type Fixture } from '../support/fixture.ts';

describe('the chain simulator', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await openFixture();
    await fixture.work();
  });
  afterEach(async () => await fixture.close());
  const { chain, create, get, list } = invoicesOf(() => fixture);

  const pathOf = ({ id }: CryptoTransaction) => `/sandbox/chain/${id}`;
  const post = async (invoice: CryptoTransaction, act: string, fields: Record<string, string> = {}) =>
    await fixture.request(pathOf(invoice), {
      body: new URLSearchParams({ do: act, ...fields }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      token: null,
    });
  /** Submits an action of a tester, and runs the jobs. */
  const press = async (invoice: CryptoTransaction, act: string, fields: Record<string, string> = {}) => {
    const { status, headers, text } = await post(invoice, act, fields);
    assert.deepEqual([status, headers.get('location')], [303, pathOf(invoice)], text);
    await fixture.work();
    return await get(invoice);
  };
  const page = async (invoice: CryptoTransaction) => {
    const { status, text, headers } = await fixture.request(pathOf(invoice), { token: null });
    assert.equal(status, 200);
    assert.match(headers.get('content-security-policy') ?? '', /form-action 'self';/);
    return text.replaceAll(/<style>.*?<\/style>/gs, '');
  };
  const waitingIn = (text: string) => [...text.matchAll(/value="evict (\w+)"/g)].map(([, hash]) => hash ?? '');

  onSqlite('is linked from the payment page', async () => {
    const invoice = await create();
    const { text } = await fixture.request(new URL(invoice.link.payment).pathname, { token: null });
    assert.ok(text.includes(`href="${fixture.url}${pathOf(invoice)}"`));
    const html = await page(invoice);
    for (const said of [invoice.walletAddress, '0.0015 BTC', 'Pending', 'Latest block on Bitcoin (simulated): 0.'])
      assert.ok(html.includes(said), said);
  });

  onSqlite('pays a payment link exactly, less, more or twice', async () => {
    await enableEveryMethod(fixture, fixture.merchant);
    const { startPayment, stateOf } = createBuyers(() => fixture);
    const link = await createLink(fixture, { transaction_id: 'coins-1', amount: 20 });
    await startPayment(link, 'crypto_payment', 'btc');
    const { started } = await stateOf(link);
    const path = new URL(started?.simulatorUrl ?? '').pathname;
    const { text } = await fixture.request(path, { token: null });
    assert.match(text, /coins-1/);
    assert.match(text, /Requested<\/dt><dd><bdi>0\.00020409 BTC/);
    for (const how of ['exact', 'underpay', 'overpay', 'duplicate'])
      assert.match(text, new RegExp(`value="pay ${how}"`));
  });

  onSqlite('of a user’s wallet requests no amount, and prefills the merchant’s expected amount', async () => {
    const html = await page(await create({ type: 'user' }));
    assert.match(html, /any amount/);
    assert.match(html, /name="amount"[^>]*value="0\.0015"/);
    assert.doesNotMatch(html, /value="pay exact"/);
  });

  onSqlite('pays exactly, shows the mempool, and mines until complete', async () => {
    const invoice = await create();
    assert.equal((await press(invoice, 'pay exact')).status, 'waiting');
    const waiting = await page(invoice);
    assert.equal(waitingIn(waiting).length, 1);
    assert.match(waiting, /0 confirmations, accepted/);
    assert.equal((await press(invoice, 'mine 1')).confirmations, 1);
    assert.equal((await press(invoice, 'mine 6')).status, 'complete');
    const mined = await page(invoice);
    assert.deepEqual(waitingIn(mined), []);
    assert.match(mined, /Latest block on [^:]*: 7\./);
    assert.equal((await press(invoice, 'mine 100')).confirmations, 107);
  });

  onSqlite('pays less, more, twice, and a given amount', async () => {
    for (const [act, fields, amount, labels] of [
      ['pay underpay', {}, '135000', ['underpaid']],
      ['pay overpay', {}, '165000', ['overpaid']],
      ['pay amount', { amount: ' 0.00000001 ' }, '1', ['underpaid']],
    ] as const) {
      const paid = await press(await create(), act, fields);
      assert.deepEqual([paid.status, paid.amount, paid.labels], ['approved_required', amount, labels], act);
    }
    const twice = await press(await create(), 'pay duplicate');
    assert.deepEqual([twice.status, twice.payments.length], ['waiting', 1]);
    assert.deepEqual(
      (await list({ status: 'approved_required' })).filter(({ labels }) => labels.includes('duplicate')).length,
      1,
    );
  });

  onSqlite('pays in another currency of the chain, if it has one', async () => {
    const ether = await create({ code: 'eth', amount: '46666666666666667' });
    assert.match(await page(ether), /Pay 1 USDT instead/);
    await press(ether, 'pay other');
    await press(ether, 'pay amount', { amount: '2.5', code: 'usdc' });
    // Nodes do not list mempool transfers of ether; the simulator does.
    assert.equal(waitingIn(await page(ether)).length, 2);
    assert.equal((await press(ether, 'mine 1')).status, 'pending');
    const others = await list({ status: 'approved_required' });
    assert.deepEqual(
      others.map(({ code, amount, labels }) => [code, amount, labels]),
      [
        ['usdc', '2500000', ['wrong_wallet']],
        ['usdt', '1000000', ['wrong_wallet']],
      ],
    );
    const bitcoin = await create();
    assert.doesNotMatch(await page(bitcoin), /instead/);
    assert.equal((await post(bitcoin, 'pay other')).status, 422);
  });

  test('makes a reorg that keeps or drops deposits', async () => {
    const invoice = await create();
    await press(invoice, 'mine 6');
    await press(invoice, 'pay exact');
    assert.equal((await press(invoice, 'mine 6')).status, 'complete');
    const afterReorg = await press(invoice, 'reorg 10 keep');
    assert.deepEqual([afterReorg.status, afterReorg.confirmations], ['waiting', 0]);
    assert.equal(waitingIn(await page(invoice)).length, 1);
    assert.equal((await press(invoice, 'mine 6')).status, 'complete');
    // A reorg above the deposit changes nothing.
    assert.equal((await press(invoice, 'reorg 1 drop')).status, 'complete');
    const dropped = await press(invoice, 'reorg 10 drop');
    assert.deepEqual([dropped.status, dropped.labels], ['pending', ['replaced']]);
    assert.deepEqual(waitingIn(await page(invoice)), []);
  });

  test('replaces, double-spends and evicts mempool transactions', async () => {
    const invoice = await create();
    const first = await press(invoice, 'pay exact');
    const [hash] = waitingIn(await page(invoice));
    const second = await press(invoice, `replace ${hash}`);
    assert.equal(second.status, 'waiting');
    assert.notEqual(second.payments.at(-1)?.txHash, first.payments[0]?.txHash);
    assert.equal((await press(invoice, `double_spend ${waitingIn(await page(invoice))[0]}`)).status, 'pending');
    await press(invoice, 'pay exact');
    const forgotten = await press(invoice, `evict ${waitingIn(await page(invoice))[0]}`);
    assert.deepEqual([forgotten.status, forgotten.labels], ['pending', ['replaced']]);
  });

  onSqlite('refuses impossible actions without effect', async () => {
    const [invoice, other] = [await create(), await create()];
    const { txHash } = await chain().pay({ address: other.walletAddress, code: 'btc', amount: 1n });
    for (const [act, fields] of [
      ['', {}],
      ['toString', {}],
      ['pay', {}],
      ['pay toString', {}],
      ['mine', {}],
      ['mine 0', {}],
      ['mine 1000000', {}],
      ['reorg 10 keep', {}],
      ['pay amount', { amount: '0' }],
      ['pay amount', { amount: '1.123456789' }],
      ['pay amount', { amount: '1', code: 'eth' }],
      [`evict ${txHash}`, {}],
      [`replace ${txHash}`, {}],
      ['withdraw', {}],
    ] as const) {
      const response = await post(invoice, act, fields);
      assert.equal(response.status, 422, act);
      assert.equal(readProblem(response, act).code, 'validation_failed');
    }
    assert.equal((await chain().tip()).height, 0);
    assert.equal((await chain().unconfirmedTo(other.walletAddress)).length, 1);
    assert.deepEqual(await chain().unconfirmedTo(invoice.walletAddress), []);
    for (const path of [`/sandbox/chain/${'x'.repeat(27)}`, '/sandbox/chain/x']) {
      assert.equal((await fixture.request(path, { token: null })).status, 404);
      const posted = await fixture.request(path, { body: 'do=mine+1', token: null });
      assert.equal(posted.status, 404);
    }
  });

  onSqlite('updates the invoice before it responds', async () => {
    const invoice = await create();
    const { jobs } = fixture.service();
    jobs.start();
    try {
      assert.equal((await post(invoice, 'pay exact')).status, 303);
      assert.equal((await get(invoice)).status, 'waiting');
      assert.equal((await post(invoice, 'mine 100')).status, 303);
      assert.deepEqual([(await get(invoice)).status, (await get(invoice)).confirmations], ['complete', 100]);
    } finally {
      await jobs.stop();
    }
  });
});

onSqlite('production has no simulator', async () => {
  const fixture = await openProductionFixture(new ScriptedAcquirer());
  try {
    const { routes, simulatedChains } = fixture.service();
    assert.deepEqual(
      routes.filter(({ path }) => path.startsWith('/sandbox')),
      [],
    );
    assert.deepEqual(simulatedChains, {});
    assert.equal((await fixture.request(`/sandbox/chain/${'x'.repeat(27)}`, { token: null })).status, 404);
  } finally {
    await fixture.close();
  }
});
