import type { Runner } from '../database/engine.ts';
import { db } from './schema.ts';
import type { PersonRole } from '../shared/roles.ts';
import { DAY, type Instant } from '../shared/time.ts';
import { hashSecret } from './tokens.ts';
import type { Clock } from '../system/clock.ts';
import type { UnitOfWork } from '../database/database.ts';
import { Problem } from '../api/problem-error.ts';
import type { Random } from '../system/random.ts';
import { changeMember, giveRole } from './users.ts';

/** For how long whoever has the link may join. */
const LIFETIME: Instant = 7 * DAY;

export interface Invitation {
  id: number;
  merchantId: number | null;
  email: string;
  role: PersonRole;
  /** Whether it restores access to an existing account. Only such a one may set a password or passkey for it. */
  isReset: boolean;
}

/**
 * Makes an invitation; answers what its link holds, which nothing else knows. Ends former ones of the merchant to
 * the same address; a reset ends those of every merchant.
 */
export async function invite(
  unit: UnitOfWork,
  options: {
    merchantId: number | null;
    email: string;
    role: PersonRole;
    invitedBy: string;
    isReset?: boolean;
    clock: Clock;
    random: Random;
  },
): Promise<{ id: number; secret: string; expiresAt: Instant }> {
  const { merchantId, email, role, isReset = false } = options;
  const now = options.clock.now();
  if (isReset) await endInvitations(unit, email, now);
  else
    await openInvitations(unit, now)
      .where('merchant_id', merchantId === null ? 'is' : '=', merchantId)
      .where('email', '=', email)
      .where('is_reset', '=', 0)
      .execute();
  const secret = Buffer.from(options.random.bytes(32)).toString('base64url');
  const expiresAt = now + LIFETIME;
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

/** Ends every open invitation to an address, of all merchants. */
export async function endInvitations(unit: UnitOfWork, email: string, now: Instant): Promise<number> {
  const { numUpdatedRows } = await openInvitations(unit, now).where('email', '=', email).executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

function openInvitations(unit: UnitOfWork, now: Instant) {
  return db(unit).updateTable('invitations').set({ accepted_at: now }).where('accepted_at', 'is', null);
}

/** The page that an invitation's link opens. What it holds stands behind the `#`, which browsers send to nobody. */
export function invitationLink(publicUrl: string, secret: string): string {
  return `${publicUrl}/account/join#${secret}`;
}

/** Finds an invitation that is good still, or throws the problem that says that it is not. */
export async function findInvitation(on: Runner, secret: string, now: Instant): Promise<Invitation> {
  const row = await db(on)
    .selectFrom('invitations')
    .select(['id', 'merchant_id', 'email', 'role', 'is_reset'])
    .where('hash', '=', hashSecret(secret))
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (!row) throw new Problem('invitation_over', 'The invitation was used, taken back, or has run out.');
  const { id, merchant_id: merchantId, email, role, is_reset: isReset } = row;
  return { id, merchantId, email, role, isReset: isReset === 1 };
}

/**
 * Gives a person what they were invited to, once. Throws `last_owner` where the merchant would lose its last owner.
 * An invitation by which access is restored gives no role: the person has theirs still.
 */
export async function acceptInvitation(
  unit: UnitOfWork,
  invitation: Invitation,
  personId: number,
  now: Instant,
): Promise<void> {
  const { numUpdatedRows } = await openInvitations(unit, now).where('id', '=', invitation.id).executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new Problem('invitation_over', 'The invitation has just been used.');
  if (invitation.isReset) return;
  const give = async () => await giveRole(unit, personId, invitation, now);
  if (invitation.merchantId === null) await give();
  else await changeMember(unit, invitation.merchantId, personId, now, give);
}

/** A merchant's invitations that nobody has followed yet; null for those of managers. */
export async function listInvitations(on: Runner, merchantId: number | null, now: Instant) {
  return await db(on)
    .selectFrom('invitations')
    .select(['id', 'email', 'role', 'expires_at'])
    .where('merchant_id', merchantId === null ? 'is' : '=', merchantId)
    .where('is_reset', '=', 0)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('id')
    .execute();
}

/** Takes an invitation back; false where there is none that could be followed. */
export async function takeBackInvitation(
  unit: UnitOfWork,
  merchantId: number | null,
  id: number,
  now: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await openInvitations(unit, now)
    .where('merchant_id', merchantId === null ? 'is' : '=', merchantId)
    .where('is_reset', '=', 0)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
