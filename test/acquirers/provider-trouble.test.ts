// Databases: sqlite
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/shared/time.ts';
import { disableMethod } from '../../src/methods/enable.ts';
import { applyOutcome } from '../../src/payments/card/outcome.ts';
import type { CardCharge, CardAcquirer, ChargeOutcome } from '../../src/acquirers/port.ts';
import { creation, createLink, detailOf, submitCard } from '../support/requests.ts';
import { cardFor, type Plan, ScriptedProvider } from '../support/scripted-provider.ts';
import { openWorld, type World } from '../support/world.ts';

/** A card number that the acquirer's errors contain. */
const CARD = '4242 4242 4242 4242';

/** A provider that can be out of order: every question then fails, or hangs. */
class TroubledProvider extends ScriptedProvider {
  trouble: 'none' | 'down' | 'hangs' | 'keeps challenges open' = 'none';
  abandons = 0;

  override charge(charge: CardCharge) {
    if (this.trouble !== 'down') return super.charge(charge);
    return Promise.reject(new Error(`503: the security code is ${charge.card.cvv}`));
  }

  override fetchOutcome(attemptKey: string) {
    return this.#answer(() => super.fetchOutcome(attemptKey));
  }

  override abandon(attemptKey: string) {
    this.abandons += 1;
    if (this.trouble === 'keeps challenges open') {
      return super.fetchOutcome(attemptKey).then((outcome) => outcome ?? { kind: 'unknown' as const });
    }
    return this.#answer(() => super.abandon(attemptKey));
  }

  #answer<Answer>(answer: () => Promise<Answer>): Promise<Answer> {
    if (this.trouble === 'down') return Promise.reject(new Error(`503: ${CARD}`));
    return this.trouble === 'hangs' ? new Promise<Answer>(() => {}) : answer();
  }
}

