// Databases: sqlite
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { MethodCapability } from '../../src/acquirers/adapter.ts';
import type { AcquirerAccount } from '../../src/acquirers/registry.ts';
import { changeAccounts } from '../support/acquirer-accounts.ts';
import { createBuyers, type Link } from '../support/buyer.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { cards, createLink, creation, submitCard } from '../support/requests.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('capabilities of the account that received a payment', () => {
  let fixture: Fixture;
  let restore = () => {};
  before(async () => {
    fixture = await openFixture();
    await enableEveryMethod(fixture, fixture.merchant);
  });
  after(async () => await fixture.close());
  afterEach(() => restore());

  const { detailOf, stateOf, startPayment, tryStartPayment, simulate, merchantAction } = createBuyers(() => fixture);

  const declare = (refunds: MethodCapability['refunds'], isOfMethod = (_method: string) => true) => {
    restore();
    restore = changeAccounts(fixture.service(), (account) => ({
      ...account,
      capabilities: account.capabilities.map((each) => (isOfMethod(each.method) ? { ...each, refunds } : each)),
    }));
  };
  const removeAccount = () => {
    restore();
    const { acquirers } = fixture.service().payments;
    const { find } = acquirers;
    acquirers.find = (key): AcquirerAccount | null => (key === 'sandbox' ? null : find(key));
    restore = () => Object.assign(acquirers, { find });
  };
  const paidByCard = async () => {
    const link = await createLink(fixture, { amount: 20 });
    await submitCard(fixture, link.reference);
    return link;
  };
  const paidByTransfer = async () => {
    const link = await createLink(fixture, {
      payment_method: 'on_ramp_ideal',
      country: 'NLD',
      currency: 'EUR',
      amount: 20,
    });
    await simulate(await startPayment(link, 'on_ramp_ideal'), 'exact');
    return link;
  };
  const underpaid = async () => {
    const link = await createLink(fixture, {
      payment_method: 'on_ramp_ideal',
      country: 'NLD',
      currency: 'EUR',
      amount: 20,
    });
    await simulate(await startPayment(link, 'on_ramp_ideal'), 'underpay');
    return link;
  };
  const refund = async ({ reference }: Link, fields: object = {}) =>
    await fixture.request('/fiat/v1/transaction/refund', { body: { transaction_id: reference, ...fields } });
  const offered = async (link: Link) => {
    const { available_actions, refund_options } = await detailOf(link);
    return [available_actions, refund_options];
  };

  for (const [name, pay] of Object.entries({ card: paidByCard, transfer: paidByTransfer })) {
    test(`partial refunds of a ${name}`, async () => {
      const link = await pay();
      declare('partial');
      assert.deepEqual(await offered(link), [['refund'], { maximum: 20, partial: true }]);
      assert.equal((await refund(link, { amount: 5 })).status, 200);
      assert.deepEqual(await offered(link), [['refund'], { maximum: 15, partial: true }]);
    });

    test(`only full refunds of a ${name}`, async () => {
      const link = await pay();
      declare('full');
      assert.deepEqual(await offered(link), [['refund'], { maximum: 20, partial: false }]);
      const part = await refund(link, { amount: 5 });
      assert.deepEqual([part.status, part.body.code], [409, 'partial_refund_not_supported']);
      assert.match(part.body.detail, /only in full\. It can refund 20\.00/);
      assert.deepEqual((await detailOf(link)).refunds, []);
      const { status, body } = await refund(link);
      assert.deepEqual([status, body.refunds.length, body.available_actions], [200, 1, []]);
    });

    test(`only full refunds of a ${name}, after a part was refunded out of band`, async () => {
      const link = await pay();
      declare('full');
      assert.equal((await refund(link, { amount: 5, out_of_band: true })).status, 200);
      assert.deepEqual(await offered(link), [
        ['refund_out_of_band'],
        { maximum: 0, partial: false, refusal: 'partial_refund_not_supported' },
      ]);
      assert.equal((await refund(link)).body.code, 'partial_refund_not_supported');
      assert.equal((await refund(link, { out_of_band: true })).body.refunded_amount, 20);
    });

    test(`no refunds of a ${name}`, async () => {
      const link = await pay();
      declare('none');
      assert.deepEqual(await offered(link), [
        ['refund_out_of_band'],
        { maximum: 0, partial: false, refusal: 'refund_not_supported' },
      ]);
      const refused = await refund(link);
      assert.deepEqual([refused.status, refused.body.code], [409, 'refund_not_supported']);
      assert.deepEqual((await detailOf(link)).refunds, []);
      const { status, body } = await refund(link, { out_of_band: true });
      assert.deepEqual([status, body.refunded_amount, body.available_actions], [200, 20, []]);
    });

    test(`a ${name}, after its account was removed`, async () => {
      const link = await pay();
      removeAccount();
      assert.deepEqual(await offered(link), [
        ['refund_out_of_band'],
        { maximum: 0, partial: false, refusal: 'acquirer_account_missing' },
      ]);
      assert.equal((await refund(link)).body.code, 'acquirer_account_missing');
      assert.equal((await refund(link, { out_of_band: true })).status, 200);
    });
  }

  test('an underpayment that cannot be refunded is rejected only out of band', async () => {
    const link = await underpaid();
    assert.deepEqual((await detailOf(link)).available_actions, ['accept', 'reject']);
    declare('none');
    assert.deepEqual((await detailOf(link)).available_actions, ['accept', 'reject_out_of_band']);
    const refused = await merchantAction(link, 'reject');
    assert.deepEqual([refused.status, refused.body.code], [409, 'refund_not_supported']);
    // The buyer can still pay the rest.
    assert.equal((await detailOf(link)).instructions.at(-1)?.state, 'issued');
    const { status } = await fixture.request('/fiat/v1/transaction/reject', {
      body: { transaction_id: link.reference, out_of_band: true },
    });
    assert.equal(status, 200);
  });

  test('two payments, one of which cannot be refunded', async () => {
    const link = await underpaid();
    const rest = await startPayment(link, 'on_ramp_ideal');
    await simulate(rest, 'exact');
    const { amount_received: received, refund_options } = await detailOf(link);
    assert.deepEqual(refund_options, { maximum: received, partial: true });
    declare('full');
    const { receipts } = await detailOf(link);
    const [first = 0, second = 0] = receipts.map(({ amount }) => amount);
    assert.equal((await refund(link, { amount: 1 })).body.code, 'partial_refund_not_supported');
    // One of the two payments in full.
    const { body } = await refund(link, { amount: Math.min(first, second) });
    assert.equal(body.refunds[0].amount, Math.min(first, second));
  });

  test('an open payment cannot be ended after its account was removed', async () => {
    const link = await createLink(fixture, { amount: 20 });
    await submitCard(fixture, link.reference, cards.challenge);
    assert.deepEqual((await detailOf(link)).available_actions, ['cancel']);
    removeAccount();
    assert.deepEqual((await detailOf(link)).available_actions, []);
    const { status, body } = await merchantAction(link, 'cancel');
    assert.deepEqual([status, body.code], [409, 'acquirer_account_missing']);
  });

  test('limits of the amount', async () => {
    const link = await createLink(fixture, {
      payment_method: 'on_ramp_ideal',
      country: 'NLD',
      currency: 'EUR',
      amount: 20,
    });
    const limit = (methods: readonly string[], limits: Pick<MethodCapability, 'minimum' | 'maximum'>) => {
      restore();
      restore = changeAccounts(fixture.service(), (account) => ({
        ...account,
        capabilities: account.capabilities.map((each) =>
          methods.includes(each.method) ? { ...each, ...limits } : each,
        ),
      }));
    };
    const methodsOf = async () => (await stateOf(link)).methods.map(({ code }) => code);
    const byCard = ['credit_card', 'on_ramp_card'];
    limit(byCard, { maximum: { EUR: 19_99n } });
    assert.deepEqual(await methodsOf(), ['on_ramp_ideal', 'crypto_payment']);
    limit(byCard, { minimum: { EUR: 20_00n }, maximum: { EUR: 20_00n } });
    assert.ok((await methodsOf()).some((code) => byCard.includes(code)));
    limit(['on_ramp_ideal'], { minimum: { EUR: 20_01n } });
    assert.ok(!(await methodsOf()).includes('on_ramp_ideal'));
    assert.equal((await tryStartPayment(link, 'on_ramp_ideal')).status, 422);
    const { status, body } = await fixture.request('/fiat/v1/transaction', {
      body: creation({ payment_method: 'on_ramp_ideal', country: 'NLD', currency: 'EUR', amount: 20 }),
    });
    assert.deepEqual([status, body.errors?.[0]?.code], [422, 'amount_not_supported']);
  });

  test('late payments', async () => {
    const link = await underpaid();
    assert.equal((await detailOf(link)).instructions[0]?.late_payments, true);
    restore = changeAccounts(fixture.service(), (account) => ({
      ...account,
      capabilities: account.capabilities.map((each) => ({ ...each, latePayments: false })),
    }));
    assert.equal((await detailOf(link)).instructions[0]?.late_payments, false);
  });

  test('take the rest of a partial payment, or it awaits review', async () => {
    const link = await underpaid();
    assert.equal((await stateOf(link)).phase, 'ready');
    const left = Number((await stateOf(link)).received?.left);
    restore = changeAccounts(fixture.service(), (account) => ({
      ...account,
      capabilities: account.capabilities.map((each) => ({
        ...each,
        minimum: { EUR: BigInt(left * 100 + 1) },
      })),
    }));
    const { phase, waitsFor, methods } = await stateOf(link);
    assert.deepEqual([phase, waitsFor, methods], ['checking', { kind: 'merchant' }, []]);
    const refused = await tryStartPayment(link, 'on_ramp_ideal', 'ing');
    assert.equal(refused.body.errors?.[0]?.code, 'payment_method_not_offered');
    assert.deepEqual((await detailOf(link)).available_actions, ['accept', 'reject']);
    restore();
    assert.equal((await stateOf(link)).phase, 'ready', 'the account accepts it again');
  });
});
