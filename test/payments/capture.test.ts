import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { VoidRequest } from '../../src/acquirers/capture.ts';
import { applyOutcome } from '../../src/payments/card/outcome.ts';
import { applyNotification } from '../../src/payments/notifications.ts';
import { DAY, HOUR, MINUTE } from '../../src/shared/time.ts';
import { changeCard } from '../support/acquirer-accounts.ts';
import { createBuyers, type Link } from '../support/buyer.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { moveLastEventNumber } from '../support/event-numbers.ts';
import { type Fixture, openFixture } from '../support/fixture.ts';
import { cards, createLink, creation, submitCard } from '../support/requests.ts';
import { type CapturePlan, cardFor, ScriptedAcquirer } from '../support/scripted-acquirer.ts';

/** The requests of a merchant about an authorized payment. */
function merchantOf(fixtureNow: () => Fixture) {
  const { detailOf } = createBuyers(fixtureNow);
  const request = async (
    action: string,
    { reference }: Link,
    body: object = {},
    headers: Record<string, string> = {},
  ) =>
    await fixtureNow().request(`/fiat/v1/transaction/${action}`, {
      body: { transaction_id: reference, ...body },
      headers,
    });
  return {
    detailOf,
    request,
    authorized: async (fields: object = {}, card?: string) => {
      const link = await createLink(fixtureNow(), { capture: 'manual', ...fields });
      const { body } = await submitCard(fixtureNow(), link.reference, card);
      assert.equal(body.response_type, 'authorized');
      return link;
    },
    capture: async (link: Link, amount?: number, headers: Record<string, string> = {}) =>
      await request('capture', link, amount === undefined ? {} : { amount }, headers),
    /** Status, authorization, captured and received amount. */
    stateOf: async (link: Link) => {
      const { status, authorization, amount_received: received } = await detailOf(link);
      return [
        status.slice('transaction_status_'.length),
        authorization?.status,
        authorization?.captured_amount,
        received,
      ];
    },
  };
}

