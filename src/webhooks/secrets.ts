import { db } from './schema.ts';
import type { Instant } from '../shared/time.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import type { Random } from '../system/random.ts';
import { seal, sealedWith, type SealingKey, unseal } from '../system/sealed.ts';

/**
 * The secrets that sign a merchant's webhooks. Stored sealed with the first sealing key, as plain text where no key
 * is set; every process that signs must hold the key that sealed them.
 */
export interface WebhookSecrets {
  /** Sets a merchant's first secret, and returns it. */
  create(unit: UnitOfWork, merchantId: number): Promise<string>;
  /** Replaces the secret, and returns the new one; the former one signs as well until `keptUntil`. */
  rotate(unit: UnitOfWork, merchantId: number, keptUntil: Instant): Promise<string>;
  /** The secrets that sign at a given time, the present one first. */
  validAt(merchant: StoredSecrets, now: Instant): string[];
  /** Seals every secret with the first key. Throws an `OperatorError` where one cannot be opened. */
  sealAll(database: Database): Promise<void>;
}

export interface StoredSecrets {
  id: number;
  callback_secret: string;
  previous_callback_secret: string | null;
  previous_callback_secret_until: Instant | null;
}

const SECRET_BYTES = 32;

/** Standard Webhooks: `whsec_` and 24 to 64 random bytes in base64. */
export function newWebhookSecret(random: Random): string {
  return `whsec_${Buffer.from(random.bytes(SECRET_BYTES)).toString('base64')}`;
}

export function createWebhookSecrets(random: Random, keys: readonly SealingKey[]): WebhookSecrets {
  const [key] = keys;
  const contextOf = (merchantId: number) => `webhook secret of merchant ${merchantId}`;
  const store = (merchantId: number, secret: string) =>
    key ? seal(key, contextOf(merchantId), Buffer.from(secret), random) : secret;
  const open = (merchantId: number, stored: string) =>
    sealedWith(stored) === null ? stored : Buffer.from(unseal(keys, contextOf(merchantId), stored)).toString();

  return {
    async create(unit, merchantId) {
      const secret = newWebhookSecret(random);
      const stored = store(merchantId, secret);
      await db(unit).updateTable('merchants').set({ callback_secret: stored }).where('id', '=', merchantId).execute();
      return secret;
    },
    async rotate(unit, merchantId, keptUntil) {
      const secret = newWebhookSecret(random);
      const stored = store(merchantId, secret);
      await db(unit)
        .updateTable('merchants')
        .set((expression) => ({
          previous_callback_secret: expression.ref('callback_secret'),
          previous_callback_secret_until: keptUntil,
          callback_secret: stored,
        }))
        .where('id', '=', merchantId)
        .execute();
      return secret;
    },
    validAt(
      { id, callback_secret: present, previous_callback_secret: former, previous_callback_secret_until: until },
      now,
    ) {
      const isFormerValid = former !== null && until !== null && until > now;
      return [present, ...(isFormerValid ? [former] : [])].map((stored) => open(id, stored));
    },
    async sealAll(database) {
      const rows = await db(database)
        .selectFrom('merchants')
        .select(['id', 'callback_secret', 'previous_callback_secret'])
        .execute();
      for (const { id, callback_secret: present, previous_callback_secret: former } of rows) {
        const opened = { present: open(id, present), former: former === null ? null : open(id, former) };
        const isSealed = [present, former].every(
          (stored) => stored === null || sealedWith(stored) === (key?.id ?? null),
        );
        if (isSealed) continue;
        await db(database)
          .updateTable('merchants')
          .set({
            callback_secret: store(id, opened.present),
            previous_callback_secret: opened.former === null ? null : store(id, opened.former),
          })
          // A secret that another process has changed in the meantime stays as that process stored it.
          .where('id', '=', id)
          .where('callback_secret', '=', present)
          .execute();
      }
    },
  };
}
