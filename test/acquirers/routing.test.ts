// Databases: sqlite
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { SECOND } from '../../src/shared/time.ts';
import { findPaymentMethod } from '../../src/methods/catalog.ts';
import type { MethodCapability } from '../../src/acquirers/adapter.ts';
import { createAccountGuard } from '../../src/acquirers/health.ts';
import { type CardAcquirer, NotProcessed } from '../../src/acquirers/port.ts';
import type { StoredAccount } from '../../src/acquirers/schema.ts';
import { changeAccounts } from '../support/acquirer-accounts.ts';
import { SimulatedClock } from '../support/clock.ts';
import { cards, createLink, creation, detailOf, submission, submitCard } from '../support/requests.ts';
import { randomId, systemRandom } from '../../src/system/random.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('routing of payments to acquirer accounts', () => {
  let fixture: Fixture;
  let restore = () => {};
  before(async () => {
    fixture = await openFixture();
  });
  afterEach(() => restore());
  after(async () => await fixture.close());

  const card = findPaymentMethod('credit_card');
  assert.ok(card);
  const anywhere = { paymentMethod: 'credit_card', country: '*', currency: '*' };
  const add = async (
    name: string,
    {
      merchantId = null,
      priority = 1,
      adapter = 'sandbox',
      credentials = null,
      ...route
    }: Partial<Pick<StoredAccount, 'merchantId' | 'adapter'>> & {
      credentials?: object | null;
      priority?: number;
      currency?: string;
    },
  ): Promise<StoredAccount> => {
    const { accountStore, database } = fixture.service();
    const account = await database.inTransaction(async (unit) => {
      const inserted = await accountStore.insert(unit, { merchantId, adapter, name, credentials });
      await accountStore.setRoutes(unit, inserted, [{ ...anywhere, priority, ...route }]);
      return inserted;
    });
    await fixture.work();
    return account;
  };
  const disable = async (account: StoredAccount) => {
    const { accountStore, database } = fixture.service();
    const stored = (await accountStore.list(database)).find(({ id }) => id === account.id);
    assert.ok(stored);
    const change = { disabledAt: fixture.clock.now() };
    assert.ok(await database.inTransaction(async (unit) => await accountStore.update(unit, stored, change)));
    await fixture.work();
  };
  const route = (merchantId = fixture.merchant.id, currency: 'USD' | 'EUR' | 'AUD' = 'USD') =>
    fixture
      .service()
      .payments.acquirers.route({ merchantId, method: card, country: 'USA', currency })
      .map(({ key }) => key);

  /** Replaces the charge of every account; `charge` calls the account's own one. */
  const changeCharges = (change: (key: string, charge: CardAcquirer['charge']) => CardAcquirer['charge']) => {
    restore = changeAccounts(fixture.service(), (account) => ({
      ...account,
      ...(account.card && { card: { ...account.card, charge: change(account.key, account.card.charge) } }),
    }));
  };

  test('prefers the merchant’s own account, then the priority, and skips disabled accounts', async () => {
    const second = await add('Second', { priority: 2 });
    const first = await add('First', { priority: 1 });
    const own = await add('Own', { priority: 9, merchantId: fixture.merchant.id });
    const euro = await add('Euro', { priority: 0, currency: 'EUR' });
    assert.deepEqual(route(), [own.key, first.key, second.key, 'sandbox']);
    assert.deepEqual(route(fixture.merchant.id, 'EUR'), [own.key, euro.key, first.key, second.key, 'sandbox']);
    assert.deepEqual(route(fixture.merchant.id + 1), [first.key, second.key, 'sandbox']);
    await disable(own);
    assert.deepEqual(route(), [first.key, second.key, 'sandbox']);
    // Open payments and refunds go on.
    assert.equal(fixture.service().payments.acquirers.find(own.key)?.adapter, 'sandbox');
    for (const account of [first, second, euro]) await disable(account);
  });

  test('with a currency add it to the card method, in every country', async () => {
    const at = { country: 'AUS', currency: 'AUD' };
    const methodsAt = async () =>
      (await fixture.request('/fiat/v1/merchant/payment-methods', { body: at })).body.payment_methods.filter(
        (method: { payment_method: string }) => method.payment_method === 'credit_card',
      );
    const setFee = {
      payment_methods: [{ payment_method: 'credit_card', currency: 'AUD', status: 'enable', fee_percent: 2 }],
    };
    const create = async (reference: string) =>
      await fixture.request('/fiat/v1/transaction', {
        body: creation({ transaction_id: reference, ...at, amount: 30 }),
      });
    assert.deepEqual(await methodsAt(), []);
    assert.equal((await create('no-account')).body.errors[0].code, 'payment_method_not_for_country');

    // A route for every currency means those of the catalog.
    const every = await add('Every currency', {});
    assert.deepEqual(await methodsAt(), []);
    const account = await add('Australia', { currency: 'AUD' });
    assert.equal((await methodsAt())[0].status, 'disable');
    assert.equal((await create('no-fee')).body.errors[0].code, 'payment_method_not_enabled');
    const token = fixture.merchant.managerToken;
    const set = await fixture.request('/fiat/v1/merchant/payment-methods', { method: 'PATCH', token, body: setFee });
    assert.equal(set.status, 200, set.text);
    assert.equal((await methodsAt())[0].status, 'enable');
    const { reference } = await createLink(fixture, { ...at, amount: 30 });
    assert.equal((await submitCard(fixture, reference)).body.response_type, 'confirmed');
    const { amount_charged, amount_delivered, currency } = await detailOf(fixture, reference);
    assert.deepEqual([amount_charged, amount_delivered, currency], [30, 29.4, 'AUD']);

    // Without the account, only the sandbox's own one takes the currency, as long as the method is enabled.
    assert.deepEqual(route(fixture.merchant.id, 'AUD'), [account.key, 'sandbox']);
    await disable(account);
    assert.deepEqual(route(fixture.merchant.id, 'AUD'), ['sandbox']);
    const stored = { merchantId: fixture.merchant.id, method: card, currency: 'AUD', isStoredOnly: true } as const;
    assert.deepEqual(fixture.service().payments.acquirers.route(stored), []);
    assert.equal((await methodsAt())[0].status, 'enable');
    const disabled = { payment_methods: [{ payment_method: 'credit_card', currency: 'AUD', status: 'disable' }] };
    await fixture.request('/fiat/v1/merchant/payment-methods', { method: 'PATCH', token, body: disabled });
    assert.deepEqual(await methodsAt(), []);
    assert.equal((await create('disabled')).body.errors[0].code, 'payment_method_not_for_country');
    // A manager can enable it again.
    const seen = await fixture.request('/fiat/v1/merchant/payment-methods', { token, body: at });
    assert.ok(seen.body.payment_methods.some((each: any) => each.payment_method === 'credit_card'));
    await disable(every);
  });

  test('prefers accounts that accept calls now: not during an outage, nor during the trial after it', async () => {
    // Nothing listens there.
    const credentials = { apiUrl: 'http://127.0.0.1:9', apiKey: 'key', responseHashKey: 'secret' };
    const failing = await add('Failing', { adapter: 'hyperswitch', credentials });
    const working = await add('Working', { priority: 2 });
    const port = fixture.service().payments.acquirers.find(failing.key)?.card;
    const charge = { attemptKey: randomId(systemRandom), reference: null, amountMinor: 100n, currency: 'USD' as const };
    const fail = async () => await assert.rejects(async () => await port?.abandon(charge));
    for (let index = 0; index < 5; index += 1) await fail();
    assert.deepEqual(route(), [working.key, failing.key, 'sandbox']);
    await fixture.advance(30 * SECOND);
    assert.deepEqual(route(), [failing.key, working.key, 'sandbox']);
    const trial = fail();
    assert.deepEqual(route(), [working.key, failing.key, 'sandbox']);
    await trial;
    for (const account of [failing, working]) await disable(account);
  });

  test('tries the next account only if the first was certainly not called', async () => {
    const first = await add('First', { priority: 1 });
    const second = await add('Second', { priority: 2 });
    const called: string[] = [];
    let failure: Error = new NotProcessed('503 before processing');
    changeCharges((key, charge) => async (request) => {
      called.push(key);
      if (key === first.key) throw failure;
      return await charge(request);
    });
    const paid = await createLink(fixture);
    assert.equal((await submitCard(fixture, paid.reference)).body.response_type, 'confirmed');
    assert.deepEqual(called.splice(0), [first.key, second.key]);
    // Refunds go to the account that charged.
    const refund = await fixture.request('/fiat/v1/transaction/refund', { body: { transaction_id: paid.reference } });
    assert.equal(refund.body.refunds[0].state, 'succeeded');

    failure = new Error('the connection broke');
    const unknown = await createLink(fixture);
    assert.equal((await submitCard(fixture, unknown.reference)).body.response_type, 'processing');
    assert.deepEqual(called.splice(0), [first.key]);

    // A repeated request is never sent to another account: the first may still charge.
    failure = new NotProcessed('circuit open');
    const again = { body: submission(unknown.reference), headers: { 'Idempotency-Key': 'again-and-again' } };
    assert.equal((await fixture.request('/fiat/v1/transaction/submit', again)).status, 409);
    assert.deepEqual(called.splice(0), []);
    await disable(first);
    await disable(second);
  });

  test('moves no charge that a repeated request has taken over', async () => {
    const [first, second] = [await add('First', { priority: 1 }), await add('Second', { priority: 2 })];
    const called: string[] = [];
    const [fail, approve] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const calls = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    changeCharges((key, charge) => async (request) => {
      called.push(key);
      calls[called.length - 1]?.resolve();
      if (called.length > 1) {
        await approve.promise;
        return await charge(request);
      }
      await fail.promise;
      throw new NotProcessed('no connection');
    });
    const { reference } = await createLink(fixture);
    const request = { body: submission(reference), headers: { 'Idempotency-Key': 'taken over' } };
    const submit = async () => await fixture.request('/fiat/v1/transaction/submit', request);
    const slow = submit();
    await calls[0]?.promise;
    fixture.clock.advance(31 * SECOND);
    const repeated = submit();
    await calls[1]?.promise;
    fail.resolve();
    assert.equal((await slow).body.response_type, 'processing');
    // Nor does the job abandon the repeated charge.
    await fixture.advance(10 * SECOND);
    approve.resolve();
    assert.equal((await repeated).body.response_type, 'confirmed');
    assert.deepEqual(called, [first.key, first.key]);
    await disable(first);
    await disable(second);
  });

  test('abandons no charge that was moved to a slow account', async () => {
    const [first, second] = [await add('First', { priority: 1 }), await add('Second', { priority: 2 })];
    const abandoned: string[] = [];
    restore = changeAccounts(fixture.service(), (account) => {
      const { card } = account;
      if (!card) return account;
      const { fetchOutcome: _fetchOutcome, ...others } = card;
      const isFirst = account.key === first.key;
      const changed = {
        ...others,
        charge: async (charge: Parameters<typeof card.charge>[0]) => {
          // Longer than the job waits for the outcome of one call.
          await (isFirst ? fixture.clock.advance(20 * SECOND) : fixture.advance(20 * SECOND));
          if (isFirst) throw new NotProcessed('no connection');
          return await card.charge(charge);
        },
        abandon: async (charge: Parameters<typeof card.abandon>[0]) => {
          abandoned.push(account.key);
          return await card.abandon(charge);
        },
      };
      return { ...account, card: changed };
    });
    const { reference } = await createLink(fixture);
    assert.equal((await submitCard(fixture, reference)).body.response_type, 'confirmed');
    assert.deepEqual(abandoned, []);
    await disable(first);
    await disable(second);
  });

  test('ignores the outcome of an account from which a charge was moved', async () => {
    const [first, second] = [await add('First', { priority: 1 }), await add('Second', { priority: 2 })];
    const { reference } = await createLink(fixture);
    const isPolled = Promise.withResolvers<void>();
    const isMoved = Promise.withResolvers<void>();
    let poll = Promise.resolve();
    restore = changeAccounts(fixture.service(), (account) => {
      const { card } = account;
      if (!card) return account;
      const isFirst = account.key === first.key;
      return {
        ...account,
        card: {
          ...card,
          charge: async (charge) => {
            if (isFirst) {
              poll = fixture.advance(36 * SECOND);
              await isPolled.promise;
              throw new NotProcessed('no connection');
            }
            isMoved.resolve();
            await poll;
            assert.equal((await detailOf(fixture, reference)).attempts[0].state, 'submitting');
            return await card.charge(charge);
          },
          fetchOutcome: async () => {
            isPolled.resolve();
            await isMoved.promise;
            const advice = 'try_later' as const;
            const decline = { code: 'authentication_abandoned', network_code: null, retryable: true, advice };
            return { kind: 'declined', decline };
          },
        },
      };
    });
    assert.equal((await submitCard(fixture, reference)).body.response_type, 'confirmed');
    await disable(first);
    await disable(second);
  });

  test('declines with advice to try later if no account could be called', async () => {
    restore = changeAccounts(fixture.service(), (account) => ({
      ...account,
      ...(account.card && {
        card: { ...account.card, charge: async () => await Promise.reject(new NotProcessed('circuit open')) },
      }),
    }));
    const { reference } = await createLink(fixture);
    const { body } = await submitCard(fixture, reference, cards.visa);
    assert.deepEqual(
      [body.response_type, body.decline.code, body.decline.advice, body.attempts_left],
      ['declined', 'acquirer_unavailable', 'try_later', 4],
    );
    assert.equal((await detailOf(fixture, reference)).status, 'transaction_status_pending');
  });

  test('offers a method only for amounts within the limits of an account', async () => {
    const link = await createLink(fixture);
    const offered = async () => (await fixture.request(`${link.path}/state`, { token: null })).body.methods.length;
    const limit = (limits: Partial<MethodCapability>) => {
      restore = changeAccounts(fixture.service(), (account) => ({
        ...account,
        capabilities: account.capabilities.map((capability) => ({ ...capability, ...limits })),
      }));
    };
    assert.equal(await offered(), 1);
    limit({ minimum: { USD: 12_50n }, maximum: { USD: 12_50n } });
    assert.equal(await offered(), 1);
    restore();
    limit({ minimum: { USD: 12_51n } });
    assert.equal(await offered(), 0);
    restore();
    limit({ maximum: { USD: 12_49n } });
    assert.equal(await offered(), 0);
  });

  test('is refreshed by every process when an account changes', async () => {
    const another = await fixture.another();
    try {
      const account = await add('New', {});
      await another.jobs.drain();
      assert.equal(another.payments.acquirers.find(account.key)?.adapter, 'sandbox');
      await disable(account);
    } finally {
      await another.close();
    }
  });
});

