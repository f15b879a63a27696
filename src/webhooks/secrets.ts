import { db } from './schema.ts';
import type { Runner } from '../database/engine.ts';
import type { Instant } from '../shared/time.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import type { Random } from '../system/random.ts';
import { seal, sealingKeyId, type SealingKey, unseal } from '../system/sealed.ts';
import { CALLBACK_URL_ENDPOINT, findEndpoint, type WebhookEndpoint } from './endpoint.ts';

/**
 * The secrets that sign a merchant's webhooks. They are stored sealed with the first sealing key, or as plain text when
 * no key is set. Every process that signs needs the key that sealed them. `routes.ts` and `endpoint-routes.ts` rotate
 * them at a merchant's request, and `app.ts` reseals them at startup after the keys changed. Only one previous secret
 * is stored: a second rotation within the overlap invalidates the first secret immediately.
 */
export interface WebhookSecrets {
  /** Creates the endpoint of a new merchant, without a URL, and returns its secret. */
  create(unit: UnitOfWork, merchantId: number): Promise<string>;
  /** Adds an endpoint and returns its secret. */
  add(unit: UnitOfWork, endpoint: NewEndpoint): Promise<string>;
  /**
   * Replaces an endpoint's secret and returns the new one. The previous secret also signs until `previousValidUntil`.
   */
  rotate(unit: UnitOfWork, merchantId: number, previousValidUntil: Instant, number?: number): Promise<string>;
  /** Returns the secrets that sign at a given time, the current one first. */
  validAt(endpoint: StoredSecrets, now: Instant): string[];
  /** Reads an endpoint's valid secrets; empty for an unknown merchant. */
  readValid(reader: Runner, merchantId: number, now: Instant, number?: number): Promise<string[]>;
  /** Seals every secret with the first key. Throws an `OperatorError` if one cannot be unsealed. */
  sealAll(database: Database): Promise<void>;
}

export type StoredSecrets = Pick<
  WebhookEndpoint,
  'merchant_id' | 'number' | 'secret' | 'previous_secret' | 'previous_secret_until'
>;

/** An endpoint to add, without its secret. */
type NewEndpoint = Pick<
  WebhookEndpoint,
  'merchant_id' | 'number' | 'endpoint_key' | 'url' | 'description' | 'event_types' | 'created_at' | 'updated_at'
>;

/** Identifies the endpoint that a sealed secret belongs to. */
type SecretOwner = Pick<WebhookEndpoint, 'merchant_id' | 'number'>;

/** Default overlap of a replaced secret, in hours: webhooks are signed with both secrets. */
export const DEFAULT_OVERLAP_HOURS = 24;

/** Stored in place of a deleted secret: such an endpoint signs with `v1a` only. */
export const NO_SECRET = '';

const SECRET_BYTES = 32;

/** Generates a secret in Standard Webhooks form: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(random: Random): string {
  return `whsec_${Buffer.from(random.bytes(SECRET_BYTES)).toString('base64')}`;
}

/** Name under which an endpoint's secrets are sealed: a secret copied to another endpoint's row cannot be unsealed. */
export function webhookSecretName({ merchant_id: merchantId, number }: SecretOwner): string {
  return `webhook secret of merchant ${merchantId}${number === CALLBACK_URL_ENDPOINT ? '' : `, endpoint ${number}`}`;
}

export function createWebhookSecrets(random: Random, keys: readonly SealingKey[]): WebhookSecrets {
  const [key] = keys;
  const store = (owner: SecretOwner, secret: string) =>
    key ? seal(key, webhookSecretName(owner), Buffer.from(secret), random) : secret;
  const open = (owner: SecretOwner, stored: string) =>
    sealingKeyId(stored) === null ? stored : Buffer.from(unseal(keys, webhookSecretName(owner), stored)).toString();

  const validAt = (endpoint: StoredSecrets, now: Instant): string[] => {
    const { secret: current, previous_secret: previous, previous_secret_until: until } = endpoint;
    if (current === NO_SECRET) return [];
    const isPreviousValid = previous !== null && until !== null && until > now;
    return [current, ...(isPreviousValid ? [previous] : [])].map((stored) => open(endpoint, stored));
  };

  return {
    validAt,
    async create(unit, merchantId) {
      const secret = newWebhookSecret(random);
      await db(unit)
        .insertInto('webhook_endpoints')
        .values({
          merchant_id: merchantId,
          secret: store({ merchant_id: merchantId, number: CALLBACK_URL_ENDPOINT }, secret),
        })
        .execute();
      return secret;
    },
    async add(unit, endpoint) {
      const secret = newWebhookSecret(random);
      await db(unit)
        .insertInto('webhook_endpoints')
        .values({ ...endpoint, secret: store(endpoint, secret) })
        .execute();
      return secret;
    },
    async rotate(unit, merchantId, previousValidUntil, number = CALLBACK_URL_ENDPOINT) {
      const secret = newWebhookSecret(random);
      const stored = store({ merchant_id: merchantId, number }, secret);
      await db(unit)
        .updateTable('webhook_endpoints')
        .set((expression) => ({
          previous_secret: expression.ref('secret'),
          previous_secret_until: previousValidUntil,
          secret: stored,
        }))
        .where('merchant_id', '=', merchantId)
        .where('number', '=', number)
        .execute();
      return secret;
    },
    async readValid(reader, merchantId, now, number) {
      const endpoint = await findEndpoint(reader, merchantId, number);
      return endpoint ? validAt(endpoint, now) : [];
    },
    async sealAll(database) {
      const rows = await db(database)
        .selectFrom('webhook_endpoints')
        .select(['merchant_id', 'number', 'secret', 'previous_secret'])
        .execute();
      for (const { secret: current, previous_secret: previous, ...owner } of rows) {
        if (current === NO_SECRET) continue;
        const opened = { current: open(owner, current), previous: previous === null ? null : open(owner, previous) };
        const isSealed = [current, previous].every(
          (stored) => stored === null || sealingKeyId(stored) === (key?.id ?? null),
        );
        if (isSealed) continue;
        await db(database)
          .updateTable('webhook_endpoints')
          .set({
            secret: store(owner, opened.current),
            previous_secret: opened.previous === null ? null : store(owner, opened.previous),
          })
          // Skips a secret that another process has changed in the meantime.
          .where('merchant_id', '=', owner.merchant_id)
          .where('number', '=', owner.number)
          .where('secret', '=', current)
          .execute();
      }
    },
  };
}
