import { sql } from 'kysely';
import type { Database } from '../../src/database/database.ts';

/** Every table, column, default, index and constraint, read from the engine's catalog. */
export async function describeSchema({ engine, query }: Database): Promise<string[]> {
  const statement =
    engine === 'sqlite'
      ? sql<{ line: string }>`
          select type || ' ' || name || ': ' || coalesce(sql, '') as line from sqlite_master`
      : sql<{ line: string }>`
          select concat_ws(' ', 'column', table_name, ordinal_position, column_name, data_type, is_nullable,
            column_default, identity_generation) as line
            from information_schema.columns where table_schema = 'public'
          union all select 'index ' || indexdef from pg_indexes where schemaname = 'public'
          union all select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
            from pg_constraint where connamespace = 'public'::regnamespace`;
  const { rows } = await statement.execute(query);
  return rows.map(({ line }) => line).sort();
}
