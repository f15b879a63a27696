import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which access token or command made an entry of the audit log, where no person did. */
export const auditActors: Migration = {
  async up(query: Kysely<unknown>) {
    await sql.raw('alter table audit_entries add column actor text').execute(query);
  },
};
