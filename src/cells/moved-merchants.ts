import type { MiddlewareHandler } from 'hono';
import { Problem } from '../api/problem-error.ts';
import { bearerCredential } from '../auth/authentication.ts';
import { hashSecret } from '../auth/tokens.ts';
import type { Database } from '../database/database.ts';
import type { HttpEnv } from '../http/context.ts';
import { db } from './schema.ts';

const RETRY_SECONDS = 2;
/** Responses to requests whose record is missing, or disappeared during the request. */
const STATUSES: readonly number[] = [401, 404, 500];

/**
 * Replaces errors for merchants that were moved, or are being moved, with a retryable response; the proxy routes the
 * retry to the other cell. Successful requests need no extra query.
 */
export function movedMerchants(database: Database): MiddlewareHandler<HttpEnv> {
  return async (http, next) => {
    await next();
    if (!STATUSES.includes(http.res.status)) return;
    const ids = idsInPath(http.req.path);
    const token = bearerCredential(http.req.header('authorization'));
    if (token !== null) ids.push(hashSecret(token));
    const clientId = http.get('oauthClientId');
    if (clientId !== undefined) ids.push(clientId);
    if (ids.length === 0) return;
    const moved = await db(database).selectFrom('moved_ids').select('id').where('id', 'in', ids).executeTakeFirst();
    if (!moved) return;
    throw new Problem('merchant_moving', 'The merchant is being moved to another cell. Try again.', {
      headers: { 'Retry-After': String(RETRY_SECONDS) },
    });
  };
}

function idsInPath(path: string): string[] {
  return path
    .split('/')
    .map((segment) => segment.replace(/\.\w+$/, ''))
    .filter((segment) => /^[\w-]{16,64}$/.test(segment))
    .slice(0, 4);
}
