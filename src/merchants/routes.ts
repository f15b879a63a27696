import { Hono } from 'hono';
import {
  listPreferenceKeys,
  listPreferences,
  setPreference,
  setPreferences,
  setPreferencesSingular,
} from '../api/operations/preferences.ts';
import type { PendingPreference, Preference } from '../api/preference.ts';
import type { Clock } from '../system/clock.ts';
import type { Environment } from '../system/settings.ts';
import type { Database } from '../database/database.ts';
import type { HttpEnv } from '../http/context.ts';
import type { ServeApi } from '../operations/principal.ts';
import { type PreferenceGuard, type PreferenceWatcher, writePreferences } from './preferences/set.ts';
import { readPreferenceKeys, readAllPreferences } from './preferences/store.ts';

/** Routes for a merchant's preferences. */
export function merchantRoutes(options: {
  database: Database;
  clock: Clock;
  environment: Environment;
  guard?: PreferenceGuard;
  watchers?: readonly PreferenceWatcher[];
  serve: ServeApi;
}): Hono<HttpEnv> {
  const { serve } = options;
  const routes = new Hono<HttpEnv>();

  const readPending = async (merchantId: number) =>
    (await options.guard?.readPending(merchantId)) ?? new Map<string, PendingPreference>();
  /** Adds pending changes to preferences. */
  const withPending = async (merchantId: number, preferences: readonly Preference[]): Promise<Preference[]> => {
    const pending = await readPending(merchantId);
    return preferences.map((each) => {
      const change = pending.get(each.key);
      return change ? { ...each, pending: change } : each;
    });
  };

  serve(routes, listPreferences, async ({ caller: { merchantId } }) => ({
    merchantPreferences: await withPending(merchantId, await readAllPreferences(options.database, merchantId)),
  }));

  serve(routes, listPreferenceKeys, async ({ caller: { merchantId }, query }) => {
    const keys = await readPreferenceKeys(options.database, merchantId, query.key, await readPending(merchantId));
    // A value that can no longer be changed can still be unset.
    return { keys: keys.filter(({ key, value }) => value !== null || !options.guard?.keyProblem(key)) };
  });

  serve(routes, setPreference, async ({ caller, body }) => {
    const stored = await writePreferences(options, caller, [body], () => '');
    const [preference] = await withPending(caller.merchantId, stored);
    return preference as Preference;
  });

  for (const operation of [setPreferences, setPreferencesSingular]) {
    serve(routes, operation, async ({ caller, body }) => {
      const pointerOf = (index: number) => `/preferences/${index}`;
      const stored = await writePreferences(options, caller, body.preferences, pointerOf);
      return { merchantPreferences: await withPending(caller.merchantId, stored) };
    });
  }
  return routes;
}
