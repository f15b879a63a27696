import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { HOUR, MINUTE, SECOND } from '../../src/shared/time.ts';
import type { Notification } from '../../src/acquirers/adapter.ts';
import type { CardAcquirer, CardCharge, ChargeKey, ChargeOutcome } from '../../src/acquirers/port.ts';
import type { RefundOutcome } from '../../src/acquirers/refund.ts';
import { changeAccounts, changeCard } from '../support/acquirer-accounts.ts';
import { createLink, detailOf, submission, submitCard } from '../support/requests.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { db } from '../support/tables.ts';

/** Parts of the port that real acquirers need, but not the sandbox. */
describe('an acquirer behind the port', () => {
  let fixture: Fixture;
  let restore = () => {};
  before(async () => {
    fixture = await openFixture();
  });
  afterEach(() => restore());
  after(async () => await fixture.close());

  const sign = 'signed';
  const challenge: ChargeOutcome = {
    kind: 'challenge',
    reference: 'psp-1',
    challenge: { url: 'https://issuer.example/acs?a=1&b=2', method: 'POST', fields: { PaReq: 'a"b', MD: '1' } },
  };
  const declined: ChargeOutcome = {
    kind: 'declined',
    decline: { code: 'card_declined', network_code: '05', retryable: true, advice: 'use_other_card' },
  };

  /** Replaces the ports of the sandbox's account. The body of a webhook is a list of notifications. */
  const use = (card: Partial<CardAcquirer>) => {
    restore = changeAccounts(fixture.service(), (account) => ({
      ...account,
      ...(account.card && { card: { ...account.card, ...card } }),
      parseWebhook: ({ rawBody, headers }) => {
        if (headers.get('x-signature') !== sign) return { kind: 'rejected', reason: 'bad_signature' };
        const text = new TextDecoder().decode(rawBody);
        if (!text.startsWith('[')) return { kind: 'rejected', reason: 'malformed' };
        return {
          kind: 'accepted',
          notifications: JSON.parse(text) as Notification[],
          response: { body: '[accepted]', contentType: 'text/plain' },
        };
      },
    }));
  };
  const post = async (notifications: unknown, { signature = sign, account = 'sandbox' } = {}) =>
    await fixture.request(`/acquirers/${account}/webhooks`, {
      method: 'POST',
      token: null,
      body: notifications,
      headers: { 'x-signature': signature },
    });

  test('receives browser data, and its own reference in every later call', async () => {
    const charges: CardCharge[] = [];
    const later: ChargeKey[] = [];
    const followUp = (outcome: ChargeOutcome) => async (charge: ChargeKey) => {
      later.push(charge);
      return await Promise.resolve(outcome);
    };
    use({
      charge: async (charge) => {
        charges.push(charge);
        return await Promise.resolve({ kind: 'unknown', reference: 'psp-7' });
      },
      fetchOutcome: followUp({ kind: 'approved', details: { authorizationCode: 'A1', networkCode: '00' } }),
    });
    const { reference, clientToken, link } = await createLink(fixture, { description: 'Two teapots' });
    const browser = {
      ...{ language: 'de-DE', color_depth: 24, screen_width: 390, screen_height: 844, time_zone_offset: -120 },
    };
    const body = { ...submission(reference), browser };
    await fixture.request('/fiat/v1/transaction/submit', { token: clientToken, body });
    const [charge] = charges;
    assert.equal(charge?.browser?.language, 'de-DE');
    assert.equal(charge?.browser?.timeZoneOffsetMinutes, -120);
    assert.ok(charge?.browser?.userAgent);
    assert.deepEqual(
      [charge?.transactionReference, charge?.description, charge?.returnUrl],
      [reference, 'Two teapots', `${link}/return`],
    );
    await fixture.advance(6 * SECOND);
    assert.equal((await detailOf(fixture, reference)).status, 'transaction_status_confirmed');
    assert.deepEqual(
      later.map((each) => [each.attemptKey, each.reference, each.amountMinor, each.currency]),
      [[charge?.attemptKey, 'psp-7', 1250n, 'USD']],
    );
  });

  test('posts the challenge form, and completes the challenge with the return’s parameters', async () => {
    const completed: [ChargeKey, Readonly<Record<string, string>>][] = [];
    use({
      charge: async () => await Promise.resolve(challenge),
      complete: async (charge, returned) => {
        completed.push([charge, returned]);
        return await Promise.resolve({ kind: 'approved' });
      },
    });
    const { reference, path, link } = await createLink(fixture);
    const submitted = await submitCard(fixture, reference);
    assert.deepEqual(
      [submitted.body.response_type, submitted.body.redirect_url],
      ['3ds_redirect', `${link}/challenge`],
    );
    const form = await fixture.request(`${path}/challenge`, { token: null });
    assert.equal(form.status, 200);
    assert.match(form.text, /<form class="status" method="post" action="https:\/\/issuer\.example\/acs\?a=1&amp;b=2">/);
    assert.match(form.text, /name="PaReq" value="a&quot;b"/);
    const policy = form.headers.get('content-security-policy') ?? '';
    assert.match(policy, /script-src 'sha256-/);
    assert.match(policy, /form-action 'self' https:\/\/issuer\.example https:/);
    const returned = await fixture.request(`${path}/return?redirectResult=X1`, { token: null });
    assert.equal(returned.status, 303);
    assert.deepEqual(
      completed.map(([{ reference: own }, parameters]) => [own, parameters]),
      [['psp-1', { redirectResult: 'X1' }]],
    );
    assert.equal((await detailOf(fixture, reference)).status, 'transaction_status_confirmed');
    // Nothing is left to confirm.
    assert.equal((await fixture.request(`${path}/challenge`, { token: null })).headers.get('location'), path);
  });

  test('that cannot be polled keeps a challenge open until its notification or the link’s expiry', async () => {
    const abandoned: string[] = [];
    use({
      charge: async () => await Promise.resolve(challenge),
      abandon: async ({ attemptKey }) => {
        abandoned.push(attemptKey);
        return await Promise.resolve({ kind: 'unknown' });
      },
    });
    const accounts = fixture.service().payments.acquirers;
    const find = accounts.find;
    accounts.find = (key) => {
      const account = find(key);
      if (!account?.card) return account;
      const { fetchOutcome: _asked, ...card } = account.card;
      return { ...account, card };
    };
    const { reference } = await createLink(fixture);
    await submitCard(fixture, reference);
    await fixture.advance(12 * HOUR);
    assert.deepEqual(abandoned, []);
    await fixture.advance(12 * HOUR + MINUTE);
    const [attemptKey] = abandoned;
    assert.ok(attemptKey);
    assert.equal((await detailOf(fixture, reference)).status, 'transaction_status_waiting');
    await post([{ id: 'n1', kind: 'charge', attemptKey, outcome: declined }]);
    await fixture.work();
    assert.equal((await detailOf(fixture, reference)).status, 'transaction_status_failed');
  });

  test('is acknowledged once its notification is stored, which counts once', async () => {
    const keys: string[] = [];
    use({
      charge: async ({ attemptKey }) => {
        keys.push(attemptKey);
        return await Promise.resolve({ kind: 'unknown' });
      },
    });
    const { reference } = await createLink(fixture);
    await submitCard(fixture, reference);
    const approval = { id: 'n2', kind: 'charge', attemptKey: keys[0], outcome: { kind: 'approved' } };
    const forged = await post([approval], { signature: 'forged' });
    assert.deepEqual([forged.status, forged.body.code], [401, 'unauthorized']);
    assert.equal((await post({})).status, 400);
    assert.equal((await post([approval], { account: 'nobody' })).status, 404);
    await fixture.work();
    assert.equal((await detailOf(fixture, reference)).status, 'transaction_status_waiting');
    const accepted = await post([approval]);
    assert.deepEqual([accepted.status, accepted.text], [200, '[accepted]']);
    assert.equal((await post([approval])).status, 200);
    await fixture.work();
    const detail = await detailOf(fixture, reference);
    assert.deepEqual([detail.status, detail.timeline.length], ['transaction_status_confirmed', 3]);
  });

  test('reports only about payments of its own account', async () => {
    const keys: string[] = [];
    use({
      charge: async ({ attemptKey }) => {
        keys.push(attemptKey);
        return await Promise.resolve({ kind: 'unknown' });
      },
    });
    const { reference } = await createLink(fixture);
    await submitCard(fixture, reference);
    await post([{ id: 'n3', kind: 'charge', attemptKey: keys[0], outcome: { kind: 'approved' } }], {
      account: 'chains',
    });
    await fixture.work();
    assert.equal((await detailOf(fixture, reference)).status, 'transaction_status_waiting');
    assert.match(fixture.log(), /notification for a payment that this acquirer account does not have/);
  });

  test('is polled after an unsigned notification, and again if it does not respond', async () => {
    const keys: string[] = [];
    let isDown = true;
    use({
      charge: async ({ attemptKey }) => {
        keys.push(attemptKey);
        return await Promise.resolve({ kind: 'unknown' });
      },
      fetchOutcome: async ({ reference }) => {
        assert.equal(reference, 'psp-9');
        return isDown ? await Promise.reject(new Error('503')) : await Promise.resolve({ kind: 'approved' });
      },
    });
    const { reference } = await createLink(fixture);
    await submitCard(fixture, reference);
    await post([{ id: 'n4', kind: 'charge_changed', attemptKey: keys[0], reference: 'psp-9' }]);
    await fixture.work();
    assert.equal((await detailOf(fixture, reference)).status, 'transaction_status_waiting');
    isDown = false;
    await fixture.advance(5 * SECOND);
    assert.equal((await detailOf(fixture, reference)).status, 'transaction_status_confirmed');
  });

  test('reports that a refund ended later, and that it failed after it had succeeded', async () => {
    const refunds: string[] = [];
    const outcome: RefundOutcome = { kind: 'pending', reference: 'refund-1' };
    use({
      refund: async ({ refundKey }) => {
        refunds.push(refundKey);
        return await Promise.resolve(outcome);
      },
    });
    const { reference } = await createLink(fixture);
    await submitCard(fixture, reference);
    await fixture.request('/fiat/v1/transaction/refund', { body: { transaction_id: reference, amount: 5 } });
    const [refundKey] = refunds;
    const report = async (id: string, reported: RefundOutcome) => {
      await post([{ id, kind: 'refund', refundKey, outcome: reported }]);
      await fixture.work();
      const detail = await detailOf(fixture, reference);
      return [detail.refunds[0].state, detail.refunded_amount, detail.timeline.at(-1).detail];
    };
    const returned: RefundOutcome = { kind: 'refused', code: 'account_closed', detail: 'The account is closed.' };
    assert.deepEqual(await report('r1', { kind: 'succeeded' }), ['succeeded', 5, '5.00 USD refunded']);
    const failed = ['failed', 0, 'refund of 5.00 USD failed after it had succeeded: account_closed'];
    assert.deepEqual(await report('r2', returned), failed);
    // A failed refund is final, even for a report that arrives late.
    assert.deepEqual(await report('r3', { kind: 'succeeded' }), failed);
    const again = await fixture.request('/fiat/v1/transaction/refund', { body: { transaction_id: reference } });
    assert.equal(again.status, 200, again.text);
  });

  test('reports a failed reversal of a duplicate charge, which the timeline shows', async () => {
    const keys: string[] = [];
    use({
      charge: async ({ attemptKey }) => {
        keys.push(attemptKey);
        return await Promise.resolve({ kind: 'approved' });
      },
    });
    const { reference } = await createLink(fixture);
    await submitCard(fixture, reference);
    const report = async (id: string) => {
      await post([{ id, kind: 'reversal_failed', attemptKey: keys[0] }]);
      await fixture.work();
    };
    await report('v0');
    assert.doesNotMatch(fixture.log(), /could not be reversed/, 'a valid charge has no reversal');
    await db(fixture.service().database)
      .updateTable('card_attempts')
      .set({ state: 'reversed' })
      .where('attempt_key', '=', keys[0] ?? '')
      .execute();
    for (const id of ['v1', 'v1', 'v2']) await report(id);
    const { timeline, status } = await detailOf(fixture, reference);
    const reported = timeline.filter(({ detail }: { detail: string }) => /could not be reversed/.test(detail));
    assert.deepEqual([reported.length, status], [1, 'transaction_status_confirmed']);
    assert.match(fixture.log(), /duplicate charge could not be reversed/);
  });

  test('without card support offers no cards', async () => {
    restore = changeCard(fixture.service(), () => null);
    const { reference } = await createLink(fixture).catch(() => ({ reference: null }));
    assert.equal(reference, null);
  });
});
