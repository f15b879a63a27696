import { type Kysely, sql } from 'kysely';

/** Adds the reviewer of a payment, and an index of payments that await review. */
export const decisions = {
  async up(query: Kysely<unknown>) {
    const statements = [
      'alter table fiat_transactions add column decided_by text',
      'alter table fiat_transactions add column decided_at bigint',
      'alter table fiat_transactions add column decision_reason text',
      `create index fiat_transactions_undecided on fiat_transactions (merchant_id, created_at, id)
        where status <> 'confirmed' and amount_received_minor > amount_refunded_minor`,
      // Replaced by the index above.
      'drop index fiat_transactions_in_part',
    ];
    for (const statement of statements) await sql.raw(statement).execute(query);
  },
};
