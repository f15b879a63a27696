// Databases: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RejectedRequest } from '../../../src/acquirers/xendit/client.ts';
import {
  chargeDetails,
  declineOf,
  declineOfRejection,
  failureCodes,
  isFrictionless,
} from '../../../src/acquirers/xendit/declines.ts';
import { payment } from '../../../src/acquirers/xendit/results.ts';
import { failureCodes as vendorCodes } from '../simulators/xendit/contract.ts';

const paid = (payment_details: unknown) =>
  payment.parse({
    ...{ payment_id: 'py-1', payment_request_id: 'pr-1', reference_id: 'a', currency: 'USD', request_amount: 1 },
    ...{ status: 'FAILED', payment_details },
  });

test('every failure code has a decline; an unknown one is a generic decline', () => {
  for (const code of vendorCodes) assert.ok(failureCodes[code], code);
  assert.deepEqual(declineOf('INSUFFICIENT_BALANCE'), {
    ...{ code: 'insufficient_funds', network_code: null, retryable: true, advice: 'use_other_card' },
  });
  assert.equal(declineOf('EXPIRED_CARD').code, 'expired_card');
  assert.equal(declineOf('INVALID_CVV').advice, 'check_details');
  assert.equal(declineOf('ISSUER_UNAVAILABLE').advice, 'try_later');
  assert.equal(declineOf('AUTHENTICATION_FAILED').code, 'authentication_failed');
  for (const code of ['SOMETHING_NEW', 'CAPTURE_AMOUNT_EXCEEDED ', '', null, undefined])
    assert.equal(declineOf(code).code, 'card_declined');
});

test('merchant advice codes 03 and 21 forbid another attempt, with one digit or two', () => {
  for (const code of ['03', '3', '21']) {
    const details = chargeDetails(paid({ authorization_data: { merchant_advice_code: code } }));
    const decline = declineOf('CARD_DECLINED', details);
    assert.deepEqual([decline.advice, decline.retryable], ['do_not_retry', false], code);
  }
  for (const code of ['02', '24', '40'])
    assert.equal(declineOf('CARD_DECLINED', { merchantAdviceCode: code }).advice, 'use_other_card', code);
});

test('parses response codes of issuer and network in both places and under both names', () => {
  const documented = paid({
    authorization_data: {
      ...{ authorization_code: 'A1B2C3', cvn_verification_result: 'M', address_verification_result: 'N' },
      ...{ network_response_code: '05', merchant_advice_code: '1', three_ds_flow: 'FRICTIONLESS', other: {} },
    },
  });
  assert.deepEqual(chargeDetails(documented), {
    ...{ authorizationCode: 'A1B2C3', networkCode: '05', merchantAdviceCode: '01', avsResult: 'N', cvvResult: 'M' },
  });
  assert.ok(isFrictionless(documented));
  assert.deepEqual(chargeDetails(paid({ card_network_response_code: '51', merchant_advice_code: null })), {
    networkCode: '51',
  });
  for (const none of [
    undefined,
    null,
    {},
    'text',
    { authorization_data: 7 },
    { authorization_data: { authorization_code: 1 } },
  ])
    assert.deepEqual(chargeDetails(paid(none)), {});
});

test('a rejected charge is declined for the card, and not sent for the account', () => {
  const decline = (status: number, code: string) => declineOfRejection(new RejectedRequest('a charge', status, code));
  assert.equal(decline(400, 'CARD_EXPIRED')?.code, 'expired_card');
  assert.equal(decline(400, 'INVALID_PAYMENT_DETAILS')?.advice, 'check_details');
  assert.equal(decline(400, 'SOMETHING_NEW')?.code, 'card_declined');
  for (const code of ['API_VALIDATION_ERROR', 'INVALID_VALUE_ERROR', 'PAYMENT_REQUEST_RATE_LIMITED'])
    assert.equal(decline(400, code), null, code);
  for (const status of [401, 403, 404, 429]) assert.equal(decline(status, 'CARD_EXPIRED'), null, String(status));
});
