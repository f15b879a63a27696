import type { Runner } from '../database/engine.ts';
import { db, statement, type AccessTokenTable } from './schema.ts';
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Selectable } from 'kysely';
import { allScopes, type TokenRole, type TokenScope, usualScopes } from '../shared/scopes.ts';
import { DAY, type Instant, MINUTE } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { Environment } from '../system/settings.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import { readTogether } from '../database/batch.ts';
import type { Principal } from '../operations/principal.ts';
import { createSweep, type Job } from '../jobs/runner.ts';
import type { Random } from '../system/random.ts';

/** How much later than it happened a token's last use may be written down: spares a write for each request. */
const LAST_USE_PRECISION = MINUTE;

const prefixes = { sandbox: 'pl_test_', production: 'pl_live_' } as const;

/** `pl_test_` or `pl_live_`, 256 random bits, and a checksum by which scanners for leaked secrets know it. */
export function newToken(environment: Environment, random: Random): string {
  const body = prefixes[environment] + Buffer.from(random.bytes(32)).toString('base64url');
  return `${body}_${checksum(body)}`;
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, '0');
}

/** Whether a text has the form of a token of this environment; a token of the other one has not. */
export function isToken(environment: Environment, token: string): boolean {
  const end = token.lastIndexOf('_');
  return token.startsWith(prefixes[environment]) && checksum(token.slice(0, end)) === token.slice(end + 1);
}

/** What is kept of a token or a secret: enough to know it again. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** What is told of a token; the token itself is known to nobody but who holds it. */
const toldColumns = [
  ...(['id', 'name', 'role', 'scopes', 'created_at', 'created_by', 'last_used_at', 'expires_at'] as const),
] as const;
export type TokenRow = Pick<Selectable<AccessTokenTable>, (typeof toldColumns)[number]>;

interface NewToken {
  environment: Environment;
  random: Random;
  clock: Clock;
  merchantId: number;
  role?: TokenRole;
  scopes?: readonly TokenScope[];
  name?: string;
  expiresAt?: Instant;
  /** The client that gets it. */
  clientRow?: number;
  /** The identity that it ends with, such as `person 3`. */
  createdBy?: string | null;
  /** The token that creates it. */
  parentId?: number | null;
}

/** Makes a token; the answer is the only time that it can be read. */
export async function createToken(unit: UnitOfWork, options: NewToken): Promise<string> {
  return (await issueToken(unit, options)).token;
}

/** The same, with what is told of it from then on. */
export async function issueToken(unit: UnitOfWork, options: NewToken): Promise<{ row: TokenRow; token: string }> {
  const token = newToken(options.environment, options.random);
  const row = await db(unit)
    .insertInto('access_tokens')
    .values({
      merchant_id: options.merchantId,
      role: options.role ?? 'merchant',
      hash: hashSecret(token),
      scopes: (options.scopes ?? usualScopes).join(' '),
      created_at: options.clock.now(),
      last_used_at: null,
      revoked_at: null,
      name: options.name ?? '',
      expires_at: options.expiresAt ?? null,
      oauth_client_id: options.clientRow ?? null,
      created_by: options.createdBy ?? null,
      parent_token_id: options.parentId ?? null,
    })
    .returning(toldColumns)
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

/** Answers whose token this is, or null. */
export type FindPrincipal = (token: string) => Promise<Principal | null>;

/**
 * The look-up is by hash, so that how long it takes tells nothing about the tokens that exist. Requests
 * with the same token that come at the same time look it up once.
 */
export function createFindPrincipal(database: Database, clock: Clock, environment: Environment): FindPrincipal {
  const find = readTogether(async (hash) => (await tokenByHash(database, { hash })).rows[0]);
  return async (token) => {
    if (!isToken(environment, token)) return null;
    const row = await find(hashSecret(token));
    const now = clock.now();
    if (!row || (row.expires_at !== null && row.expires_at <= now)) return null;
    if (row.last_used_at === null || now - row.last_used_at > LAST_USE_PRECISION) {
      await db(database).updateTable('access_tokens').set({ last_used_at: now }).where('id', '=', row.id).execute();
    }
    return {
      identity: `token ${row.id}`,
      ...(row.oauth_client_id !== null && { limitedAs: `client ${row.oauth_client_id}` }),
      merchantId: row.merchant_id,
      role: row.role,
      scopes: allScopes(row.scopes.split(' ')),
    };
  };
}

/** A merchant's tokens that can still be used, newest first; the tokens themselves are known to nobody. */
export async function listTokens(
  database: Database,
  merchantId: number,
  now: Instant,
  { before, limit }: { before?: number; limit?: number } = {},
): Promise<TokenRow[]> {
  return await db(database)
    .selectFrom('access_tokens')
    .select(toldColumns)
    .where('merchant_id', '=', merchantId)
    .where('revoked_at', 'is', null)
    .where((expression) => expression.or([expression('expires_at', 'is', null), expression('expires_at', '>', now)]))
    .$if(before !== undefined, (rest) => rest.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .$if(limit !== undefined, (rest) => rest.limit(limit ?? 0))
    .execute();
}

/** Ends a token, and those created with it, at once; false when the merchant has no such token that could still be used. */
export async function revokeToken(unit: UnitOfWork, merchantId: number, id: number, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await db(unit)
    .updateTable('access_tokens')
    .set({ revoked_at: now })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) return false;
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

/** Ends the tokens that somebody, such as `person 3`, created for a merchant and that hold more than `scopes`. */
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
  const beyond = created.filter((token) => token.scopes.split(' ').some((scope) => !scopes.has(scope)));
  for (const { id } of beyond) await revokeToken(unit, merchantId, id, now);
}

interface Creator {
  /** The person who created a token that calls, or the caller itself. */
  createdBy: string;
  /** The token that calls; null for a person. */
  tokenId: number | null;
  /** When that token expires; null: never. */
  expiresAt: Instant | null;
}

/** Who creates something by a call: what they create ends with them. */
export async function creatorBehind(on: Runner, identity: string): Promise<Creator> {
  const [, id] = /^token (\d+)$/.exec(identity) ?? [];
  if (id === undefined) return { createdBy: identity, tokenId: null, expiresAt: null };
  const row = await db(on)
    .selectFrom('access_tokens')
    .select(['created_by', 'expires_at'])
    .where('id', '=', Number(id))
    .executeTakeFirst();
  return { createdBy: row?.created_by ?? identity, tokenId: Number(id), expiresAt: row?.expires_at ?? null };
}

/** How long what a client once got is kept after it has run out, for whoever looks into what it did. */
const EXPIRED_KEPT: Instant = 7 * DAY;

/** Forgets tokens that ran out long ago: a client gets one every hour. */
export function createTokenSweep(database: Database, clock: Clock): Job {
  return createSweep('expired tokens', clock, async (now) => {
    await db(database)
      .deleteFrom('access_tokens')
      .where('expires_at', '<=', now - EXPIRED_KEPT)
      .execute();
  });
}
