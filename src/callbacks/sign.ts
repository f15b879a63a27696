import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign as signBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Instant } from '../contract/time.ts';
import { toMillis } from '../contract/time.ts';

/** The secrets of a merchant that sign at a moment: while one is being changed, both. */
export function secretsAt(
  merchant: {
    callback_secret: string;
    previous_callback_secret: string | null;
    previous_callback_secret_until: Instant | null;
  },
  now: Instant,
): string[] {
  const { previous_callback_secret: previous, previous_callback_secret_until: until } = merchant;
  return [merchant.callback_secret, ...(previous !== null && until !== null && until > now ? [previous] : [])];
}

/** Signs callbacks as Standard Webhooks says: `v1` with the merchant's secrets, `v1a` with the service's own key. */
export interface CallbackSigner {
  headers(
    message: { id: string; body: string; at: Instant },
    secrets: readonly string[],
  ): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;
  /** `whpk_` and base64: whoever has it can check, and cannot sign. */
  publicKey: string;
}

/** DER of an ed25519 private key, up to its 32 bytes (RFC 8410, section 7). */
const PRIVATE_KEY_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The key comes from the service's own, so that all processes have the same one and none is stored. */
export function createCallbackSigner(serviceKey: Uint8Array): CallbackSigner {
  const seed = Buffer.from(hkdfSync('sha256', serviceKey, '', 'paylatch webhook v1a', 32));
  const privateKey = createPrivateKey({
    key: Buffer.concat([PRIVATE_KEY_HEAD, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  return {
    headers({ id, body, at }, secrets) {
      const sentAt = new Date(toMillis(at));
      const timestamp = String(Math.floor(sentAt.getTime() / 1000));
      const own = signBytes(null, Buffer.from(`${id}.${timestamp}.${body}`), privateKey).toString('base64');
      const signatures = [...secrets.map((secret) => new Webhook(secret).sign(id, sentAt, body)), `v1a,${own}`];
      return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
    },
    publicKey: `whpk_${rawPublicKey(privateKey).toString('base64')}`,
  };
}

function rawPublicKey(privateKey: KeyObject): Buffer {
  return createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32);
}
