import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { toBackupValue } from '../backup/backup.ts';
import type { BackupValue } from '../backup/file.ts';
import type { Runner } from '../database/engine.ts';
import type { TableSchema } from '../migrations/describe-tables.ts';

/** Values in the order of the table's columns. */
export type Row = BackupValue[];

/** Bounds memory use, and the size of a stored part. */
const PAGE_ROWS = 500;

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
 * Deletes rows page by page, and returns exactly the deleted ones: a row that another transaction changes is deleted
 * after its commit, with the change.
 */
export async function* takeRows(
  { query }: Runner,
  table: TableSchema,
  condition: RawBuilder<boolean>,
): AsyncGenerator<Row[]> {
  for (;;) {
    const { rows } = await sql<Record<string, unknown>>`delete from ${sql.table(table.name)}
      where (${keyOf(table)}) in (
        select ${keyOf(table)} from ${sql.table(table.name)} where ${condition}
        order by ${keyOf(table)} limit ${sql.lit(PAGE_ROWS)}
      ) returning ${columnsOf(table)}`.execute(query);
    if (rows.length === 0) return;
    yield rows.map((row) => toRow(table, row));
  }
}

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
