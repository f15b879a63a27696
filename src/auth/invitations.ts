import type { Runner } from '../database/engine.ts';
import { db } from './schema.ts';
import type { UserRole } from '../shared/roles.ts';
import { DAY, type Instant } from '../shared/time.ts';
import { hashSecret } from './tokens.ts';
import type { Clock } from '../system/clock.ts';
import type { UnitOfWork } from '../database/database.ts';
import { Problem } from '../api/problem-error.ts';
import type { Random } from '../system/random.ts';
import { changeMembership, assignRole } from './users.ts';

/** Validity of the link. */
const LIFETIME: Instant = 7 * DAY;

export interface Invitation {
  id: number;
  merchantId: number | null;
  email: string;
  role: UserRole;
  /** True if it restores access to an existing account. Only these may set a password or passkey for it. */
  isReset: boolean;
}

/**
 * Creates an invitation; returns its link's secret, of which only a hash is stored. Revokes the merchant's earlier
 * invitations to the same address; a reset revokes those of every merchant.
 */
export async function createInvitation(
  unit: UnitOfWork,
  options: {
    merchantId: number | null;
    email: string;
    role: UserRole;
    /** The caller: `person 3`, `token 7`, or the command line. */
    invitedBy: string;
    /** The invitation expires then at the latest; by default after its usual lifetime. */
    latestExpiry?: Instant | null;
    isReset?: boolean;
    clock: Clock;
    random: Random;
  },
): Promise<{ id: number; secret: string; expiresAt: Instant }> {
  const { merchantId, email, role, isReset = false } = options;
  const now = options.clock.now();
  if (isReset) await revokeInvitations(unit, email, now);
  else
    await pendingInvitations(unit, now)
      .where('merchant_id', merchantId === null ? 'is' : '=', merchantId)
      .where('email', '=', email)
      .where('is_reset', '=', 0)
      .execute();
  const secret = Buffer.from(options.random.bytes(32)).toString('base64url');
  const expiresAt = Math.min(now + LIFETIME, options.latestExpiry ?? Number.POSITIVE_INFINITY);
  const { id } = await db(unit)
    .insertInto('invitations')
    .values({
      merchant_id: merchantId,
      email,
      role,
      hash: hashSecret(secret),
      invited_by: options.invitedBy,
      created_at: now,
      expires_at: expiresAt,
      accepted_at: null,
      is_reset: isReset ? 1 : 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, secret, expiresAt };
}

/** Revokes every pending invitation to an address, of all merchants. */
async function revokeInvitations(unit: UnitOfWork, email: string, now: Instant): Promise<number> {
  const { numUpdatedRows } = await pendingInvitations(unit, now).where('email', '=', email).executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

function pendingInvitations(unit: UnitOfWork, now: Instant) {
  return db(unit).updateTable('invitations').set({ accepted_at: now }).where('accepted_at', 'is', null);
}

/** An invitation's link. The secret is in the fragment, which browsers do not send to servers. */
export function invitationLink(publicUrl: string, secret: string): string {
  return `${publicUrl}/account/join#${secret}`;
}

/** Finds a valid invitation; throws `invitation_invalid` otherwise. */
export async function findInvitation(reader: Runner, secret: string, now: Instant): Promise<Invitation> {
  const row = await db(reader)
    .selectFrom('invitations')
    .select(['id', 'merchant_id', 'email', 'role', 'is_reset'])
    .where('hash', '=', hashSecret(secret))
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (!row)
    throw new Problem('invitation_invalid', 'The invitation was used or revoked, or has expired. Ask for a new one.');
  const { id, merchant_id: merchantId, email, role, is_reset: isReset } = row;
  return { id, merchantId, email, role, isReset: isReset === 1 };
}

/**
 * Assigns the invitation's role to a user, once. Throws `last_owner` if the merchant would lose its last owner. A
 * reset invitation assigns no role: the user still has theirs.
 */
export async function acceptInvitation(
  unit: UnitOfWork,
  invitation: Invitation,
  userId: number,
  now: Instant,
): Promise<void> {
  const { numUpdatedRows } = await pendingInvitations(unit, now)
    .where('id', '=', invitation.id)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new Problem('invitation_invalid', 'The invitation was just used.');
  if (invitation.isReset) return;
  const assign = async () => await assignRole(unit, userId, invitation, now);
  if (invitation.merchantId === null) await assign();
  else await changeMembership(unit, invitation.merchantId, userId, now, assign);
}

/** A merchant's pending invitations; for null, the invitations of managers. */
export async function listInvitations(reader: Runner, merchantId: number | null, now: Instant) {
  return await db(reader)
    .selectFrom('invitations')
    .select(['id', 'email', 'role', 'expires_at'])
    .where('merchant_id', merchantId === null ? 'is' : '=', merchantId)
    .where('is_reset', '=', 0)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('id')
    .execute();
}

/** Revokes a pending invitation; false if there is none. */
export async function revokeInvitation(
  unit: UnitOfWork,
  merchantId: number | null,
  id: number,
  now: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await pendingInvitations(unit, now)
    .where('merchant_id', merchantId === null ? 'is' : '=', merchantId)
    .where('is_reset', '=', 0)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
