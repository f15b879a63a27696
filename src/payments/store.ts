import {
  attemptRecord,
  type CardAttempt,
  type CardAttemptTable,
  db,
  type FiatTransaction,
  type PaymentTables,
  statement,
  pipelinedStatement,
  transactionRecord,
} from './schema.ts';
import { rowSubject } from '../webhooks/subject.ts';
import type { Insertable, Kysely, QueryResult, Updateable } from 'kysely';
import type { Instant } from '../shared/time.ts';
import { lockRows, type UnitOfWork } from '../database/database.ts';
import { networkOf } from '../http/address.ts';
import type { ClientLocation } from '../http/context.ts';
import type { Runner } from '../database/engine.ts';
import type { SelectedRow } from '../database/record.ts';
import { isPublicId } from '../system/random.ts';

/** The database, or the unit of work of the caller. */
type Reader = Runner;

const selectByReference = statement((query, { merchantId, reference }: { merchantId: number; reference: string }) =>
  query
    .selectFrom('fiat_transactions')
    .select(transactionRecord.columns)
    .where('merchant_id', '=', merchantId)
    .where('transaction_id', '=', reference),
);

export async function findByReference(
  reader: Reader,
  merchantId: number,
  reference: string,
): Promise<FiatTransaction | null> {
  const [row] = (await selectByReference(reader, { merchantId, reference })).rows;
  return row ? transactionRecord.read(row) : null;
}

const selectById = statement((query, { merchantId, id }: { merchantId: number; id: number }) =>
  query
    .selectFrom('fiat_transactions')
    .select(transactionRecord.columns)
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id),
);

export async function findById(reader: Reader, merchantId: number, id: number): Promise<FiatTransaction | null> {
  const [row] = (await selectById(reader, { merchantId, id })).rows;
  return row ? transactionRecord.read(row) : null;
}

const selectByLink = statement((query, { linkId }: { linkId: string }) =>
  query.selectFrom('fiat_transactions').select(transactionRecord.columns).where('link_id', '=', linkId),
);

export async function findByLink(reader: Reader, linkId: string): Promise<FiatTransaction | null> {
  if (!isPublicId(linkId)) return null;
  const [row] = (await selectByLink(reader, { linkId })).rows;
  return row ? transactionRecord.read(row) : await findByFormerLink(reader, linkId);
}

/** Finds a renewed transaction by its former link. */
async function findByFormerLink(reader: Reader, linkId: string): Promise<FiatTransaction | null> {
  const former = await db(reader)
    .selectFrom('former_links')
    .select(['merchant_id', 'fiat_transaction_id'])
    .where('link_id', '=', linkId)
    .executeTakeFirst();
  return former ? await findById(reader, former.merchant_id, former.fiat_transaction_id) : null;
}

const updateLocation = statement(
  (
    query,
    values: { merchantId: number; id: number; country: string | null; source: string | null; network: string | null },
  ) =>
    query
      .updateTable('fiat_transactions')
      .set({ buyer_country: values.country, buyer_country_source: values.source, buyer_network: values.network })
      .where('merchant_id', '=', values.merchantId)
      .where('id', '=', values.id),
);

/** Records the buyer's location and its source, for the merchant's support. Returns the updated transaction. */
export async function recordBuyerLocation(
  runner: Runner,
  transaction: FiatTransaction,
  { address, country, countrySource }: ClientLocation,
): Promise<FiatTransaction> {
  const network = networkOf(address);
  const { merchantId, id } = transaction;
  await updateLocation(runner, { merchantId, id, country, source: countrySource, network });
  return { ...transaction, buyerCountry: country, buyerCountrySource: countrySource, buyerNetwork: network };
}

/** Records the language that the buyer chose, for every later view of the link. */
export async function recordBuyerLocale(unit: UnitOfWork, transaction: FiatTransaction, locale: string): Promise<void> {
  await db(unit)
    .updateTable('fiat_transactions')
    .set({ buyer_locale: locale })
    .where('merchant_id', '=', transaction.merchantId)
    .where('id', '=', transaction.id)
    .execute();
}

/** Topic of the announcements of a transaction's changes. */
export function transactionTopic(merchantId: number, id: number): string {
  return `transaction:${merchantId}:${id}`;
}

