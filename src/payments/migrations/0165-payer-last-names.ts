import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Engine } from '../../database/engine.ts';

const BATCH_SIZE = 500;

interface StoredPayer {
  first_name?: string;
  last_name?: string;
}

/**
 * Indexes payers' names with the last name first, for a prefix search by last name. Attempts have stored the full name
 * only: of existing ones, the last word is the last name.
 */
export function payerLastNames(engine: Engine): Migration {
  const byteOrder = engine === 'postgres' ? ' collate "C"' : '';
  const addTo = (table: string) => [
    `alter table ${table} add column payer_last_name_key text`,
    `create index ${table}_payer_last_name_key on ${table} (merchant_id, payer_last_name_key${byteOrder})
      where payer_last_name_key is not null`,
  ];
  return {
    async up(query: Kysely<unknown>) {
      for (const statement of [...addTo('fiat_transactions'), ...addTo('card_attempts')])
        await sql.raw(statement).execute(query);
      await fill(query, 'fiat_transactions', 'payer', (payer) => {
        const { first_name, last_name } = JSON.parse(payer) as StoredPayer;
        return [last_name, first_name];
      });
      await fill(query, 'card_attempts', 'payer_name', (name) => {
        const words = name.split(' ');
        return [words.pop(), ...words];
      });
    },
  };
}

async function fill(
  query: Kysely<unknown>,
  table: string,
  column: string,
  namesOf: (stored: string) => readonly (string | undefined)[],
): Promise<void> {
  for (let last: number | undefined = 0; last !== undefined; ) {
    const { rows } = await sql<{ id: number; stored: string }>`select id, ${sql.ref(column)} as stored
      from ${sql.table(table)} where ${sql.ref(column)} is not null and id > ${last} order by id limit ${BATCH_SIZE}`.execute(
      query,
    );
    for (const { id, stored } of rows) {
      const name = namesOf(stored).filter(Boolean).join(' ');
      const key = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
      await sql`update ${sql.table(table)} set payer_last_name_key = ${key || null} where id = ${id}`.execute(query);
    }
    last = rows.at(-1)?.id;
  }
}
