import type { Origin } from '../audit/audit-log.ts';
import type { UnitOfWork } from '../database/database.ts';
import { networkOf } from '../http/address.ts';
import { formatInstant } from '../shared/time.ts';
import type { AuthContext } from './context.ts';
import { listRecentOrigins } from './sessions.ts';
import { findUser, updateUser } from './users.ts';

/**
 * Called for every sign-in, before its session is created. Stores the language of the user's emails, and notifies the
 * user of a sign-in from a browser or network that is not among their recent ones. The first sign-in is not reported.
 */
export async function recordSignIn(
  { mailer, clock, publicUrl }: Pick<AuthContext, 'mailer' | 'clock' | 'publicUrl'>,
  unit: UnitOfWork,
  userId: number,
  origin: Origin,
): Promise<void> {
  if (!mailer.isOn) return;
  const user = await findUser(unit, userId);
  if (!user) return;
  const now = clock.now();
  const { language = null } = origin;
  if (language !== null && language !== user.locale) await updateUser(unit, userId, { locale: language }, now);
  const recent = await listRecentOrigins(unit, userId);
  if (recent.length === 0 || recent.some((each) => isSameDevice(each, origin))) return;
  await mailer.enqueue(unit, {
    ...{ merchantId: null, userId, recipient: user.email, locale: language ?? user.locale },
    content: {
      ...{ kind: 'new_sign_in', userAgent: origin.userAgent, address: origin.address },
      ...{ at: formatInstant(now), url: `${publicUrl}/account/me` },
    },
  });
}

/** The same browser, in any version, and the same network. */
function isSameDevice(one: Origin, other: Origin): boolean {
  const browserOf = ({ userAgent }: Origin) => userAgent.slice(0, 400).replaceAll(/[\d.]+/g, '');
  return browserOf(one) === browserOf(other) && networkOf(one.address) === networkOf(other.address);
}
