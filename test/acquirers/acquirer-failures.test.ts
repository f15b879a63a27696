// Databases: sqlite
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/shared/time.ts';
import { disableMethod } from '../../src/methods/enable.ts';
import { applyOutcome } from '../../src/payments/card/outcome.ts';
import type { CardCharge, ChargeKey, ChargeOutcome } from '../../src/acquirers/port.ts';
import { creation, createLink, detailOf, submitCard } from '../support/requests.ts';
import { changeCard } from '../support/acquirer-accounts.ts';
import { cardFor, type Plan, ScriptedAcquirer } from '../support/scripted-acquirer.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

/** A card number that the acquirer's errors contain. */
const CARD = '4242 4242 4242 4242';

/** An acquirer whose calls can fail or hang. */
class FailingAcquirer extends ScriptedAcquirer {
  failure: 'none' | 'down' | 'hangs' | 'keeps challenges open' = 'none';
  abandons = 0;

  override charge(charge: CardCharge) {
    if (this.failure !== 'down') return super.charge(charge);
    return Promise.reject(new Error(`503: the security code is ${charge.card.cvv}`));
  }

  override fetchOutcome(charge: ChargeKey) {
    return this.#respond(() => super.fetchOutcome(charge));
  }

  override abandon(charge: ChargeKey) {
    this.abandons += 1;
    if (this.failure === 'keeps challenges open') {
      return super.fetchOutcome(charge).then((outcome) => outcome ?? { kind: 'unknown' as const });
    }
    return this.#respond(() => super.abandon(charge));
  }

  #respond<Result>(response: () => Promise<Result>): Promise<Result> {
    if (this.failure === 'down') return Promise.reject(new Error(`503: ${CARD}`));
    return this.failure === 'hangs' ? new Promise<Result>(() => {}) : response();
  }
}

