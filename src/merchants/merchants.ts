/*
 * Map of this module: `merchants.ts` stores merchants and their branding, `logo/` decodes and serves uploaded logos.
 * `preferences/keys.ts` declares every preference; `preferences/set.ts` validates and stores values, and notifies the
 * watchers of other modules. `restricted-countries.ts` evaluates the geo restriction. Documentation:
 * docs/preferences.md.
 */

import type { Runner } from '../database/engine.ts';
import { db, combinedStatement } from './schema.ts';
import type { PageMerchant } from '../api/page-state.ts';
import type { Clock } from '../system/clock.ts';
import { lockRows, type UnitOfWork } from '../database/database.ts';
import { evaluateRestriction, restrictionKeys } from './restricted-countries.ts';
import { logoPath } from './logo/store.ts';
import { toCardFormFields } from './card-form-fields.ts';
import type { CardFormFields } from '../shared/card-form.ts';
import type { PreferenceKey } from './preferences/keys.ts';
import type { StoredValue } from './preferences/values.ts';

/** Creates a merchant with its own webhook secret. */
export async function createMerchant(
  unit: UnitOfWork,
  options: {
    name: string;
    clock: Clock;
    webhookSecrets: { create(unit: UnitOfWork, merchantId: number): Promise<string> };
  },
): Promise<{ id: number; callbackSecret: string }> {
  const { id } = await db(unit)
    .insertInto('merchants')
    .values({ name: options.name, created_at: options.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, callbackSecret: await options.webhookSecrets.create(unit, id) };
}

/** Locks a merchant's row until the unit of work ends, so that dependent changes run one after the other. */
export async function lockMerchant(unit: UnitOfWork, id: number): Promise<void> {
  await lockRows(unit, db(unit).selectFrom('merchants').select('id').where('id', '=', id)).execute();
}

/** Names of the merchants with these IDs; without IDs, of the first `limit` merchants. */
export async function listMerchantNames(reader: Runner, { ids, limit }: { ids?: readonly number[]; limit: number }) {
  let rows = db(reader).selectFrom('merchants').select(['id', 'name']).orderBy('id').limit(limit);
  if (ids) rows = rows.where('id', 'in', ids);
  return await rows.execute();
}

export async function findMerchantByName(reader: Runner, name: string) {
  return await db(reader)
    .selectFrom('merchants')
    .select('id')
    .where('name', '=', name)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

export async function findMerchant(database: Runner, id: number) {
  return await db(database).selectFrom('merchants').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Merchants in creation order, filtered by a name prefix or an ID. */
export async function listMerchants(
  reader: Runner,
  { search, after, limit }: { search: string | null; after: number; limit: number },
) {
  let rows = db(reader)
    .selectFrom('merchants')
    .select(['id', 'name', 'created_at'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit);
  if (search !== null) {
    const number = /^[1-9]\d{0,15}$/.test(search) ? Number(search) : 0;
    rows = rows.where((eb) =>
      eb.or([
        eb('id', '=', number),
        eb(eb.fn<string>('lower', ['name']), 'like', `${removeWildcards(search.toLowerCase())}%`),
      ]),
    );
  }
  return await rows.execute();
}

/** Removes wildcards of LIKE patterns. */
function removeWildcards(text: string): string {
  return text.replace(/[%_\\]/g, '');
}

/** Preferences of {@link PageMerchant}. */
const brandKeys = [
  'brand-name',
  'brand-color',
  'brand-logo-url',
  'support-contact',
  'terms-url',
  'privacy-url',
] as const satisfies PreferenceKey[];

const readBrand = combinedStatement((query, { merchantId }: { merchantId: number }) => ({
  merchants: query.selectFrom('merchants').select('name').where('id', '=', merchantId),
  logos: query.selectFrom('merchant_logos').select('hash').where('merchant_id', '=', merchantId),
  settings: query
    .selectFrom('preferences')
    .select(['key', 'value'])
    .where('merchant_id', '=', merchantId)
    .where('key', 'in', [...brandKeys, 'card-form-fields', ...restrictionKeys]),
}));

export async function findBrand(database: Runner, merchantId: number): Promise<PageMerchant> {
  return (await findBrandAndRestriction(database, merchantId, null)).brand;
}

/** A merchant's branding and card form, and whether its geo restriction excludes a country (alpha-2). */
export async function findBrandAndRestriction(
  database: Runner,
  merchantId: number,
  country: string | null,
): Promise<{ brand: PageMerchant; isRestricted: boolean; cardFormFields: CardFormFields }> {
  const { merchants, logos, settings } = await readBrand(database, { merchantId });
  const stored = new Map(settings.map(({ key, value }) => [key, JSON.parse(value) as StoredValue]));
  const text = (key: (typeof brandKeys)[number]) => {
    const value = stored.get(key);
    return typeof value === 'string' ? value : null;
  };
  const [logo] = logos;
  const brand = {
    name: text('brand-name') ?? merchants[0]?.name ?? '',
    color: text('brand-color'),
    logoUrl: logo ? logoPath(logo.hash) : text('brand-logo-url'),
    contact: text('support-contact'),
    termsUrl: text('terms-url'),
    privacyUrl: text('privacy-url'),
  };
  return {
    brand,
    isRestricted: evaluateRestriction(Object.fromEntries(stored), country),
    cardFormFields: toCardFormFields(stored.get('card-form-fields')),
  };
}

/** The name shown to buyers. */
export async function readDisplayName(database: Runner, merchantId: number): Promise<string> {
  return (await findBrand(database, merchantId)).name;
}
