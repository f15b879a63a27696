import { createHmac } from 'node:crypto';
import type { Signing } from '../webhooks.ts';
import type { HyperswitchWebhook } from './objects.ts';

/** HMAC-SHA512 in hexadecimal, with the `payment_response_hash_key`. */
export function hyperswitchSignature(key: string, signed: string): string {
  return createHmac('sha512', key).update(signed).digest('hex');
}

/** Signs the raw body in a header. */
export function hyperswitchSigning(hashKey: string): Signing<HyperswitchWebhook> {
  return {
    sign(payload, form) {
      const key = { real: hashKey, wrong: `${hashKey}-other`, none: null }[form];
      const signature =
        key === null ? {} : { 'x-webhook-signature-512': hyperswitchSignature(key, JSON.stringify(payload)) };
      return { headers: signature, payload };
    },
    tamper(signed) {
      const webhook = structuredClone(signed) as HyperswitchWebhook;
      const { content } = webhook;
      if (content.type === 'dispute_details') content.object.amount += '0';
      else content.object.amount += 100;
      return webhook;
    },
  };
}

/** Parameters of the buyer's return with their signature: all are sorted and signed as `name=value`, joined by `&`. */
export function signedReturn(parameters: Readonly<Record<string, string>>, key: string): Record<string, string> {
  const signed = Object.entries(parameters)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  return { signature: hyperswitchSignature(key, signed), signature_algorithm: 'HMAC-SHA512' };
}
