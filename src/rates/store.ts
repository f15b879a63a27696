import { lockRows, type UnitOfWork } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import type { Instant } from '../shared/time.ts';
import type { Pair } from './pairs.ts';
import { db, pairRateRecord, rateSourceRecord, type StoredPairRate, type StoredSource } from './schema.ts';

/**
 * Schedules the named sources: new ones are due now, those already scheduled keep their time. Unschedules all other
 * sources.
 */
export async function scheduleSources(unit: UnitOfWork, names: readonly string[], now: Instant): Promise<void> {
  const unused = db(unit).updateTable('rate_sources').set({ due_at: null }).where('due_at', 'is not', null);
  await (names.length > 0 ? unused.where('name', 'not in', names) : unused).execute();
  if (names.length === 0) return;
  await db(unit)
    .insertInto('rate_sources')
    .values(names.map((name) => rateSourceRecord.write({ name, quotes: [], fetchedAt: null, failures: 0, dueAt: now })))
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ due_at: now }).where('rate_sources.due_at', 'is', null),
    )
    .execute();
}

export async function updateSource(
  unit: UnitOfWork,
  name: string,
  changes: Partial<Omit<StoredSource, 'id' | 'name'>>,
): Promise<void> {
  await db(unit).updateTable('rate_sources').set(rateSourceRecord.write(changes)).where('name', '=', name).execute();
}

/** Locks the used sources: only one process combines their quotes at a time. */
export async function lockSources(unit: UnitOfWork, names: readonly string[]): Promise<StoredSource[]> {
  if (names.length === 0) return [];
  const rows = await lockRows(
    unit,
    db(unit).selectFrom('rate_sources').select(rateSourceRecord.columns).where('name', 'in', names).orderBy('id'),
  ).execute();
  return rows.map(rateSourceRecord.read);
}

/** Reads the rates of all pairs. */
export async function readRates(reader: Runner): Promise<ReadonlyMap<Pair, StoredPairRate>> {
  const rows = await db(reader).selectFrom('rates').select(pairRateRecord.columns).execute();
  return new Map(rows.map(pairRateRecord.read).map((rate) => [rate.pair, rate]));
}

export async function writeRates(unit: UnitOfWork, rates: readonly StoredPairRate[]): Promise<void> {
  if (rates.length === 0) return;
  await db(unit)
    .insertInto('rates')
    .values(rates.map((rate) => pairRateRecord.write({ ...rate, quotes: [...rate.quotes] })))
    .onConflict((conflict) =>
      conflict.column('pair').doUpdateSet((row) => ({
        rate: row.ref('excluded.rate'),
        at: row.ref('excluded.at'),
        quotes: row.ref('excluded.quotes'),
        reason: row.ref('excluded.reason'),
        detail: row.ref('excluded.detail'),
        unavailable_since: row.ref('excluded.unavailable_since'),
        proposed: row.ref('excluded.proposed'),
      })),
    )
    .execute();
}
