// Databases: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chargeDetails, declineOf, standardizedCodes } from '../../../src/acquirers/hyperswitch/declines.ts';
import { payment } from '../../../src/acquirers/hyperswitch/results.ts';

function failed(fields: object) {
  return payment.parse({ payment_id: 'pc', status: 'failed', amount: 1000, currency: 'EUR', ...fields });
}
const standardized = (standardised_code: string) => ({ error_details: { unified_details: { standardised_code } } });
const summary = (fields: object) => {
  const { code, network_code, advice, retryable } = declineOf(failed(fields));
  return `${code} ${network_code} ${advice} ${retryable}`;
};

test('every standardized code of the schema has a decline', () => {
  // Hyperswitch's schema `StandardisedCode`.
  const codes = [
    ...['account_closed_or_invalid', 'authentication_failed', 'authentication_required'],
    ...['authorization_missing_or_revoked', 'card_lost_or_stolen', 'card_not_supported_restricted'],
    ...['cfg_pm_not_enabled_or_misconfigured', 'compliance_or_sanctions_restriction', 'configuration_issue'],
    ...['credit_limit_exceeded', 'currency_or_corridor_not_enabled', 'do_not_honor', 'downstream_technical_issue'],
    ...['duplicate_request', 'generic_unknown_error', 'incorrect_authentication_code', 'insufficient_funds'],
    ...['integ_cryptographic_issue', 'integration_issue', 'invalid_card_number', 'invalid_credentials', 'invalid_cvv'],
    ...['invalid_expiry_date', 'invalid_state', 'issuer_unavailable', 'merchant_inactive', 'missing_or_invalid_param'],
    ...['operation_not_allowed', 'payment_cancelled_by_user', 'payment_method_issue', 'payment_session_timeout'],
    ...['pm_address_mismatch', 'psp_acquirer_error', 'psp_fraud_engine_decline', 'rate_limit'],
    ...['stored_credential_or_mit_not_enabled', 'subscription_plan_inactive', 'suspected_fraud'],
    ...['three_ds_authentication_service_issue', 'three_ds_configuration_issue', 'three_ds_data_or_protocol_invalid'],
    ...[
      'transaction_not_permitted',
      'transaction_timed_out',
      'velocity_limit_exceeded',
      'wallet_or_token_config_issue',
    ],
  ];
  assert.deepEqual(Object.keys(standardizedCodes).toSorted(), codes.toSorted());
});

test('the most specific reason decides', () => {
  const cases: [object, string][] = [
    [standardized('invalid_cvv'), 'incorrect_cvc null check_details true'],
    [{ ...standardized('insufficient_funds'), unified_code: 'UE_3000' }, 'insufficient_funds null use_other_card true'],
    [{ issuer_error_code: '54', error_code: 'card_declined' }, 'expired_card 54 check_details true'],
    [{ error_code: 'Insufficient_Funds', unified_code: 'UE_1000' }, 'insufficient_funds null use_other_card true'],
    [{ error_code: '2000', unified_code: 'UE_3000' }, 'card_declined null try_later true'],
    [{ error_code: '2000', unified_code: 'UE_9000' }, 'card_declined null use_other_card true'],
    [{}, 'card_declined null use_other_card true'],
  ];
  for (const [fields, expected] of cases) assert.equal(summary(fields), expected);
});

test('merchant advice codes 03 and 21 forbid another attempt', () => {
  const advised = (advice_code: string) => ({
    error_details: { issuer_details: { code: '51', network_details: { advice_code } } },
  });
  assert.equal(summary(advised('03')), 'insufficient_funds 51 do_not_retry false');
  assert.equal(summary({ network_details: { network_advice_code: '21' } }), 'card_declined null do_not_retry false');
  assert.equal(summary(advised('02')), 'insufficient_funds 51 use_other_card true');
  const response = failed({ ...advised('03'), payment_method_data: { card: { auth_code: '123456' } } });
  assert.deepEqual(chargeDetails(response), {
    authorizationCode: '123456',
    networkCode: '51',
    merchantAdviceCode: '03',
  });
});

test('malformed optional fields are ignored', () => {
  assert.equal(
    summary({ error_details: 'none', error_code: 7, network_details: [] }),
    'card_declined null use_other_card true',
  );
});