describe('a failing acquirer', () => {
  let fixture: Fixture;
  let acquirer: FailingAcquirer;
  before(async () => {
    acquirer = new FailingAcquirer();
    fixture = await openFixture({ wrapCardAcquirer: () => acquirer });
    acquirer.notify = async (attemptKey, outcome) => {
      await applyOutcome(fixture.service().payments, attemptKey, outcome);
    };
  });
  after(async () => await fixture.close());
  afterEach(() => {
    acquirer.failure = 'none';
  });

  const submit = async (reference: string, plan: Plan) => await submitCard(fixture, reference, cardFor(plan));
  const cancel = async (reference: string) =>
    await fixture.request('/fiat/v1/transaction/cancel', { body: { transaction_id: reference } });
  const phaseOf = async (path: string) =>
    (await fixture.request(`${path}/state`, { token: null })).body.phase as string;

  test('does not prevent other links from expiring, and is polled with a limit', async () => {
    for (let index = 0; index < 25; index += 1) {
      const { reference } = await createLink(fixture);
      await submit(reference, 'challenge');
    }
    const untouched = await createLink(fixture);
    acquirer.failure = 'down';
    acquirer.abandons = 0;
    await fixture.advance(25 * HOUR);
    assert.equal((await detailOf(fixture, untouched.reference)).reason, 'expired');
    for (let round = 0; round < 20; round += 1) await fixture.work();
    assert.ok(acquirer.abandons <= 25, `${acquirer.abandons} abandons`);
    acquirer.failure = 'none';
    await fixture.advance(2 * MINUTE);
    const { body } = await fixture.request('/fiat/v1/transactions?status=transaction_status_waiting');
    assert.equal(body.transactions.length, 0);
  });

  test('is polled when the buyer returns; a card number in its error is not logged', async () => {
    const { reference, path } = await createLink(fixture);
    await submit(reference, 'challenge');
    const charge = [...acquirer.charges.values()].at(-1);
    assert.ok(charge);
    charge.state = 'approved';
    const returnFromBank = async () =>
      (await fixture.request(`${path}/return`, { token: null })).headers.get('location');
    acquirer.failure = 'down';
    await returnFromBank();
    assert.equal((await detailOf(fixture, reference)).status, 'transaction_status_waiting');
    assert.match(fixture.log(), /acquirer could not be polled/);
    assert.ok(!fixture.log().includes(CARD));
    acquirer.failure = 'none';
    assert.equal(await returnFromBank(), 'https://shop.example/paid');
    assert.equal((await detailOf(fixture, reference)).status, 'transaction_status_confirmed');
  });

  test('may include the security code in an error: the log masks it', async () => {
    const { reference } = await createLink(fixture);
    acquirer.failure = 'down';
    await submit(reference, 'approve');
    assert.match(fixture.log(), /the security code is #/);
    assert.doesNotMatch(fixture.log(), /the security code is \d/);
    acquirer.failure = 'none';
    await fixture.advance(2 * MINUTE);
    assert.equal((await detailOf(fixture, reference)).status, 'transaction_status_pending');
  });

  test('that keeps a challenge open is polled at intervals, and abandoning it returns a problem', async () => {
    const { reference, path, clientToken } = await createLink(fixture);
    await submit(reference, 'challenge');
    acquirer.failure = 'keeps challenges open';
    const left = await fixture.request(`${path}/abandon`, { token: clientToken, body: {} });
    assert.equal(left.status, 502);
    assert.equal(left.body.code, 'acquirer_unavailable');
    acquirer.abandons = 0;
    for (let minute = 0; minute < 10; minute += 1) await fixture.advance(minute === 0 ? 25 * HOUR : MINUTE);
    assert.ok(acquirer.abandons <= 12, `${acquirer.abandons} abandons`);
    acquirer.failure = 'none';
    await fixture.advance(2 * MINUTE);
    const detail = await detailOf(fixture, reference);
    assert.equal(detail.reason, 'expired');
    assert.equal(detail.timeline.at(-1).detail, 'expired');
  });

  test('polls during an outage do not count: the outcome is found after an outage of any length', async () => {
    const { reference } = await createLink(fixture);
    await submit(reference, 'silent_approve');
    acquirer.failure = 'down';
    for (let day = 0; day < 20; day += 1) await fixture.advance(DAY);
    assert.equal((await detailOf(fixture, reference)).status, 'transaction_status_waiting');
    acquirer.failure = 'none';
    acquirer.resolvePending();
    await fixture.advance(2 * MINUTE);
    assert.equal((await detailOf(fixture, reference)).status, 'transaction_status_confirmed');
  });

  test('an acquirer without an outcome is polled daily', async () => {
    const { reference } = await createLink(fixture);
    await submit(reference, 'silent_decline');
    for (let day = 0; day < 20; day += 1) await fixture.advance(DAY + HOUR);
    acquirer.resolvePending();
    await fixture.advance(DAY + HOUR);
    assert.equal((await detailOf(fixture, reference)).status, 'transaction_status_failed');
  });

  test('a return from the issuer during an outage leaves the challenge open', async () => {
    const { reference, path } = await createLink(fixture);
    await submit(reference, 'challenge');
    acquirer.failure = 'down';
    assert.equal((await fixture.request(`${path}/return`, { token: null })).status, 303);
    assert.equal(await phaseOf(path), 'challenge');
    assert.equal((await cancel(reference)).body.code, 'submit_in_progress');
  });

  test('a challenge of another acquirer stays open', async () => {
    const { reference, path, link } = await createLink(fixture);
    await submit(reference, 'challenge');
    // The account of the challenge is no longer set up.
    changeCard(fixture.service(), () => null);
    assert.equal((await cancel(reference)).body.code, 'acquirer_account_missing');
    assert.equal(await phaseOf(path), 'challenge');
    await fixture.restart();
    assert.equal(acquirer.findCharges([`${link}/return`])[0]?.state, 'open');
    assert.equal((await cancel(reference)).body.reason, 'cancelled');
    assert.equal(acquirer.findCharges([`${link}/return`])[0]?.state, 'declined');
  });

  test('a second card after a late approval of the first reports the transaction as paid', async () => {
    for (const plan of ['decline', 'approve'] as const) {
      const { reference, link } = await createLink(fixture);
      await submit(reference, 'decline');
      const charging = acquirer.charge.bind(acquirer);
      acquirer.charge = async (charge): Promise<ChargeOutcome> => {
        const first = acquirer.approveDeclined([`${link}/return`]);
        if (first) await acquirer.notifyOutcome(first);
        return await charging(charge);
      };
      const { body } = await submit(reference, plan);
      acquirer.charge = charging;
      assert.equal(body.response_type, 'confirmed', plan);
      assert.equal(body.status, 'transaction_status_confirmed');
      await fixture.work();
      const kept = acquirer.findCharges([`${link}/return`]).filter((charge) => charge.state === 'approved');
      assert.equal(kept.length, 1);
    }
  });

  test('a decline after the expiry fails the transaction without further attempts', async () => {
    const { reference } = await createLink(fixture);
    await fixture.advance(24 * HOUR - SECOND);
    const charging = acquirer.charge.bind(acquirer);
    acquirer.charge = async (charge): Promise<ChargeOutcome> => {
      fixture.clock.advance(2 * SECOND);
      return await charging(charge);
    };
    const { body } = await submit(reference, 'decline');
    acquirer.charge = charging;
    assert.equal(body.status, 'transaction_status_failed');
    assert.equal(body.attempts_left, 0);
    assert.equal(body.redirect_url, 'https://shop.example/failed');
    assert.equal((await detailOf(fixture, reference)).reason, 'expired');
  });

  test('a fifth card with an open challenge keeps the reason canceled or expired', async () => {
    const fifth = async () => {
      const { reference } = await createLink(fixture);
      for (let attempt = 1; attempt <= 4; attempt += 1) await submit(reference, 'decline');
      await submit(reference, 'challenge');
      return reference;
    };
    const cancelled = await fifth();
    assert.equal((await cancel(cancelled)).body.reason, 'cancelled');
    const expired = await fifth();
    await fixture.advance(25 * HOUR);
    assert.equal((await detailOf(fixture, expired)).reason, 'expired');
  });

  test('a disabled method stays on existing links', async () => {
    const { path, reference } = await createLink(fixture);
    const scope = { merchantId: fixture.merchant.id, paymentMethod: 'credit_card', currency: 'USD' as const };
    const now = fixture.clock.now();
    await fixture.service().database.inTransaction(async (unit) => await disableMethod(unit, { ...scope, now }));
    const state = await fixture.request(`${path}/state`, { token: null });
    assert.deepEqual(state.body.methods, [
      {
        code: 'credit_card',
        brand: null,
        action: 'card',
        mark: 'card',
        choices: null,
        quoteExpiresAt: null,
        amount: '12.50',
        needsCountry: null,
        payerFields: ['first_name', 'last_name', 'country', 'postcode', 'email'],
        handle: null,
      },
    ]);
    assert.equal((await submit(reference, 'approve')).body.response_type, 'confirmed');
    const refused = await fixture.request('/fiat/v1/transaction', { body: creation() });
    assert.equal(refused.body.errors[0].code, 'payment_method_not_enabled');
  });
});

describe('an acquirer and a webhook endpoint that never respond', () => {
  test('delay neither each other nor other merchants’ webhooks', async () => {
    const acquirer = new FailingAcquirer();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const arrived: string[] = [];
    let onPost = () => {};
    const fixture = await openFixture({
      wrapCardAcquirer: () => acquirer,
      post: async (url) => {
        if (url.includes('hangs')) await released;
        else arrived.push(url);
        onPost();
        return { status: 204, retryAfter: null, body: '' };
      },
    });
    try {
      const quick = await fixture.makeMerchant('Quick');
      const setUrl = async (token: string, value: string) =>
        await fixture.request('/v1/merchant/preferences', {
          method: 'PATCH',
          token,
          body: { key: 'callback-url', value },
        });
      await setUrl(fixture.merchant.token, 'http://localhost:1/hangs');
      await setUrl(quick.token, 'http://localhost:1/quick');
      const stuck = await createLink(fixture);
      await submitCard(fixture, stuck.reference, cardFor('silent_approve'));
      // More webhooks for the hanging endpoint than delivery slots.
      for (let index = 0; index < 80; index += 1) {
        const { reference } = await createLink(fixture);
        await fixture.request('/fiat/v1/transaction/cancel', { body: { transaction_id: reference } });
      }
      acquirer.failure = 'hangs';
      fixture.clock.advance(MINUTE);
      const body = creation();
      await fixture.request('/fiat/v1/transaction', { token: quick.token, body });
      const delivered = new Promise<void>((resolve) => {
        onPost = () => (arrived.length > 0 ? resolve() : undefined);
      });
      fixture.service().jobs.start();
      await fixture.request('/fiat/v1/transaction/cancel', {
        token: quick.token,
        body: { transaction_id: body.transaction_id },
      });
      await delivered;
      assert.deepEqual(arrived, ['http://localhost:1/quick']);
    } finally {
      release();
      await fixture.close();
    }
  });
});
