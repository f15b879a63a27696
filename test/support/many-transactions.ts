import { db } from './tables.ts';
import { sql } from 'kysely';
import type { Database } from '../../src/database/database.ts';

/** Inserts `count` copies of a transaction with SQL, each created a microsecond after the previous one. */
export async function copyTransaction(database: Database, id: number, count: number): Promise<void> {
  const tables = await db(database).introspection.getTables();
  const columns = tables.find(({ name }) => name === 'fiat_transactions')?.columns.map(({ name }) => name) ?? [];
  const copied = columns.filter((name) => name !== 'id');
  // Link IDs have 27 characters.
  const numbered = database.engine === 'postgres' ? sql`lpad(n::text, 22, '0')` : sql`printf('%022d', n)`;
  const values = copied.map((name) => {
    if (name === 'transaction_id') return sql`'copy-' || n`;
    if (name === 'link_id') return sql`'copy-' || ${numbered}`;
    if (name === 'created_at' || name === 'updated_at') return sql`${sql.ref(`model.${name}`)} + n`;
    return sql.ref(`model.${name}`);
  });
  const series =
    database.engine === 'postgres'
      ? sql`generate_series(1, ${count}::bigint) as series (n)`
      : sql`(with recursive counted (n) as (select 1 union all select n + 1 from counted where n < ${count}) select n from counted) as series`;
  await sql`insert into fiat_transactions (${sql.join(copied.map((name) => sql.ref(name)))})
    select ${sql.join(values)} from fiat_transactions as model, ${series} where model.id = ${id}`.execute(db(database));
}
