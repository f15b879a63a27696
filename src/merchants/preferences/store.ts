import type { Runner } from '../../database/engine.ts';
import { db, statement } from '../schema.ts';
import type { PendingPreference, Preference, PreferenceKeyEntry } from '../../api/preference.ts';
import { formatInstant, type Instant } from '../../shared/time.ts';
import type { UnitOfWork } from '../../database/database.ts';
import { type Statement } from '../../database/statement.ts';
import { preferenceKeys } from './keys.ts';
import type { StoredValue } from './values.ts';

interface Row {
  key: string;
  value: string;
  created_at: Instant;
  updated_at: Instant;
}

function readStored({ key, value }: { key: string; value: string }): StoredValue {
  const stored = JSON.parse(value) as StoredValue;
  const number = Number(stored);
  return preferenceKeys.get(key)?.isNumeric && Number.isSafeInteger(number) ? number : stored;
}

function toPreference(row: Row): Preference {
  return {
    key: row.key,
    value: readStored(row),
    created_at: formatInstant(row.created_at),
    updated_at: formatInstant(row.updated_at),
  };
}

/** All preferences of a merchant, ordered by key. */
export async function readAllPreferences(database: Runner, merchantId: number): Promise<Preference[]> {
  const rows = await db(database)
    .selectFrom('preferences')
    .select(['key', 'value', 'created_at', 'updated_at'])
    .where('merchant_id', '=', merchantId)
    .orderBy('key')
    .execute();
  return rows.map(toPreference);
}

/** The query for the stored values (JSON) of the given preferences. */
export function selectPreferences(
  reader: Runner,
  { merchantId, keys }: { merchantId: number; keys: readonly string[] },
) {
  return db(reader)
    .selectFrom('preferences')
    .select(['key', 'value'])
    .where('merchant_id', '=', merchantId)
    .where('key', 'in', keys);
}

/** Prepared statements by key list: the service reads a few fixed groups of preferences. */
const statementsByKeys = new Map<string, Statement<{ merchantId: number }, { key: string; value: string }>>();

function statementFor(keys: readonly string[]) {
  const name = keys.join();
  const cached = statementsByKeys.get(name);
  if (cached) return cached;
  const prepared = statement((_query, { merchantId }: { merchantId: number }, reader) =>
    selectPreferences(reader, { merchantId, keys }),
  );
  statementsByKeys.set(name, prepared);
  return prepared;
}

/** Values of the given preferences; unset ones are omitted. */
export async function readPreferences<Key extends string>(
  database: Runner,
  merchantId: number,
  keys: readonly Key[],
): Promise<Partial<Record<Key, StoredValue>>> {
  const { rows } = await statementFor(keys)(database, { merchantId });
  return Object.fromEntries(rows.map((row) => [row.key, JSON.parse(row.value)])) as Partial<Record<Key, StoredValue>>;
}

/** Describes all preference keys, or only one, with a merchant's values. */
export async function readPreferenceKeys(
  database: Runner,
  merchantId: number,
  only: string | undefined,
  pending: ReadonlyMap<string, PendingPreference>,
): Promise<PreferenceKeyEntry[]> {
  const rows = await db(database)
    .selectFrom('preferences')
    .select(['key', 'value', 'updated_at', 'updated_by'])
    .where('merchant_id', '=', merchantId)
    .execute();
  const set = new Map(rows.map((row) => [row.key, row]));
  const keys = [...preferenceKeys].filter(([key]) => only === undefined || key === only);
  return keys.map(
    ([
      key,
      {
        managerOnly = false,
        scope = 'preference:write' as const,
        meaning,
        default: usual,
        isNumeric: _isNumeric,
        ...kind
      },
    ]) => {
      const row = set.get(key);
      return {
        ...{ key, meaning, ...kind, default: usual, scope, manager_only: managerOnly },
        value: row ? readStored(row) : null,
        pending: pending.get(key) ?? null,
        updated_at: row ? formatInstant(row.updated_at) : null,
        updated_by: row?.updated_by ?? null,
      };
    },
  );
}

/** A preference before a change; `createdAt` is when it was last created. */
export interface PreviousPreference {
  value: StoredValue;
  createdAt: Instant;
}

/**
 * Writes a preference's row, or deletes it with null; returns the new and the previous preference. Called only by
 * `storePreference`, which runs the watchers.
 */
export async function writePreference(
  unit: UnitOfWork,
  { merchantId, key, value, by }: { merchantId: number; key: string; value: StoredValue | null; by: string | null },
  now: Instant,
): Promise<{ stored: Preference; previous: PreviousPreference | null }> {
  const existing = await db(unit)
    .selectFrom('preferences')
    .select(['key', 'value', 'created_at', 'updated_at'])
    .where('merchant_id', '=', merchantId)
    .where('key', '=', key)
    .executeTakeFirst();
  const createdAt = existing?.created_at ?? now;
  const previous = existing
    ? { value: JSON.parse(existing.value) as StoredValue, createdAt: existing.created_at }
    : null;
  if (value === null) {
    await db(unit).deleteFrom('preferences').where('merchant_id', '=', merchantId).where('key', '=', key).execute();
    const stored = { key, value: null, created_at: formatInstant(createdAt), updated_at: formatInstant(now) };
    return { stored, previous };
  }
  const row = { key, value: JSON.stringify(value), created_at: createdAt, updated_at: now };
  await db(unit)
    .insertInto('preferences')
    .values({ merchant_id: merchantId, ...row, updated_by: by })
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'key']).doUpdateSet({ value: row.value, updated_at: now, updated_by: by }),
    )
    .execute();
  return { stored: toPreference(row), previous };
}
