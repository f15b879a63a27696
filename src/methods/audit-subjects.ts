import type { AuditSubjects, ReadSubject } from '../audit/recorder.ts';
import type { Database } from '../database/database.ts';
import { maskCardNumbers } from '../system/mask.ts';
import { db } from './schema.ts';

/** The objects of audited operations, read from the tables: no secret is shown, and nothing changes by it. */
export function methodAuditSubjects(database: Database): AuditSubjects {
  const methods: ReadSubject = async ({ merchantId, body }) => {
    const { payment_methods: asked } = body as { payment_methods: { payment_method: string; currency: string }[] };
    const rows = await db(database)
      .selectFrom('merchant_methods')
      .select(['payment_method', 'currency', 'fee_fix_minor', 'fee_percent_millionths'])
      .where('merchant_id', '=', merchantId)
      .where('disabled_at', 'is', null)
      .execute();
    // A method that does not exist may be a card number in the wrong field.
    const named = asked.map((each) => ({ currency: each.currency, method: maskCardNumbers(each.payment_method) }));
    const state = named.map(({ method, currency }) => {
      const row = rows.find((each) => each.payment_method === method && each.currency === currency);
      return row ?? { payment_method: method, currency, status: 'disabled' };
    });
    const names = named.map(({ method, currency }) => `${method} ${currency}`);
    return { subject: names.join(', ').slice(0, 200), state };
  };

  return {
    setPaymentMethods: methods,
  };
}