describe('manual capture', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
    await enableEveryMethod(fixture, fixture.merchant);
  });
  after(async () => await fixture.close());

  const { detailOf, authorized, capture, request, stateOf } = merchantOf(() => fixture);

  test('authorizes an approved card, and receives nothing', async () => {
    const link = await authorized();
    const detail = await detailOf(link);
    assert.deepEqual(
      [
        detail.status,
        detail.capture,
        detail.amount_received,
        detail.authorization?.status,
        detail.authorization?.amount,
      ],
      ['transaction_status_waiting', 'manual', 0, 'authorized', 12.5],
    );
    assert.equal(
      Date.parse(detail.authorization?.expires_at ?? '') - Date.parse(detail.authorization?.created_at ?? ''),
      (7 * DAY) / 1000,
    );
    assert.deepEqual(detail.available_actions, ['capture', 'void']);
    const { events } = (await fixture.request(`/fiat/v1/transaction/events?transaction_id=${link.reference}`)).body;
    const { type, data } = events.at(-1);
    assert.deepEqual([type, data.authorization.status], ['fiat.transaction.updated', 'authorized']);
    const listed = (await fixture.request(`/fiat/v1/transactions?authorization_status=authorized&counts=true`)).body;
    assert.ok(listed.transactions.some((each: { transaction_id: string }) => each.transaction_id === link.reference));
    assert.ok(listed.counts.authorized >= 1);
  });

  test('captures the full amount once', async () => {
    const link = await authorized();
    const { status, body, text } = await capture(link);
    assert.equal(status, 200, text);
    assert.deepEqual(
      [body.status, body.amount_received, body.reason],
      ['transaction_status_confirmed', 12.5, undefined],
    );
    assert.equal(body.timeline.at(-1).detail, '12.50 USD captured');
    const again = await capture(link);
    assert.deepEqual([again.status, again.body.code], [409, 'no_open_authorization']);
    assert.equal((await request('void', link)).body.code, 'no_open_authorization');
  });

  test('captures a part, at its fee, and refunds at most that', async () => {
    const link = await authorized();
    const detail = (await capture(link, 10)).body;
    assert.deepEqual(
      [detail.status, detail.amount_received, detail.amount_delivered, detail.reason, detail.refund_options.maximum],
      ['transaction_status_confirmed', 10, 9.41, undefined, 10],
    );
    assert.equal((await request('refund', link, { amount: 10.01 })).body.code, 'not_refundable');
    assert.equal((await request('refund', link)).body.refunded_amount, 10);
  });

  test('captures a part at no more than the agreed fee', async () => {
    const link = await authorized({ type_of_calculation: 'forward_with_fee' });
    assert.equal((await detailOf(link)).amount_charged, 13.16);
    assert.equal((await capture(link, 13.15)).body.amount_delivered, 12.49);
  });

  test('refuses amounts above the authorized one, and below the fee', async () => {
    const link = await authorized();
    const problem = async (amount: number) => (await capture(link, amount)).body.errors?.[0];
    assert.deepEqual((await problem(12.51))?.code, 'too_large');
    assert.deepEqual((await problem(0.3))?.code, 'amount_below_fee');
    assert.deepEqual((await problem(1.001))?.code, 'too_many_decimals');
    assert.deepEqual(await stateOf(link), ['waiting', 'authorized', 0, 0]);
  });

  test('repeats the response to the same idempotency key', async () => {
    const link = await authorized();
    const headers = { 'idempotency-key': `capture ${link.reference}` };
    assert.equal((await capture(link, 5, headers)).status, 200);
    assert.equal((await capture(link, 5, headers)).headers.get('idempotency-replayed'), 'true');
    assert.deepEqual(await stateOf(link), ['confirmed', 'captured', 5, 5]);
  });

  test('voids an authorization', async () => {
    const link = await authorized();
    const { body } = await request('void', link);
    assert.deepEqual(
      [body.status, body.reason, body.authorization.status, body.attempts[0].state],
      ['transaction_status_failed', 'cancelled', 'voided', 'reversed'],
    );
    assert.equal((await capture(link)).body.code, 'no_open_authorization');
    assert.equal((await request('refund', link)).body.code, 'not_refundable');
  });

  test('is neither canceled, nor expired with the link, nor paid again', async () => {
    const link = await authorized();
    assert.equal((await request('cancel', link)).body.code, 'not_cancellable');
    assert.equal((await submitCard(fixture, link.reference)).body.code, 'already_authorized');
    await fixture.advance(2 * DAY);
    assert.deepEqual(await stateOf(link), ['waiting', 'authorized', 0, 0]);
  });

  test('expires when it is due, and can then be renewed', async () => {
    const link = await authorized();
    await fixture.advance(7 * DAY);
    const detail = await detailOf(link);
    assert.deepEqual(
      [detail.status, detail.reason, detail.authorization?.status, detail.timeline.at(-1)?.detail],
      ['transaction_status_failed', 'expired', 'expired', 'authorization expired'],
    );
    const late = await capture(link);
    assert.deepEqual([late.status, late.body.code], [409, 'no_open_authorization']);
    assert.match(late.body.detail, /expired at 20/);
    assert.equal((await request('renew', link)).status, 200);
    assert.equal((await submitCard(fixture, link.reference)).body.response_type, 'authorized');
    assert.deepEqual(await stateOf(link), ['waiting', 'authorized', 0, 0]);
    await capture(link);
    assert.deepEqual(await stateOf(link), ['confirmed', 'captured', 12.5, 12.5]);
  });

  test('reverses a captured amount when the capture fails later', async () => {
    const link = await authorized({}, cards.captureFails);
    assert.deepEqual((await capture(link, 10)).body.status, 'transaction_status_confirmed');
    await fixture.advance(MINUTE);
    const detail = await detailOf(link);
    assert.deepEqual(await stateOf(link), ['waiting', 'authorized', 0, 0]);
    assert.deepEqual([detail.amount_delivered, detail.authorization?.failure?.code], [11.84, 'capture_failed']);
    assert.equal(detail.timeline.at(-1)?.detail, 'capture of 10.00 USD failed after it had succeeded: capture_failed');
    await capture(link);
    assert.deepEqual(await stateOf(link), ['confirmed', 'captured', 12.5, 12.5]);
  });

  test('is refused for methods without it', async () => {
    const fields = { payment_method: 'qr_code', country: 'VNM', currency: 'VND', amount: 100_000, capture: 'manual' };
    const { status, body } = await fixture.request('/fiat/v1/transaction', { body: creation(fields) });
    assert.deepEqual([status, body.errors[0].pointer, body.errors[0].code], [422, '/capture', 'capture_not_supported']);
  });

  test('shows the payer an authorized payment, and then the captured amount', async () => {
    const link = await authorized();
    const pageState = async () => (await fixture.request(`${link.path}/state`, { token: null })).body;
    const before = await pageState();
    // The page needs the text of a release before it happens.
    const page = await fixture.request(link.path, { token: null, headers: { accept: 'text/html' } });
    assert.match(page.text, /authorization\.released/);
    assert.deepEqual(
      [before.phase, before.authorized, before.paidAt, before.returnUrl],
      ['paid', true, null, 'https://shop.example/paid'],
    );
    await capture(link, 10);
    const after = await pageState();
    assert.deepEqual([after.authorized, after.amount.value, after.received], [false, '10.00', null]);
  });

  const endings = [
    ['voided', 'cancelled', /This payment was canceled/, async (link: Link) => await request('void', link)],
    ['expired', 'expired', /This payment has expired/, async () => await fixture.advance(7 * DAY)],
  ] as const;
  for (const [ending, phase, title, end] of endings)
    test(`tells the payer that the amount was released once the authorization is ${ending}`, async () => {
      const link = await authorized();
      await end(link);
      const english = 'The amount held on your card was released';
      const { body } = await fixture.request(`${link.path}/state`, { token: null });
      assert.deepEqual([body.phase, body.authorized, body.paidAt, body.card?.last4], [phase, true, null, '4242']);
      const headers = { accept: 'text/html' };
      const page = await fixture.request(link.path, { token: null, headers });
      const [, panel = ''] = page.text.split('<status-panel');
      assert.ok(panel.includes(english), panel);
      assert.match(panel, title);
      assert.match(panel, /ending in 4242/);
      const frame = await fixture.request(link.path.replace('/p/', '/e/'), { token: null, headers });
      assert.ok(frame.text.includes(english), frame.text.slice(-3000));
      // Also in another language.
      const chosen = await fixture.request(`${link.path}/locale`, { token: null, body: { locale: 'de' } });
      const framed = await fixture.request('/texts/card/de', { token: null });
      for (const { body } of [chosen, framed])
        assert.match(body.texts['authorization.released'], /reservierte Betrag wurde freigegeben/);
    });

  test('says nothing of a release for a payment without an authorization, or whose renewed link was not paid', async () => {
    const link = await authorized();
    await fixture.advance(7 * DAY);
    const renewed = new URL((await request('renew', link)).body.value.link).pathname;
    await fixture.advance(7 * DAY);
    const canceled = await createLink(fixture, { capture: 'manual' });
    await request('cancel', canceled);
    const pages = { [canceled.path]: 'cancelled', [renewed]: 'expired' };
    for (const [path, phase] of Object.entries(pages)) {
      const { body } = await fixture.request(`${path}/state`, { token: null });
      assert.deepEqual([body.phase, body.authorized, body.card], [phase, false, null]);
    }
  });

  test('offers only cards', async () => {
    const vietnam = { country: 'VNM', currency: 'USD', capture: 'manual' };
    const link = await createLink(fixture, vietnam);
    const { methods } = (await fixture.request(`${link.path}/state`, { token: null })).body;
    assert.deepEqual([...new Set(methods.map(({ action }: { action: string }) => action))], ['card']);
  });
});

