import { createHmac } from 'node:crypto';
import type { AdyenItem } from './webhook-contract.ts';
import type { Signing } from '../webhooks.ts';

/** The text that Adyen signs. Other fields, such as `reason`, are not covered. */
export function textToSign(item: AdyenItem): string {
  const { pspReference, originalReference = '', merchantAccountCode, merchantReference, amount } = item;
  return [
    ...[pspReference, originalReference, merchantAccountCode, merchantReference],
    ...[amount.value, amount.currency, item.eventCode, item.success],
  ].join(':');
}

/** HMAC-SHA256 with a hexadecimal key, in base64. */
export function adyenSignature(key: string, signed: string): string {
  return createHmac('sha256', Buffer.from(key, 'hex')).update(signed).digest('base64');
}

/** Keys with which Adyen signs and sends webhooks. */
export interface AdyenWebhookKeys {
  /** Hexadecimal. */
  hmacKey: string;
  webhookUser: string;
  webhookPassword: string;
}

/** Signs each item within the body, and logs in with a user name and password. */
export function adyenSigning({ hmacKey, webhookUser, webhookPassword }: AdyenWebhookKeys): Signing<AdyenItem> {
  const keys = { real: hmacKey, wrong: hmacKey.replaceAll(/./g, '0'), none: null };
  const basic = Buffer.from(`${webhookUser}:${webhookPassword}`).toString('base64');
  const wrap = (item: AdyenItem) => ({ live: 'false', notificationItems: [{ NotificationRequestItem: item }] });
  return {
    sign(item, form) {
      const key = keys[form];
      const signature = key === null ? {} : { hmacSignature: adyenSignature(key, textToSign(item)) };
      const additionalData = { ...item.additionalData, ...signature };
      const hasData = Object.keys(additionalData).length > 0;
      return {
        headers: { authorization: `Basic ${basic}` },
        payload: wrap(hasData ? { ...item, additionalData } : item),
      };
    },
    tamper(signed) {
      const [{ NotificationRequestItem: item }] = (
        signed as { notificationItems: [{ NotificationRequestItem: AdyenItem }] }
      ).notificationItems;
      return wrap({ ...item, amount: { ...item.amount, value: item.amount.value + 100 } });
    },
  };
}
