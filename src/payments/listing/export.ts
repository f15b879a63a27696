import { db, type FiatTransactionTable } from '../schema.ts';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import type { TransactionExportQuery } from '../../api/fiat-transaction.ts';
import type { Database } from '../../database/database.ts';
import type { ListedPayer } from '../listed-payer.ts';
import { csvHeader, toCsv } from './csv.ts';
import { filterIndexed, type ListReader, resolveSearch, selectMethods } from './list.ts';
import { listedColumns, readListed } from './list-items.ts';

/** Rows per page: small enough to read and format a page within a few milliseconds. */
const PAGE_ROWS = 1000;

const columns = [...listedColumns, 'country', 'amount_delivered_minor'] as const;

type ExportedRow = Omit<Pick<FiatTransactionTable, (typeof columns)[number]>, 'id'> & { id: number };
export type ExportedTransaction = ExportedRow & { listedPayer: ListedPayer | undefined };

/** A chunk of an export, and its number of rows. */
export interface ExportChunk {
  csv: string;
  rows: number;
}

/**
 * Exports a merchant's transactions as CSV, in chunks; the first has the header row. Pages are read by creation time
 * and ID, which never change: no database transaction stays open for a slow reader. Each row that existed at the start
 * is exported exactly once, even if it changes during the export.
 */
export function exportTransactions(
  database: Database,
  reader: ListReader,
  query: TransactionExportQuery,
): AsyncGenerator<ExportChunk, void, undefined> {
  // Validated here, so that an invalid filter is rejected before the first chunk is read.
  const selected = selectMethods(query);
  const matches = ({ payment_method: method, currency }: ExportedRow) =>
    selected === null ||
    selected.some((each) => each.methods.includes(method) && (each.currency ?? currency) === currency);
  const complete = async (rows: ExportedRow[]): Promise<ExportedTransaction[]> => {
    const listed = await database.onReplica((replica) => readListed(replica, reader, rows));
    return rows.map((row, index) => ({ ...row, listedPayer: listed[index]?.payer }));
  };
  return exportChunks(readPages(database, reader, query), async (page) => complete(page.filter(matches)));
}

async function* exportChunks(
  pages: AsyncGenerator<ExportedRow[], void, undefined>,
  toExported: (page: ExportedRow[]) => Promise<ExportedTransaction[]>,
): AsyncGenerator<ExportChunk, void, undefined> {
  let head = csvHeader;
  for await (const page of pages) {
    const rows = await toExported(page);
    const csv = head + toCsv(rows);
    head = '';
    if (csv !== '') yield { csv, rows: rows.length };
    // Lets other requests run between pages: with SQLite and a fast connection, nothing else yields to them.
    await yieldToEventLoop();
  }
  if (head !== '') yield { csv: head, rows: 0 };
}

type PagePosition = Pick<ExportedRow, 'created_at' | 'id'>;

/**
 * Reads pages with all methods. No index serves the filter by method: a page of a rare method would scan too many rows.
 */
async function* readPages(
  database: Database,
  reader: ListReader,
  query: TransactionExportQuery,
): AsyncGenerator<ExportedRow[], void, undefined> {
  const { merchantId } = reader;
  const direction = query.order_direction ?? 'desc';
  const compare = direction === 'asc' ? sql`>` : sql`<`;
  // Excludes rows created from now on, so that an ascending export ends.
  const { last } = await db(database)
    .selectFrom('fiat_transactions')
    .select((expression) => expression.fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  const search = await database.onReplica((replica) => resolveSearch(replica, reader, query));
  const readPage = async (replica: Database, after: PagePosition | undefined): Promise<ExportedRow[]> => {
    let page = filterIndexed(db(replica).selectFrom('fiat_transactions').select(columns), merchantId, query, search)
      .where('id', '<=', last ?? 0)
      .orderBy('created_at', direction)
      .orderBy('id', direction)
      .limit(PAGE_ROWS);
    if (after) page = page.where(sql<boolean>`(created_at, id) ${compare} (${after.created_at}, ${after.id})`);
    return await page.execute();
  };
  let after: PagePosition | undefined;
  do {
    const from = after;
    const rows = await database.onReplica((replica) => readPage(replica, from));
    if (rows.length > 0) yield rows;
    after = rows.length < PAGE_ROWS ? undefined : rows.at(-1);
  } while (after);
}
