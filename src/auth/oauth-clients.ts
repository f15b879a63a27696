import { db } from './schema.ts';
import { timingSafeEqual } from 'node:crypto';
import type { TokenRole, TokenScope } from '../shared/scopes.ts';
import { CLIENT_TOKEN_SECONDS, type OAuthToken } from '../api/oauth.ts';
import { type Instant, SECOND } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { Environment } from '../system/settings.ts';
import { type Database, lockRows, type UnitOfWork } from '../database/database.ts';
import type { EnforceRateLimit } from '../http/rate-limits.ts';
import { type Random, publicId } from '../system/random.ts';
import { createToken, hashSecret, revokeToken } from './tokens.ts';

/** Creates a client; its secret can only be read from the return value. */
export async function createOAuthClient(
  unit: UnitOfWork,
  options: {
    merchantId: number;
    name: string;
    role: TokenRole;
    scopes: readonly TokenScope[];
    random: Random;
    now: Instant;
  },
): Promise<{ clientId: string; clientSecret: string }> {
  const clientId = `pl_client_${publicId(options.random)}`;
  const clientSecret = `pl_secret_${Buffer.from(options.random.bytes(32)).toString('base64url')}`;
  await db(unit)
    .insertInto('oauth_clients')
    .values({
      merchant_id: options.merchantId,
      client_id: clientId,
      secret_hash: hashSecret(clientSecret),
      role: options.role,
      scopes: options.scopes.join(' '),
      name: options.name,
      created_at: options.now,
      revoked_at: null,
    })
    .execute();
  return { clientId, clientSecret };
}

/** Issues a token to a client, with the requested subset of its scopes; returns an error code otherwise. */
export async function issueClientToken(
  context: {
    database: Database;
    clock: Clock;
    random: Random;
    environment: Environment;
    enforceRateLimit: EnforceRateLimit;
  },
  client: { id: string; secret: string; scope: string | undefined },
): Promise<OAuthToken | 'invalid_client' | 'invalid_scope'> {
  const { database, clock, random, environment } = context;
  const row = await db(database)
    .selectFrom('oauth_clients')
    .selectAll()
    .where('client_id', '=', client.id)
    .executeTakeFirst();
  // Also compared for unknown and revoked clients, for constant timing.
  const isCorrect = timingSafeEqual(
    Buffer.from(row?.secret_hash ?? hashSecret('')),
    Buffer.from(hashSecret(client.secret)),
  );
  if (!row || !isCorrect || row.revoked_at !== null) return 'invalid_client';
  const allowedScopes = row.scopes.split(' ') as TokenScope[];
  const requestedScopes = client.scope?.split(' ').filter(Boolean) ?? allowedScopes;
  if (requestedScopes.length === 0 || requestedScopes.some((scope) => !allowedScopes.includes(scope as TokenScope)))
    return 'invalid_scope';
  // Counted after the secret is verified, so that others cannot exhaust the client's limit.
  await context.enforceRateLimit('oauth_client', client.id);
  const scopes = allowedScopes.filter((scope) => requestedScopes.includes(scope));
  const token = await database.inTransaction(async (unit) => {
    // It may have been revoked in the meantime. The lock makes a revocation wait, so that it finds this token.
    const current = await lockRows(
      unit,
      db(unit).selectFrom('oauth_clients').select('id').where('id', '=', row.id).where('revoked_at', 'is', null),
    ).executeTakeFirst();
    if (!current) return null;
    return await createToken(unit, {
      ...{ environment, random, clock, scopes },
      merchantId: row.merchant_id,
      role: row.role,
      name: row.name,
      expiresAt: clock.now() + CLIENT_TOKEN_SECONDS * SECOND,
      clientId: row.id,
    });
  });
  if (token === null) return 'invalid_client';
  return { access_token: token, token_type: 'Bearer', expires_in: CLIENT_TOKEN_SECONDS, scope: scopes.join(' ') };
}

export async function listOAuthClients(database: Database, merchantId: number) {
  return await db(database)
    .selectFrom('oauth_clients')
    .select(['client_id', 'name', 'role', 'scopes', 'created_at'])
    .where('merchant_id', '=', merchantId)
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .execute();
}

/** Revokes a client and all its tokens; false if the merchant has no such client. */
export async function revokeOAuthClient(
  unit: UnitOfWork,
  merchantId: number,
  clientId: string,
  now: Instant,
): Promise<boolean> {
  const row = await db(unit)
    .updateTable('oauth_clients')
    .set({ revoked_at: now })
    .where('merchant_id', '=', merchantId)
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!row) return false;
  const tokens = await db(unit)
    .selectFrom('access_tokens')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('oauth_client_id', '=', row.id)
    .where('revoked_at', 'is', null)
    .execute();
  for (const { id } of tokens) await revokeToken(unit, merchantId, id, now);
  return true;
}
