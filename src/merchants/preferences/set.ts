import type { TokenRole } from '../../contract/access-token.ts';
import type { Preference, PreferenceWrite } from '../../contract/preference.ts';
import type { FieldProblem } from '../../contract/problem.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Environment } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import { Problem, validationProblem } from '../../platform/problem.ts';
import { preferenceKeys, type StoredValue } from './keys.ts';
import { switchReceiverOn } from '../callback-receiver.ts';
import { writePreference } from './store.ts';

/**
 * Stores settings, all or none. `pointerOf` says where the nth one stands in the request, so that
 * each mistake can be told at its place.
 */
export async function writePreferences(
  context: { database: Database; clock: Clock; environment: Environment },
  who: { merchantId: number; role: TokenRole },
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
    const reading = write.value === null ? { value: null } : rule.read(write.value, context.environment);
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
      stored.push(await writePreference(unit, who.merchantId, key, value, context.clock.now()));
      if (key === 'callback-url') await switchReceiverOn(unit, who.merchantId);
    }
    return stored;
  });
}
