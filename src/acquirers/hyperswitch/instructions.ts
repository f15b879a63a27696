import { minorUnitsOf } from '../../api/currency.ts';
import type { Instructions } from '../../api/instructions.ts';
import { formatMinor } from '../../shared/money.ts';
import { type Instant, MICROS_PER_MS } from '../../shared/time.ts';
import type { PushPaymentRequest } from '../push-port.ts';
import { type AccountBank, accountBanks } from './account-banks.ts';
import type { NextAction } from './results.ts';

/** Converts the buyer's next action at Hyperswitch to instructions. */
export function toInstructions(
  action: NextAction,
  { country, amountMinor, currency }: Pick<PushPaymentRequest, 'country' | 'amountMinor' | 'currency'>,
  accountBank: AccountBank,
): Instructions {
  switch (action.type) {
    case 'redirect_to_url':
      return { action: 'redirect', url: action.redirect_to_url };
    case 'qr_code_information':
      return { action: 'qr', scheme: country === 'VNM' ? 'vietqr' : 'promptpay', payload: action.raw_qr_data };
    case 'invoke_upi_intent_sdk':
      return upiApp(action.sdk_uri);
    case 'invoke_upi_qr_flow':
      return upiApp(action.qr_code_url);
    case 'display_bank_transfer_information': {
      const { name, code } = accountBanks[accountBank];
      const { reference } = action.bank_transfer_steps_and_charges_details.doku_bank_transfer_instructions;
      return {
        action: 'bank_details',
        details: [
          { name: 'bank_name', value: name },
          { name: 'bank_code', value: code },
          { name: 'virtual_account_number', value: reference },
          { name: 'amount', value: formatMinor(amountMinor, minorUnitsOf(currency)) },
        ],
      };
    }
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
    case 'display_bank_transfer_information': {
      const { expires_at: text } = action.bank_transfer_steps_and_charges_details.doku_bank_transfer_instructions;
      return text && /^\d{1,19}$/.test(text) ? toInstant(Number(text)) : null;
    }
    default:
      return action.display_to_timestamp ? toInstant(action.display_to_timestamp) : null;
  }
}

/**
 * Hyperswitch's timestamps are Unix times in milliseconds for QR codes and bank transfers, in nanoseconds for UPI (its
 * code: `unix_timestamp_nanos`). The schemas name no unit, so the magnitude decides: milliseconds have 13 digits until
 * 2286.
 */
function toInstant(timestamp: number): Instant {
  const ms = timestamp >= 1e17 ? timestamp / 1e6 : timestamp >= 1e14 ? timestamp / 1e3 : timestamp;
  return Math.floor(ms) * MICROS_PER_MS;
}
