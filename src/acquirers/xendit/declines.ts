import type { DeclineAdvice, DeclineDetails } from '../../api/decline.ts';
import type { DeclineCode } from '../decline-code.ts';
import type { ChargeDetails } from '../port.ts';
import type { RejectedRequest } from './client.ts';
import type { Payment } from './results.ts';

type Decline = readonly [DeclineCode, DeclineAdvice];

const otherCard: Decline = ['card_declined', 'use_other_card'];
const checkDetails: Decline = ['card_declined', 'check_details'];
/** An error at Xendit or the processor, or in the configuration: the card may be valid. */
const tryLater: Decline = ['card_declined', 'try_later'];
const expired: Decline = ['expired_card', 'check_details'];
const notAuthenticated: Decline = ['authentication_failed', 'use_other_card'];
const abandonedChallenge: Decline = ['authentication_abandoned', 'try_later'];

/** Failure codes of payments: the API reference's in full, then those of the page "Card declines and error codes". */
export const failureCodes: Readonly<Record<string, Decline>> = {
  ACCOUNT_ACCESS_BLOCKED: otherCard,
  ACCOUNT_NOT_ACTIVATED: otherCard,
  AUTHENTICATION_FAILED: notAuthenticated,
  CAPTURE_AMOUNT_EXCEEDED: otherCard,
  CARD_DECLINED: otherCard,
  CHANNEL_UNAVAILABLE: tryLater,
  DECLINED_BY_ISSUER: otherCard,
  DECLINED_BY_PROCESSOR: otherCard,
  EXPIRED_CARD: expired,
  EXPIRED_OTP: notAuthenticated,
  FAILURE_DETAILS_UNAVAILABLE: otherCard,
  INACTIVE_OR_UNAUTHORIZED_CARD: otherCard,
  INSUFFICIENT_BALANCE: ['insufficient_funds', 'use_other_card'],
  INVALID_ACCOUNT_DETAILS: checkDetails,
  INVALID_CVV: ['incorrect_cvc', 'check_details'],
  INVALID_MERCHANT_CREDENTIALS: tryLater,
  INVALID_MERCHANT_SETTINGS: tryLater,
  INVALID_OTP: notAuthenticated,
  INVALID_TOKEN: otherCard,
  ISSUER_UNAVAILABLE: tryLater,
  OTP_ATTEMPT_COUNTS_EXCEEDED: notAuthenticated,
  PARTNER_TIMEOUT_ERROR: tryLater,
  PAYMENT_AMOUNT_LIMITS_EXCEEDED: otherCard,
  PAYMENT_ATTEMPT_COUNTS_EXCEEDED: otherCard,
  PAYMENT_REQUEST_EXPIRED: abandonedChallenge,
  PROCESSOR_ERROR: tryLater,
  SERVER_ERROR: tryLater,
  STOLEN_CARD: otherCard,
  SUSPECTED_FRAUDULENT: otherCard,
  TIMEOUT_ERROR: tryLater,
  USER_DECLINED_PAYMENT: notAuthenticated,
  USER_DEVICE_UNREACHABLE: tryLater,
  USER_DID_NOT_AUTHORIZE: abandonedChallenge,

  INVALID_CARD: checkDetails,
  ISSUER_SUSPECT_FRAUD: otherCard,
  TRANSACTION_BLOCKED: otherCard,
};

/** Mastercard merchant advice codes that forbid another attempt. */
const forbidden = new Set(['03', '21']);

/** Maps a failed charge to a decline. The card network's advice takes precedence. */
export function declineOf(failureCode: string | null | undefined, details: ChargeDetails = {}): DeclineDetails {
  // Xendit's API reference lists a code with a trailing space.
  const [code, defaultAdvice] = failureCodes[failureCode?.trim() ?? ''] ?? otherCard;
  const isForbidden = forbidden.has(details.merchantAdviceCode ?? '');
  return decline([code, isForbidden ? 'do_not_retry' : defaultAdvice], details.networkCode ?? null);
}

function decline([code, advice]: Decline, networkCode: string | null = null): DeclineDetails {
  return { code, network_code: networkCode, retryable: advice !== 'do_not_retry', advice };
}

/** A challenge that was canceled, or that the buyer did not complete in time. */
export const abandoned: DeclineDetails = decline(abandonedChallenge);

/**
 * Error codes of a charge that Xendit rejected because of the configuration or request: another account can be tried.
 */
const setupErrors = new Set(['API_VALIDATION_ERROR', 'INVALID_VALUE_ERROR', 'PAYMENT_REQUEST_RATE_LIMITED']);

/**
 * The decline for a rejected charge (API reference "Create a payment request"). Null: the account or its limits are at
 * fault, so another one can be tried. An undocumented rejection is a decline, which a later approval can still correct.
 */
export function declineOfRejection({ status, code }: RejectedRequest): DeclineDetails | null {
  if (status !== 400 || setupErrors.has(code)) return null;
  if (code === 'CARD_EXPIRED') return decline(expired);
  if (code === 'INVALID_PAYMENT_DETAILS') return decline(checkDetails);
  return declineOf(code);
}

/** Reads the response data of the issuer and card network. */
export function chargeDetails({ payment_details: details }: Payment): ChargeDetails {
  const data = { ...withoutNulls(details), ...withoutNulls(details?.authorization_data) };
  const adviceCode = data['merchant_advice_code'];
  const fields = {
    authorizationCode: data['authorization_code'],
    networkCode: data['card_network_response_code'] ?? data['network_response_code'],
    // Xendit's page lists the codes with one digit: 3 is 03.
    merchantAdviceCode: adviceCode?.padStart(2, '0'),
    avsResult: data['address_verification_result'],
    cvvResult: data['cvn_verification_result'],
  };
  return Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

/** True if the issuer authenticated the buyer without a challenge. */
export function isFrictionless({ payment_details: details }: Payment): boolean {
  const flow = details?.authorization_data?.three_ds_flow ?? details?.three_ds_flow;
  return flow?.toUpperCase() === 'FRICTIONLESS';
}

function withoutNulls(fields: object | null | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fields ?? {}).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'string' && value !== '' ? [[name, value.slice(0, 100)]] : [],
    ),
  );
}
