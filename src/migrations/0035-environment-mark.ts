import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The environment of a database. One with sandbox data (its page key, simulated chains or simulated payments) belongs
 * to the sandbox; any other belongs to the environment that uses it next.
 */
export const environmentMark: Migration = {
  async up(query: Kysely<unknown>) {
    const traces = ['service_keys', 'simulated_chains', 'sandbox_charges', 'sandbox_push_payments'];
    const statements = [
      'create table installation (name text primary key, value text not null)',
      `insert into installation (name, value) select 'environment', 'sandbox'
        where ${traces.map((table) => `exists (select 1 from ${table})`).join(' or ')}`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(query);
  },
};
