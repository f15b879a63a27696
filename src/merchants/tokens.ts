import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type TokenRole, type TokenScope, tokenScopes } from '../contract/access-token.ts';
import { MINUTE } from '../contract/time.ts';
import type { Clock } from '../platform/clock.ts';
import type { Environment } from '../platform/config.ts';
import type { Database, UnitOfWork } from '../platform/database/database.ts';
import type { Random } from '../platform/random.ts';

/** Who asks, and what they may do. */
export interface Principal {
  tokenId: number;
  merchantId: number;
  role: TokenRole;
  scopes: ReadonlySet<string>;
}

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

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Makes a token; the answer is the only time that it can be read. */
export async function createToken(
  unit: UnitOfWork,
  options: {
    environment: Environment;
    random: Random;
    clock: Clock;
    merchantId: number;
    role?: TokenRole;
    scopes?: readonly TokenScope[];
  },
): Promise<string> {
  const token = newToken(options.environment, options.random);
  await unit.query
    .insertInto('access_tokens')
    .values({
      merchant_id: options.merchantId,
      role: options.role ?? 'merchant',
      hash: hashToken(token),
      scopes: (options.scopes ?? tokenScopes).join(' '),
      created_at: options.clock.now(),
      last_used_at: null,
      revoked_at: null,
    })
    .execute();
  return token;
}

/**
 * Whose token this is, or null. The look-up is by hash, so that how long it takes tells nothing about
 * the tokens that exist.
 */
export async function findPrincipal(
  database: Database,
  clock: Clock,
  environment: Environment,
  token: string,
): Promise<Principal | null> {
  if (!isToken(environment, token)) return null;
  const row = await database.query
    .selectFrom('access_tokens')
    .select(['id', 'merchant_id', 'role', 'scopes', 'last_used_at'])
    .where('hash', '=', hashToken(token))
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (!row) return null;
  const now = clock.now();
  if (row.last_used_at === null || now - row.last_used_at > LAST_USE_PRECISION) {
    await database.query.updateTable('access_tokens').set({ last_used_at: now }).where('id', '=', row.id).execute();
  }
  return { tokenId: row.id, merchantId: row.merchant_id, role: row.role, scopes: new Set(row.scopes.split(' ')) };
}