describe('manual capture with a failing acquirer', () => {
  let fixture: Fixture;
  const acquirer = new ScriptedAcquirer();
  before(async () => {
    fixture = await openFixture({ wrapCardAcquirer: () => acquirer });
    acquirer.notify = async (attemptKey, outcome) => {
      await applyOutcome(fixture.service().payments, attemptKey, outcome);
    };
  });
  after(async () => await fixture.close());
  afterEach(() => acquirer.resolvePending());

  const { detailOf, authorized, capture, request, stateOf } = merchantOf(() => fixture);
  const modification = () => {
    const [last] = [...acquirer.modifications.values()].slice(-1);
    assert.ok(last);
    return last;
  };
  const captureBy = async (plan: CapturePlan, amount?: number) => {
    const link = await authorized({}, cardFor('approve'));
    acquirer.capturePlan = plan;
    const { body } = await capture(link, amount);
    return { link, body };
  };
  const notify = async (outcome: Parameters<typeof applyNotification>[2] & { kind: 'capture' | 'external_capture' }) =>
    await applyNotification(fixture.service().payments, 'sandbox', outcome);

  for (const plan of ['lost_request', 'lost_answer', 'wait'] as const) {
    test(`captures once after ${plan}`, async () => {
      const { link, body } = await captureBy(plan, 10);
      assert.deepEqual([body.status, body.authorization.status], ['transaction_status_waiting', 'capture_pending']);
      assert.equal((await capture(link)).body.code, 'authorization_update_pending');
      assert.equal((await request('void', link)).body.code, 'authorization_update_pending');
      acquirer.resolvePending();
      await fixture.advance(2 * MINUTE);
      assert.deepEqual(await stateOf(link), ['confirmed', 'captured', 10, 10]);
      assert.equal(acquirer.captures(modification().attemptKey).length, 1);
    });

    test(`voids after ${plan}`, async () => {
      const link = await authorized({}, cardFor('approve'));
      acquirer.capturePlan = plan;
      assert.equal((await request('void', link)).body.authorization.status, 'void_pending');
      acquirer.resolvePending();
      await fixture.advance(2 * MINUTE);
      assert.deepEqual(await stateOf(link), ['failed', 'voided', 0, 0]);
    });
  }

  test('a request repeated after a day captures the amount if the first was refused, and only that amount', async () => {
    const link = await authorized({}, cardFor('approve'));
    const headers = { 'idempotency-key': `daily ${link.reference}` };
    acquirer.capturePlan = 'refuse';
    assert.equal((await capture(link, 10, headers)).body.authorization.status, 'authorized');
    await fixture.advance(25 * HOUR);
    acquirer.capturePlan = 'succeed';
    assert.equal((await capture(link, 10, headers)).status, 200);
    assert.deepEqual(await stateOf(link), ['confirmed', 'captured', 10, 10]);
    await fixture.advance(25 * HOUR);
    assert.equal((await capture(link, 10, headers)).status, 200);
    const { status, body } = await capture(link, 5, headers);
    assert.deepEqual([status, body.code], [422, 'idempotency_key_reused']);
    assert.equal(acquirer.captures(modification().attemptKey).length, 1);
  });

  test('a void repeated after a day releases the amount if the first was refused', async () => {
    const link = await authorized({}, cardFor('approve'));
    const headers = { 'idempotency-key': `daily ${link.reference}` };
    acquirer.capturePlan = 'refuse';
    assert.equal((await request('void', link, {}, headers)).body.authorization.status, 'authorized');
    await fixture.advance(25 * HOUR);
    acquirer.capturePlan = 'succeed';
    for (const _ of [1, 2]) {
      assert.equal((await request('void', link, {}, headers)).status, 200);
      assert.deepEqual(await stateOf(link), ['failed', 'voided', 0, 0]);
      await fixture.advance(25 * HOUR);
    }
  });

  test('a pending capture outlives the expiry of the authorization', async () => {
    const { link } = await captureBy('wait');
    await fixture.advance(8 * DAY);
    assert.deepEqual((await stateOf(link)).slice(0, 2), ['waiting', 'capture_pending']);
    acquirer.resolvePending();
    await fixture.advance(DAY);
    assert.deepEqual(await stateOf(link), ['confirmed', 'captured', 12.5, 12.5]);
  });

  test('a capture that is pending for over a month is reported to the operator, and still polled', async () => {
    const { link } = await captureBy('wait');
    const isReported = () => fixture.log().includes('capture or void pending for over a month');
    for (let day = 0; day < 30; day += 1) await fixture.advance(DAY);
    assert.equal(isReported(), false);
    for (let day = 0; day < 10; day += 1) await fixture.advance(DAY);
    assert.equal(isReported(), true);
    acquirer.resolvePending();
    await fixture.advance(DAY);
    assert.deepEqual(await stateOf(link), ['confirmed', 'captured', 12.5, 12.5]);
  });

  test('a capture made with the acquirer is recorded only if it matches the authorization', async () => {
    const link = await authorized({}, cardFor('approve'));
    const attemptKey = [...acquirer.charges.keys()].at(-1) ?? '';
    const report = async (currency: 'USD' | 'EUR', amountMinor: bigint, reference: string) =>
      await notify({
        ...{ id: reference, kind: 'external_capture', attemptKey, currency },
        outcome: { kind: 'captured', amountMinor, reference },
      });
    await report('EUR', 1250n, 'other-currency');
    await report('USD', 1251n, 'too-much');
    assert.deepEqual(await stateOf(link), ['waiting', 'authorized', 0, 0]);
    assert.equal(fixture.log().split('external capture does not match the authorization').length, 3);
    await report('USD', 1000n, 'part');
    assert.deepEqual(await stateOf(link), ['confirmed', 'captured', 10, 10]);
    await report('USD', 1000n, 'another');
    assert.deepEqual(await stateOf(link), ['confirmed', 'captured', 10, 10]);
  });

  test('a capture made with the acquirer is recorded even if the fee exceeds it', async () => {
    const link = await authorized({}, cardFor('approve'));
    await notify({
      ...{ id: 'small', kind: 'external_capture', currency: 'USD' },
      attemptKey: [...acquirer.charges.keys()].at(-1) ?? '',
      outcome: { kind: 'captured', amountMinor: 5n, reference: 'small' },
    });
    assert.deepEqual(await stateOf(link), ['confirmed', 'captured', 0.05, 0.05]);
    assert.equal((await detailOf(link)).amount_delivered, 0.01);
  });

  test('a refused capture leaves the amount authorized', async () => {
    const { link, body } = await captureBy('refuse');
    assert.deepEqual(
      [body.status, body.authorization.status, body.authorization.failure.code],
      ['transaction_status_waiting', 'authorized', 'capture_refused'],
    );
    acquirer.capturePlan = 'succeed';
    await capture(link);
    assert.deepEqual(await stateOf(link), ['confirmed', 'captured', 12.5, 12.5]);
  });

  test('is refused while its acquirer account is not set up', async () => {
    const link = await authorized({}, cardFor('approve'));
    const restore = changeCard(fixture.service(), () => null);
    for (const action of ['capture', 'void'] as const) {
      const { status, body } = await request(action, link);
      assert.deepEqual([status, body.code], [409, 'acquirer_account_missing']);
    }
    restore();
    assert.deepEqual(await stateOf(link), ['waiting', 'authorized', 0, 0]);
    await request('void', link);
    assert.deepEqual(await stateOf(link), ['failed', 'voided', 0, 0]);
  });

  test('a capture of a released amount expires the authorization', async () => {
    const { link } = await captureBy('released');
    assert.deepEqual(await stateOf(link), ['failed', 'expired', 0, 0]);
  });

  test('an expired authorization is released with the acquirer, even after failures', async () => {
    const link = await authorized({}, cardFor('approve'));
    acquirer.capturePlan = 'lost_request';
    await fixture.advance(7 * DAY);
    assert.deepEqual(await stateOf(link), ['failed', 'expired', 0, 0]);
    const count = acquirer.modifications.size;
    acquirer.capturePlan = 'succeed';
    await fixture.advance(2 * MINUTE);
    assert.equal(acquirer.modifications.size, count + 1);
    assert.equal(modification().kind, 'void');
    const { timeline } = await detailOf(link);
    await fixture.advance(DAY);
    assert.equal(acquirer.modifications.size, count + 1);
    assert.equal((await detailOf(link)).timeline.length, timeline.length);
  });

  for (const plan of ['wait', 'refuse'] as const)
    test(`the release of an expired authorization (${plan}) does not change that of another card`, async () => {
      const link = await authorized({}, cardFor('approve'));
      acquirer.capturePlan = 'lost_request';
      await fixture.advance(7 * DAY);
      assert.equal((await request('renew', link)).status, 200);
      assert.equal((await submitCard(fixture, link.reference)).body.response_type, 'authorized');
      acquirer.capturePlan = plan;
      await fixture.advance(2 * MINUTE);
      assert.equal(modification().kind, 'void');
      assert.deepEqual(await stateOf(link), ['waiting', 'authorized', 0, 0]);
      const { available_actions: actions } = await detailOf(link);
      assert.deepEqual(actions, ['capture', 'void']);
      assert.equal((await submitCard(fixture, link.reference)).body.code, 'already_authorized');
      acquirer.resolvePending();
      await fixture.advance(2 * MINUTE);
      assert.equal((await capture(link)).status, 200);
      assert.deepEqual(await stateOf(link), ['confirmed', 'captured', 12.5, 12.5]);
    });

  test('an amount that was captured with the acquirer counts when the authorization expires', async () => {
    const link = await authorized({}, cardFor('approve'));
    acquirer.capturePlan = 'captured';
    await fixture.advance(7 * DAY);
    assert.deepEqual(await stateOf(link), ['confirmed', 'captured', 10, 10]);
    const { attempts, timeline } = await detailOf(link);
    assert.equal(attempts[0]?.state, 'approved');
    assert.equal(timeline.at(-1)?.detail, '10.00 USD captured');
    assert.equal((await request('refund', link)).body.refunded_amount, 10);
  });

  for (const action of ['capture', 'void'] as const)
    test(`the amount that was captured with the acquirer counts after a ${action}`, async () => {
      const link = await authorized({}, cardFor('approve'));
      acquirer.capturePlan = 'captured';
      await request(action, link);
      assert.deepEqual(await stateOf(link), ['confirmed', 'captured', 10, 10]);
    });

  test('an amount that was captured with the acquirer is reversed when another card is authorized', async () => {
    const link = await authorized({}, cardFor('approve'));
    const charge = [...acquirer.charges.values()].at(-1);
    acquirer.capturePlan = 'lost_request';
    await fixture.advance(7 * DAY);
    await request('renew', link);
    assert.equal((await submitCard(fixture, link.reference)).body.response_type, 'authorized');
    acquirer.capturePlan = 'captured';
    await fixture.advance(2 * MINUTE);
    assert.equal(charge?.state, 'reversed');
    assert.deepEqual(await stateOf(link), ['waiting', 'authorized', 0, 0]);
    acquirer.capturePlan = 'succeed';
    await request('void', link);
    assert.deepEqual(await stateOf(link), ['failed', 'voided', 0, 0]);
  });

  test('authorizations that expire at once are released at the same time', async (t) => {
    const links = [await authorized({}, cardFor('approve')), await authorized({}, cardFor('approve'))];
    const voided = new Set<string>();
    const counts: number[] = [];
    const both = Promise.withResolvers<void>();
    const { void: release } = acquirer.manualCapture;
    t.mock.method(acquirer.manualCapture, 'void', async (voidRequest: VoidRequest) => {
      voided.add(voidRequest.charge.attemptKey);
      if (voided.size === links.length) both.resolve();
      await Promise.race([both.promise, setTimeout(5000, null, { ref: false })]);
      counts.push(voided.size);
      return await release(voidRequest);
    });
    const count = acquirer.modifications.size;
    await fixture.advance(7 * DAY);
    assert.equal(acquirer.modifications.size, count + links.length);
    assert.deepEqual(counts, [2, 2], 'neither release awaits the other');
    for (const link of links) assert.deepEqual(await stateOf(link), ['failed', 'expired', 0, 0]);
  });

  test('an authorization that cannot be expired does not delay others', async () => {
    const broken = await authorized({}, cardFor('approve'));
    const other = await authorized({}, cardFor('approve'));
    await moveLastEventNumber(fixture, { payment: broken.reference }, -1);
    await fixture.advance(7 * DAY);
    assert.deepEqual(await stateOf(other), ['failed', 'expired', 0, 0]);
    assert.deepEqual((await stateOf(broken)).slice(0, 2), ['waiting', 'authorized']);
    await moveLastEventNumber(fixture, { payment: broken.reference }, 1);
    await fixture.advance(2 * MINUTE);
    assert.deepEqual(await stateOf(broken), ['failed', 'expired', 0, 0]);
  });

  test('notifications in any order and number change nothing twice', async () => {
    const { link } = await captureBy('wait', 10);
    const { modificationKey } = modification();
    const succeeded = { id: '1', kind: 'capture', modificationKey, outcome: { kind: 'succeeded' } } as const;
    await notify(succeeded);
    const { timeline } = await detailOf(link);
    await notify({ ...succeeded, id: '2' });
    await notify({ ...succeeded, id: '3', outcome: { kind: 'pending' } });
    assert.deepEqual(await stateOf(link), ['confirmed', 'captured', 10, 10]);
    assert.equal((await detailOf(link)).timeline.length, timeline.length);
  });

  test('a failure of an earlier capture does not affect a later one', async () => {
    const { link } = await captureBy('refuse', 10);
    const first = modification().modificationKey;
    acquirer.capturePlan = 'succeed';
    await capture(link);
    const outcome = { kind: 'refused', code: 'late', detail: '' } as const;
    await notify({ id: 'late', kind: 'capture', modificationKey: first, outcome });
    assert.deepEqual(await stateOf(link), ['confirmed', 'captured', 12.5, 12.5]);
  });

  /** A link with an authorized card, and an earlier, declined charge that the acquirer has approved after all. */
  const createDuplicate = async () => {
    const link = await createLink(fixture, { capture: 'manual' });
    await submitCard(fixture, link.reference, cardFor('decline'));
    await submitCard(fixture, link.reference, cardFor('approve'));
    const charge = acquirer.approveDeclined([`${link.link}/return`]);
    assert.ok(charge);
    await acquirer.notifyOutcome(charge);
    return { link, charge };
  };
  /** Number of reports that a charge could not be reversed. */
  const countFailedReversals = async (link: Link) =>
    (await detailOf(link)).timeline.filter(({ detail }) => detail?.includes('could not be reversed')).length;

  /** The acquirer approves a declined charge after all. */
  const approveLate = async (link: Link) => {
    const charge = acquirer.approveDeclined([`${link.link}/return`]);
    assert.ok(charge);
    await acquirer.notifyOutcome(charge);
    await fixture.advance(MINUTE);
    return charge;
  };

  test('a second approval is released', async () => {
    const { link, charge } = await createDuplicate();
    await fixture.advance(MINUTE);
    assert.equal(charge.state, 'reversed');
    assert.deepEqual(await stateOf(link), ['waiting', 'authorized', 0, 0]);
  });

  test('a refused release is reported once, and requested again at increasing intervals', async (t) => {
    const reverse = t.mock.method(acquirer, 'reverse', async () => ({ kind: 'refused', code: 'closed' }) as const);
    const { link, charge } = await createDuplicate();
    for (let minute = 0; minute < 60; minute += 1) await fixture.advance(MINUTE);
    assert.equal(reverse.mock.callCount(), 4);
    assert.equal(await countFailedReversals(link), 1);
    assert.match(fixture.log(), /duplicate charge could not be reversed/);
    t.mock.restoreAll();
    await fixture.advance(HOUR);
    assert.deepEqual([charge.state, await countFailedReversals(link)], ['reversed', 1]);
    assert.match(
      (await detailOf(link)).timeline.at(-1)?.detail ?? '',
      /^duplicate charge .* has a reversal that was accepted later: check it with the acquirer before you refund it$/,
    );
  });

  test('a release that failed after it was accepted is reported, and not requested again', async (t) => {
    const reverse = t.mock.method(acquirer, 'reverse', async () => ({ kind: 'refused', code: 'closed' }) as const);
    const { link, charge } = await createDuplicate();
    await fixture.advance(MINUTE);
    const failure = { id: 'v1', kind: 'reversal_failed', attemptKey: charge.attemptKey } as const;
    await applyNotification(fixture.service().payments, 'sandbox', failure);
    const { length: calls } = reverse.mock.calls;
    t.mock.restoreAll();
    for (let day = 0; day < 2; day += 1) await fixture.advance(DAY);
    assert.deepEqual([charge.state, calls > 0, await countFailedReversals(link)], ['approved', true, 1]);
    assert.ok((await detailOf(link)).timeline.every(({ detail }) => !detail?.includes('accepted later')));
  });

  test('a release without a response is requested again at increasing intervals', async (t) => {
    const reverse = t.mock.method(acquirer, 'reverse', async () => await Promise.reject(new Error('timed out')));
    const { link } = await createDuplicate();
    for (let minute = 0; minute < 60; minute += 1) await fixture.advance(MINUTE);
    assert.equal(reverse.mock.callCount(), 4);
    assert.equal(await countFailedReversals(link), 0);
    for (let day = 0; day < 3; day += 1) await fixture.advance(DAY);
    assert.equal(await countFailedReversals(link), 1);
  });

  test('a late approval of a declined card is released, and another card can be authorized', async () => {
    const link = await createLink(fixture, { capture: 'manual' });
    await submitCard(fixture, link.reference, cardFor('decline'));
    const charge = await approveLate(link);
    assert.equal(charge.state, 'reversed');
    assert.deepEqual((await stateOf(link)).slice(0, 2), ['pending', undefined]);
    const { body } = await submitCard(fixture, link.reference, cardFor('approve'));
    assert.equal(body.response_type, 'authorized');
  });

  test('a refused release is reported while the payment awaits another card', async (t) => {
    t.mock.method(acquirer, 'reverse', async () => ({ kind: 'refused', code: 'closed' }) as const);
    const link = await createLink(fixture, { capture: 'manual' });
    await submitCard(fixture, link.reference, cardFor('decline'));
    const charge = await approveLate(link);
    assert.deepEqual([await countFailedReversals(link), (await stateOf(link))[0]], [1, 'pending']);
    t.mock.restoreAll();
    await fixture.advance(HOUR);
    assert.deepEqual([charge.state, await countFailedReversals(link)], ['reversed', 1]);
    assert.match((await detailOf(link)).timeline.at(-1)?.detail ?? '', /has a reversal that was accepted later/);
  });

  test('an approval after the failure of the transaction is released', async () => {
    const link = await createLink(fixture, { capture: 'manual' });
    await submitCard(fixture, link.reference, cardFor('decline'));
    await fixture.advance(25 * HOUR);
    const charge = await approveLate(link);
    assert.equal(charge.state, 'reversed');
    assert.deepEqual((await stateOf(link)).slice(0, 2), ['failed', undefined]);
  });

  test('the release of the amount by the acquirer expires the authorization', async () => {
    const link = await authorized({}, cardFor('approve'));
    const attemptKey = [...acquirer.charges.keys()].at(-1) ?? '';
    const decline = { code: 'expired', network_code: null, retryable: false, advice: 'try_later' } as const;
    const outcome = { kind: 'declined', decline } as const;
    await applyNotification(fixture.service().payments, 'sandbox', { id: 'x', kind: 'charge', attemptKey, outcome });
    assert.deepEqual(await stateOf(link), ['failed', 'expired', 0, 0]);
  });

  test('of captures and voids at once, one succeeds', async () => {
    const link = await authorized({}, cardFor('approve'));
    const responses = await Promise.all([
      capture(link, 5),
      capture(link, 6),
      request('void', link),
      capture(link),
      request('void', link),
    ]);
    assert.equal(responses.filter(({ status }) => status === 200).length, 1);
    const [, status, captured] = await stateOf(link);
    const { kind, amountMinor } = modification();
    assert.deepEqual([status, captured], kind === 'void' ? ['voided', 0] : ['captured', Number(amountMinor) / 100]);
    assert.ok(acquirer.captures(modification().attemptKey).length <= 1);
  });
});
