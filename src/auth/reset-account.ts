import { db } from './schema.ts';
import type { Clock } from '../system/clock.ts';
import type { UnitOfWork } from '../database/database.ts';
import { Problem } from '../api/problem-error.ts';
import type { Random } from '../system/random.ts';
import { invite } from './invitations.ts';
import { findPersonByEmail, listMemberships, updatePerson } from './users.ts';
import { endSessions } from './sessions.ts';

/**
 * For who has lost every way to sign in: ends password, passkeys, second factor and sessions, and every open
 * invitation to the address. Answers the invitation by which they set new ones; no other can. Throws `not_found`.
 */
export async function resetAccount(
  unit: UnitOfWork,
  { email, clock, random }: { email: string; clock: Clock; random: Random },
) {
  const now = clock.now();
  const person = await findPersonByEmail(unit, email);
  if (!person) throw new Problem('not_found', `Nobody signs in as ${email}.`);
  const [membership] = await listMemberships(unit, person);
  if (!person.isManager && !membership) throw new Problem('not_found', `${email} has no part in any merchant.`);
  await db(unit).deleteFrom('passkeys').where('person_id', '=', person.id).execute();
  await db(unit).deleteFrom('recovery_codes').where('person_id', '=', person.id).execute();
  await updatePerson(unit, person.id, { passwordHash: null, secondFactor: null, newSecondFactor: null }, now);
  await endSessions(unit, person.id, { allBut: null }, now);
  return await invite(unit, {
    merchantId: person.isManager ? null : (membership?.merchantId ?? null),
    role: person.isManager ? 'manager' : (membership?.role ?? 'viewer'),
    ...{ email, clock, random },
    invitedBy: 'the command line',
    isReset: true,
  });
}
