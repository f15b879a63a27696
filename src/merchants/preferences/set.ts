import type { TokenRole } from '../../contract/access-token.ts';
import type { Preference, PreferenceWrite } from '../../contract/preference.ts';
import type { FieldProblem } from '../../contract/problem.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Environment } from '../../platform/config.ts';
import type { Database, UnitOfWork } from '../../platform/database/database.ts';
import { Problem, validationProblem } from '../../platform/problem.ts';
import { switchReceiverOn } from '../callback-receiver.ts';
import { type KeyRule, preferenceKeys } from './keys.ts';
import { writePreference } from './store.ts';
import { type Reading, readValue, type StoredValue } from './values.ts';

/** Watches over settings that mean something to another part of the service. */
export interface PreferenceGuard {
  /** What it makes of a value that its key takes. */
  read(key: string, value: StoredValue): Promise<Reading>;
  /** Goes with what is stored, in the unit that stores it. */
  onStored(
    unit: UnitOfWork,
    stored: { merchantId: number; key: string; value: StoredValue | null; by: string },
  ): Promise<void>;
}

/**
 * Stores settings, all or none. `pointerOf` says where the nth one stands in the request, so that
 * each mistake can be told at its place.
 */
export async function writePreferences(
  context: { database: Database; clock: Clock; environment: Environment; guard?: PreferenceGuard },
  who: { merchantId: number; role: TokenRole; identity: string },
  writes: readonly PreferenceWrite[],
  pointerOf: (index: number) => string,
): Promise<Preference[]> {
  const errors: FieldProblem[] = [];
  const accepted: { key: string; value: StoredValue | null }[] = [];
  const managerKeys: string[] = [];
  for (const [index, write] of writes.entries()) {
    const rule = preferenceKeys.get(write.key);
    if (!rule) {
      errors.push({ pointer: `${pointerOf(index)}/key`, code: 'unknown_key', detail: 'is not a preference' });
      continue;
    }
    if (writes.findIndex((other) => other.key === write.key) < index) {
      errors.push({ pointer: `${pointerOf(index)}/key`, code: 'repeated', detail: 'is given more than once' });
      continue;
    }
    if (rule.managerOnly && who.role !== 'manager') managerKeys.push(write.key);
    const reading = await readWrite(context, rule, write);
    if ('problem' in reading)
      errors.push({ pointer: `${pointerOf(index)}/value`, code: 'invalid_value', detail: reading.problem });
    else accepted.push({ key: write.key, value: reading.value });
  }
  if (managerKeys.length > 0) {
    throw new Problem('manager_only', `Only a manager of the service may set ${managerKeys.join(', ')}.`);
  }
  if (errors.length > 0) throw validationProblem(errors);
  return await context.database.inUnit(async (unit) => {
    const stored: Preference[] = [];
    for (const { key, value } of accepted) {
      stored.push(
        await writePreference(unit, { merchantId: who.merchantId, key, value, by: who.identity }, context.clock.now()),
      );
      if (key === 'callback-url') await switchReceiverOn(unit, who.merchantId);
      await context.guard?.onStored(unit, { merchantId: who.merchantId, key, value, by: who.identity });
    }
    return stored;
  });
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
