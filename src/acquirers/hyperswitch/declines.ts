import type { DeclineAdvice, DeclineDetails } from '../../api/decline.ts';
import type { DeclineCode } from '../decline-code.ts';
import type { ChargeDetails } from '../port.ts';
import type { Payment } from './results.ts';

type Decline = readonly [DeclineCode, DeclineAdvice];

const otherCard: Decline = ['card_declined', 'use_other_card'];
const checkDetails: Decline = ['card_declined', 'check_details'];
/** An error at the connector or in its configuration: the card may be valid. */
const tryLater: Decline = ['card_declined', 'try_later'];
const insufficientFunds: Decline = ['insufficient_funds', 'use_other_card'];
const expired: Decline = ['expired_card', 'check_details'];
const incorrectCvc: Decline = ['incorrect_cvc', 'check_details'];
const notAuthenticated: Decline = ['authentication_failed', 'use_other_card'];
const authenticationFault: Decline = ['authentication_failed', 'try_later'];
const abandonedChallenge: Decline = ['authentication_abandoned', 'try_later'];

/** Hyperswitch's schema `StandardisedCode`, in full. */
export const standardizedCodes: Readonly<Record<string, Decline>> = {
  account_closed_or_invalid: otherCard,
  authentication_failed: notAuthenticated,
  authentication_required: notAuthenticated,
  authorization_missing_or_revoked: otherCard,
  card_lost_or_stolen: otherCard,
  card_not_supported_restricted: otherCard,
  cfg_pm_not_enabled_or_misconfigured: otherCard,
  compliance_or_sanctions_restriction: otherCard,
  configuration_issue: tryLater,
  credit_limit_exceeded: insufficientFunds,
  currency_or_corridor_not_enabled: otherCard,
  do_not_honor: otherCard,
  downstream_technical_issue: tryLater,
  duplicate_request: tryLater,
  generic_unknown_error: otherCard,
  incorrect_authentication_code: notAuthenticated,
  insufficient_funds: insufficientFunds,
  integ_cryptographic_issue: tryLater,
  integration_issue: tryLater,
  invalid_card_number: checkDetails,
  invalid_credentials: tryLater,
  invalid_cvv: incorrectCvc,
  invalid_expiry_date: expired,
  invalid_state: tryLater,
  issuer_unavailable: tryLater,
  merchant_inactive: tryLater,
  missing_or_invalid_param: checkDetails,
  operation_not_allowed: otherCard,
  payment_cancelled_by_user: abandonedChallenge,
  payment_method_issue: otherCard,
  payment_session_timeout: abandonedChallenge,
  pm_address_mismatch: checkDetails,
  psp_acquirer_error: tryLater,
  psp_fraud_engine_decline: otherCard,
  rate_limit: tryLater,
  stored_credential_or_mit_not_enabled: otherCard,
  subscription_plan_inactive: otherCard,
  suspected_fraud: otherCard,
  three_ds_authentication_service_issue: authenticationFault,
  three_ds_configuration_issue: authenticationFault,
  three_ds_data_or_protocol_invalid: authenticationFault,
  transaction_not_permitted: otherCard,
  transaction_timed_out: tryLater,
  velocity_limit_exceeded: tryLater,
  wallet_or_token_config_issue: otherCard,
};

/** Response codes of the card networks (ISO 8583, field 39), where they are more specific than a generic decline. */
const networkCodes: Readonly<Record<string, Decline>> = {
  '14': checkDetails,
  '51': insufficientFunds,
  '54': expired,
  '55': notAuthenticated,
  '61': insufficientFunds,
  '65': notAuthenticated,
  '82': incorrectCvc,
  '91': tryLater,
  '96': tryLater,
  '1A': notAuthenticated,
  N7: incorrectCvc,
};

/** Values of `error_code` that several connectors use. The field has no common vocabulary. */
const connectorCodes: Readonly<Record<string, Decline>> = {
  authentication_failed: notAuthenticated,
  authentication_required: notAuthenticated,
  expired_card: expired,
  incorrect_cvc: incorrectCvc,
  incorrect_number: checkDetails,
  incorrect_zip: checkDetails,
  insufficient_funds: insufficientFunds,
  invalid_cvc: incorrectCvc,
  invalid_expiry_month: expired,
  invalid_expiry_year: expired,
  invalid_number: checkDetails,
  issuer_not_available: tryLater,
  payment_intent_authentication_failure: notAuthenticated,
  processing_error: tryLater,
};

/** Hyperswitch's schema `UnifiedCode`: a category of the reason (Hyperswitch's page "Error codes"). */
const unifiedCodes: Readonly<Record<string, Decline>> = {
  UE_1000: otherCard,
  UE_2000: tryLater,
  UE_3000: tryLater,
  UE_4000: tryLater,
  UE_9000: otherCard,
};

/** Mastercard merchant advice codes that forbid another attempt: 03 do not try again, 21 payment cancellation. */
const forbidden = new Set(['03', '21']);

/** True if Hyperswitch reported more than the connector's own code. */
export function hasUnifiedReason({ unified_code, error_details }: Payment): boolean {
  const unified = error_details?.unified_details;
  return Boolean(unified_code ?? unified?.standardised_code ?? unified?.category);
}

/** Maps a failed payment to a decline, by the most specific reason. The advice of the card network takes precedence. */
export function declineOf(failed: Payment): DeclineDetails {
  const { networkCode = null, merchantAdviceCode = '' } = chargeDetails(failed);
  const unified = failed.error_details?.unified_details;
  const [code, defaultAdvice] =
    standardizedCodes[unified?.standardised_code ?? ''] ??
    networkCodes[networkCode ?? ''] ??
    connectorCodes[failed.error_code?.toLowerCase() ?? ''] ??
    unifiedCodes[failed.unified_code ?? unified?.category ?? ''] ??
    otherCard;
  return decline(code, forbidden.has(merchantAdviceCode) ? 'do_not_retry' : defaultAdvice, networkCode);
}

function decline(code: DeclineCode, advice: DeclineAdvice, networkCode: string | null = null): DeclineDetails {
  return { code, network_code: networkCode, retryable: advice !== 'do_not_retry', advice };
}

/** A challenge or an unknown charge that was canceled before the card was charged. */
export const abandoned: DeclineDetails = decline(...abandonedChallenge);

/** Error codes of a request that Hyperswitch did not process, because of the card or the buyer's details. */
const rejections: Readonly<Record<string, Decline>> = {
  CE_04: checkDetails,
  CE_05: expired,
  IR_05: checkDetails,
  IR_06: checkDetails,
  IR_07: checkDetails,
};

/** The decline for a rejected charge that was not processed; null if the reason is not the buyer's input. */
export function declineOfRejection(errorCode: string): DeclineDetails | null {
  const rejection = rejections[errorCode];
  return rejection ? decline(...rejection) : null;
}

/** Reads the response data of the issuer and card network. */
export function chargeDetails(payment: Payment): ChargeDetails {
  const issuer = payment.error_details?.issuer_details;
  const fields = {
    authorizationCode: payment.payment_method_data?.card?.auth_code,
    networkCode: issuer?.code ?? payment.issuer_error_code,
    merchantAdviceCode: issuer?.network_details?.advice_code ?? payment.network_details?.network_advice_code,
  };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value.slice(0, 100)]] : [])),
  );
}
