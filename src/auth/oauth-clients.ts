import { db } from './schema.ts';
import { timingSafeEqual } from 'node:crypto';
import type { TokenRole, TokenScope } from '../shared/scopes.ts';
import { CLIENT_TOKEN_SECONDS, type OAuthToken } from '../api/oauth.ts';
import { type Instant, SECOND } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { Environment } from '../system/settings.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import type { RequireWithin } from '../http/rate-limits.ts';
import { type Random, randomId } from '../system/random.ts';
import { createToken, hashSecret, revokeToken } from './tokens.ts';

/** Makes a client; its secret can be read this once. */
export async function createClient(
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
  const clientId = `pl_client_${randomId(options.random)}`;
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

/** A client's token for its secret, with the scopes that it asks for of those it has; or why there is none. */
export async function grantToken(
  context: {
    database: Database;
    clock: Clock;
    random: Random;
    environment: Environment;
    requireWithin: RequireWithin;
  },
  client: { id: string; secret: string; scope: string | undefined },
): Promise<OAuthToken | 'invalid_client' | 'invalid_scope'> {
  const { database, clock, random, environment } = context;
  const row = await db(database)
    .selectFrom('oauth_clients')
    .selectAll()
    .where('client_id', '=', client.id)
    .executeTakeFirst();
  // Compared also where there is no such client, and whatever became of it.
  const isRight = timingSafeEqual(
    Buffer.from(row?.secret_hash ?? hashSecret('')),
    Buffer.from(hashSecret(client.secret)),
  );
  if (!row || !isRight || row.revoked_at !== null) return 'invalid_client';
  const held = row.scopes.split(' ') as TokenScope[];
  const asked = client.scope?.split(' ').filter(Boolean) ?? held;
  if (asked.length === 0 || asked.some((scope) => !held.includes(scope as TokenScope))) return 'invalid_scope';
  // Only for whoever has the secret: nobody else uses up what the client may have.
  await context.requireWithin('oauth_client', client.id);
  const scopes = held.filter((scope) => asked.includes(scope));
  const token = await database.inUnit(
    async (unit) =>
      await createToken(unit, {
        ...{ environment, random, clock, scopes },
        merchantId: row.merchant_id,
        role: row.role,
        name: row.name,
        expiresAt: clock.now() + CLIENT_TOKEN_SECONDS * SECOND,
        clientRow: row.id,
      }),
  );
  return { access_token: token, token_type: 'Bearer', expires_in: CLIENT_TOKEN_SECONDS, scope: scopes.join(' ') };
}

export async function listClients(database: Database, merchantId: number) {
  return await db(database)
    .selectFrom('oauth_clients')
    .select(['client_id', 'name', 'role', 'scopes', 'created_at'])
    .where('merchant_id', '=', merchantId)
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .execute();
}

/** Ends a client and every token that it has got; false when the merchant has no such client. */
export async function revokeClient(
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
