import { db, type FiatTransactionTable } from '../schema.ts';
import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { TransactionExportQuery } from '../../api/fiat-transaction.ts';
import type { Database } from '../../database/database.ts';
import { csvHeader, toCsv } from './csv.ts';
import { filterIndexed, resolveSearch, selectMethods } from './list.ts';

/** Few enough that one page is read and written down within a few milliseconds. */
const PAGE_ROWS = 1000;

const columns = [
  'id',
  'merchant_id',
  'transaction_id',
  'created_at',
  'updated_at',
  'status',
  'reason',
  'payment_method',
  'country',
  'currency',
  'amount_minor',
  'amount_charged_minor',
  'amount_delivered_minor',
  'amount_received_minor',
  'description',
  'additional_currency',
  'rate_merchant_final',
] as const satisfies readonly (keyof FiatTransactionTable)[];

export type ExportedRow = Omit<Pick<FiatTransactionTable, (typeof columns)[number]>, 'id'> & { id: number };

/** Some of an export, and how many rows of it. */
export interface ExportChunk {
  csv: string;
  rows: number;
}

/**
 * A merchant's transactions as CSV, part by part; the first has the header row. Pages are read one
 * after the other by what never changes of a row, when and as which it was made: however slowly they
 * are taken, no database transaction stays open, and each row that was there at the beginning comes
 * once, whatever happens to it meanwhile.
 */
export function exportTransactions(
  database: Database,
  merchantId: number,
  query: TransactionExportQuery,
): AsyncGenerator<ExportChunk, void, undefined> {
  // Here, so that a wrong filter is refused before the first part is read.
  const selected = selectMethods(query);
  const isSelected = ({ payment_method: method, currency }: ExportedRow) =>
    selected === null || (selected.methods.includes(method) && (selected.currency ?? currency) === currency);
  return exportChunks(readPages(database, merchantId, query), isSelected);
}

async function* exportChunks(
  pages: AsyncGenerator<ExportedRow[], void, undefined>,
  isSelected: (row: ExportedRow) => boolean,
): AsyncGenerator<ExportChunk, void, undefined> {
  let head = csvHeader;
  for await (const page of pages) {
    const rows = page.filter(isSelected);
    const csv = head + toCsv(rows);
    head = '';
    if (csv !== '') yield { csv, rows: rows.length };
    // SQLite and a fast connection answer at once: whoever else waits has their turn between two pages.
    await turn();
  }
  if (head !== '') yield { csv: head, rows: 0 };
}

/**
 * No index leads to a method, so that pages come with all methods: else one page would take as long as
 * it takes to find enough rows of a rare one.
 */
async function* readPages(
  database: Database,
  merchantId: number,
  query: TransactionExportQuery,
): AsyncGenerator<ExportedRow[], void, undefined> {
  const direction = query.order_direction ?? 'desc';
  const compare = direction === 'asc' ? sql`>` : sql`<`;
  // What is made from now on stays out: an export that goes upwards has an end.
  const { last } = await db(database)
    .selectFrom('fiat_transactions')
    .select((expression) => expression.fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  const found = await resolveSearch(database, merchantId, query);
  let after: Pick<ExportedRow, 'created_at' | 'id'> | undefined;
  do {
    let page = filterIndexed(db(database).selectFrom('fiat_transactions').select(columns), merchantId, query, found)
      .where('id', '<=', last ?? 0)
      .orderBy('created_at', direction)
      .orderBy('id', direction)
      .limit(PAGE_ROWS);
    if (after) page = page.where(sql<boolean>`(created_at, id) ${compare} (${after.created_at}, ${after.id})`);
    const rows: ExportedRow[] = await page.execute();
    if (rows.length > 0) yield rows;
    after = rows.length < PAGE_ROWS ? undefined : rows.at(-1);
  } while (after);
}
