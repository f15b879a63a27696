import { minorUnitsOf } from '../../api/currency.ts';
import type { Instructions } from '../../api/instructions.ts';
import { formatMinor } from '../../shared/money.ts';
import { type Instant, parseMoment } from '../../shared/time.ts';
import type { PushPaymentRequest } from '../push-port.ts';
import { apiUrl, type XenditCredentials } from './credentials.ts';
import type { Action, PaymentRequest } from './results.ts';
import { isLoopbackUrl } from '../urls.ts';

/** URL of the issuer, bank or wallet to which the buyer is redirected; null if there is none that we can open. */
export function pageUrl(request: PaymentRequest, credentials: XenditCredentials): string | null {
  const url = valueOf(request, 'REDIRECT_CUSTOMER', 'WEB_URL');
  if (url === null || !URL.canParse(url)) return null;
  const isOpenable = new URL(url).protocol === 'https:' || (isLoopbackUrl(url) && isLoopbackUrl(apiUrl(credentials)));
  return isOpenable ? url : null;
}

/** Converts Xendit's next action to instructions; null if no action has the expected kind. */
export function toInstructions(
  request: PaymentRequest,
  instructionsKind: 'qr' | 'account' | 'page',
  {
    payment: { amountMinor, currency },
    bankName,
    credentials,
  }: {
    payment: Pick<PushPaymentRequest, 'amountMinor' | 'currency'>;
    bankName: string | null;
    credentials: XenditCredentials;
  },
): Instructions | null {
  if (instructionsKind === 'page') {
    const url = pageUrl(request, credentials);
    return url === null ? null : { action: 'redirect', url };
  }
  if (instructionsKind === 'qr') {
    const payload = valueOf(request, 'PRESENT_TO_CUSTOMER', 'QR_STRING');
    return payload === null ? null : { action: 'qr', scheme: 'promptpay', payload };
  }
  const number = valueOf(request, 'PRESENT_TO_CUSTOMER', 'VIRTUAL_ACCOUNT_NUMBER');
  if (number === null) return null;
  return {
    action: 'bank_details',
    details: [
      ...(bankName === null ? [] : [{ name: 'bank_name' as const, value: bankName }]),
      { name: 'virtual_account_number', value: number },
      { name: 'amount', value: formatMinor(amountMinor, minorUnitsOf(currency)) },
    ],
  };
}

function valueOf({ actions }: PaymentRequest, type: Action['type'], descriptor: string): string | null {
  const action = actions?.find((each) => each.type === type && each.descriptor === descriptor);
  return action && action.value !== '' ? action.value : null;
}

/** Expiry of the instructions: the channel's, if it is earlier than the transaction's. */
export function expiryOf(
  { channel_properties: properties }: PaymentRequest,
  { expiresAt, now, maximumValidity }: { expiresAt: Instant; now: Instant; maximumValidity: Instant | undefined },
): Instant {
  const reported = parseMoment(properties?.expires_at ?? '')?.at ?? expiresAt;
  return Math.min(expiresAt, reported, now + (maximumValidity ?? Infinity));
}
