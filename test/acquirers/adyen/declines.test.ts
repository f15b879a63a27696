// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chargeDetails, declineOf, declineOfRejection } from '../../../src/acquirers/adyen/declines.ts';
import { splitStreet } from '../../../src/acquirers/adyen/charge-request.ts';

describe('declines of Adyen', () => {
  const summary = (code: string, data = {}) => {
    const { code: reason, advice, network_code, retryable } = declineOf({ refusalReasonCode: code }, data);
    return [reason, advice, network_code, retryable].join(' ');
  };

  test('follow the table of refusal reasons', () => {
    const expected = {
      2: 'card_declined use_other_card  true',
      4: 'card_declined try_later  true',
      5: 'card_declined do_not_retry  false',
      6: 'expired_card check_details  true',
      9: 'card_declined try_later  true',
      11: 'authentication_failed use_other_card  true',
      12: 'insufficient_funds use_other_card  true',
      16: 'authentication_abandoned try_later  true',
      20: 'card_declined use_other_card  true',
      24: 'incorrect_cvc check_details  true',
      46: 'card_declined do_not_retry  false',
      999: 'card_declined use_other_card  true',
    };
    for (const [code, decline] of Object.entries(expected)) assert.equal(summary(code), decline, code);
  });

  test('are the same for the text in a webhook', () => {
    assert.equal(declineOf({ refusalReason: 'NOT ENOUGH BALANCE' }, {}).code, 'insufficient_funds');
    assert.equal(declineOf({ refusalReason: 'Expired Card' }, {}).advice, 'check_details');
    assert.equal(declineOf({}, {}).code, 'card_declined');
  });

  test('forbid another attempt after the merchant advice codes 03 and 21', () => {
    for (const merchantAdviceCode of ['03', '21', '03 : Do not try again'])
      assert.match(summary('12', { merchantAdviceCode }), /^insufficient_funds do_not_retry .* ?false$/);
    for (const merchantAdviceCode of ['01', '02', '24', '', 3])
      assert.match(summary('12', { merchantAdviceCode }), /use_other_card/);
  });

  test('contain the response codes of network and issuer', () => {
    const data = {
      refusalReasonRaw: '51 : Insufficient funds',
      merchantAdviceCode: '02',
      avsResult: '4 AVS',
      authCode: 1,
    };
    assert.deepEqual(chargeDetails(data), { networkCode: '51', merchantAdviceCode: '02', avsResult: '4 AVS' });
    assert.equal(summary('12', data), 'insufficient_funds use_other_card 51 true');
    assert.deepEqual(chargeDetails({ refusalReasonRaw: 'AUTHORISED', cvcResult: '1 Matches' }), {
      cvvResult: '1 Matches',
    });
  });

  test('include invalid card details, which Adyen rejects as a request', () => {
    assert.equal(declineOfRejection('103')?.code, 'incorrect_cvc');
    assert.equal(declineOfRejection('101')?.advice, 'check_details');
    assert.equal(declineOfRejection('130'), null);
  });
});

describe('addresses for Adyen', () => {
  test('have the house number in a separate field', () => {
    const split = (address: string) => Object.values(splitStreet(address)).join(' | ');
    assert.equal(split('12 St James’s Square'), 'St James’s Square | 12');
    assert.equal(split('Hauptstraße 5a'), 'Hauptstraße | 5a');
    assert.equal(split('10-12 rue de la Paix'), 'rue de la Paix | 10-12');
    assert.equal(split('Rose Cottage'), 'Rose Cottage | N/A');
    assert.equal(split(''), 'N/A | N/A');
    assert.equal(split('7'), '7 | N/A');
  });
});
