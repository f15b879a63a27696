// Databases: sqlite
import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cardSubmissionResponse } from '../../src/api/card-submission.ts';
import { HOUR, MINUTE, SECOND } from '../../src/shared/time.ts';
import { changeCard } from '../support/acquirer-accounts.ts';
import { cards, createLink, creation, detailOf, submission, submitCard } from '../support/requests.ts';
import { moveLastEventNumber } from '../support/event-numbers.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('card payments', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());

  /** Completes the challenge on the issuer's page and returns like a browser. Returns the buyer's final URL. */
  const completeChallenge = async (challengeUrl: string, decision: 'approve' | 'refuse') => {
    const issuerPath = new URL(challengeUrl).pathname;
    const page = await fixture.request(issuerPath, { token: null });
    assert.equal(page.status, 200);
    assert.match(page.text, /Approve/);
    // The name stays on one line.
    assert.match(page.text, /to Kettle\u00a0&amp;\u00a0Co\?/);
    const decided = await fixture.request(issuerPath, {
      token: null,
      body: `decision=${decision}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.equal(decided.status, 303);
    const back = await fixture.request(new URL(decided.headers.get('location') ?? '').pathname, { token: null });
    assert.equal(back.status, 303);
    return back.headers.get('location') ?? '';
  };

  for (const [name, number] of Object.entries({ Visa: cards.visa, Mastercard: cards.mastercard, Amex: cards.amex })) {
    test(`an approved ${name} card confirms the transaction with the full amount`, async () => {
      const { reference } = await createLink(fixture);
      const { status, body } = await submitCard(fixture, reference, number);
      assert.equal(status, 200);
      cardSubmissionResponse.parse(body);
      assert.equal(body.response_type, 'confirmed');
      assert.equal(body.redirect_url, 'https://shop.example/paid');
      const detail = await detailOf(fixture, reference);
      assert.equal(detail.status, 'transaction_status_confirmed');
      assert.equal(detail.amount_received, 12.5);
      assert.deepEqual(
        detail.timeline.map((entry: { status: string }) => entry.status),
        ['transaction_status_pending', 'transaction_status_waiting', 'transaction_status_confirmed'],
      );
      assert.equal(detail.attempts[0].last4, number.slice(-4));
    });
  }

  for (const [name, number, code, advice] of [
    ['declined', cards.declined, 'card_declined', 'use_other_card'],
    ['without funds', cards.insufficientFunds, 'insufficient_funds', 'use_other_card'],
    ['expired', cards.expired, 'expired_card', 'check_details'],
  ] as const) {
    test(`a declined card (${name}) allows another attempt`, async () => {
      const { reference } = await createLink(fixture);
      const { status, body } = await submitCard(fixture, reference, number);
      assert.equal(status, 200);
      cardSubmissionResponse.parse(body);
      assert.equal(body.response_type, 'declined');
      assert.equal(body.decline.code, code);
      assert.equal(body.decline.advice, advice);
      assert.equal(body.attempts_left, 4);
      assert.equal(body.status, 'transaction_status_pending');
      assert.equal((await submitCard(fixture, reference)).body.response_type, 'confirmed');
    });
  }

  test('the fifth declined card fails the transaction, and a sixth is refused', async () => {
    const { reference } = await createLink(fixture);
    for (const left of [4, 3, 2, 1, 0]) {
      const { body } = await submitCard(fixture, reference, cards.declined);
      assert.equal(body.attempts_left, left);
      const { retryable, advice } = body.decline;
      assert.deepEqual([retryable, advice], left > 0 ? [true, 'use_other_card'] : [false, 'do_not_retry']);
    }
    const detail = await detailOf(fixture, reference);
    assert.equal(detail.status, 'transaction_status_failed');
    assert.equal(detail.reason, 'declined');
    const sixth = await submitCard(fixture, reference);
    assert.equal(sixth.status, 410);
    assert.equal(sixth.body.code, 'link_failed');
  });

  test('an approved 3-D Secure challenge redirects to the shop', async () => {
    const { reference, path } = await createLink(fixture);
    const { body } = await submitCard(fixture, reference, cards.challenge);
    assert.equal(body.response_type, '3ds_redirect');
    assert.ok(body.message.length > 10);
    const waiting = await fixture.request(`${path}/state`, { token: null });
    assert.equal(waiting.body.phase, 'challenge');
    assert.equal(waiting.body.challengeUrl, body.redirect_url);
    assert.equal(await completeChallenge(body.redirect_url, 'approve'), 'https://shop.example/paid');
    assert.equal((await detailOf(fixture, reference)).status, 'transaction_status_confirmed');
  });

  test('a refused 3-D Secure challenge redirects to the page for another card', async () => {
    const { reference, path, link } = await createLink(fixture);
    const { body } = await submitCard(fixture, reference, cards.challenge);
    assert.equal(await completeChallenge(body.redirect_url, 'refuse'), link);
    const state = await fixture.request(`${path}/state`, { token: null });
    assert.equal(state.body.phase, 'ready');
    assert.equal(state.body.declined.code, 'authentication_failed');
    assert.equal((await submitCard(fixture, reference)).body.response_type, 'confirmed');
  });

  test('without redirect URLs the buyer stays on the payment page after a payment and after a failure', async () => {
    const noRedirects = { success_redirect_url: null, fail_redirect_url: null };
    const paid = await createLink(fixture, noRedirects);
    const { body } = await submitCard(fixture, paid.reference, cards.challenge);
    const returned = await completeChallenge(body.redirect_url, 'approve');
    assert.equal(returned.split('?')[0], paid.link);
    const page = await fixture.request(returned.slice(fixture.url.length), { token: null });
    assert.match(page.text, /Payment received/);
    assert.match(page.text, /You're all set|You&#39;re all set/);
    assert.doesNotMatch(page.text, /Back to Kettle/);
    const direct = await createLink(fixture, noRedirects);
    assert.equal('redirect_url' in (await submitCard(fixture, direct.reference)).body, false);
    const failed = await createLink(fixture, noRedirects);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const declined = await submitCard(fixture, failed.reference, cards.declined);
      assert.equal('redirect_url' in declined.body, false);
    }
    const failedPage = await fixture.request(failed.path, { token: null });
    assert.match(failedPage.text, /weren(?:'|&#39;)t charged/);
    assert.doesNotMatch(failedPage.text, /Back to Kettle/);
  });

  test('a frictionless 3-D Secure payment is confirmed without a redirect', async () => {
    const { reference } = await createLink(fixture);
    const { body } = await submitCard(fixture, reference, cards.frictionless);
    assert.deepEqual([body.response_type, body.redirect_url], ['confirmed', 'https://shop.example/paid']);
    const detail = await fixture.request(`/fiat/v1/transaction?transaction_id=${reference}`);
    assert.equal(detail.body.attempts[0].three_d_secure, true);
    const other = await createLink(fixture);
    await submitCard(fixture, other.reference);
    const plain = await fixture.request(`/fiat/v1/transaction?transaction_id=${other.reference}`);
    assert.equal(plain.body.attempts[0].three_d_secure, false);
  });

  test('an approval that the issuer did not authenticate, after a challenge, does not count as authenticated', async () => {
    const restore = changeCard(fixture.service(), (card) => ({
      ...card,
      fetchOutcome: async () => await Promise.resolve({ kind: 'approved', threeDSecure: false }),
    }));
    try {
      const { reference, path } = await createLink(fixture);
      await submitCard(fixture, reference, cards.challenge);
      await fixture.request(`${path}/return`, { token: null });
      const { status, attempts } = await detailOf(fixture, reference);
      assert.deepEqual([status, attempts[0].three_d_secure], ['transaction_status_confirmed', false]);
    } finally {
      restore();
    }
  });

  test('a return without a decision leaves the challenge open', async () => {
    const { reference, path, link } = await createLink(fixture);
    await submitCard(fixture, reference, cards.challenge);
    const back = await fixture.request(`${path}/return`, { token: null });
    assert.equal(back.headers.get('location'), link);
    assert.equal((await fixture.request(`${path}/state`, { token: null })).body.phase, 'challenge');
  });

  test('a buyer can abandon a challenge for another card; approving it later charges nothing', async () => {
    const { reference, path, clientToken } = await createLink(fixture);
    const { body } = await submitCard(fixture, reference, cards.challenge);
    const left = await fixture.request(`${path}/abandon`, { token: clientToken, body: {} });
    assert.equal(left.status, 200);
    assert.equal(left.body.phase, 'ready');
    assert.equal((await submitCard(fixture, reference, cards.mastercard)).body.response_type, 'confirmed');
    const late = await fixture.request(new URL(body.redirect_url).pathname, {
      token: null,
      body: 'decision=approve',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.equal(late.status, 303);
    const detail = await detailOf(fixture, reference);
    assert.deepEqual(
      detail.attempts.map((attempt: { state: string }) => attempt.state),
      ['declined', 'approved'],
    );
  });

  test('fifty concurrent submissions charge once, and the others get correct responses', async () => {
    const { reference } = await createLink(fixture);
    const responses = await Promise.all(Array.from({ length: 50 }, () => submitCard(fixture, reference)));
    assert.equal(responses.filter((response) => response.body.response_type === 'confirmed').length, 1);
    const losers = responses.filter((response) => response.status !== 200);
    assert.equal(losers.length, 49);
    for (const loser of losers) {
      assert.equal(loser.status, 409);
      assert.ok(['submit_in_progress', 'already_paid'].includes(loser.body.code), loser.body.code);
    }
    assert.equal((await detailOf(fixture, reference)).attempts.length, 1);
  });

  test('an unknown outcome is awaited past the expiry, and confirmed when the acquirer reports it', async () => {
    const { reference, path } = await createLink(fixture);
    await fixture.advance(24 * HOUR - 20 * SECOND);
    const { body } = await submitCard(fixture, reference, cards.unknown);
    assert.equal(body.response_type, 'processing');
    assert.ok(body.poll_after_ms > 0);
    await fixture.advance(25 * SECOND);
    const overdue = await detailOf(fixture, reference);
    assert.ok(overdue.expires_at < new Date(fixture.clock.now() / 1000).toISOString());
    assert.equal(overdue.status, 'transaction_status_waiting');
    assert.equal((await fixture.request(`${path}/state`, { token: null })).body.phase, 'checking');
    assert.equal((await submitCard(fixture, reference)).body.code, 'submit_in_progress');
    await fixture.advance(10 * SECOND);
    assert.equal((await detailOf(fixture, reference)).status, 'transaction_status_confirmed');
  });

  test('an unpaid link expires after 24 hours and refuses submissions', async () => {
    const { reference, path } = await createLink(fixture);
    await fixture.advance(24 * HOUR - MINUTE);
    assert.equal((await detailOf(fixture, reference)).status, 'transaction_status_pending');
    await fixture.advance(MINUTE);
    const detail = await detailOf(fixture, reference);
    assert.equal(detail.status, 'transaction_status_failed');
    assert.equal(detail.reason, 'expired');
    const late = await submitCard(fixture, reference);
    assert.equal(late.status, 410);
    assert.equal(late.body.code, 'link_expired');
    const page = await fixture.request(path, { token: null });
    assert.equal(page.status, 410);
    assert.match(page.text, /expired/i);
  });

  test('a link that cannot be expired does not delay others', async () => {
    const [broken, other] = [await createLink(fixture), await createLink(fixture)];
    const storedStatuses = async () => {
      const stored = await db(fixture.service().database)
        .selectFrom('fiat_transactions')
        .select('status')
        .where('transaction_id', 'in', [broken.reference, other.reference])
        .orderBy('id')
        .execute();
      return stored.map(({ status }) => status);
    };
    await moveLastEventNumber(fixture, { payment: broken.reference }, -1);
    await fixture.advance(25 * HOUR);
    assert.deepEqual(await storedStatuses(), ['pending', 'failed']);
    await moveLastEventNumber(fixture, { payment: broken.reference }, 1);
    await fixture.advance(MINUTE);
    assert.deepEqual(await storedStatuses(), ['failed', 'failed']);
  });

  test('an open challenge does not prevent the expiry', async () => {
    const { reference } = await createLink(fixture);
    await submitCard(fixture, reference, cards.challenge);
    await fixture.advance(25 * HOUR);
    const detail = await detailOf(fixture, reference);
    assert.equal(detail.status, 'transaction_status_failed');
    assert.equal(detail.reason, 'expired');
  });

  test('an approval with a lost return and notification is found by polling', async () => {
    const { reference } = await createLink(fixture);
    const { body } = await submitCard(fixture, reference, cards.challenge);
    const pageId = new URL(body.redirect_url).pathname.split('/').at(-1) ?? '';
    await db(fixture.service().database)
      .updateTable('sandbox_charges')
      .set({ state: 'approved' })
      .where('issuer_page_id', '=', pageId)
      .execute();
    await fixture.advance(6 * MINUTE);
    assert.equal((await detailOf(fixture, reference)).status, 'transaction_status_confirmed');
  });

  test('link-lifetime-minutes applies to links created afterward', async () => {
    const merchant = await fixture.makeMerchant('Hasty');
    await fixture.request('/v1/merchant/preferences', {
      method: 'PATCH',
      token: merchant.token,
      body: { key: 'link-lifetime-minutes', value: '5' },
    });
    const created = await fixture.request('/fiat/v1/transaction', {
      token: merchant.token,
      body: creation(),
    });
    const lifetimeMs = Date.parse(created.body.expires_at) - fixture.clock.now() / 1000;
    assert.ok(lifetimeMs > 4 * 60_000 && lifetimeMs <= 5 * 60_000);
  });

  test('a canceled transaction refuses cards, and canceling again changes nothing', async () => {
    const { reference, path } = await createLink(fixture);
    const cancel = async () =>
      await fixture.request('/fiat/v1/transaction/cancel', { body: { transaction_id: reference } });
    const cancelled = await cancel();
    assert.equal(cancelled.status, 200);
    assert.equal(cancelled.body.reason, 'cancelled');
    assert.equal((await cancel()).body.timeline.length, cancelled.body.timeline.length);
    assert.equal((await submitCard(fixture, reference)).body.code, 'link_cancelled');
    assert.match((await fixture.request(path, { token: null })).text, /canceled/i);
  });

  test('neither a paid transaction nor one with an unknown outcome can be canceled', async () => {
    const paid = await createLink(fixture);
    await submitCard(fixture, paid.reference);
    const one = await fixture.request('/fiat/v1/transaction/cancel', { body: { transaction_id: paid.reference } });
    assert.equal(one.body.code, 'already_paid');
    const unknown = await createLink(fixture);
    await submitCard(fixture, unknown.reference, cards.unknown);
    const two = await fixture.request('/fiat/v1/transaction/cancel', { body: { transaction_id: unknown.reference } });
    assert.equal(two.body.code, 'submit_in_progress');
  });

  test('invalid card fields are reported with pointers, without their values', async () => {
    const { reference } = await createLink(fixture);
    const { status, body, text } = await fixture.request('/fiat/v1/transaction/submit', {
      body: submission(reference, '4242424242424241', {
        card_expiry_month: '10',
        card_expiry_year: '26',
        card_cvv: '12',
        email: 'ada',
        country: 'GBR',
      }),
    });
    assert.equal(status, 422);
    const codes = Object.fromEntries(
      body.errors.map((error: { pointer: string; code: string }) => [error.pointer, error.code]),
    );
    assert.deepEqual(codes, {
      '/card_number': 'card_number_invalid',
      '/card_expiry_month': 'card_expired',
      '/card_cvv': 'cvv_incomplete',
      '/email': 'invalid_email',
      '/country': 'unknown_country',
    });
    assert.ok(!text.includes('4242424242424241'));
    assert.equal((await detailOf(fixture, reference)).attempts.length, 0);
  });

  test('a card is valid through the last day of its month', async () => {
    const { reference } = await createLink(fixture);
    const { body } = await fixture.request('/fiat/v1/transaction/submit', {
      body: submission(reference, cards.visa, {
        card_expiry_month: String(new Date(fixture.clock.now() / 1000).getUTCMonth() + 1),
        card_expiry_year: '2026',
      }),
    });
    assert.equal(body.response_type, 'confirmed');
  });

  test('a refused challenge of a custom_form returns to the merchant’s form', async () => {
    const body = creation({ transaction_type: 'custom_form' });
    await fixture.request('/fiat/v1/transaction', { body });
    const submitted = await submitCard(fixture, body.transaction_id, cards.challenge);
    assert.equal(await completeChallenge(submitted.body.redirect_url, 'refuse'), 'https://shop.example/failed');
  });

  test('the last refused challenge of a link returns to the shop', async () => {
    const { reference } = await createLink(fixture);
    for (let attempt = 1; attempt < 5; attempt += 1) await submitCard(fixture, reference, cards.declined);
    const submitted = await submitCard(fixture, reference, cards.challenge);
    assert.equal(await completeChallenge(submitted.body.redirect_url, 'refuse'), 'https://shop.example/failed');
  });
});
