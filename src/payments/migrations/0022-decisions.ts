import { type Kysely, sql } from 'kysely';

/** Who has decided about the money of a payment, and what leads to the money that waits for that. */
export const decisions = {
  async up(query: Kysely<unknown>) {
    const statements = [
      'alter table fiat_transactions add column decided_by text',
      'alter table fiat_transactions add column decided_at bigint',
      'alter table fiat_transactions add column decision_reason text',
      `create index fiat_transactions_undecided on fiat_transactions (merchant_id, created_at, id)
        where status <> 'confirmed' and amount_received_minor > amount_refunded_minor`,
      // What it led to is among these.
      'drop index fiat_transactions_in_part',
    ];
    for (const statement of statements) await sql.raw(statement).execute(query);
  },
};
