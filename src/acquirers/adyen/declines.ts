import type { DeclineAdvice, DeclineDetails } from '../../api/decline.ts';
import type { DeclineCode } from '../decline-code.ts';
import type { ChargeDetails } from '../port.ts';

interface Refusal {
  /** Adyen's text, which webhooks carry instead of the code. */
  reason: string;
  code: DeclineCode;
  advice: DeclineAdvice;
}

function refusal(reason: string, code: DeclineCode, advice: DeclineAdvice): Refusal {
  return { reason, code, advice };
}

/**
 * Adyen's page "Refusal reasons", by `refusalReasonCode`. Suspected fraud is reported to the buyer as a generic
 * decline: Adyen asks not to show such reasons.
 */
const refusals: Readonly<Record<string, Refusal>> = {
  2: refusal('Refused', 'card_declined', 'use_other_card'),
  3: refusal('Referral', 'card_declined', 'use_other_card'),
  4: refusal('Acquirer Error', 'card_declined', 'try_later'),
  5: refusal('Blocked Card', 'card_declined', 'do_not_retry'),
  6: refusal('Expired Card', 'expired_card', 'check_details'),
  7: refusal('Invalid Amount', 'card_declined', 'use_other_card'),
  8: refusal('Invalid Card Number', 'card_declined', 'check_details'),
  9: refusal('Issuer Unavailable', 'card_declined', 'try_later'),
  10: refusal('Not supported', 'card_declined', 'use_other_card'),
  11: refusal('3D Not Authenticated', 'authentication_failed', 'use_other_card'),
  12: refusal('Not enough balance', 'insufficient_funds', 'use_other_card'),
  14: refusal('Acquirer Fraud', 'card_declined', 'use_other_card'),
  15: refusal('Cancelled', 'card_declined', 'try_later'),
  16: refusal('Shopper Cancelled', 'authentication_abandoned', 'try_later'),
  17: refusal('Invalid Pin', 'card_declined', 'use_other_card'),
  18: refusal('Pin tries exceeded', 'card_declined', 'use_other_card'),
  19: refusal('Pin validation not possible', 'card_declined', 'use_other_card'),
  20: refusal('FRAUD', 'card_declined', 'use_other_card'),
  21: refusal('Not Submitted', 'card_declined', 'try_later'),
  22: refusal('FRAUD-CANCELLED', 'card_declined', 'use_other_card'),
  23: refusal('Transaction Not Permitted', 'card_declined', 'use_other_card'),
  24: refusal('CVC Declined', 'incorrect_cvc', 'check_details'),
  25: refusal('Restricted Card', 'card_declined', 'use_other_card'),
  26: refusal('Revocation Of Auth', 'card_declined', 'do_not_retry'),
  27: refusal('Declined Non Generic', 'card_declined', 'use_other_card'),
  28: refusal('Withdrawal amount exceeded', 'insufficient_funds', 'use_other_card'),
  29: refusal('Withdrawal count exceeded', 'card_declined', 'try_later'),
  31: refusal('Issuer Suspected Fraud', 'card_declined', 'use_other_card'),
  32: refusal('AVS Declined', 'card_declined', 'check_details'),
  33: refusal('Card requires online pin', 'card_declined', 'use_other_card'),
  34: refusal('No checking account available on Card', 'card_declined', 'use_other_card'),
  35: refusal('No savings account available on Card', 'card_declined', 'use_other_card'),
  36: refusal('Mobile pin required', 'card_declined', 'use_other_card'),
  38: refusal('Authentication required', 'authentication_failed', 'use_other_card'),
  39: refusal('RReq not received from DS', 'authentication_failed', 'try_later'),
  42: refusal('3DS Authentication Error', 'authentication_failed', 'try_later'),
  46: refusal('Transaction blocked by Adyen to prevent excessive retry fees', 'card_declined', 'do_not_retry'),
};

const generic = refusal('', 'card_declined', 'use_other_card');

/** Mastercard merchant advice codes that forbid another attempt: 03 do not try again, 21 payment cancellation. */
const forbidden = new Set(['03', '21']);

/** Additional data of a response or webhook. Adyen does not sign it, so it only explains an outcome. */
export type AdditionalData = Readonly<Record<string, unknown>>;

/** Maps a decline, by code or by Adyen's text. The advice of the card network takes precedence. */
export function declineOf(
  { refusalReasonCode, refusalReason }: { refusalReasonCode?: string | undefined; refusalReason?: string | undefined },
  data: AdditionalData,
): DeclineDetails {
  const { networkCode = null, merchantAdviceCode = '' } = chargeDetails(data);
  const text = refusalReason?.toLowerCase();
  const declineReason =
    refusals[refusalReasonCode ?? ''] ?? Object.values(refusals).find(({ reason }) => reason.toLowerCase() === text);
  const { code, advice: defaultAdvice } = declineReason ?? generic;
  const advice = forbidden.has(merchantAdviceCode) ? 'do_not_retry' : defaultAdvice;
  return { code, network_code: networkCode, retryable: advice !== 'do_not_retry', advice };
}

/** A challenge or an unknown charge that was canceled before authorization. */
export const abandoned: DeclineDetails = {
  code: 'authentication_abandoned',
  network_code: null,
  retryable: true,
  advice: 'try_later',
};

/** Error codes for invalid card or address fields (Adyen's page "API error codes"). */
const invalidDetails: Readonly<Record<string, DeclineCode>> = {
  101: 'card_declined',
  102: 'card_declined',
  103: 'incorrect_cvc',
  104: 'card_declined',
  117: 'card_declined',
  129: 'expired_card',
  131: 'card_declined',
  132: 'card_declined',
  133: 'card_declined',
  134: 'card_declined',
  135: 'card_declined',
  140: 'expired_card',
  141: 'expired_card',
};

/** The decline for a request that Adyen rejected because of the buyer's input; null for any other reason. */
export function declineOfRejection(errorCode: string): DeclineDetails | null {
  const code = invalidDetails[errorCode];
  return code ? { code, network_code: null, retryable: true, advice: 'check_details' } : null;
}

/** Whether the issuer authenticated the buyer; empty if it is not reported. */
export function threeDSecureOf(data: AdditionalData): { threeDSecure?: boolean } {
  const authenticated = textOf(data['threeDAuthenticated']);
  return authenticated === undefined ? {} : { threeDSecure: authenticated === 'true' };
}

/** Reads the response data of the issuer and card network. */
export function chargeDetails(data: AdditionalData): ChargeDetails {
  const fields = {
    authorizationCode: textOf(data['authCode']),
    // "05 : Do not honor", or the code alone.
    networkCode:
      codeOf(data['refusalReasonRaw'], /^([\dA-Z]{2})(?: *:|$)/) ??
      codeOf(data['acquirerResponseCode'], /^([\dA-Z]{2})$/),
    merchantAdviceCode: codeOf(data['merchantAdviceCode'], /^(\d{2})\b/),
    avsResult: textOf(data['avsResult']),
    cvvResult: textOf(data['cvcResult']),
    arn: textOf(data['arn']),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 100) : undefined;
}

function codeOf(value: unknown, form: RegExp): string | undefined {
  return form.exec(textOf(value)?.trim() ?? '')?.[1];
}
