import type { Clock } from '../platform/clock.ts';
import type { Database, UnitOfWork } from '../platform/database/database.ts';
import type { Random } from '../platform/random.ts';
import { readPreferences } from './preferences/store.ts';

/** Makes a merchant with a callback secret of its own; answers its identifier. */
export async function createMerchant(
  unit: UnitOfWork,
  options: { name: string; clock: Clock; random: Random },
): Promise<{ id: number; callbackSecret: string }> {
  const callbackSecret = newCallbackSecret(options.random);
  const { id } = await unit.query
    .insertInto('merchants')
    .values({ name: options.name, callback_secret: callbackSecret, created_at: options.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, callbackSecret };
}

/** Standard Webhooks: `whsec_` and 24 to 64 random bytes in base64. */
export function newCallbackSecret(random: Random): string {
  return `whsec_${Buffer.from(random.bytes(32)).toString('base64')}`;
}

export async function findMerchant(database: Pick<Database, 'query'>, id: number) {
  return await database.query.selectFrom('merchants').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The name that buyers read: the `brand-name` preference, or the merchant's own. */
export async function displayName(database: Pick<Database, 'query'>, merchantId: number): Promise<string> {
  const { 'brand-name': brandName } = await readPreferences(database, merchantId, ['brand-name']);
  if (typeof brandName === 'string') return brandName;
  return (await findMerchant(database, merchantId))?.name ?? '';
}
