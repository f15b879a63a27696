import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  'alter table chain_payments add column written_off text',
  'alter table reconciliations rename column unexplained to unsettled',
  `update reconciliations set differences = replace(differences, '"unexplained":', '"unsettled":')`,
];

/** The part of a deposit that the operator wrote off, and the counts of the last reconciliation. */
export const settledDifferences: Migration = {
  async up(query: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(query);
  },
};
