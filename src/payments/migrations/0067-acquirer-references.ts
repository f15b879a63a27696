import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Keeps the acquirer's own references, the fields of posted challenges, and the network's response to a charge. */
export const acquirerReferences: Migration = {
  async up(query: Kysely<unknown>) {
    const statements = [
      'alter table card_attempts add column acquirer_reference text',
      'alter table card_attempts add column challenge_fields text',
      'alter table card_attempts add column charge_details text',
      'alter table payment_instructions add column acquirer_reference text',
      'alter table refunds add column acquirer_reference text',
    ];
    for (const statement of statements) await sql.raw(statement).execute(query);
  },
};
