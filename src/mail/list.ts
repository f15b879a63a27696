import type { MailSummary } from '../api/mail.ts';
import { Problem } from '../api/problem-error.ts';
import type { Runner } from '../database/engine.ts';
import type { Principal } from '../operations/principal.ts';
import { payerMailKinds } from '../shared/mail-kinds.ts';
import { formatInstant } from '../shared/time.ts';
import { maskEmail } from '../system/mask.ts';
import { db } from './schema.ts';

/** The caller of a list: its merchant, and whether it sees the addresses of payers and of members. */
export interface MailReader {
  merchantId: number;
  canSeePayers: boolean;
  canSeeTeam: boolean;
}

/** Full addresses are shown to callers with the scopes that the lists of payments and members require. */
export function mailReaderOf({ merchantId, scopes }: Pick<Principal, 'merchantId' | 'scopes'>): MailReader {
  return { merchantId, canSeePayers: scopes.has('approval:write'), canSeeTeam: scopes.has('team:manage') };
}

function selectEmails(reader: Runner, merchantId: number) {
  return db(reader)
    .selectFrom('mails')
    .select(['id', 'kind', 'recipient', 'reference', 'state', 'attempts_made', 'created_at', 'finished_at', 'error'])
    .where('merchant_id', '=', merchantId);
}

type SelectedMail = Awaited<ReturnType<ReturnType<typeof selectEmails>['execute']>>[number];

function toSummary(
  { canSeePayers, canSeeTeam }: MailReader,
  { created_at, finished_at, attempts_made, reference, ...row }: SelectedMail,
): MailSummary {
  const { id, recipient, state, error } = row;
  const isShown = (payerMailKinds as readonly string[]).includes(row.kind) ? canSeePayers : canSeeTeam;
  return {
    ...{ id, state },
    recipient: isShown ? recipient : maskEmail(recipient),
    error: isShown ? error : error && withoutText(error),
    // Emails about a user's account have no merchant, so their kinds do not occur here.
    kind: row.kind as MailSummary['kind'],
    transaction_id: reference,
    attempts: attempts_made,
    created_at: formatInstant(created_at),
    finished_at: finished_at === null ? null : formatInstant(finished_at),
  };
}

/** Only the status codes of a response: its text may repeat the address. Our own reasons contain none. */
function withoutText(error: string): string {
  return /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?(?=\W|$)/.exec(error)?.[0] ?? error;
}

/** Reads one email of a merchant. */
export async function readMail(database: Runner, reader: MailReader, id: number): Promise<MailSummary> {
  const row = await selectEmails(database, reader.merchantId).where('id', '=', id).executeTakeFirst();
  if (!row) throw new Problem('not_found', 'There is no email with this ID.');
  return toSummary(reader, row);
}

/** Lists a merchant's emails, the newest first. */
export async function listEmails(
  database: Runner,
  reader: MailReader,
  { before, limit }: { before: number | null; limit: number },
): Promise<MailSummary[]> {
  let rows = selectEmails(database, reader.merchantId).orderBy('id', 'desc').limit(limit);
  if (before !== null) rows = rows.where('id', '<', before);
  return (await rows.execute()).map((row) => toSummary(reader, row));
}
