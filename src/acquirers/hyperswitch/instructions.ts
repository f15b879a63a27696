import type { Instructions } from '../../api/instructions.ts';
import { type Instant, MICROS_PER_MS } from '../../shared/time.ts';
import type { PushPaymentRequest } from '../push-port.ts';
import type { NextAction } from './results.ts';

/** Converts the buyer's next action at Hyperswitch to instructions. */
export function toInstructions(action: NextAction, { country }: Pick<PushPaymentRequest, 'country'>): Instructions {
  switch (action.type) {
    case 'redirect_to_url':
      return { action: 'redirect', url: action.redirect_to_url };
    case 'qr_code_information':
      return { action: 'qr', scheme: country === 'VNM' ? 'vietqr' : 'promptpay', payload: action.raw_qr_data };
    case 'invoke_upi_intent_sdk':
      return upiApp(action.sdk_uri);
    case 'invoke_upi_qr_flow':
      return upiApp(action.qr_code_url);
  }
}

function upiApp(uri: string): Instructions {
  return { action: 'app_intent', deepLink: uri, qrPayload: uri, webUrl: null };
}

/** Expiry of the instructions: the connector's, if it is earlier than the transaction's. */
export function expiryOf(action: NextAction, transactionExpiresAt: Instant): Instant {
  const expiresAt = connectorExpiry(action);
  return expiresAt === null ? transactionExpiresAt : Math.min(expiresAt, transactionExpiresAt);
}

function connectorExpiry(action: NextAction): Instant | null {
  switch (action.type) {
    case 'redirect_to_url':
      return null;
    default:
      return action.display_to_timestamp ? toInstant(action.display_to_timestamp) : null;
  }
}

/**
 * Hyperswitch's timestamps are Unix times in milliseconds for QR codes, in nanoseconds for UPI (its
 * code: `unix_timestamp_nanos`). The schemas name no unit, so the magnitude decides: milliseconds have 13 digits until
 * 2286.
 */
function toInstant(timestamp: number): Instant {
  const ms = timestamp >= 1e17 ? timestamp / 1e6 : timestamp >= 1e14 ? timestamp / 1e3 : timestamp;
  return Math.floor(ms) * MICROS_PER_MS;
}
