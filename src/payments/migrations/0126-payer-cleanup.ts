import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Indexes of the payments with payers' data, so that its removal reads no other. */
export const payerCleanup: Migration = {
  async up(query: Kysely<unknown>) {
    await sql`create index fiat_transactions_payer_data on fiat_transactions (id)
      where payer is not null or buyer_network is not null or buyer_locale is not null`.execute(query);
    await sql`create index fiat_transactions_payers on fiat_transactions (merchant_id, id)
      where payer is not null`.execute(query);
    await sql`create index card_attempts_payer_data on card_attempts (id)
      where payer_name is not null or payer_email is not null`.execute(query);
  },
};
