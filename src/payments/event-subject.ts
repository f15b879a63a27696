import { lockRows } from '../database/database.ts';
import { referencesById, type SubjectOwner } from '../webhooks/subject.ts';
import { db, statement } from './schema.ts';

const lockById = statement((query, { merchantId, id }: { merchantId: number; id: number }, runner) =>
  lockRows(
    runner,
    query.selectFrom('fiat_transactions').select('id').where('merchant_id', '=', merchantId).where('id', '=', id),
  ),
);

/** Fiat transactions as subjects of events. Merchants find them by their own reference. */
export const fiatTransactionSubject: SubjectOwner = {
  async lock(unit, merchantId, id) {
    await lockById(unit, { merchantId, id });
  },
  async findByReference(reader, merchantId, reference) {
    const rows = await db(reader)
      .selectFrom('fiat_transactions')
      .select('id')
      .where('merchant_id', '=', merchantId)
      .where('transaction_id', '=', reference)
      .execute();
    return rows.map(({ id }) => id);
  },
  async readReferences(reader, merchantId, ids) {
    const rows = await db(reader)
      .selectFrom('fiat_transactions')
      .select(['id', 'transaction_id as reference'])
      .where('id', 'in', ids)
      .where('merchant_id', '=', merchantId)
      .execute();
    return referencesById(rows);
  },
};
