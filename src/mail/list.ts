import type { MailSummary } from '../api/mail.ts';
import { Problem } from '../api/problem-error.ts';
import type { Runner } from '../database/engine.ts';
import { formatInstant } from '../shared/time.ts';
import { db } from './schema.ts';

function selectMails(on: Runner, merchantId: number) {
  return db(on)
    .selectFrom('mails')
    .select(['id', 'kind', 'recipient', 'reference', 'state', 'attempts_made', 'created_at', 'finished_at', 'error'])
    .where('merchant_id', '=', merchantId);
}

type SelectedMail = Awaited<ReturnType<ReturnType<typeof selectMails>['execute']>>[number];

function toSummary({ created_at, finished_at, attempts_made, reference, ...row }: SelectedMail): MailSummary {
  const { id, recipient, state, error } = row;
  return {
    ...{ id, recipient, state, error },
    // Those about a user's own account have no merchant.
    kind: row.kind as MailSummary['kind'],
    transaction_id: reference,
    attempts: attempts_made,
    created_at: formatInstant(created_at),
    finished_at: finished_at === null ? null : formatInstant(finished_at),
  };
}

/** Reads one email of a merchant. */
export async function readMail(on: Runner, merchantId: number, id: number): Promise<MailSummary> {
  const row = await selectMails(on, merchantId).where('id', '=', id).executeTakeFirst();
  if (!row) throw new Problem('not_found', 'There is no email with this id.');
  return toSummary(row);
}

/** Lists a merchant's emails, the newest first. */
export async function listMails(
  on: Runner,
  merchantId: number,
  { before, limit }: { before: number | null; limit: number },
): Promise<MailSummary[]> {
  let rows = selectMails(on, merchantId).orderBy('id', 'desc').limit(limit);
  if (before !== null) rows = rows.where('id', '<', before);
  return (await rows.execute()).map(toSummary);
}
