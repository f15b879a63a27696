import { hkdfSync } from 'node:crypto';
import type { MailContent } from '../api/mail.ts';
import { emailAddress } from '../api/people.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import { wakeJob } from '../jobs/runner.ts';
import type { MailKind, OptionalMailKind } from '../shared/mail-kinds.ts';
import type { Instant } from '../shared/time.ts';
import type { TokenScope } from '../shared/scopes.ts';
import type { Clock } from '../system/clock.ts';
import { type Random, randomId } from '../system/random.ts';
import { seal, sealingKey, sealingKeyId, type SealingKey, unseal } from '../system/sealed.ts';
import { listOptOuts } from './opt-outs.ts';
import { db } from './schema.ts';

/** The job that sends emails. */
export const MAIL_JOB = 'mail';

/** A member who may receive notifications. */
export interface EmailRecipient {
  id: number;
  email: string;
  locale: string | null;
}

/** Lists a merchant's members who have a scope. */
export type ListEmailRecipients = (
  unit: UnitOfWork,
  merchantId: number,
  scope: TokenScope,
) => Promise<readonly EmailRecipient[]>;

export interface NewMail {
  merchantId: number | null;
  recipient: string;
  /** BCP 47; null for English. */
  locale: string | null;
  content: MailContent;
  userId?: number;
  /** The payment that it is about. */
  transactionId?: number;
  /** At most one email is created with a key. */
  idempotencyKey?: string;
}

/** The transactional outbox of emails: an email is sent if and only if the unit of work that inserts it commits. */
export interface Mailer {
  /** False if no mail server is configured: nothing is inserted. */
  readonly isOn: boolean;
  /** Inserts an email. Returns its ID; null if it is not sent: no mail server, an invalid address, or a used key. */
  enqueue(unit: UnitOfWork, mail: NewMail): Promise<number | null>;
  /** Inserts an email to each of a merchant's members with a scope, except those who turned this kind off. */
  notifyMembers(
    unit: UnitOfWork,
    mail: {
      merchantId: number;
      scope: TokenScope;
      content: MailContent;
      /** At most one email per member is created with a key. */
      idempotencyKey?: string;
    },
  ): Promise<void>;
}

/** Encrypts the data of waiting emails: an invitation's contains its secret. */
export interface ContentSeal {
  seal(messageId: string, content: MailContent): string;
  unseal(messageId: string, sealed: string): MailContent;
  /** Reseals the data of waiting emails with the first key. Skips emails that no key opens. */
  resealAll(database: Database): Promise<void>;
}

/** Name under which an email's data is sealed. */
export const mailContentName = (messageId: string) => `email ${messageId}`;

/** The key that seals emails if no sealing key is configured. */
export function mailContentKey(serviceKey: Uint8Array): SealingKey {
  return sealingKey(new Uint8Array(hkdfSync('sha256', serviceKey, '', 'emails', 32)));
}

export function createContentSeal(
  random: Random,
  serviceKey: Uint8Array,
  sealingKeys: readonly SealingKey[],
): ContentSeal {
  const derivedKey = mailContentKey(serviceKey);
  const keys = [...sealingKeys, derivedKey];
  const key = sealingKeys[0] ?? derivedKey;
  return {
    seal: (messageId, content) => seal(key, mailContentName(messageId), Buffer.from(JSON.stringify(content)), random),
    unseal: (messageId, sealed) => {
      const bytes = unseal(keys, mailContentName(messageId), sealed);
      return JSON.parse(Buffer.from(bytes).toString()) as MailContent;
    },
    async resealAll(database) {
      const formerKeys = keys.filter(({ id }) => id !== key.id);
      const rows = await db(database)
        .selectFrom('mails')
        .select(['id', 'message_id', 'content'])
        // Waiting emails: there is an index of them.
        .where('next_attempt_at', 'is not', null)
        .execute();
      for (const { id, message_id: messageId, content } of rows) {
        if (content === null || !formerKeys.some((each) => each.id === sealingKeyId(content))) continue;
        const name = mailContentName(messageId);
        let opened: Uint8Array;
        try {
          opened = unseal(formerKeys, name, content);
        } catch {
          continue;
        }
        await db(database)
          .updateTable('mails')
          .set({ content: seal(key, name, opened, random) })
          .where('id', '=', id)
          // Skips an email that another process has sent or resealed in the meantime.
          .where('content', '=', content)
          .execute();
      }
    },
  };
}

