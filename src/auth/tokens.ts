import { db, statement, type AccessTokenTable } from './schema.ts';
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Selectable } from 'kysely';
import { allScopes, type TokenRole, type TokenScope, defaultScopes } from '../shared/scopes.ts';
import { DAY, type Instant, MINUTE } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { Environment } from '../system/settings.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import { createCoalescer } from '../database/batch.ts';
import type { Principal } from '../operations/principal.ts';
import { createCleanupJob, type Job } from '../jobs/runner.ts';
import { cellPrefix, type Random } from '../system/random.ts';

/** Precision of a token's last-used time. Coarse, to avoid a write per request. */
const LAST_USE_PRECISION = MINUTE;

const prefixes = { sandbox: 'pl_test_', production: 'pl_live_' } as const;

/** Creates a token: `pl_test_` or `pl_live_`, the cell's prefix, 256 random bits, and a checksum for secret scanners. */
export function generateToken(environment: Environment, random: Random): string {
  const body = prefixes[environment] + cellPrefix(random) + Buffer.from(random.bytes(32)).toString('base64url');
  return `${body}_${checksum(body)}`;
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, '0');
}

/** True if a text has the format of a token of this environment. */
function isTokenFormat(environment: Environment, token: string): boolean {
  const end = token.lastIndexOf('_');
  return token.startsWith(prefixes[environment]) && checksum(token.slice(0, end)) === token.slice(end + 1);
}

/** The stored hash of a token or secret. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** The readable columns of a token; its value is never stored. */
const readableColumns = [
  ...(['id', 'name', 'role', 'scopes', 'created_at', 'created_by', 'last_used_at', 'expires_at'] as const),
] as const;
export type TokenRow = Pick<Selectable<AccessTokenTable>, (typeof readableColumns)[number]>;

interface NewToken {
  environment: Environment;
  random: Random;
  clock: Clock;
  merchantId: number;
  role?: TokenRole;
  scopes?: readonly TokenScope[];
  name?: string;
  expiresAt?: Instant;
  /** The OAuth client that requested it. */
  clientId?: number;
  /** The creator, such as `person 3`. The token ends with their access. */
  createdBy?: string | null;
  /** The token that creates it. */
  parentId?: number | null;
}

/** Creates a token; its value can only be read from the return value. */
export async function createToken(unit: UnitOfWork, options: NewToken): Promise<string> {
  return (await issueToken(unit, options)).token;
}

/** Like `createToken`; also returns the stored row. */
export async function issueToken(unit: UnitOfWork, options: NewToken): Promise<{ row: TokenRow; token: string }> {
  const token = generateToken(options.environment, options.random);
  const row = await db(unit)
    .insertInto('access_tokens')
    .values({
      merchant_id: options.merchantId,
      role: options.role ?? 'merchant',
      hash: hashSecret(token),
      scopes: (options.scopes ?? defaultScopes).join(' '),
      created_at: options.clock.now(),
      last_used_at: null,
      revoked_at: null,
      name: options.name ?? '',
      expires_at: options.expiresAt ?? null,
      oauth_client_id: options.clientId ?? null,
      created_by: options.createdBy ?? null,
      parent_token_id: options.parentId ?? null,
    })
    .returning(readableColumns)
    .executeTakeFirstOrThrow();
  return { row, token };
}

const tokenByHash = statement((query, { hash }: { hash: string }) =>
  query
    .selectFrom('access_tokens')
    .select(['id', 'merchant_id', 'role', 'scopes', 'last_used_at', 'expires_at', 'oauth_client_id'])
    .where('hash', '=', hash)
    .where('revoked_at', 'is', null),
);

/** Finds the caller that a token authenticates; null if there is none. */
export type FindPrincipal = (token: string) => Promise<Principal | null>;

/**
 * Looks tokens up by hash, so that timing reveals nothing about existing tokens. Concurrent requests with the same
 * token share one lookup.
 */
export function createFindPrincipal(database: Database, clock: Clock, environment: Environment): FindPrincipal {
  const find = createCoalescer(async (hash) => (await tokenByHash(database, { hash })).rows[0]);
  return async (token) => {
    if (!isTokenFormat(environment, token)) return null;
    const row = await find(hashSecret(token));
    const now = clock.now();
    if (!row || (row.expires_at !== null && row.expires_at <= now)) return null;
    if (row.last_used_at === null || now - row.last_used_at > LAST_USE_PRECISION) {
      await db(database).updateTable('access_tokens').set({ last_used_at: now }).where('id', '=', row.id).execute();
    }
    return {
      identity: `token ${row.id}`,
      ...(row.oauth_client_id !== null && { rateLimitKey: `client ${row.oauth_client_id}` }),
      merchantId: row.merchant_id,
      role: row.role,
      scopes: allScopes(row.scopes.split(' ')),
    };
  };
}

/** A merchant's valid tokens, newest first, without their values. */
export async function listTokens(
  database: Database,
  merchantId: number,
  now: Instant,
  { before = null, limit }: { before?: number | null; limit?: number } = {},
): Promise<TokenRow[]> {
  return await db(database)
    .selectFrom('access_tokens')
    .select(readableColumns)
    .where('merchant_id', '=', merchantId)
    .where('revoked_at', 'is', null)
    .where((expression) => expression.or([expression('expires_at', 'is', null), expression('expires_at', '>', now)]))
    .$if(before !== null, (qb) => qb.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .$if(limit !== undefined, (qb) => qb.limit(limit ?? 0))
    .execute();
}

/**
 * Revokes a token with the tokens and pending invitations created with it; false if the merchant has no such valid
 * token.
 */
export async function revokeToken(unit: UnitOfWork, merchantId: number, id: number, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await db(unit)
    .updateTable('access_tokens')
    .set({ revoked_at: now })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) return false;
  await db(unit)
    .updateTable('invitations')
    .set({ accepted_at: now })
    .where('merchant_id', '=', merchantId)
    .where('invited_by', '=', `token ${id}`)
    .where('accepted_at', 'is', null)
    .execute();
  const children = await db(unit)
    .selectFrom('access_tokens')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('parent_token_id', '=', id)
    .where('revoked_at', 'is', null)
    .execute();
  for (const child of children) await revokeToken(unit, merchantId, child.id, now);
  return true;
}

/** Revokes the tokens that a creator, such as `person 3`, created for a merchant with scopes beyond `scopes`. */
export async function revokeTokensBeyond(
  unit: UnitOfWork,
  {
    merchantId,
    creator,
    scopes,
    now,
  }: { merchantId: number; creator: string; scopes: ReadonlySet<string>; now: Instant },
): Promise<void> {
  const created = await db(unit)
    .selectFrom('access_tokens')
    .select(['id', 'scopes'])
    .where('merchant_id', '=', merchantId)
    .where('created_by', '=', creator)
    .where('revoked_at', 'is', null)
    .execute();
  const excessive = created.filter((token) => token.scopes.split(' ').some((scope) => !scopes.has(scope)));
  for (const { id } of excessive) await revokeToken(unit, merchantId, id, now);
}

/** Retention of expired client tokens, for investigations. */
const EXPIRED_RETENTION: Instant = 7 * DAY;

/** Deletes tokens that expired long ago: a client gets a new one every hour. */
export function createTokenCleanup(database: Database, clock: Clock): Job {
  return createCleanupJob('expired tokens', clock, async (now) => {
    await db(database)
      .deleteFrom('access_tokens')
      .where('expires_at', '<=', now - EXPIRED_RETENTION)
      .execute();
  });
}
