import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The access token or command of an audit log entry, for actors other than users. */
export const auditActors: Migration = {
  async up(query: Kysely<unknown>) {
    await sql.raw('alter table audit_entries add column actor text').execute(query);
  },
};