export function createMailer({
  clock,
  random,
  contentSeal,
  listMembers,
  domain,
}: {
  clock: Clock;
  random: Random;
  contentSeal: ContentSeal;
  listMembers: ListEmailRecipients;
  /** Domain of the sender, for `Message-ID`; null without a mail server. */
  domain: string | null;
}): Mailer {
  const enqueue: Mailer['enqueue'] = async (unit, { content, ...mail }) => {
    if (domain === null) return null;
    const recipient = emailAddress.safeParse(mail.recipient);
    if (!recipient.success) return null;
    const now = clock.now();
    const messageId = `<${randomId(random)}@${domain}>`;
    const inserted = await db(unit)
      .insertInto('mails')
      .values({
        merchant_id: mail.merchantId,
        kind: content.kind,
        recipient: recipient.data,
        person_id: mail.userId ?? null,
        fiat_transaction_id: mail.transactionId ?? null,
        reference: mail.transactionId !== undefined && 'reference' in content ? content.reference : null,
        locale: mail.locale,
        content: contentSeal.seal(messageId, content),
        message_id: messageId,
        idempotency_key: mail.idempotencyKey ?? null,
        state: 'waiting',
        attempts_made: 0,
        next_attempt_at: now,
        created_at: now,
        finished_at: null,
        error: null,
      })
      .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!inserted) return null;
    wakeJob(unit, MAIL_JOB);
    return inserted.id;
  };
  return {
    isOn: domain !== null,
    enqueue,
    async notifyMembers(unit, { merchantId, scope, content, idempotencyKey }) {
      if (domain === null) return;
      const members = await listMembers(unit, merchantId, scope);
      const optOuts = await listOptOuts(unit, content.kind);
      for (const { id, email, locale } of members) {
        if (optOuts.has(id)) continue;
        await enqueue(unit, {
          ...{ merchantId, recipient: email, locale, content, userId: id },
          ...(idempotencyKey !== undefined && { idempotencyKey: `${content.kind} ${id} ${idempotencyKey}` }),
        });
      }
    },
  };
}

/** Deletes the emails about a payment, and those of the merchant to one address, sent or not. */
export async function eraseEmails(
  unit: UnitOfWork,
  { merchantId, transactionId, email }: { merchantId: number; transactionId?: number; email?: string },
): Promise<void> {
  const ofMerchant = db(unit).deleteFrom('mails').where('merchant_id', '=', merchantId);
  if (transactionId !== undefined) await ofMerchant.where('fiat_transaction_id', '=', transactionId).execute();
  if (email !== undefined)
    await ofMerchant
      .where('recipient', '=', email.toLowerCase())
      .where('fiat_transaction_id', 'is not', null)
      .execute();
}

/** Selects the payments that emails are about. */
export function selectEmailedPayments(reader: Runner) {
  return db(reader)
    .selectFrom('mails')
    .select('fiat_transaction_id')
    .where('fiat_transaction_id', 'is not', null)
    .$narrowType<{ fiat_transaction_id: number }>();
}

/** Lists the payments about which an address received emails. */
export async function findEmailedPayments(reader: Runner, merchantId: number, email: string): Promise<number[]> {
  const rows = await selectEmailedPayments(reader)
    .distinct()
    .where('merchant_id', '=', merchantId)
    .where('recipient', '=', email)
    .execute();
  return rows.map((row) => row.fiat_transaction_id);
}

/** Lists the recipients of the emails about a payment. */
export async function readRecipients(reader: Runner, merchantId: number, transactionId: number): Promise<string[]> {
  const rows = await db(reader)
    .selectFrom('mails')
    .select('recipient')
    .where('merchant_id', '=', merchantId)
    .where('fiat_transaction_id', '=', transactionId)
    .execute();
  return rows.map(({ recipient }) => recipient);
}

export function isOptional(kind: MailKind): kind is OptionalMailKind {
  return kind === 'review_waiting' || kind === 'endpoint_disabled';
}

/** The number of waiting emails, and the due time of the oldest; null without one. */
export async function readMailBacklog(database: Database): Promise<{ waiting: number; due: Instant | null }> {
  const { waiting, due } = await db(database)
    .selectFrom('mails')
    .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min<Instant | null>('next_attempt_at').as('due')])
    .where('next_attempt_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return { waiting, due };
}