describe('a provider in trouble', () => {
  let world: World;
  let provider: TroubledProvider;
  let useProvider: CardAcquirer;
  before(async () => {
    provider = new TroubledProvider();
    useProvider = provider;
    world = await openWorld({ wrapCardAcquirer: () => useProvider });
    provider.notify = async (attemptKey, outcome) => {
      await applyOutcome(world.service().payments, attemptKey, outcome);
    };
  });
  after(async () => await world.close());
  afterEach(() => {
    provider.trouble = 'none';
  });

  const submit = async (reference: string, plan: Plan) => await submitCard(world, reference, cardFor(plan));
  const cancel = async (reference: string) =>
    await world.request('/fiat/v1/transaction/cancel', { body: { transaction_id: reference } });
  const phaseOf = async (path: string) => (await world.request(`${path}/state`, { token: null })).body.phase as string;

  test('does not keep other links from expiring, and is not asked without end', async () => {
    for (let index = 0; index < 60; index += 1) {
      const { reference } = await createLink(world);
      await submit(reference, 'challenge');
    }
    const untouched = await createLink(world);
    provider.trouble = 'down';
    provider.abandons = 0;
    await world.advance(25 * HOUR);
    assert.equal((await detailOf(world, untouched.reference)).reason, 'expired');
    for (let look = 0; look < 20; look += 1) await world.work();
    assert.ok(provider.abandons <= 60, `${provider.abandons} abandons`);
    provider.trouble = 'none';
    await world.advance(2 * MINUTE);
    const { body } = await world.request('/fiat/v1/transactions?status=transaction_status_waiting');
    assert.equal(body.transactions.length, 0);
  });

  test('is asked for the outcome when the buyer returns; a card number in its error is not logged', async () => {
    const { reference, path } = await createLink(world);
    await submit(reference, 'challenge');
    const charge = [...provider.books.values()].at(-1);
    assert.ok(charge);
    charge.state = 'approved';
    const returnFromBank = async () => (await world.request(`${path}/return`, { token: null })).headers.get('location');
    provider.trouble = 'down';
    await returnFromBank();
    assert.equal((await detailOf(world, reference)).status, 'transaction_status_waiting');
    assert.match(world.log(), /a provider could not be asked/);
    assert.ok(!world.log().includes(CARD));
    provider.trouble = 'none';
    assert.equal(await returnFromBank(), 'https://shop.example/paid');
    assert.equal((await detailOf(world, reference)).status, 'transaction_status_confirmed');
  });

  test('may repeat the security code in an error: the log does not contain it', async () => {
    const { reference } = await createLink(world);
    provider.trouble = 'down';
    await submit(reference, 'approve');
    assert.match(world.log(), /the security code is #/);
    assert.doesNotMatch(world.log(), /the security code is \d/);
    provider.trouble = 'none';
    await world.advance(2 * MINUTE);
    assert.equal((await detailOf(world, reference)).status, 'transaction_status_pending');
  });

  test('that keeps a challenge open is asked calmly, and the buyer is told that it could not be left', async () => {
    const { reference, path, clientToken } = await createLink(world);
    await submit(reference, 'challenge');
    provider.trouble = 'keeps challenges open';
    const left = await world.request(`${path}/abandon`, { token: clientToken, body: {} });
    assert.equal(left.status, 502);
    assert.equal(left.body.code, 'provider_unavailable');
    provider.abandons = 0;
    for (let minute = 0; minute < 10; minute += 1) await world.advance(minute === 0 ? 25 * HOUR : MINUTE);
    assert.ok(provider.abandons <= 12, `${provider.abandons} abandons`);
    provider.trouble = 'none';
    await world.advance(2 * MINUTE);
    const detail = await detailOf(world, reference);
    assert.equal(detail.reason, 'expired');
    assert.equal(detail.timeline.at(-1).detail, 'expired');
  });

  test('an outage uses up no questions: the outcome is found when it is over, however long it took', async () => {
    const { reference } = await createLink(world);
    await submit(reference, 'silent_approve');
    provider.trouble = 'down';
    for (let day = 0; day < 20; day += 1) await world.advance(DAY);
    assert.equal((await detailOf(world, reference)).status, 'transaction_status_waiting');
    provider.trouble = 'none';
    provider.reveal();
    await world.advance(2 * MINUTE);
    assert.equal((await detailOf(world, reference)).status, 'transaction_status_confirmed');
  });

  test('a provider that never knows is asked on, every day', async () => {
    const { reference } = await createLink(world);
    await submit(reference, 'silent_decline');
    for (let day = 0; day < 20; day += 1) await world.advance(DAY + HOUR);
    provider.reveal();
    await world.advance(DAY + HOUR);
    assert.equal((await detailOf(world, reference)).status, 'transaction_status_failed');
  });

  test('a return from the bank while the provider is down leaves the confirmation open', async () => {
    const { reference, path } = await createLink(world);
    await submit(reference, 'challenge');
    provider.trouble = 'down';
    assert.equal((await world.request(`${path}/return`, { token: null })).status, 303);
    assert.equal(await phaseOf(path), 'challenge');
    assert.equal((await cancel(reference)).body.code, 'submit_in_progress');
  });

  test('a confirmation that is open at another provider is neither ended nor believed to be', async () => {
    const { reference, path, link } = await createLink(world);
    await submit(reference, 'challenge');
    const other = new ScriptedProvider();
    useProvider = new Proxy(other, {
      get: (target, name) => (name === 'name' ? 'other' : Reflect.get(target, name, target)),
    });
    await world.restart();
    assert.equal((await cancel(reference)).body.code, 'submit_in_progress');
    assert.equal(await phaseOf(path), 'challenge');
    useProvider = provider;
    await world.restart();
    assert.equal(provider.chargesOf([`${link}/return`])[0]?.state, 'open');
    assert.equal((await cancel(reference)).body.reason, 'cancelled');
    assert.equal(provider.chargesOf([`${link}/return`])[0]?.state, 'declined');
  });

  test('a second card that is declined, or approved, after the first went through is told that it is paid', async () => {
    for (const plan of ['decline', 'approve'] as const) {
      const { reference, link } = await createLink(world);
      await submit(reference, 'decline');
      const charging = provider.charge.bind(provider);
      provider.charge = async (charge): Promise<ChargeOutcome> => {
        const first = provider.changeMind([`${link}/return`]);
        if (first) await provider.notifyAbout(first);
        return await charging(charge);
      };
      const { body } = await submit(reference, plan);
      provider.charge = charging;
      assert.equal(body.response_type, 'confirmed', plan);
      assert.equal(body.status, 'transaction_status_confirmed');
      await world.work();
      const kept = provider.chargesOf([`${link}/return`]).filter((charge) => charge.state === 'approved');
      assert.equal(kept.length, 1);
    }
  });

  test('a decline that comes after the expiry ends the transaction and promises nothing', async () => {
    const { reference } = await createLink(world);
    await world.advance(24 * HOUR - SECOND);
    const charging = provider.charge.bind(provider);
    provider.charge = async (charge): Promise<ChargeOutcome> => {
      world.clock.advance(2 * SECOND);
      return await charging(charge);
    };
    const { body } = await submit(reference, 'decline');
    provider.charge = charging;
    assert.equal(body.status, 'transaction_status_failed');
    assert.equal(body.attempts_left, 0);
    assert.equal(body.redirect_url, 'https://shop.example/failed');
    assert.equal((await detailOf(world, reference)).reason, 'expired');
  });

  test('a fifth card that waits at the bank is cancelled as cancelled, and expires as expired', async () => {
    const fifth = async () => {
      const { reference } = await createLink(world);
      for (let attempt = 1; attempt <= 4; attempt += 1) await submit(reference, 'decline');
      await submit(reference, 'challenge');
      return reference;
    };
    const cancelled = await fifth();
    assert.equal((await cancel(cancelled)).body.reason, 'cancelled');
    const expired = await fifth();
    await world.advance(25 * HOUR);
    assert.equal((await detailOf(world, expired)).reason, 'expired');
  });

  test('a method that is taken away stays on links that were made with it', async () => {
    const { path, reference } = await createLink(world);
    const scope = { merchantId: world.merchant.id, paymentMethod: 'credit_card', currency: 'USD' as const };
    const now = world.clock.now();
    await world.service().database.inUnit(async (unit) => await disableMethod(unit, { ...scope, now }));
    const state = await world.request(`${path}/state`, { token: null });
    assert.deepEqual(state.body.methods, [
      {
        code: 'credit_card',
        brand: null,
        action: 'card',
        mark: 'card',
        choices: null,
        amountsUntil: null,
        amount: '12.50',
        needsCountry: null,
      },
    ]);
    assert.equal((await submit(reference, 'approve')).body.response_type, 'confirmed');
    const refused = await world.request('/fiat/v1/transaction', { body: creation() });
    assert.equal(refused.body.errors[0].code, 'payment_method_not_enabled');
  });
});

describe('a provider that never answers, and a receiver that never does', () => {
  test('hold up neither each other nor anybody else’s callbacks', async () => {
    const provider = new TroubledProvider();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const arrived: string[] = [];
    let tell = () => {};
    const world = await openWorld({
      wrapCardAcquirer: () => provider,
      post: async (url) => {
        if (url.includes('hangs')) await released;
        else arrived.push(url);
        tell();
        return { status: 204, retryAfter: null, body: '' };
      },
    });
    try {
      const quick = await world.makeMerchant('Quick');
      const setUrl = async (token: string, value: string) =>
        await world.request('/v1/merchant/preferences', {
          method: 'PATCH',
          token,
          body: { key: 'callback-url', value },
        });
      await setUrl(world.merchant.token, 'http://localhost:1/hangs');
      await setUrl(quick.token, 'http://localhost:1/quick');
      const stuck = await createLink(world);
      await submitCard(world, stuck.reference, cardFor('silent_approve'));
      // More callbacks for the receiver that never answers than there are places.
      for (let index = 0; index < 80; index += 1) {
        const { reference } = await createLink(world);
        await world.request('/fiat/v1/transaction/cancel', { body: { transaction_id: reference } });
      }
      provider.trouble = 'hangs';
      world.clock.advance(MINUTE);
      const body = creation();
      await world.request('/fiat/v1/transaction', { token: quick.token, body });
      const told = new Promise<void>((resolve) => {
        tell = () => (arrived.length > 0 ? resolve() : undefined);
      });
      world.service().jobs.start();
      await world.request('/fiat/v1/transaction/cancel', {
        token: quick.token,
        body: { transaction_id: body.transaction_id },
      });
      await told;
      assert.deepEqual(arrived, ['http://localhost:1/quick']);
    } finally {
      release();
      await world.close();
    }
  });
});
