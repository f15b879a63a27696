import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Wallets whose balances are scanned for transfers by contracts, and an index for the operator's own ether. */
export const balances: Migration = {
  async up(query: Kysely<unknown>) {
    for (const statement of [
      `create table watched_balances (
        wallet_id bigint not null primary key references wallets (id),
        chain text not null,
        height bigint not null,
        balance text,
        sent bigint,
        is_patient bigint not null,
        idle_since bigint
      )`,
      'create index watched_balances_turn on watched_balances (chain, is_patient, wallet_id)',
      `create index withdrawals_gas on withdrawals (chain, destination) where purpose = 'gas'`,
    ])
      await sql.raw(statement).execute(query);
  },
};
