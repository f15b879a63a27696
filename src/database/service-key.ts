import { db } from './installation.ts';
import type { Database } from './database.ts';
import type { Random } from '../system/random.ts';

/**
 * The service's key: the configured one, or one that the first process creates and all processes read from the database
 * (as `page-tokens`, its first use). It signs the tokens of payment pages. Further keys are derived from it: for
 * webhooks (`v1a`), idempotency keys, emails and second factors. Changing it changes all of them at once.
 */
export async function loadServiceKey(
  database: Database,
  random: Random,
  configured: string | null,
): Promise<Uint8Array> {
  if (configured) return Buffer.from(configured, 'hex');
  await database.inTransaction(async (unit) => {
    await db(unit)
      .insertInto('service_keys')
      .values({ name: 'page-tokens', value: Buffer.from(random.bytes(32)).toString('hex') })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
  });
  const { value } = await db(database)
    .selectFrom('service_keys')
    .select('value')
    .where('name', '=', 'page-tokens')
    .executeTakeFirstOrThrow();
  return Buffer.from(value, 'hex');
}
