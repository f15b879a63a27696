import { Hono } from 'hono';
import type { TokenScope } from '../shared/scopes.ts';
import { createAccessToken, listAccessTokens, revokeAccessToken } from '../api/operations/tokens.ts';
import { formatInstant, type Instant } from '../shared/time.ts';
import type { AccessToken } from '../api/token.ts';
import type { Clock } from '../system/clock.ts';
import type { Environment } from '../system/settings.ts';
import type { Database } from '../database/database.ts';
import type { HttpEnv } from '../http/context.ts';
import { Problem } from '../api/problem-error.ts';
import type { Random } from '../system/random.ts';
import { pagingOf } from '../http/cursor.ts';
import type { ServeApi } from '../operations/principal.ts';
import { type UserNames, readUserNames } from './user-names.ts';
import { lockCreator } from './creator.ts';
import { issueToken, listTokens, revokeToken, type TokenRow } from './tokens.ts';

/** Routes for a merchant's access tokens. */
export function tokenRoutes(options: {
  database: Database;
  clock: Clock;
  random: Random;
  environment: Environment;
  serve: ServeApi;
}): Hono<HttpEnv> {
  const { database, clock, random, environment, serve } = options;
  const routes = new Hono<HttpEnv>();

  serve(routes, listAccessTokens, async ({ caller, query }) => {
    const { cursor, limit, pageOf } = pagingOf(query);
    const rows = await listTokens(database, caller.merchantId, clock.now(), { before: cursor, limit });
    const { shown, nextCursor } = pageOf(rows);
    const names = await readUserNames(
      database,
      shown.map(({ created_by: by }) => by),
    );
    return {
      tokens: shown.map((row) => toAccessToken(row, names)),
      next_cursor: nextCursor,
    };
  });

  serve(routes, createAccessToken, async ({ caller, body: { name, scopes, expiresAt } }) => {
    const lacking = scopes.find((scope) => !caller.scopes.has(scope));
    if (lacking !== undefined)
      throw new Problem('forbidden', `You can only grant scopes that you have: you lack ${lacking}.`);
    const options = { environment, random, clock, merchantId: caller.merchantId, scopes, name };
    const { row, token } = await database.inTransaction(async (unit) => {
      const creator = await lockCreator(unit, caller, clock.now());
      const { createdBy, tokenId: parentId, expiresAt: parentExpiresAt } = creator;
      // A token never outlives its parent.
      const expiries = [expiresAt, parentExpiresAt].filter((at) => at !== null);
      return await issueToken(unit, {
        ...{ ...options, createdBy, parentId },
        ...(expiries.length > 0 && { expiresAt: Math.min(...expiries) }),
      });
    });
    const names = await readUserNames(database, [row.created_by]);
    return { ...toAccessToken(row, names), access_token: token };
  });

  serve(routes, revokeAccessToken, async ({ caller: { merchantId }, body: { id }, storeResponse }) => {
    const now = clock.now();
    const response = { id, revoked_at: formatInstant(now) };
    await database.inTransaction(async (unit) => {
      if (!(await revokeToken(unit, merchantId, id, now)))
        throw new Problem('not_found', 'You have no valid access token with this ID.');
      await storeResponse(unit, response);
    });
    return response;
  });
  return routes;
}

function toAccessToken(row: TokenRow, names: UserNames): AccessToken {
  const formatNullable = (at: Instant | null) => (at === null ? null : formatInstant(at));
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    scopes: row.scopes.split(' ') as TokenScope[],
    created_at: formatInstant(row.created_at),
    created_by: row.created_by,
    created_by_name: names.get(row.created_by ?? '') ?? null,
    last_used_at: formatNullable(row.last_used_at),
    expires_at: formatNullable(row.expires_at),
  };
}