const selectLocked = statement((query, { merchantId, id }: { merchantId: number; id: number }, runner) =>
  lockRows(
    runner,
    query
      .selectFrom('fiat_transactions')
      .select(transactionRecord.columns)
      .where('merchant_id', '=', merchantId)
      .where('id', '=', id),
  ),
);

/**
 * Locks a transaction until the unit of work ends, and returns its current state. Lock order: the transaction, then its
 * attempts. A lock precedes every change, so it also announces the change: no code path can forget to.
 */
export async function lockTransaction(unit: UnitOfWork, merchantId: number, id: number): Promise<FiatTransaction> {
  return toLocked(await unit.query.executeQuery(lockQuery(unit, merchantId, id)));
}

/** The statement of `lockTransaction`; `toLocked` reads its result. */
export function lockQuery(unit: UnitOfWork, merchantId: number, id: number) {
  unit.announce(transactionTopic(merchantId, id));
  return selectLocked.bind(unit, { merchantId, id });
}

export function toLocked({ rows: [row] }: QueryResult<SelectedRow<typeof transactionRecord>>): FiatTransaction {
  if (!row) throw new Error('The transaction was not found');
  return transactionRecord.read(row);
}

/** The query for a transaction's card attempts, by number. */
export function attemptsQuery(
  query: Kysely<PaymentTables>,
  { merchantId, id }: Pick<FiatTransaction, 'merchantId' | 'id'>,
) {
  return query
    .selectFrom('card_attempts')
    .select(attemptRecord.columns)
    .where('merchant_id', '=', merchantId)
    .where('fiat_transaction_id', '=', id)
    .orderBy('number');
}

const selectAttempts = statement(attemptsQuery);

export async function listAttempts(
  reader: Reader,
  { merchantId, id }: Pick<FiatTransaction, 'merchantId' | 'id'>,
): Promise<CardAttempt[]> {
  return (await selectAttempts(reader, { merchantId, id })).rows.map(attemptRecord.read);
}

const selectAttempt = statement((query, { attemptKey }: { attemptKey: string }) =>
  query.selectFrom('card_attempts').select(attemptRecord.columns).where('attempt_key', '=', attemptKey),
);

export async function findAttempt(reader: Reader, attemptKey: string): Promise<CardAttempt | null> {
  const [row] = (await selectAttempt(reader, { attemptKey })).rows;
  return row ? attemptRecord.read(row) : null;
}

const insertAttemptRow = statement((query, { row }: { row: Insertable<CardAttemptTable> }) =>
  query.insertInto('card_attempts').values(row).returning('id'),
);

export async function insertAttempt(unit: UnitOfWork, attempt: Omit<CardAttempt, 'id'>): Promise<CardAttempt> {
  const [row] = (await insertAttemptRow(unit, { row: attemptRecord.write(attempt) })).rows;
  if (!row) throw new Error('The card attempt was not inserted');
  return { ...row, ...attempt };
}

/** The job that polls acquirers for outcomes of attempts, and reverses duplicate charges. */
export const RESOLUTION_JOB = 'resolution';

/** Updates an attempt and returns it. The unit holds the transaction's lock. */
export async function updateAttempt(
  unit: UnitOfWork,
  attempt: CardAttempt,
  change: Partial<CardAttempt>,
  now: Instant,
): Promise<CardAttempt> {
  const set = attemptRecord.write({ ...change, updatedAt: now });
  const columns = Object.keys(set).join();
  let update = attemptUpdates.get(columns);
  if (!update) {
    update = createAttemptUpdate();
    attemptUpdates.set(columns, update);
  }
  await update(unit, { set, merchantId: attempt.merchantId, id: attempt.id });
  return { ...attempt, ...change, updatedAt: now };
}

/** Compiles one statement per set of changed columns. */
const attemptUpdates = new Map<string, ReturnType<typeof createAttemptUpdate>>();

function createAttemptUpdate() {
  return pipelinedStatement(
    (query, { set, merchantId, id }: { set: Updateable<CardAttemptTable>; merchantId: number; id: number }) =>
      query.updateTable('card_attempts').set(set).where('merchant_id', '=', merchantId).where('id', '=', id),
    { rows: 1 },
  );
}

/** Fiat transactions as subjects of events. Merchants find them by their own reference. */
export const fiatTransactionSubject = rowSubject({ db, statement }, 'fiat_transactions', {
  findBy: ['transaction_id'],
});
