import { type AuditSubjects, type ReadSubject, subjectOfList } from '../audit/recorder.ts';
import type { Database } from '../database/database.ts';
import { maskCardNumbers } from '../system/mask.ts';
import { db } from './schema.ts';

/** Subjects of audited operations and their state, without secrets. Read-only. */
export function methodAuditSubjects(database: Database): AuditSubjects {
  const methods: ReadSubject = async ({ merchantId, body }) => {
    const { payment_methods: settings } = body as { payment_methods: { payment_method: string; currency: string }[] };
    const rows = await db(database)
      .selectFrom('merchant_methods')
      .select(['payment_method', 'currency', 'fee_fix_minor', 'fee_percent_millionths'])
      .where('merchant_id', '=', merchantId)
      .where('disabled_at', 'is', null)
      .execute();
    // An unknown method may be a card number in the wrong field.
    const masked = settings.map((each) => ({ currency: each.currency, method: maskCardNumbers(each.payment_method) }));
    const state = masked.map(({ method, currency }) => {
      const row = rows.find((each) => each.payment_method === method && each.currency === currency);
      return row ?? { payment_method: method, currency, status: 'disabled' };
    });
    const names = masked.map(({ method, currency }) => `${method} ${currency}`);
    return { subject: subjectOfList(names), state };
  };

  return {
    setPaymentMethods: methods,
  };
}
