import { lockRows, type UnitOfWork } from '../database/database.ts';
import { lockMerchant } from '../merchants/merchants.ts';
import { type Principal, unauthorized } from '../operations/principal.ts';
import { scopesOfRole } from '../shared/roles.ts';
import { allScopes } from '../shared/scopes.ts';
import type { Instant } from '../shared/time.ts';
import { db } from './schema.ts';
import { findRole, findUser } from './users.ts';

interface Creator {
  /** The user who created the calling token, or the caller itself. */
  createdBy: string;
  /** The calling token; null for a user. */
  tokenId: number | null;
  /** Expiry of that token; null if it does not expire. */
  expiresAt: Instant | null;
}

/**
 * The creator of a new token or invitation, which ends with the creator's access. Locks that access until the unit
 * ends. Throws `unauthorized` if it ended while the request was read.
 */
export async function lockCreator(
  unit: UnitOfWork,
  { identity, merchantId, scopes, userId }: Principal,
  now: Instant,
): Promise<Creator> {
  if (userId !== undefined) {
    await lockMerchant(unit, merchantId);
    const user = await findUser(unit, userId);
    const role = user && (await findRole(unit, user, merchantId));
    const current = allScopes(role ? scopesOfRole[role] : []);
    if ([...scopes].some((scope) => !current.has(scope)))
      throw unauthorized('Your access changed while the request was being sent. Send it again.');
    return { createdBy: identity, tokenId: null, expiresAt: null };
  }
  const tokenId = Number(/^token (\d+)$/.exec(identity)?.[1]);
  const row = await lockRows(
    unit,
    db(unit)
      .selectFrom('access_tokens')
      .select(['created_by', 'expires_at'])
      .where('id', '=', tokenId)
      .where('revoked_at', 'is', null)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)])),
  ).executeTakeFirst();
  if (!row) throw unauthorized('The access token was revoked or has expired.');
  return { createdBy: row.created_by ?? identity, tokenId, expiresAt: row.expires_at };
}
