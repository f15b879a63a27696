import { lockRows } from '../database/database.ts';
import { db, statement } from './schema.ts';
import { referencesById, type SubjectOwner } from '../webhooks/subject.ts';

const lockById = statement((query, { merchantId, id }: { merchantId: number; id: number }, reader) =>
  lockRows(
    reader,
    query.selectFrom('withdrawals').select('id').where('merchant_id', '=', merchantId).where('id', '=', id),
  ),
);

/** Withdrawals as event subjects; referenced by our `id`. */
export const withdrawalSubject: SubjectOwner = {
  async lock(unit, merchantId, id) {
    await lockById(unit, { merchantId, id });
  },
  async findByReference(reader, merchantId, reference) {
    const rows = await db(reader)
      .selectFrom('withdrawals')
      .select('id')
      .where('merchant_id', '=', merchantId)
      .where('public_id', '=', reference)
      .execute();
    return rows.map(({ id }) => id);
  },
  async readReferences(reader, merchantId, ids) {
    const rows = await db(reader)
      .selectFrom('withdrawals')
      .select(['id', 'public_id as reference'])
      .where('id', 'in', ids)
      .where('merchant_id', '=', merchantId)
      .execute();
    return referencesById(rows);
  },
};

/** Changes of withdrawal destinations as event subjects; shown by their currency. */
export const withdrawalDestinationSubject: SubjectOwner = {
  async lock(unit, merchantId, id) {
    const change = db(unit).selectFrom('withdrawal_destinations').select('id').where('merchant_id', '=', merchantId);
    await lockRows(unit, change.where('id', '=', id)).execute();
  },
  async findByReference() {
    return await Promise.resolve([]);
  },
  async readReferences(reader, merchantId, ids) {
    const rows = await db(reader)
      .selectFrom('withdrawal_destinations')
      .select(['id', 'code as reference'])
      .where('id', 'in', ids)
      .where('merchant_id', '=', merchantId)
      .execute();
    return referencesById(rows);
  },
};
