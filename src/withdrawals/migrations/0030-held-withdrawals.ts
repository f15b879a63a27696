import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds `held_until`: until when a withdrawal to a new address is held; null if it is not. */
export const heldWithdrawals: Migration = {
  async up(query: Kysely<unknown>) {
    await sql.raw('alter table withdrawals add column held_until bigint').execute(query);
  },
};
