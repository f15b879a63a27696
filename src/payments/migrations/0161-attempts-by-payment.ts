import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Orders the attempts with payers' data by payment: those of the oldest payments are removed first. */
export const attemptsByPayment: Migration = {
  async up(query: Kysely<unknown>) {
    await sql`drop index card_attempts_payer_data`.execute(query);
    await sql`create index card_attempts_payer_data on card_attempts (fiat_transaction_id)
      where payer_name is not null or payer_email is not null`.execute(query);
  },
};
