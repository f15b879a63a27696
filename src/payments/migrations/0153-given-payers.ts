import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Engine } from '../../database/engine.ts';

const BATCH_SIZE = 500;

/**
 * Indexes the payer's name and email supplied by the merchant, for the same prefix search as those entered with a card.
 */
export function givenPayers(engine: Engine): Migration {
  const byteOrder = engine === 'postgres' ? ' collate "C"' : '';
  const index = (column: string) =>
    `create index fiat_transactions_${column} on fiat_transactions (merchant_id, ${column}${byteOrder}) where ${column} is not null`;
  const statements = [
    'alter table fiat_transactions add column payer_name_key text',
    'alter table fiat_transactions add column payer_email_key text',
    index('payer_name_key'),
    index('payer_email_key'),
  ];
  return {
    async up(query: Kysely<unknown>) {
      for (const statement of statements) await sql.raw(statement).execute(query);
      for (let last: number | undefined = 0; last !== undefined; ) last = await fillBatch(query, last);
    },
  };
}

async function fillBatch(query: Kysely<unknown>, after: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number; payer: string }>`select id, payer from fiat_transactions
    where payer is not null and id > ${after} order by id limit ${BATCH_SIZE}`.execute(query);
  for (const { id, payer } of rows) {
    const { first_name, last_name, email } = JSON.parse(payer) as Record<string, string | undefined>;
    const name = [first_name, last_name].filter(Boolean).join(' ');
    const nameKey = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
    await sql`update fiat_transactions set payer_name_key = ${nameKey || null},
      payer_email_key = ${email?.toLowerCase() ?? null} where id = ${id}`.execute(query);
  }
  return rows.at(-1)?.id;
}
