import { lockRows } from '../database/database.ts';
import { referencesById, type SubjectOwner } from '../webhooks/subject.ts';
import { db } from './schema.ts';

/** Fiat transactions as subjects of events. Merchants find them by their own reference. */
export const fiatTransactionSubject: SubjectOwner = {
  async lock(unit, merchantId, id) {
    const transaction = db(unit).selectFrom('fiat_transactions').select('id').where('merchant_id', '=', merchantId);
    await lockRows(unit, transaction.where('id', '=', id)).execute();
  },
  async findByReference(on, merchantId, reference) {
    const rows = await db(on)
      .selectFrom('fiat_transactions')
      .select('id')
      .where('merchant_id', '=', merchantId)
      .where('transaction_id', '=', reference)
      .execute();
    return rows.map(({ id }) => id);
  },
  async readReferences(on, merchantId, ids) {
    const rows = await db(on)
      .selectFrom('fiat_transactions')
      .select(['id', 'transaction_id as reference'])
      .where('id', 'in', ids)
      .where('merchant_id', '=', merchantId)
      .execute();
    return referencesById(rows);
  },
};
