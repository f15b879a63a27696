import { Hono } from 'hono';
import { setPreferenceRequest, setPreferencesRequest } from '../contract/preference.ts';
import type { Clock } from '../platform/clock.ts';
import type { Environment } from '../platform/config.ts';
import type { Database } from '../platform/database/database.ts';
import { readBody } from '../platform/http/body.ts';
import type { HttpContext, HttpEnv } from '../platform/http/context.ts';
import { noParameters, readQuery } from '../platform/http/query.ts';
import type { Authenticate } from './authentication.ts';
import { setPreferences } from './preferences/set.ts';
import { listPreferences } from './preferences/store.ts';

export function merchantRoutes(options: {
  database: Database;
  clock: Clock;
  environment: Environment;
  authenticate: Authenticate;
}): Hono<HttpEnv> {
  const { authenticate } = options;

  const setInList = async (context: HttpContext) => {
    const who = await authenticate(context.req.header('authorization'), 'preference:write');
    const { preferences } = await readBody(context, setPreferencesRequest);
    const stored = await setPreferences(options, who, preferences, (index) => `/preferences/${index}`);
    return context.json({ merchantPreferences: stored });
  };

  return new Hono<HttpEnv>()
    .get('/v1/merchant/preferences', async (context) => {
      const { merchantId } = await authenticate(context.req.header('authorization'), 'preference:read');
      readQuery(context, noParameters);
      return context.json({ merchantPreferences: await listPreferences(options.database, merchantId) });
    })
    .patch('/v1/merchant/preferences', async (context) => {
      const who = await authenticate(context.req.header('authorization'), 'preference:write');
      const write = await readBody(context, setPreferenceRequest);
      const [stored] = await setPreferences(options, who, [write], () => '');
      return context.json(stored);
    })
    .post('/v1/merchant/preferences', setInList)
    .post('/v1/merchant/preference', setInList);
}
