import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { toBackupValue } from '../backup/backup.ts';
import type { BackupValue } from '../backup/file.ts';
import { z } from 'zod';
import { engineOf, type Runner } from '../database/engine.ts';
import type { TableSchema } from '../migrations/describe-tables.ts';
import { db } from './schema.ts';

/** Values in the order of the table's columns. */
export type Row = BackupValue[];

/** Bounds memory use. */
const PAGE_ROWS = 500;
/** Bounds a stored part, which is one value in a backup. With the characters added per row: at most 500 rows. */
const PART_CHARACTERS = 100_000;
const ROW_CHARACTERS = 200;

const columnsOf = ({ columns }: TableSchema) => sql.join(columns.map(({ name }) => sql.ref(name)));
const keyOf = ({ primaryKey }: TableSchema) => sql.join(primaryKey.map((name) => sql.ref(name)));

function toRow({ name, columns }: TableSchema, stored: Record<string, unknown>): Row {
  return columns.map((column) => toBackupValue(name, column.name, stored[column.name]));
}

/** Reads rows page by page along the primary key. */
export async function* readRows(
  { query }: Runner,
  table: TableSchema,
  condition: RawBuilder<boolean>,
): AsyncGenerator<Row[]> {
  const positions = table.primaryKey.map((name) => table.columns.findIndex((column) => column.name === name));
  let after: RawBuilder<unknown> = sql``;
  for (;;) {
    const { rows } = await sql<Record<string, unknown>>`select ${columnsOf(table)} from ${sql.table(table.name)}
      where ${condition} ${after} order by ${keyOf(table)} limit ${sql.lit(PAGE_ROWS)}`.execute(query);
    const page = rows.map((row) => toRow(table, row));
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < PAGE_ROWS) return;
    after = sql`and (${keyOf(table)}) > (${sql.join(positions.map((position) => last[position]))})`;
  }
}

/**
 * Moves a merchant's rows of a table to `moved_rows`, within the database. On PostgreSQL, exactly the deleted ones are
 * stored: a row that another transaction changes is deleted after its commit, with the change.
 */
export async function storeRows(
  runner: Runner,
  table: TableSchema,
  { merchantId, condition, keep = false }: { merchantId: number; condition: RawBuilder<boolean>; keep?: boolean },
): Promise<void> {
  const isPostgres = engineOf(runner) === 'postgres';
  const from = sql`from ${sql.table(table.name)} where ${condition}`;
  const insert = sql`insert into moved_rows (merchant_id, table_name, part, content)`;
  const owner = sql`cast(${merchantId} as bigint), cast(${table.name} as text)`;
  const part = sql`sum(length(content) + ${sql.lit(ROW_CHARACTERS)}) over (rows unbounded preceding)
    / ${sql.lit(PART_CHARACTERS)} as part`;
  if (isPostgres) {
    const row = sql`json_build_array(${columnsOf(table)})::text as content`;
    const taken = keep ? sql`select ${row} ${from}` : sql`delete ${from} returning ${row}`;
    await sql`with taken as (${taken}), numbered as (select content, ${part} from taken)
      ${insert} select ${owner}, part, '[' || string_agg(content, ',') || ']'
      from numbered group by part`.execute(runner.query);
    return;
  }
  await sql`${insert} select ${owner}, part, '[' || group_concat(content, ',') || ']'
    from (select content, ${part} from (select json_array(${columnsOf(table)}) as content ${from}))
    group by part`.execute(runner.query);
  if (!keep) await sql`delete ${from}`.execute(runner.query);
}

/** Reads the stored rows of a table. */
export async function* readMovedRows(runner: Runner, merchantId: number, table: string): AsyncGenerator<Row[]> {
  for (let after = -1; ; ) {
    const stored = await db(runner)
      .selectFrom('moved_rows')
      .select(['part', 'content'])
      .where('merchant_id', '=', merchantId)
      .where('table_name', '=', table)
      .where('part', '>', after)
      .orderBy('part')
      .limit(1)
      .executeTakeFirst();
    if (!stored) return;
    after = stored.part;
    yield storedRows.parse(JSON.parse(stored.content));
  }
}

/** Values that both engines represent exactly. */
const storedRows = z.array(z.array(z.union([z.string(), z.int(), z.null()])));

/** Counts rows, and digests them independently of their order: the sum of their SHA-256 digests. */
export class Digest {
  count = 0;
  #sum = 0n;

  add(table: string, rows: readonly Row[]): void {
    for (const row of rows) {
      const hash = createHash('sha256')
        .update(`${table}\n${JSON.stringify(row)}`)
        .digest('hex');
      this.#sum = (this.#sum + BigInt(`0x${hash}`)) % 2n ** 256n;
    }
    this.count += rows.length;
  }

  get value(): string {
    return this.#sum.toString(16).padStart(64, '0');
  }
}
