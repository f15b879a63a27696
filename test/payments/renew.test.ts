// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../src/shared/time.ts';
import { createBuyers } from '../support/buyer.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { cards, createLink, submission } from '../support/requests.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { onSqlite } from '../support/databases.ts';

describe('an expired link', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
    await enableEveryMethod(fixture, fixture.merchant);
  });
  after(async () => await fixture.close());

  const { stateOf, detailOf, startPayment, simulate, merchantAction } = createBuyers(() => fixture);
  type Link = Awaited<ReturnType<typeof createLink>>;
  const renew = async ({ reference }: Link, headers: Record<string, string> = {}) =>
    await fixture.request('/fiat/v1/transaction/renew', { body: { transaction_id: reference }, headers });
  const expired = async (fields: Record<string, unknown> = {}) => {
    const link = await createLink(fixture, fields);
    await fixture.advance(DAY + MINUTE);
    return link;
  };
  const pathOf = (link: string) => new URL(link).pathname;
  const pay = async (link: Link, card: string = cards.visa) => {
    const year = String(new Date(fixture.clock.now() / 1000).getUTCFullYear() + 2);
    const body = submission(link.reference, card, { card_expiry_year: year });
    return await fixture.request('/fiat/v1/transaction/submit', { body });
  };

  test('is renewed with the same reference and price, a new link and the full lifetime', async () => {
    const link = await expired({ amount: 20, type_of_calculation: 'forward_with_fee' });
    const before = await detailOf(link);
    assert.deepEqual([before.reason, before.available_actions], ['expired', ['renew']]);
    const { status, body, text } = await renew(link);
    assert.equal(status, 200, text);
    assert.deepEqual(
      [body.type, body.transaction_id, body.status],
      ['link', link.reference, 'transaction_status_pending'],
    );
    assert.notEqual(body.value.link, link.link);
    const detail = await detailOf(link);
    assert.deepEqual([detail.link, detail.expires_at], [body.value.link, body.expires_at]);
    assert.deepEqual([detail.amount_charged, detail.rate], [before.amount_charged, before.rate]);
    assert.deepEqual(detail.available_actions, ['cancel']);
    assert.deepEqual(
      detail.timeline.map((entry) => [entry.status, entry.detail]),
      [
        ['transaction_status_pending', undefined],
        ['transaction_status_failed', 'expired'],
        ['transaction_status_pending', 'renewed'],
      ],
    );
    await fixture.advance(DAY - HOUR);
    assert.equal((await stateOf(link)).phase, 'ready');
    const paid = await pay(link);
    assert.equal(paid.body.response_type, 'confirmed', paid.text);
    assert.equal((await detailOf(link)).late, undefined);
  });

  onSqlite('keeps the lifetime of its expires_at', async () => {
    const now = fixture.clock.now();
    const expiresAt = new Date((now + 2 * HOUR) / 1000).toISOString();
    const link = await createLink(fixture, { expires_at: expiresAt });
    assert.equal(Date.parse((await detailOf(link)).expires_at), Date.parse(expiresAt));
    await fixture.advance(2 * HOUR);
    const { body } = await renew(link);
    assert.equal(Date.parse(body.expires_at) - Math.floor(fixture.clock.now() / 1000), (2 * HOUR) / 1000);
  });

  test('redirects to its current link, even after a second renewal', async () => {
    const link = await expired();
    const first = (await renew(link)).body.value.link;
    await fixture.advance(DAY + MINUTE);
    const second = (await renew(link)).body.value.link;
    for (const old of [link.link, first]) {
      const response = await fixture.request(`${pathOf(old)}?locale=de`, { token: null });
      assert.deepEqual([response.status, response.headers.get('location')], [303, `${pathOf(second)}?locale=de`]);
      // A page that is still open works again.
      assert.equal((await fixture.request(`${pathOf(old)}/state`, { token: null })).body.phase, 'ready');
    }
    assert.equal((await fixture.request(pathOf(second), { token: null })).status, 200);
  });

  test('is renewed once, however often it is requested', async () => {
    const link = await expired();
    const responses = await Promise.all([renew(link), renew(link), renew(link)]);
    assert.equal(new Set(responses.map(({ body }) => body.value.link)).size, 1);
    const key = { 'idempotency-key': 'renew it' };
    const first = await renew(link, key);
    const again = await renew(link, key);
    assert.deepEqual([again.body, again.headers.get('idempotency-replayed')], [first.body, 'true']);
    assert.equal((await detailOf(link)).timeline.length, 3);
  });

  onSqlite('of a custom_form is renewed with that response type', async () => {
    const link = await expired({ transaction_type: 'link' });
    const form = await fixture.request('/fiat/v1/transaction', {
      body: {
        transaction_id: `form-${link.reference}`,
        payment_method: 'credit_card',
        amount: 5,
        country: 'USA',
        currency: 'USD',
        transaction_type: 'custom_form',
      },
    });
    await fixture.advance(DAY + MINUTE);
    const { body } = await fixture.request('/fiat/v1/transaction/renew', {
      body: { transaction_id: form.body.transaction_id },
    });
    assert.equal(body.type, 'custom_form');
    assert.notEqual(body.embed_url, form.body.embed_url);
    for (const url of [form.body.embed_url, body.embed_url])
      assert.equal((await fixture.request(pathOf(url), { token: null })).status, 200);
  });

  onSqlite('is the only renewable state', async () => {
    const open = await createLink(fixture);
    const cancelled = await createLink(fixture);
    await merchantAction(cancelled, 'cancel');
    const declined = await createLink(fixture);
    for (let attempt = 0; attempt < 5; attempt += 1) await pay(declined, cards.declined);
    const paid = await createLink(fixture);
    await pay(paid);
    const underpaid = await createLink(fixture, { amount: 10 });
    await simulate(await startPayment(underpaid, 'on_ramp_ideal'), 'underpay');
    for (const [link, code] of [
      [open, 'not_renewable'],
      [cancelled, 'not_renewable'],
      [declined, 'not_renewable'],
      [paid, 'already_paid'],
      [underpaid, 'not_renewable'],
    ] as const) {
      const before = await detailOf(link);
      const { status, body } = await renew(link);
      assert.deepEqual([status, body.code], [409, code]);
      assert.deepEqual(await detailOf(link), before);
    }
  });

  test('is paid by a late payment of instructions issued before its renewal', async () => {
    const link = await createLink(fixture, { amount: 10 });
    const ideal = await startPayment(link, 'on_ramp_ideal');
    await fixture.advance(DAY + HOUR);
    assert.equal((await detailOf(link)).reason, 'expired');
    await renew(link);
    await simulate(ideal, 'exact');
    const detail = await detailOf(link);
    assert.deepEqual(
      [detail.status, detail.amount_received, detail.payment_method],
      ['transaction_status_confirmed', 10, 'on_ramp_ideal'],
    );
  });

  onSqlite('is not renewed while a deposit awaits confirmations', async () => {
    const link = await createLink(fixture, { amount: 10 });
    const coin = await startPayment(link, 'crypto_payment', 'btc');
    await fixture.advance(DAY + HOUR);
    assert.equal((await detailOf(link)).reason, 'expired');
    await simulate(coin, 'exact');
    assert.deepEqual((await detailOf(link)).available_actions, []);
    const { status, body } = await renew(link);
    assert.deepEqual([status, body.code], [409, 'submit_in_progress']);
  });
});
