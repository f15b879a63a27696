import { Hono } from 'hono';
import {
  listPreferenceKeys,
  listPreferences,
  setPreference,
  setPreferences,
  setPreferencesSingular,
} from '../contract/operations/preferences.ts';
import type { Preference } from '../contract/preference.ts';
import type { Clock } from '../platform/clock.ts';
import type { Environment } from '../platform/config.ts';
import type { Database } from '../platform/database/database.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import type { ServeApi } from './authentication.ts';
import { type PreferenceGuard, writePreferences } from './preferences/set.ts';
import { describeKeys, readAllPreferences } from './preferences/store.ts';

/** A merchant's settings. */
export function merchantRoutes(options: {
  database: Database;
  clock: Clock;
  environment: Environment;
  guard?: PreferenceGuard;
  serve: ServeApi;
}): Hono<HttpEnv> {
  const { serve } = options;
  const routes = new Hono<HttpEnv>();

  serve(routes, listPreferences, async ({ caller }) => ({
    merchantPreferences: await readAllPreferences(options.database, caller.merchantId),
  }));

  serve(routes, listPreferenceKeys, async ({ caller, query }) => ({
    keys: await describeKeys(options.database, caller.merchantId, query.key),
  }));

  serve(routes, setPreference, async ({ caller, body }) => {
    const [stored] = await writePreferences(options, caller, [body], () => '');
    return stored as Preference;
  });

  for (const described of [setPreferences, setPreferencesSingular]) {
    serve(routes, described, async ({ caller, body }) => ({
      merchantPreferences: await writePreferences(
        options,
        caller,
        body.preferences,
        (index) => `/preferences/${index}`,
      ),
    }));
  }
  return routes;
}
