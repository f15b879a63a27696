import type { MailSummary } from '../api/mail.ts';
import { Problem, validationProblem } from '../api/problem-error.ts';
import { limitEmails } from '../mail/limits.ts';
import { readMail } from '../mail/list.ts';
import type { StoreResponse } from '../operations/serve.ts';
import type { PaymentsContext } from './context.ts';
import { expireIfDue } from './expire.ts';
import { isExpired } from './expiry.ts';
import { linkEmail } from './emails.ts';
import { linkExpiredProblem, pendingConfirmationsProblem, requirePayable } from './payable.ts';
import { hasPendingConfirmations } from './push/instructions.ts';
import { lockWithAttempts } from './related-records.ts';
import type { FiatTransaction } from './schema.ts';

/**
 * Sends a payment link by email: to an address, or to the payer's from the merchant, which only `canSeePayers` returns
 * unmasked.
 */
export async function sendLink(
  context: PaymentsContext,
  transaction: FiatTransaction,
  { email, canSeePayers }: { email: string | null; canSeePayers: boolean },
  storeResponse: StoreResponse<{ email: MailSummary }>,
): Promise<{ email: MailSummary }> {
  const { database, mailer } = context;
  if (!mailer.isOn) throw new Problem('email_not_set_up', 'The service sends no email. Send the link yourself.');
  const current = await expireIfDue(context, transaction);
  const { merchantId } = current;
  const recipient = email ?? transaction.payer?.email ?? null;
  if (recipient === null)
    throw validationProblem([
      { pointer: '/email', code: 'required', detail: 'is required, because the payer’s address is unknown' },
    ]);
  await limitEmails(context, { merchantId, address: recipient });
  return await database.inTransaction(async (unit) => {
    const { locked, attempts, instructions } = await lockWithAttempts(unit, current);
    requirePayable(locked, attempts, instructions);
    if (instructions.some(hasPendingConfirmations)) throw pendingConfirmationsProblem();
    if (isExpired(locked, context.clock.now())) throw linkExpiredProblem();
    const mailId = await mailer.enqueue(unit, linkEmail(context, locked, recipient));
    if (mailId === null)
      throw validationProblem([{ pointer: '/email', code: 'invalid_email', detail: 'must be an email address' }]);
    const reader = { merchantId, canSeePayers: email !== null || canSeePayers, canSeeTeam: false };
    const response = { email: await readMail(unit, reader, mailId) };
    await storeResponse(unit, response);
    return response;
  });
}
