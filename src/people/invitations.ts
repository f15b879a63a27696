import type { PersonRole } from '../contract/person.ts';
import { DAY, type Instant } from '../contract/time.ts';
import { hashSecret } from '../merchants/tokens.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, UnitOfWork } from '../platform/database/database.ts';
import { Problem } from '../platform/problem.ts';
import type { Random } from '../platform/random.ts';
import { giveRole } from './people.ts';

/** For how long whoever has the link may join. */
const LIFETIME: Instant = 7 * DAY;

export interface Invitation {
  id: number;
  merchantId: number | null;
  email: string;
  role: PersonRole;
}

/** Makes an invitation; answers what its link holds, which nothing else knows. Former ones of the same address are over. */
export async function invite(
  unit: UnitOfWork,
  options: {
    merchantId: number | null;
    email: string;
    role: PersonRole;
    invitedBy: string;
    clock: Clock;
    random: Random;
  },
): Promise<{ id: number; secret: string; expiresAt: Instant }> {
  const { merchantId, email, role } = options;
  const now = options.clock.now();
  await unit.query
    .updateTable('invitations')
    .set({ accepted_at: now })
    .where('merchant_id', merchantId === null ? 'is' : '=', merchantId)
    .where('email', '=', email)
    .where('accepted_at', 'is', null)
    .execute();
  const secret = Buffer.from(options.random.bytes(32)).toString('base64url');
  const expiresAt = now + LIFETIME;
  const { id } = await unit.query
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
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, secret, expiresAt };
}

/** The page that an invitation's link opens. What it holds stands behind the `#`, which browsers send to nobody. */
export function invitationLink(publicUrl: string, secret: string): string {
  return `${publicUrl}/account/join#${secret}`;
}

/** Finds an invitation that is good still, or throws the problem that says that it is not. */
export async function findInvitation(
  { query }: Pick<Database, 'query'>,
  secret: string,
  now: Instant,
): Promise<Invitation> {
  const row = await query
    .selectFrom('invitations')
    .select(['id', 'merchant_id', 'email', 'role'])
    .where('hash', '=', hashSecret(secret))
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (!row) throw new Problem('invitation_over', 'The invitation was used, taken back, or has run out.');
  return { id: row.id, merchantId: row.merchant_id, email: row.email, role: row.role };
}

/** Gives a person what they were invited to, once. */
export async function acceptInvitation(
  unit: UnitOfWork,
  invitation: Invitation,
  personId: number,
  now: Instant,
): Promise<void> {
  const { numUpdatedRows } = await unit.query
    .updateTable('invitations')
    .set({ accepted_at: now })
    .where('id', '=', invitation.id)
    .where('accepted_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new Problem('invitation_over', 'The invitation has just been used.');
  await giveRole(unit, personId, invitation, now);
}

/** A merchant's invitations that nobody has followed yet. */
export async function listInvitations({ query }: Pick<Database, 'query'>, merchantId: number, now: Instant) {
  return await query
    .selectFrom('invitations')
    .select(['id', 'email', 'role', 'expires_at'])
    .where('merchant_id', '=', merchantId)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('id')
    .execute();
}

/** Takes an invitation back; false where there is none that could be followed. */
export async function takeBackInvitation(
  unit: UnitOfWork,
  merchantId: number,
  id: number,
  now: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await unit.query
    .updateTable('invitations')
    .set({ accepted_at: now })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
