import type { Generated } from 'kysely';
import type { MailKind, OptionalMailKind } from '../shared/mail-kinds.ts';
import { tablesOf } from '../database/tables-of.ts';
import type { Instant } from '../shared/time.ts';

/** An outgoing email. */
export interface MailTable {
  id: Generated<number>;
  /** Null for emails about a user's own account, and for invitations of managers. */
  merchant_id: number | null;
  kind: MailKind;
  recipient: string;
  /** The member that receives it; null for payers and invitations. */
  person_id: number | null;
  /** The payment that it is about. Erasing the payment's payer deletes the email. */
  fiat_transaction_id: number | null;
  /** The merchant's reference of that payment. */
  reference: string | null;
  /** BCP 47; null for English. */
  locale: string | null;
  /** JSON of the template's data, sealed; null once the email is sent or failed. */
  content: string | null;
  /** The `Message-ID`, the same for every attempt. */
  message_id: string;
  /** At most one email is created with a key; null without such a limit. */
  idempotency_key: string | null;
  state: 'waiting' | 'sent' | 'failed';
  attempts_made: number;
  /** Null once it is sent or failed. */
  next_attempt_at: Instant | null;
  created_at: Instant;
  finished_at: Instant | null;
  /** The reason of the last failed attempt. */
  error: string | null;
}

/** A notification that a member has turned off. */
interface MailOptOutTable {
  person_id: number;
  kind: OptionalMailKind;
  created_at: Instant;
}

export interface MailTables {
  mails: MailTable;
  mail_opt_outs: MailOptOutTable;
}

export const { db } = tablesOf<MailTables>();
