/*
 * Map of this folder: `list.ts` selects a page of transactions, `search.ts` resolves search terms, `list-items.ts`
 * adds card and payer, and `counts.ts` counts by status. `export.ts`, `csv.ts` and `export-response.ts` stream the
 * CSV. Reasons: docs/decisions/export.md.
 */

import { db, type PaymentTables, transactionMetadata } from '../schema.ts';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { CurrencyCode } from '../../api/currency.ts';
import {
  MAX_COUNTED_ROWS,
  paymentMethodAliases,
  type TransactionFilters,
  type TransactionListQuery,
  type TransactionOrder,
  fromApiStatus,
} from '../../api/fiat-transaction.ts';
import { endOf } from '../../shared/time.ts';
import { paymentMethods } from '../../methods/catalog.ts';
import type { Database } from '../../database/database.ts';
import { combineSearches } from '../../database/metadata-index.ts';
import { isAnyOf, type SearchFilter, unindexed } from '../../database/search.ts';
import type { Principal } from '../../operations/principal.ts';
import { validationProblem } from '../../api/problem-error.ts';
import { amountExpression } from './amount-order.ts';
import { countTransactions } from './counts.ts';
import { amountOf, listedColumns, toListItems } from './list-items.ts';
import { searchTransactions } from './search.ts';

const DEFAULT_PER_PAGE = 20;
/** Filters that the counts by status ignore. */
const unfiltered = {
  ...{ status: undefined, reason: undefined, awaiting_review: undefined },
  authorization_status: undefined,
};

type Direction = 'asc' | 'desc';
export type TransactionRows<Row> = SelectQueryBuilder<PaymentTables, 'fiat_transactions', Row>;

/** The end of a page: the next page continues after it (keyset pagination). */
interface Cursor {
  order: TransactionOrder;
  direction: Direction;
  value: string | number;
  id: number;
}

/** The caller of a list: its merchant, and whether it sees and searches names and emails of payers. */
export interface ListReader {
  merchantId: number;
  canSeePayers: boolean;
}

/** Payer details are personal data: read-only credentials see them masked. */
export function listReaderOf({ merchantId, scopes }: Pick<Principal, 'merchantId' | 'scopes'>): ListReader {
  return { merchantId, canSeePayers: scopes.has('approval:write') };
}

/** Lists one page of a merchant's transactions, newest first by default. */
export async function listTransactions(database: Database, reader: ListReader, query: TransactionListQuery) {
  const { merchantId } = reader;
  const ordering = orderingOf(query);
  const cursor = query.cursor === undefined ? null : decodeCursor(query.cursor, ordering);
  const perPage = query.per_page ?? DEFAULT_PER_PAGE;
  const page = query.page ?? 1;
  if (cursor && query.page !== undefined) {
    throw validationProblem([{ pointer: '?page', code: 'conflict', detail: 'cannot be combined with cursor' }]);
  }
  if ((page - 1) * perPage >= MAX_COUNTED_ROWS) {
    throw validationProblem([
      {
        pointer: '?page',
        code: 'too_large',
        detail: `must not exceed ${MAX_COUNTED_ROWS} rows; use pagination.next_cursor instead`,
      },
    ]);
  }

  const search = await resolveSearch(database, reader, query);
  const filtered = <Row>(base: TransactionRows<Row>): TransactionRows<Row> => filter(base, merchantId, query, search);
  const table = db(database).selectFrom('fiat_transactions');
  const { order } = ordering;
  const orderedBy = order === 'amount' ? amountExpression : sql<string | number>`${sql.ref(order)}`;
  const counting = countRows(database, filtered(table.select('id')));
  // One statement: PostgreSQL computes the subquery once.
  let rowsQuery = filtered(table.select([...listedColumns, counting.as('counted')]))
    .orderBy(orderedBy, ordering.direction)
    .orderBy('id', ordering.direction)
    .limit(perPage + 1);
  if (cursor) {
    const compare = ordering.direction === 'asc' ? sql`>` : sql`<`;
    rowsQuery = rowsQuery.where(sql<boolean>`(${orderedBy}, id) ${compare} (${cursor.value}, ${cursor.id})`);
  } else if (page > 1) {
    rowsQuery = rowsQuery.offset((page - 1) * perPage);
  }
  const rows = await rowsQuery.execute();
  const shown = rows.slice(0, perPage);
  const last = shown.at(-1);
  const nextCursor =
    rows.length > perPage && last
      ? encodeCursor({ ...ordering, value: order === 'amount' ? amountOf(last) : last[order], id: last.id })
      : null;
  const isFirst = !cursor && page === 1;
  // A page after the last row has no row with the count.
  const counted = rows[0]?.counted ?? (isFirst ? 0 : (await counting.executeTakeFirstOrThrow()).counted);
  const total = Math.min(counted, MAX_COUNTED_ROWS);
  return {
    transactions: await toListItems(database, reader, shown),
    pagination: {
      page: cursor ? null : page,
      per_page: perPage,
      total,
      total_capped: counted > MAX_COUNTED_ROWS,
      pages: Math.ceil(total / perPage),
      next_cursor: nextCursor,
    },
    ...(query.counts && {
      counts: await countTransactions(database, (base, only) =>
        filter(base, merchantId, { ...query, ...unfiltered, ...only }, search),
      ),
    }),
  };
}

