import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Orders the wallets to sweep, the largest balance first. Digits compare like numbers if they have the same length. */
export const walletsByBalance: Migration = {
  async up(query: Kysely<unknown>) {
    await sql`create index wallets_by_balance on wallets
      (merchant_id, code, wallet_account_id, length(balance) desc, balance desc, id) where balance <> '0'`.execute(
      query,
    );
  },
};
