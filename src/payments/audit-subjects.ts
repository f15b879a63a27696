import type { AuditSubjects, ReadSubject } from '../audit/recorder.ts';
import type { Database } from '../database/database.ts';
import { db } from './schema.ts';

/** Audited operations on a payment. Their entries may repeat its payer's data. */
export const PAYMENT_OPERATIONS = [
  ...['createTransaction', 'acceptTransaction', 'rejectTransaction', 'cancelTransaction', 'sendPaymentLink'],
  ...['renewTransaction', 'captureTransaction', 'voidTransaction', 'refundTransaction'],
];

/** Subjects of audited operations and their state, without secrets. Read-only. */
export function paymentAuditSubjects(database: Database): AuditSubjects {
  const payment: ReadSubject = async ({ merchantId, body }) => {
    const { transaction_id: reference } = body as { transaction_id: string };
    const row = await db(database)
      .selectFrom('fiat_transactions')
      .select(['status', 'reason', 'currency', 'amount_minor', 'amount_received_minor', 'amount_refunded_minor'])
      .select(['decided_by', 'decision_reason', 'authorization_status'])
      .where('merchant_id', '=', merchantId)
      .where('transaction_id', '=', reference)
      .executeTakeFirst();
    return { subject: reference, state: row ?? null };
  };

  /** Excludes the erased data, including the email address that selected it. */
  const erasure: ReadSubject = ({ body, response }) => {
    const { transaction_id: reference } = body as { transaction_id?: string };
    return Promise.resolve({ subject: reference ?? 'payer by email', state: response ?? null });
  };

  const reusableLink: ReadSubject = async ({ merchantId, body, response }) => {
    const { id } = { ...(response as object | undefined), ...(body as object) } as { id?: string };
    if (id === undefined) return { subject: null, state: null };
    const row = await db(database)
      .selectFrom('reusable_links')
      .select(['title', 'description', 'image_url', 'country', 'currency', 'payment_method', 'fee_calculation'])
      .select(['amount_minor', 'minimum_minor', 'maximum_minor', 'suggested_minor', 'stock'])
      .select(['minimum_quantity', 'maximum_quantity', 'asks_email', 'asks_name'])
      .select(['success_redirect_url', 'fail_redirect_url', 'archived_at'])
      .where('merchant_id', '=', merchantId)
      .where('public_id', '=', id)
      .executeTakeFirst();
    return { subject: `reusable link ${id}`, state: row ?? null };
  };

  return {
    erasePayer: erasure,
    createReusableLink: reusableLink,
    updateReusableLink: reusableLink,
    archiveReusableLink: reusableLink,
    ...Object.fromEntries(PAYMENT_OPERATIONS.map((id) => [id, payment])),
  };
}
