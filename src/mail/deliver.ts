import type { MailDocument, MailPages } from '../api/mail.ts';
import { emailAddress } from '../api/people.ts';
import type { Database } from '../database/database.ts';
import { createDueJob } from '../jobs/due.ts';
import { createCleanupJob, type Job } from '../jobs/runner.ts';
import { findBrand } from '../merchants/merchants.ts';
import { payerMailKinds } from '../shared/mail-kinds.ts';
import { DAY, HOUR, type Instant, MINUTE } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import { describeError, type Log } from '../system/log.ts';
import type { Metrics } from '../system/metrics.ts';
import type { Selectable } from 'kysely';
import type { UnsubscribeTokens } from './opt-outs.ts';
import { type ContentSeal, isOptional, MAIL_JOB } from './outbox.ts';
import { db, type MailTable } from './schema.ts';
import { MAX_ATTEMPT, MAX_CONNECTIONS, type MailTransport, type SendFailure } from './smtp.ts';

/** Backoff before each retry. After the last one the email fails: a late notice about a payment would confuse its reader. */
const backoffs: readonly Instant[] = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];

/** Time for which emails are listed. Their content is deleted as soon as they are sent or failed. */
const RETENTION: Instant = 30 * DAY;

type MailRow = Selectable<MailTable>;

export interface MailContext {
  database: Database;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  publicUrl: string;
  isSandbox: boolean;
  pages: MailPages;
  contentSeal: ContentSeal;
  unsubscribeTokens: UnsubscribeTokens;
  /** Null if no mail server is configured. */
  transport: MailTransport | null;
  /** The operator's name for the sender; empty without one. */
  senderName: string;
}

/** Sends waiting emails. An attempt whose response is lost is repeated with the same `Message-ID`. */
export function createMailJob(context: MailContext, transport: MailTransport): Job {
  const { database, clock, metrics } = context;

  const finish = async (
    { id, attempts_made: attemptsMade }: MailRow,
    change: { state: MailRow['state']; error: string | null; nextAttemptAt: Instant | null },
  ) => {
    const { state, error, nextAttemptAt } = change;
    const isFinished = nextAttemptAt === null;
    await database.writeOne(async (runner) => {
      await db(runner)
        .updateTable('mails')
        .set({
          ...{ state, error, attempts_made: attemptsMade + 1, next_attempt_at: nextAttemptAt },
          ...(isFinished && { finished_at: clock.now(), content: null }),
        })
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .execute();
    });
  };

  const attempt = async (row: MailRow): Promise<SendFailure | null> => {
    try {
      return await sendRow(context, transport, row);
    } catch (error) {
      context.log.error({ mail: row.id, error: describeError(error) }, 'email could not be rendered');
      return { isPermanent: false, reason: 'The email could not be rendered' };
    }
  };

  const deliver = async (row: MailRow): Promise<void> => {
    const failure = await attempt(row);
    if (failure === null) {
      await finish(row, { state: 'sent', error: null, nextAttemptAt: null });
      metrics.emails.inc({ kind: row.kind, result: 'sent' });
      return;
    }
    const backoff = failure.isPermanent ? undefined : backoffs[row.attempts_made];
    const isFailed = backoff === undefined;
    await finish(row, {
      state: isFailed ? 'failed' : 'waiting',
      error: failure.reason,
      nextAttemptAt: isFailed ? null : clock.now() + backoff,
    });
    metrics.emails.inc({ kind: row.kind, result: isFailed ? 'failed' : 'retried' });
    // Logs neither the recipient nor the response, which may repeat the address.
    context.log.warn({ mail: row.id, kind: row.kind, isPermanent: failure.isPermanent }, 'email could not be sent');
  };

  return createDueJob(context, db, {
    ...{ name: MAIL_JOB, table: 'mails', column: 'next_attempt_at' },
    ...{ limit: MAX_CONNECTIONS, claimDuration: MAX_ATTEMPT, work: deliver },
  });
}

async function sendRow(context: MailContext, transport: MailTransport, row: MailRow): Promise<SendFailure | null> {
  if (row.content === null) throw new Error('The content of a queued email is missing');
  const content = context.contentSeal.unseal(row.message_id, row.content);
  const brand = isPayerMail(row) ? await readBrand(context, row.merchant_id) : null;
  const unsubscribeUrl = unsubscribeUrlOf(context, row);
  const document = { content, brand, locale: row.locale, unsubscribeUrl, isSandbox: context.isSandbox };
  const replyTo = emailAddress.safeParse(brand?.contact ?? '');
  return await transport.send({
    ...context.pages.renderMail(document),
    messageId: row.message_id,
    recipient: row.recipient,
    senderName: brand?.name ?? (context.senderName || 'Paylatch'),
    replyTo: replyTo.success ? replyTo.data : null,
    unsubscribeUrl,
  });
}

function isPayerMail<Row extends Pick<MailRow, 'kind' | 'merchant_id'>>(
  row: Row,
): row is Row & { merchant_id: number } {
  return row.merchant_id !== null && (payerMailKinds as readonly string[]).includes(row.kind);
}

/** A merchant's branding with an absolute URL of its logo. */
export async function readBrand(
  { database, publicUrl }: Pick<MailContext, 'database' | 'publicUrl'>,
  merchantId: number,
): Promise<MailDocument['brand']> {
  const { name, color, logoUrl, contact } = await findBrand(database, merchantId);
  return { name, color, contact, logoUrl: logoUrl === null ? null : new URL(logoUrl, `${publicUrl}/`).href };
}

function unsubscribeUrlOf({ publicUrl, unsubscribeTokens }: MailContext, { person_id: userId, kind }: MailRow) {
  return userId !== null && isOptional(kind)
    ? `${publicUrl}/unsubscribe/${unsubscribeTokens.create(userId, kind)}`
    : null;
}

/** Deletes old emails, including those that were never sent because the mail server was removed. */
export function createMailCleanup({ database, clock }: Pick<MailContext, 'database' | 'clock'>): Job {
  return createCleanupJob('mail cleanup', clock, async (now) => {
    await database.writeOne(async (runner) => {
      await db(runner)
        .deleteFrom('mails')
        .where('finished_at', '<', now - RETENTION)
        .execute();
      await db(runner)
        .deleteFrom('mails')
        .where('next_attempt_at', '<', now - RETENTION)
        .execute();
    });
  });
}
