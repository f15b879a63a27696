import { db } from './schema.ts';
import type { Clock } from '../system/clock.ts';
import type { UnitOfWork } from '../database/database.ts';
import { Problem } from '../api/problem-error.ts';
import type { Random } from '../system/random.ts';
import { createInvitation } from './invitations.ts';
import { findUserByEmail, listMemberships, updateUser } from './users.ts';
import { endSessions } from './sessions.ts';

/**
 * Restores access for a user who lost all credentials. Removes password, passkeys, second factor, sessions and open
 * invitations. Returns the only invitation that can set new credentials. Throws `not_found`.
 */
export async function resetAccount(
  unit: UnitOfWork,
  { email, clock, random }: { email: string; clock: Clock; random: Random },
) {
  const now = clock.now();
  const user = await findUserByEmail(unit, email);
  if (!user) throw new Problem('not_found', `No user has the email address ${email}.`);
  const [membership] = await listMemberships(unit, user);
  if (!user.isManager && !membership) throw new Problem('not_found', `${email} is not a member of any merchant.`);
  await db(unit).deleteFrom('passkeys').where('person_id', '=', user.id).execute();
  await db(unit).deleteFrom('recovery_codes').where('person_id', '=', user.id).execute();
  await updateUser(unit, user.id, { passwordHash: null, secondFactor: null, newSecondFactor: null }, now);
  await endSessions(unit, user.id, { allBut: null }, now);
  return await createInvitation(unit, {
    merchantId: user.isManager ? null : (membership?.merchantId ?? null),
    role: user.isManager ? 'manager' : (membership?.role ?? 'viewer'),
    ...{ email, clock, random },
    invitedBy: 'the command line',
    isReset: true,
  });
}
