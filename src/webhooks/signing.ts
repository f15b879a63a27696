import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign as signBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Instant } from '../shared/time.ts';
import { toMillis } from '../shared/time.ts';
import { cellPrefix, type Random } from '../system/random.ts';

/** Signs webhooks (Standard Webhooks): `v1` with the merchant's secrets, `v1a` with its ed25519 key. */
export interface WebhookSigner {
  headers(
    message: { id: string; body: string; at: Instant },
    merchant: { id: number; secrets: readonly string[] },
  ): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;
  /** Returns the key that verifies a merchant's `v1a` signatures: `whpk_` and base64. */
  publicKey(merchantId: number): string;
}

/** Public ID of a merchant's `v1a` keys: the merchant's ID with the prefix of its cell. */
export function webhookKeyId(random: Pick<Random, 'cell'>, merchantId: number): string {
  return `${cellPrefix(random)}${merchantId}`;
}

/** DER of an ed25519 private key, up to its 32 bytes (RFC 8410, section 7). */
const PRIVATE_KEY_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Derived keys cached in memory. */
const MAX_CACHED_KEYS = 1000;

/**
 * Each merchant's key is derived from the service key: all processes derive the same key, and none is stored. With one
 * key for all merchants, a merchant could replay its webhooks to another merchant. These keys change only with the
 * service key (`database/service-key.ts`), without an overlap. The `v1` secrets rotate with an overlap (`secrets.ts`).
 */
export function createWebhookSigner(serviceKey: Uint8Array): WebhookSigner {
  const derived = new Map<number, KeyObject>();

  const privateKeyOf = (merchantId: number): KeyObject => {
    const cached = derived.get(merchantId);
    // Stryker disable next-line ConditionalExpression: deriving again returns the same key.
    if (cached) return cached;
    const seed = Buffer.from(hkdfSync('sha256', serviceKey, '', `paylatch webhook v1a merchant ${merchantId}`, 32));
    const key = createPrivateKey({ key: Buffer.concat([PRIVATE_KEY_PREFIX, seed]), format: 'der', type: 'pkcs8' });
    // Stryker disable next-line all: bounds memory; evicted keys are derived again.
    if (derived.size >= MAX_CACHED_KEYS) derived.clear();
    // Stryker disable next-line all: saves time only.
    derived.set(merchantId, key);
    return key;
  };

  return {
    headers({ id, body, at }, merchant) {
      const sentAt = new Date(toMillis(at));
      const timestamp = String(Math.floor(sentAt.getTime() / 1000));
      const signed = Buffer.from(`${id}.${timestamp}.${body}`);
      const signatures = [
        ...merchant.secrets.map((secret) => new Webhook(secret).sign(id, sentAt, body)),
        `v1a,${signBytes(null, signed, privateKeyOf(merchant.id)).toString('base64')}`,
      ];
      return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
    },
    publicKey(merchantId) {
      const raw = createPublicKey(privateKeyOf(merchantId)).export({ format: 'der', type: 'spki' }).subarray(-32);
      return `whpk_${raw.toString('base64')}`;
    },
  };
}
