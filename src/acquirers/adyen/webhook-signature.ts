import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { AdyenCredentials } from './credentials.ts';

/** The part of a webhook item that Adyen signs. */
export interface SignedFields {
  pspReference: string;
  originalReference?: string | undefined;
  merchantAccountCode: string;
  merchantReference: string;
  amount?: { value: number; currency: string } | undefined;
  eventCode: string;
  success: string;
}

/**
 * The text that Adyen signs (Adyen's page "Verify HMAC signatures"). Other fields, such as `reason`, are not signed.
 */
export function textToSign(item: SignedFields): string {
  const { pspReference, originalReference = '', merchantAccountCode, merchantReference, amount } = item;
  return [
    ...[pspReference, originalReference, merchantAccountCode, merchantReference],
    ...[amount?.value ?? '', amount?.currency ?? '', item.eventCode, item.success],
  ].join(':');
}

/** Verifies a signature: HMAC-SHA256 with a hexadecimal key, in base64. Compares in constant time. */
export function isValidSignature(signature: string, text: string, hexadecimalKey: string): boolean {
  const expected = createHmac('sha256', Buffer.from(hexadecimalKey, 'hex')).update(text).digest();
  const received = Buffer.from(signature, 'base64');
  return received.length === expected.length && timingSafeEqual(received, expected);
}

/** Verifies HTTP basic authentication, if the account uses it. */
export function hasValidBasicAuth(
  header: string | null,
  { webhookUser, webhookPassword }: Pick<AdyenCredentials, 'webhookUser' | 'webhookPassword'>,
): boolean {
  if (webhookUser === undefined || webhookPassword === undefined) return true;
  const expected = `Basic ${Buffer.from(`${webhookUser}:${webhookPassword}`).toString('base64')}`;
  return timingSafeEqual(digest(header ?? ''), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