describe('the guard of an account', () => {
  test('opens its circuit after five failures, and lets one trial through after 30 seconds', () => {
    const clock = new SimulatedClock();
    const guard = createAccountGuard(clock, null);
    const fail = () => guard.record({ hasResponse: false, durationMs: 10 });
    for (let index = 0; index < 4; index += 1) fail();
    assert.deepEqual([guard.admit(), guard.health().circuit], [null, 'closed']);
    fail();
    assert.deepEqual([guard.admit(), guard.health().circuit], ['circuit_open', 'open']);
    clock.advance(30 * SECOND);
    assert.deepEqual([guard.admit(), guard.admit()], [null, 'circuit_open']);
    fail();
    assert.equal(guard.admit(), 'circuit_open');
    clock.advance(30 * SECOND);
    assert.equal(guard.admit(), null);
    guard.record({ hasResponse: true, durationMs: 30 });
    const { circuit, calls, successRate, medianMs } = guard.health();
    assert.deepEqual([circuit, calls, successRate, medianMs], ['closed', 7, 1 / 7, 10]);
  });

  test('enforces the acquirer’s rate limit', () => {
    const clock = new SimulatedClock();
    const guard = createAccountGuard(clock, 60);
    const admitted = () => Array.from({ length: 100 }, () => guard.admit()).filter((each) => each === null).length;
    assert.equal(admitted(), 60);
    clock.advance(10 * SECOND);
    assert.equal(admitted(), 10);
  });
});
