import type { Signing } from '../webhooks.ts';
import type { XenditWebhook } from './webhook-contract.ts';

/** Sends the account's token in a header. It does not cover the body, so changes are not detected. */
export function xenditSigning(callbackToken: string): Signing<XenditWebhook> {
  return {
    sign(payload, form) {
      const token = { real: callbackToken, wrong: `${callbackToken}-other`, none: null }[form];
      return { headers: token === null ? {} : { 'x-callback-token': token }, payload };
    },
    tamper(signed) {
      const webhook = structuredClone(signed) as XenditWebhook;
      if (!('data' in webhook)) webhook.amount.initial = `9${webhook.amount.initial}`;
      else if ('amount' in webhook.data) webhook.data.amount += 100;
      else webhook.data.request_amount += 100;
      return webhook;
    },
  };
}
