import { minorUnitsOf } from '../../api/currency.ts';
import type { BankDetailName, Instructions } from '../../api/instructions.ts';
import { formatMinor } from '../../shared/money.ts';
import { type Instant, parseMoment } from '../../shared/time.ts';
import type { PushPaymentRequest } from '../push-port.ts';
import { accountBanks } from './account-banks.ts';
import { fromAdyenAmount } from './amounts.ts';
import type { AdyenAction } from './results.ts';

/** Converts Adyen's next action to instructions; null if we cannot show it. */
export function toInstructions(action: AdyenAction, payment: PushPaymentRequest, type: string): Instructions | null {
  switch (action.type) {
    case 'redirect':
      // We only link to pages, and a form cannot be linked. The request asks Adyen for a link.
      return action.method === 'GET' ? { action: 'redirect', url: action.url } : null;
    case 'qrCode':
      return qrInstructions(action.qrCodeData, type);
    case 'await':
      return { action: 'await' };
    case 'voucher':
      return { action: 'bank_details', details: accountDetails(action, payment, type) };
  }
}

function qrInstructions(payload: string, type: string): Instructions {
  const isLink = payload.startsWith('upi://');
  return isLink
    ? { action: 'app_intent', deepLink: payload, qrPayload: payload, webUrl: null }
    : { action: 'qr', scheme: type === 'promptpay' ? 'promptpay' : 'upi', payload };
}

/** Details of a transfer to a virtual account (Adyen's page "Bank transfers in Indonesia"). */
function accountDetails(
  { reference, merchantName, totalAmount }: Extract<AdyenAction, { type: 'voucher' }>,
  { merchantName: ownName, amountMinor, currency }: PushPaymentRequest,
  type: string,
): { name: BankDetailName; value: string }[] {
  const bank = Object.values(accountBanks).find((each) => each.type === type);
  // The total includes a surcharge, if the account has one.
  const total = totalAmount ? fromAdyenAmount(totalAmount) : null;
  const amount = total?.currency === currency ? total.amountMinor : amountMinor;
  return [
    ...(bank ? [{ name: 'bank_name' as const, value: bank.name }] : []),
    { name: 'virtual_account_number', value: reference },
    { name: 'account_name', value: merchantName ?? ownName },
    { name: 'amount', value: formatMinor(amount, minorUnitsOf(currency)) },
  ];
}

/** Expiry of the instructions: Adyen's, if it is earlier than the transaction's. */
export function expiryOf(action: AdyenAction, transactionExpiresAt: Instant): Instant {
  const text = 'expiresAt' in action ? action.expiresAt : undefined;
  const expiresAt = text === undefined ? null : (parseMoment(text)?.at ?? null);
  return expiresAt === null ? transactionExpiresAt : Math.min(expiresAt, transactionExpiresAt);
}
