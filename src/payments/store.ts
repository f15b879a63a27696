import {
  attemptRecord,
  type CardAttempt,
  type CardAttemptTable,
  db,
  type FiatTransaction,
  type PaymentTables,
  statement,
  transactionRecord,
} from './schema.ts';
import type { Insertable, Kysely } from 'kysely';
import type { Instant } from '../shared/time.ts';
import { lockRows, type UnitOfWork } from '../database/database.ts';
import { networkOf } from '../http/address.ts';
import type { ClientLocation } from '../http/context.ts';
import type { Runner } from '../database/engine.ts';
import { isRandomId } from '../system/random.ts';

/** Reading: outside a unit from the database, inside one from the unit. */
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
  if (!isRandomId(linkId)) return null;
  const [row] = (await selectByLink(reader, { linkId })).rows;
  return row ? transactionRecord.read(row) : await findByFormerLink(reader, linkId);
}

/** The transaction that had this link before it was renewed. */
async function findByFormerLink(reader: Reader, linkId: string): Promise<FiatTransaction | null> {
  const former = await db(reader)
    .selectFrom('former_links')
    .select(['merchant_id', 'fiat_transaction_id'])
    .where('link_id', '=', linkId)
    .executeTakeFirst();
  return former ? await findById(reader, former.merchant_id, former.fiat_transaction_id) : null;
}

/** Keeps where the buyer seems to be and what says so, for the merchant's support; answers the transaction with it. */
export async function recordBuyerLocation(
  on: Runner,
  transaction: FiatTransaction,
  { address, country, countrySource }: ClientLocation,
): Promise<FiatTransaction> {
  const network = networkOf(address);
  await db(on)
    .updateTable('fiat_transactions')
    .set({ buyer_country: country, buyer_country_source: countrySource, buyer_network: network })
    .where('merchant_id', '=', transaction.merchantId)
    .where('id', '=', transaction.id)
    .execute();
  return { ...transaction, buyerCountry: country, buyerCountrySource: countrySource, buyerNetwork: network };
}

/** Keeps the language that the buyer chose, so that the link has it wherever it is opened. */
export async function recordBuyerLocale(unit: UnitOfWork, transaction: FiatTransaction, locale: string): Promise<void> {
  await db(unit)
    .updateTable('fiat_transactions')
    .set({ buyer_locale: locale })
    .where('merchant_id', '=', transaction.merchantId)
    .where('id', '=', transaction.id)
    .execute();
}

/** Under which changes of a transaction are announced. */
export function transactionTopic(merchantId: number, id: number): string {
  return `transaction:${merchantId}:${id}`;
}

const selectLocked = statement((query, { merchantId, id }: { merchantId: number; id: number }, on) =>
  lockRows(
    on,
    query
      .selectFrom('fiat_transactions')
      .select(transactionRecord.columns)
      .where('merchant_id', '=', merchantId)
      .where('id', '=', id),
  ),
);

/**
 * The transaction as it is now, held until the unit ends. Locked before its attempts, always. Who locks
 * it means to change it or what belongs to it: that is announced, so that no change can be forgotten.
 */
export async function lockTransaction(unit: UnitOfWork, merchantId: number, id: number): Promise<FiatTransaction> {
  unit.announce(transactionTopic(merchantId, id));
  const [row] = (await selectLocked(unit, { merchantId, id })).rows;
  if (!row) throw new Error('A transaction is gone');
  return transactionRecord.read(row);
}

/** A transaction's attempts, in the order of their numbers. */
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
  query.insertInto('card_attempts').values(row).returning(attemptRecord.columns),
);

export async function insertAttempt(unit: UnitOfWork, attempt: Omit<CardAttempt, 'id'>): Promise<CardAttempt> {
  const [written] = (await insertAttemptRow(unit, { row: attemptRecord.write(attempt) })).rows;
  if (!written) throw new Error('An attempt was not written');
  return attemptRecord.read(written);
}

/** The job that asks providers for outcomes of attempts, and reverses duplicates. */
export const RESOLUTION_JOB = 'resolution';

/** Writes to an attempt; answers it as it then is. */
export async function updateAttempt(
  unit: UnitOfWork,
  attempt: CardAttempt,
  change: Partial<CardAttempt>,
  now: Instant,
): Promise<CardAttempt> {
  const row = await db(unit)
    .updateTable('card_attempts')
    .set(attemptRecord.write({ ...change, updatedAt: now }))
    .where('merchant_id', '=', attempt.merchantId)
    .where('id', '=', attempt.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return attemptRecord.read(row);
}
