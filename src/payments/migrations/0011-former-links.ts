import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds former links of renewed transactions, which redirect to the current link. */
export const formerLinks: Migration = {
  async up(query: Kysely<unknown>) {
    await sql`create table former_links (
      link_id text primary key,
      merchant_id bigint not null references merchants (id),
      fiat_transaction_id bigint not null references fiat_transactions (id),
      renewed_at bigint not null
    )`.execute(query);
    await sql`create index former_links_transaction on former_links (merchant_id, fiat_transaction_id)`.execute(query);
  },
};
