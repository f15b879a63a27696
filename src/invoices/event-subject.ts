import { lockRows } from '../database/database.ts';
import { db, statement } from './schema.ts';
import { referencesById, type SubjectOwner } from '../webhooks/subject.ts';

const lockById = statement((query, { merchantId, id }: { merchantId: number; id: number }, reader) =>
  lockRows(
    reader,
    query.selectFrom('crypto_transactions').select('id').where('merchant_id', '=', merchantId).where('id', '=', id),
  ),
);

/** Crypto transactions as event subjects; referenced by the merchant's `txId` or by our `id`. */
export const cryptoTransactionSubject: SubjectOwner = {
  async lock(unit, merchantId, id) {
    await lockById(unit, { merchantId, id });
  },
  async findByReference(reader, merchantId, reference) {
    const transactions = db(reader)
      .selectFrom('crypto_transactions')
      .select('id')
      .where('merchant_id', '=', merchantId);
    const rows = await transactions
      .where('tx_id', '=', reference)
      .unionAll(transactions.where('public_id', '=', reference))
      .execute();
    return rows.map(({ id }) => id);
  },
  async readReferences(reader, merchantId, ids) {
    const rows = await db(reader)
      .selectFrom('crypto_transactions')
      .select(['id', ({ fn }) => fn.coalesce('tx_id', 'public_id').as('reference')])
      .where('id', 'in', ids)
      .where('merchant_id', '=', merchantId)
      .execute();
    return referencesById(rows);
  },
};
