import type { UnitOfWork } from '../database/database.ts';
import { readDisplayName } from '../merchants/merchants.ts';
import type { UserRole } from '../shared/roles.ts';
import { formatInstant, type Instant } from '../shared/time.ts';
import type { AuthContext } from './context.ts';
import { invitationLink } from './invitations.ts';

/** Sends an invitation's link by email. False if the service sends no email. */
export async function emailInvitation(
  { mailer, publicUrl }: Pick<AuthContext, 'mailer' | 'publicUrl'>,
  unit: UnitOfWork,
  invitation: {
    merchantId: number;
    email: string;
    role: UserRole;
    secret: string;
    expiresAt: Instant;
    locale: string | null;
  },
): Promise<boolean> {
  if (!mailer.isOn) return false;
  const { merchantId, email, role, secret, expiresAt, locale } = invitation;
  const id = await mailer.enqueue(unit, {
    ...{ merchantId, recipient: email, locale },
    content: {
      ...{ kind: 'invitation', role, merchantName: await readDisplayName(unit, merchantId) },
      ...{ expiresAt: formatInstant(expiresAt), url: invitationLink(publicUrl, secret) },
    },
  });
  return id !== null;
}
