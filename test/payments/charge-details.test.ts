// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ChargeOutcome } from '../../src/acquirers/port.ts';
import { applyOutcome } from '../../src/payments/card/outcome.ts';
import { DAY } from '../../src/shared/time.ts';
import { changeCard } from '../support/acquirer-accounts.ts';
import { createBuyers } from '../support/buyer.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { cards, createLink, detailOf, submitCard, withoutPayers } from '../support/requests.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const decline = { code: 'insufficient_funds', network_code: '51', retryable: false, advice: 'do_not_retry' } as const;

describe('response data of the issuer and network', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
    await enableEveryMethod(fixture, fixture.merchant);
  });
  after(async () => await fixture.close());

  /** Charges a card with a planned outcome; returns the outcome's call count. */
  const charge = async (reference: string, card: string, outcome: ChargeOutcome, token?: string) => {
    let calls = 0;
    const restore = changeCard(fixture.service(), (port) => ({
      ...port,
      charge: async () => {
        calls += 1;
        return await Promise.resolve(outcome);
      },
    }));
    const { body } = await submitCard(fixture, reference, card, token);
    restore();
    return { body, calls };
  };

  test('is in the transaction and its webhook, for declined and approved attempts', async () => {
    const { reference } = await createLink(fixture);
    await charge(reference, cards.visa, {
      ...{ kind: 'declined', decline },
      details: { networkCode: '51', merchantAdviceCode: '03', avsResult: 'N', cvvResult: 'M' },
    });
    await charge(reference, cards.mastercard, {
      ...{ kind: 'approved', reference: 'NC6HT9CRT65ZGN82' },
      details: { authorizationCode: 'A1B2C3', arn: '24692161234567890123456' },
    });
    const { attempts } = await detailOf(fixture, reference);
    const shown = attempts.map(({ decline: shownDecline, charge_details }: Record<string, unknown>) => [
      shownDecline,
      charge_details,
    ]);
    assert.deepEqual(shown, [
      [decline, { network_code: '51', merchant_advice_code: '03', avs_result: 'N', cvv_result: 'M' }],
      [undefined, { authorization_code: 'A1B2C3', arn: '24692161234567890123456' }],
    ]);
    const acquirers = attempts.map(({ acquirer_name, acquirer_reference }: Record<string, unknown>) => [
      acquirer_name,
      acquirer_reference,
    ]);
    assert.deepEqual(acquirers, [
      ['Sandbox', undefined],
      ['Sandbox', 'NC6HT9CRT65ZGN82'],
    ]);
    const { body } = await fixture.request('/v1/events');
    assert.deepEqual(body.events.at(-1).data.attempts, withoutPayers({ attempts }).attempts);
  });

  test('do_not_retry: the same card is declined again without a charge', async () => {
    const link = await createLink(fixture);
    const { reference } = link;
    const first = await charge(reference, cards.visa, { kind: 'declined', decline });
    assert.deepEqual([first.calls, first.body.decline, first.body.attempts_left], [1, decline, 4]);
    const again = await charge(reference, cards.visa, { kind: 'approved' });
    assert.deepEqual([again.calls, again.body.response_type, again.body.decline], [0, 'declined', decline]);
    assert.equal(again.body.attempts_left, 4);
    const other = await charge(reference, cards.mastercard, {
      kind: 'declined',
      decline: { ...decline, retryable: true, advice: 'try_later' },
    });
    assert.deepEqual([other.calls, other.body.attempts_left], [1, 3]);
    assert.equal((await charge(reference, cards.visa, { kind: 'approved' })).body.attempts_left, 3);
    // Nor after a switch to a push method and back.
    await createBuyers(() => fixture).startPayment(link, 'on_ramp_ideal');
    const repeated = await charge(reference, cards.visa, { kind: 'approved' }, link.clientToken);
    assert.deepEqual([repeated.calls, repeated.body.response_type], [0, 'declined'], JSON.stringify(repeated.body));
    const retried = await charge(reference, cards.mastercard, { kind: 'approved' }, link.clientToken);
    assert.deepEqual([retried.calls, retried.body.response_type], [1, 'confirmed']);
  });

  test('do_not_retry: the page shows the decline of the card that was tried last', async () => {
    const { reference, path, link } = await createLink(fixture);
    const shownCode = async (page = path) =>
      (await fixture.request(`${page}/state`, { token: null })).body.declined?.code;
    const details = { networkCode: '05' };
    const declined = { kind: 'declined', decline: { ...decline, code: 'card_declined' }, details } as const;
    let firstKey = '';
    const restore = changeCard(fixture.service(), (port) => ({
      ...port,
      charge: async ({ attemptKey }) => {
        firstKey = attemptKey;
        return await Promise.resolve(declined);
      },
    }));
    await submitCard(fixture, reference, cards.visa);
    restore();
    await charge(reference, cards.mastercard, { kind: 'declined', decline });
    // A notification that repeats the first decline.
    await applyOutcome(fixture.service().payments, firstKey, declined);
    assert.equal(await shownCode(), 'insufficient_funds');
    const again = await charge(reference, cards.visa, { kind: 'approved' });
    assert.deepEqual([again.calls, again.body.decline.code, await shownCode()], [0, 'card_declined', 'card_declined']);
    await charge(reference, cards.amex, { kind: 'declined', decline });
    assert.equal(await shownCode(), 'insufficient_funds');

    await fixture.advance(8 * DAY);
    const body = { transaction_id: reference };
    const renewed = await fixture.request('/fiat/v1/transaction/renew', { body });
    const renewedPath = new URL(renewed.body.value.link).pathname;
    assert.equal(await shownCode(renewedPath), undefined);
    await charge(reference, cards.visa, { kind: 'approved' });
    assert.equal(await shownCode(renewedPath), 'card_declined');

    const { clientToken } = (await fixture.request(`${renewedPath}/state`, { token: null })).body;
    await createBuyers(() => fixture).startPayment(
      { reference, path: renewedPath, link, clientToken },
      'on_ramp_ideal',
    );
    assert.equal(await shownCode(renewedPath), undefined);
    await charge(reference, cards.visa, { kind: 'approved' }, clientToken);
    assert.equal(await shownCode(renewedPath), 'card_declined');
  });
});
