import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Marks invitations that restore access to a reset account: only these may set a password or passkey for it. */
export const resetInvitations: Migration = {
  async up(query: Kysely<unknown>) {
    await sql.raw('alter table invitations add column is_reset bigint not null default 0').execute(query);
    await sql.raw('create index invitations_email on invitations (email)').execute(query);
  },
};
