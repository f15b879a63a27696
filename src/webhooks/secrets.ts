import { db } from './schema.ts';
import type { Runner } from '../database/engine.ts';
import type { Instant } from '../shared/time.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import type { Random } from '../system/random.ts';
import { seal, sealingKeyId, type SealingKey, unseal } from '../system/sealed.ts';
import { findEndpoint, type WebhookEndpoint } from './endpoint.ts';

/**
 * The secrets that sign a merchant's webhooks. They are stored sealed with the first sealing key, or as plain text when
 * no key is set. Every process that signs needs the key that sealed them.
 */
export interface WebhookSecrets {
  /** Creates the endpoint of a new merchant, without a URL, and returns its secret. */
  create(unit: UnitOfWork, merchantId: number): Promise<string>;
  /** Replaces the secret and returns the new one. The former secret also signs until `keptUntil`. */
  rotate(unit: UnitOfWork, merchantId: number, keptUntil: Instant): Promise<string>;
  /** Returns the secrets that sign at a given time, the current one first. */
  validAt(endpoint: StoredSecrets, now: Instant): string[];
  /** Reads a merchant's valid secrets; empty for an unknown merchant. */
  readValid(on: Runner, merchantId: number, now: Instant): Promise<string[]>;
  /** Seals every secret with the first key. Throws an `OperatorError` if one cannot be opened. */
  sealAll(database: Database): Promise<void>;
}

export type StoredSecrets = Pick<
  WebhookEndpoint,
  'merchant_id' | 'secret' | 'previous_secret' | 'previous_secret_until'
>;

const SECRET_BYTES = 32;

/** Generates a secret in Standard Webhooks form: `whsec_` and 24 to 64 random bytes in base64. */
export function newWebhookSecret(random: Random): string {
  return `whsec_${Buffer.from(random.bytes(SECRET_BYTES)).toString('base64')}`;
}

export function createWebhookSecrets(random: Random, keys: readonly SealingKey[]): WebhookSecrets {
  const [key] = keys;
  const sealingContext = (merchantId: number) => `webhook secret of merchant ${merchantId}`;
  const store = (merchantId: number, secret: string) =>
    key ? seal(key, sealingContext(merchantId), Buffer.from(secret), random) : secret;
  const open = (merchantId: number, stored: string) =>
    sealingKeyId(stored) === null ? stored : Buffer.from(unseal(keys, sealingContext(merchantId), stored)).toString();

  const validAt = (endpoint: StoredSecrets, now: Instant): string[] => {
    const { secret: current, previous_secret: former, previous_secret_until: until } = endpoint;
    const isFormerValid = former !== null && until !== null && until > now;
    return [current, ...(isFormerValid ? [former] : [])].map((stored) => open(endpoint.merchant_id, stored));
  };

  return {
    validAt,
    async create(unit, merchantId) {
      const secret = newWebhookSecret(random);
      await db(unit)
        .insertInto('webhook_endpoints')
        .values({ merchant_id: merchantId, secret: store(merchantId, secret) })
        .execute();
      return secret;
    },
    async rotate(unit, merchantId, keptUntil) {
      const secret = newWebhookSecret(random);
      const stored = store(merchantId, secret);
      await db(unit)
        .updateTable('webhook_endpoints')
        .set((expression) => ({
          previous_secret: expression.ref('secret'),
          previous_secret_until: keptUntil,
          secret: stored,
        }))
        .where('merchant_id', '=', merchantId)
        .execute();
      return secret;
    },
    async readValid(on, merchantId, now) {
      const endpoint = await findEndpoint(on, merchantId);
      return endpoint ? validAt(endpoint, now) : [];
    },
    async sealAll(database) {
      const rows = await db(database)
        .selectFrom('webhook_endpoints')
        .select(['merchant_id', 'secret', 'previous_secret'])
        .execute();
      for (const { merchant_id: id, secret: current, previous_secret: former } of rows) {
        const opened = { current: open(id, current), former: former === null ? null : open(id, former) };
        const isSealed = [current, former].every(
          (stored) => stored === null || sealingKeyId(stored) === (key?.id ?? null),
        );
        if (isSealed) continue;
        await db(database)
          .updateTable('webhook_endpoints')
          .set({
            secret: store(id, opened.current),
            previous_secret: opened.former === null ? null : store(id, opened.former),
          })
          // Skips a secret that another process has changed in the meantime.
          .where('merchant_id', '=', id)
          .where('secret', '=', current)
          .execute();
      }
    },
  };
}
