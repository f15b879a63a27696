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
import { type ParsedValue, parseValue, type StoredValue } from './values.ts';

/** Reacts to stored preferences within the same unit of work. */
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
      requireStepUp?: Principal['requireStepUp'];
    },
  ): Promise<void>;
}

/** Validates and delays preferences on behalf of another module. */
export interface PreferenceGuard extends PreferenceWatcher {
  /** The reason why a key cannot be set in this installation, or null. */
  keyProblem(key: string): string | null;
  /** Validates a value that its key's type accepts. */
  validate(key: string, value: StoredValue): Promise<ParsedValue>;
  /** Preferences of a merchant with pending changes, by key. */
  readPending(merchantId: number): Promise<ReadonlyMap<string, PendingPreference>>;
}

/**
 * Stores all of the given preferences, or none. `pointerOf` returns the JSON pointer of the nth preference in the
 * request, for field errors.
 */
export async function writePreferences(
  context: {
    database: Database;
    clock: Clock;
    environment: Environment;
    guard?: PreferenceGuard;
    watchers?: readonly PreferenceWatcher[];
  },
  caller: Principal,
  writes: readonly PreferenceWrite[],
  pointerOf: (index: number) => string,
): Promise<Preference[]> {
  const errors: FieldProblem[] = [];
  const accepted: { key: string; value: StoredValue | null }[] = [];
  const managerKeys: string[] = [];
  const lacking = new Map<string, string>();
  for (const [index, write] of writes.entries()) {
    const rule = preferenceKeys.get(write.key);
    if (!rule) {
      errors.push({ pointer: `${pointerOf(index)}/key`, code: 'unknown_key', detail: unknownKeyProblem(write.key) });
      continue;
    }
    if (writes.findIndex((other) => other.key === write.key) < index) {
      errors.push({ pointer: `${pointerOf(index)}/key`, code: 'repeated', detail: 'must be sent only once' });
      continue;
    }
    if (rule.managerOnly && caller.role !== 'manager') managerKeys.push(write.key);
    if (rule.scope && !caller.scopes.has(rule.scope)) lacking.set(write.key, rule.scope);
    const keyProblem = write.value === null ? null : (context.guard?.keyProblem(write.key) ?? null);
    if (keyProblem !== null) {
      errors.push({ pointer: `${pointerOf(index)}/key`, code: 'currency_not_available', detail: keyProblem });
      continue;
    }
    const parsed = await parseWrite(context, rule, write);
    if ('problem' in parsed)
      errors.push({ pointer: `${pointerOf(index)}/value`, code: 'invalid_value', detail: parsed.problem });
    else accepted.push({ key: write.key, value: parsed.value });
  }
  if (managerKeys.length > 0) {
    throw new Problem('manager_only', `Only a manager of the service can set ${managerKeys.join(', ')}.`);
  }
  if (lacking.size > 0) {
    const scopes = [...new Set(lacking.values())].join(', ');
    throw new Problem('forbidden', `Setting ${[...lacking.keys()].join(', ')} requires the scope ${scopes}.`);
  }
  if (errors.length > 0) throw validationProblem(errors);
  const { merchantId, identity: by, requireStepUp } = caller;
  return await context.database.inTransaction(async (unit) => {
    // Concurrent changes run one after the other, so that each reads the value it replaces.
    await lockMerchant(unit, merchantId);
    const watchers = [...(context.guard ? [context.guard] : []), ...(context.watchers ?? [])];
    const all: Preference[] = [];
    for (const { key, value } of accepted) {
      const write = { merchantId, key, value, by, requireStepUp };
      all.push(await storePreference({ clock: context.clock, watchers }, unit, write));
    }
    return all;
  });
}

/** Stores one preference, or unsets it with null, and runs the watchers. `by` is null for the command line. */
export async function storePreference(
  { clock, watchers }: { clock: Clock; watchers: readonly PreferenceWatcher[] },
  unit: UnitOfWork,
  write: {
    merchantId: number;
    key: string;
    value: StoredValue | null;
    by: string | null;
    requireStepUp?: Principal['requireStepUp'];
  },
): Promise<Preference> {
  const { stored, previous } = await writePreference(unit, write, clock.now());
  const by = write.by ?? 'command line';
  for (const watcher of watchers) await watcher.onStored(unit, { ...write, previous, by });
  return stored;
}

async function parseWrite(
  { environment, guard }: { environment: Environment; guard?: PreferenceGuard },
  rule: KeyRule,
  { key, value }: PreferenceWrite,
): Promise<ParsedValue | { value: null }> {
  if (value === null) return { value };
  const parsed = parseValue(rule, value, environment);
  return guard && 'value' in parsed ? await guard.validate(key, parsed.value) : parsed;
}
