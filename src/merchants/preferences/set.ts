import { lockMerchant } from '../merchants.ts';
import type { PendingPreference, Preference, PreferenceWrite } from '../../api/preference.ts';
import type { FieldProblem } from '../../api/problem.ts';
import type { Clock } from '../../system/clock.ts';
import type { Environment } from '../../system/settings.ts';
import { type Database, type UnitOfWork } from '../../database/database.ts';
import { Problem, validationProblem } from '../../api/problem-error.ts';
import type { Principal } from '../../operations/principal.ts';
import { type KeyRule, preferenceKeys, unknownKeyProblem } from './keys.ts';
import { type PreviousPreference, writePreference } from './store.ts';
import { type Reading, readValue, type StoredValue } from './values.ts';

/** Acts on stored settings, in the unit that stores them. */
export interface PreferenceWatcher {
  onStored(
    unit: UnitOfWork,
    stored: {
      merchantId: number;
      key: string;
      value: StoredValue | null;
      previous: PreviousPreference | null;
      /** `token 7`, `person 3`, `command line`. */
      by: string;
    },
  ): Promise<void>;
}

/** Watches over settings that mean something to another part of the service. */
export interface PreferenceGuard extends PreferenceWatcher {
  /** What it makes of a value that its key takes. */
  read(key: string, value: StoredValue): Promise<Reading>;
  /** Settings of a merchant that were changed and do not hold yet, by key. */
  readPending(merchantId: number): Promise<ReadonlyMap<string, PendingPreference>>;
}

/**
 * Stores settings, all or none. `pointerOf` says where the nth one stands in the request, so that
 * each mistake can be told at its place.
 */
export async function writePreferences(
  context: {
    database: Database;
    clock: Clock;
    environment: Environment;
    guard?: PreferenceGuard;
    watchers?: readonly PreferenceWatcher[];
  },
  who: Principal,
  writes: readonly PreferenceWrite[],
  pointerOf: (index: number) => string,
): Promise<Preference[]> {
  const errors: FieldProblem[] = [];
  const accepted: { key: string; value: StoredValue | null }[] = [];
  const managerKeys: string[] = [];
  const withdrawalKeys: string[] = [];
  for (const [index, write] of writes.entries()) {
    const rule = preferenceKeys.get(write.key);
    if (!rule) {
      errors.push({ pointer: `${pointerOf(index)}/key`, code: 'unknown_key', detail: unknownKeyProblem(write.key) });
      continue;
    }
    if (writes.findIndex((other) => other.key === write.key) < index) {
      errors.push({ pointer: `${pointerOf(index)}/key`, code: 'repeated', detail: 'is given more than once' });
      continue;
    }
    if (rule.managerOnly && who.role !== 'manager') managerKeys.push(write.key);
    if (rule.scope && !who.scopes.has(rule.scope)) withdrawalKeys.push(write.key);
    const reading = await readWrite(context, rule, write);
    if ('problem' in reading)
      errors.push({ pointer: `${pointerOf(index)}/value`, code: 'invalid_value', detail: reading.problem });
    else accepted.push({ key: write.key, value: reading.value });
  }
  if (managerKeys.length > 0) {
    throw new Problem('manager_only', `Only a manager of the service may set ${managerKeys.join(', ')}.`);
  }
  if (withdrawalKeys.length > 0)
    throw new Problem('forbidden', `Setting ${withdrawalKeys.join(', ')} needs the scope withdrawal:write.`);
  if (errors.length > 0) throw validationProblem(errors);
  const { merchantId, identity: by } = who;
  return await context.database.inUnit(async (unit) => {
    // Concurrent changes run one after the other, so that each sees the value it replaces.
    await lockMerchant(unit, merchantId);
    const watchers = [...(context.guard ? [context.guard] : []), ...(context.watchers ?? [])];
    const all: Preference[] = [];
    for (const { key, value } of accepted)
      all.push(await storePreference({ clock: context.clock, watchers }, unit, { merchantId, key, value, by }));
    return all;
  });
}

/** Stores one setting, or unsets it with null, and runs the watchers. `by` is null for the command line. */
export async function storePreference(
  { clock, watchers }: { clock: Clock; watchers: readonly PreferenceWatcher[] },
  unit: UnitOfWork,
  write: { merchantId: number; key: string; value: StoredValue | null; by: string | null },
): Promise<Preference> {
  const { stored, previous } = await writePreference(unit, write, clock.now());
  const by = write.by ?? 'command line';
  for (const watcher of watchers) await watcher.onStored(unit, { ...write, previous, by });
  return stored;
}

async function readWrite(
  { environment, guard }: { environment: Environment; guard?: PreferenceGuard },
  rule: KeyRule,
  { key, value }: PreferenceWrite,
): Promise<Reading | { value: null }> {
  if (value === null) return { value };
  const reading = readValue(rule, value, environment);
  return guard && 'value' in reading ? await guard.read(key, reading.value) : reading;
}