/** Counts rows, up to one more than `MAX_COUNTED_ROWS`. */
function countRows(database: Database, rows: TransactionRows<{ id: number }>) {
  return db(database)
    .selectFrom(rows.limit(MAX_COUNTED_ROWS + 1).as('matching'))
    .select((expression) => expression.fn.countAll<number>().as('counted'));
}

/** Newest first by default; ascending, as documented, with an explicit order. */
function orderingOf(query: TransactionListQuery): { order: TransactionOrder; direction: Direction } {
  return {
    order: query.order ?? 'created_at',
    direction: query.order_direction ?? (query.order === undefined ? 'desc' : 'asc'),
  };
}

function filter<Row>(
  base: TransactionRows<Row>,
  merchantId: number,
  query: TransactionFilters,
  search: SearchFilter | null,
): TransactionRows<Row> {
  const result = filterIndexed(base, merchantId, query, search);
  const selected = selectMethods(query);
  if (!selected) return result;
  return result.where((where) =>
    where.or(
      selected.map(({ methods, currency }) =>
        where.and([
          where('payment_method', 'in', methods),
          ...(currency === undefined ? [] : [where('currency', '=', currency)]),
        ]),
      ),
    ),
  );
}

const methodCodes = paymentMethods.map(({ code }) => code);
const walletCodes = methodCodes.filter((code) => code.endsWith('_ewallet'));

interface SelectedMethods {
  methods: readonly string[];
  currency?: CurrencyCode;
}

/**
 * Returns the methods of the `payment_method` filter; null without it. A documented value without a method selects
 * nothing.
 */
export function selectMethods({
  payment_method: values,
}: Pick<TransactionFilters, 'payment_method'>): SelectedMethods[] | null {
  return values?.map(selectMethod) ?? null;
}

function selectMethod(value: string): SelectedMethods {
  if (methodCodes.includes(value)) return { methods: [value] };
  if (!Object.hasOwn(paymentMethodAliases, value)) {
    const possible = [...methodCodes, ...Object.keys(paymentMethodAliases)].join(', ');
    throw validationProblem([
      { pointer: '?payment_method', code: 'invalid_value', detail: `must be one of: ${possible}` },
    ]);
  }
  const selected = paymentMethodAliases[value];
  if (selected === 'wallets') return { methods: walletCodes };
  return selected ? { ...selected, methods: [selected.method] } : { methods: [value] };
}

/** Resolves a query's search term and metadata; null without them. */
export async function resolveSearch(
  database: Database,
  reader: ListReader,
  { search, metadata }: Pick<TransactionFilters, 'search' | 'metadata'>,
): Promise<SearchFilter | null> {
  return combineSearches(
    search === undefined ? null : await searchTransactions(database, reader, search),
    metadata === undefined ? null : await transactionMetadata.search(database, reader.merchantId, metadata),
  );
}

/** Applies the filters that an index serves: all but the one by method. `search` is the resolved search term. */
export function filterIndexed<Row>(
  base: TransactionRows<Row>,
  merchantId: number,
  query: Omit<TransactionFilters, 'payment_method' | 'search' | 'metadata'>,
  search: SearchFilter | null,
): TransactionRows<Row> {
  // A small search result is read by ID, without a scan of the merchant's rows.
  let result = base.where(search?.isSelective ? unindexed('merchant_id') : 'merchant_id', '=', merchantId);
  if (search) result = result.where(search.condition);
  if (query.currency) result = result.where(isAnyOf('currency', query.currency));
  if (query.country) result = result.where(isAnyOf('country', query.country));
  if (query.reusable_link_id) result = result.where(isAnyOf('reusable_link_id', query.reusable_link_id));
  if (query.status) result = result.where(isAnyOf('status', query.status.map(fromApiStatus)));
  if (query.reason) result = result.where(isAnyOf('reason', query.reason));
  if (query.authorization_status) result = result.where(isAnyOf('authorization_status', query.authorization_status));
  // SQLite uses the partial index only with its exact condition.
  if (query.awaiting_review)
    result = result
      .where('status', '<>', sql.lit('confirmed'))
      .whereRef('amount_received_minor', '>', 'amount_refunded_minor');
  if (query.updated_since) result = result.where('updated_at', '>=', query.updated_since.at);
  if (query.since) result = result.where('created_at', '>=', query.since.at);
  if (query.till) result = result.where('created_at', '<', endOf(query.till));
  return result;
}

function encodeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify([cursor.order, cursor.direction, cursor.value, cursor.id])).toString('base64url');
}

function decodeCursor(text: string, ordering: { order: TransactionOrder; direction: Direction }): Cursor {
  const invalidCursor = () =>
    validationProblem([
      {
        pointer: '?cursor',
        code: 'invalid_cursor',
        detail: 'must be the next_cursor of a response with the same order',
      },
    ]);
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    throw invalidCursor();
  }
  if (!Array.isArray(parts)) throw invalidCursor();
  const [order, direction, value, id] = parts as unknown[];
  if (
    order !== ordering.order ||
    direction !== ordering.direction ||
    !isCursorValue(ordering.order, value) ||
    !Number.isSafeInteger(id)
  )
    throw invalidCursor();
  return { ...ordering, value: value as string | number, id: id as number };
}

function isCursorValue(order: TransactionOrder, value: unknown): boolean {
  switch (order) {
    case 'amount':
      return Number.isFinite(value);
    case 'created_at':
    case 'updated_at':
      return Number.isSafeInteger(value);
    default:
      return typeof value === 'string' && [...value].length <= 64 && !value.includes('\0');
  }
}
