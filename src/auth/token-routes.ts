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
import { readCursor, writeCursor } from '../http/cursor.ts';
import type { ServeApi } from '../operations/principal.ts';
import { type PeopleNames, readNames } from './user-names.ts';
import { creatorBehind, issueToken, listTokens, revokeToken, type TokenRow } from './tokens.ts';

const DEFAULT_PER_PAGE = 20;

/** A merchant's access tokens. */
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
    const perPage = query.per_page ?? DEFAULT_PER_PAGE;
    const page = {
      ...(query.cursor !== undefined && { before: readCursor(query.cursor) }),
      limit: perPage + 1,
    };
    const rows = await listTokens(database, caller.merchantId, clock.now(), page);
    const shown = rows.slice(0, perPage);
    const last = shown.at(-1);
    const names = await readNames(
      database,
      shown.map(({ created_by: by }) => by),
    );
    return {
      tokens: shown.map((row) => describe(row, names)),
      next_cursor: rows.length > perPage && last ? writeCursor(last.id) : null,
    };
  });

  serve(routes, createAccessToken, async ({ caller, body: { name, scopes, expiresAt } }) => {
    const lacking = scopes.find((scope) => !caller.scopes.has(scope));
    if (lacking !== undefined)
      throw new Problem('forbidden', `Nobody can give what they do not hold: you lack the scope ${lacking}.`);
    const wanted = { environment, random, clock, merchantId: caller.merchantId, scopes, name };
    const { row, token } = await database.inUnit(async (unit) => {
      const { createdBy, tokenId: parentId, expiresAt: parentExpiresAt } = await creatorBehind(unit, caller.identity);
      // It never outlives the token that creates it.
      const ends = [expiresAt, parentExpiresAt].filter((at) => at !== null);
      return await issueToken(unit, {
        ...{ ...wanted, createdBy, parentId },
        ...(ends.length > 0 && { expiresAt: Math.min(...ends) }),
      });
    });
    const names = await readNames(database, [row.created_by]);
    return { ...describe(row, names), access_token: token };
  });

  serve(routes, revokeAccessToken, async ({ caller: { merchantId }, body: { id } }) => {
    const now = clock.now();
    const isDone = await database.inUnit(async (unit) => await revokeToken(unit, merchantId, id, now));
    if (!isDone) throw new Problem('not_found', 'There is no access token of yours with this id that could be used.');
    return { id, revoked_at: formatInstant(now) };
  });
  return routes;
}

function describe(row: TokenRow, names: PeopleNames): AccessToken {
  const told = (at: Instant | null) => (at === null ? null : formatInstant(at));
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    scopes: row.scopes.split(' ') as TokenScope[],
    created_at: formatInstant(row.created_at),
    created_by: row.created_by,
    created_by_name: names.get(row.created_by ?? '') ?? null,
    last_used_at: told(row.last_used_at),
    expires_at: told(row.expires_at),
  };
}
