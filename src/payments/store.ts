import type { Updateable } from 'kysely';
import type { Instant } from '../contract/time.ts';
import { type Database, lockRows, type UnitOfWork } from '../platform/database/database.ts';
import { networkOf } from '../platform/http/address.ts';
import type { ClientLocation } from '../platform/http/context.ts';
import type { CardAttemptTable } from '../platform/database/tables.ts';
import { isRandomId } from '../platform/random.ts';
import { type CardAttempt, type FiatTransaction, toAttempt, toTransaction } from './transaction.ts';

/** Reading: outside a unit from the database, inside one from the unit. */
type Reader = Pick<Database, 'query'>;

export async function findByReference(
  reader: Reader,
  merchantId: number,
  reference: string,
): Promise<FiatTransaction | null> {
  const row = await reader.query
    .selectFrom('fiat_transactions')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('transaction_id', '=', reference)
    .executeTakeFirst();
  return row ? toTransaction(row) : null;
}

export async function findById(reader: Reader, merchantId: number, id: number): Promise<FiatTransaction | null> {
  const row = await reader.query
    .selectFrom('fiat_transactions')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? toTransaction(row) : null;
}

export async function findByLink(reader: Reader, linkId: string): Promise<FiatTransaction | null> {
  if (!isRandomId(linkId)) return null;
  const row = await reader.query
    .selectFrom('fiat_transactions')
    .selectAll()
    .where('link_id', '=', linkId)
    .executeTakeFirst();
  return row ? toTransaction(row) : await findByFormerLink(reader, linkId);
}

/** The transaction that had this link before it was renewed. */
async function findByFormerLink(reader: Reader, linkId: string): Promise<FiatTransaction | null> {
  const former = await reader.query
    .selectFrom('former_links')
    .select(['merchant_id', 'fiat_transaction_id'])
    .where('link_id', '=', linkId)
    .executeTakeFirst();
  return former ? await findById(reader, former.merchant_id, former.fiat_transaction_id) : null;
}

/** Keeps where the buyer seems to be and what says so, for the merchant's support; answers the transaction with it. */
export async function rememberBuyer(
  unit: UnitOfWork,
  transaction: FiatTransaction,
  { address, country, countrySource }: ClientLocation,
): Promise<FiatTransaction> {
  const network = networkOf(address);
  await unit.query
    .updateTable('fiat_transactions')
    .set({ buyer_country: country, buyer_country_source: countrySource, buyer_network: network })
    .where('merchant_id', '=', transaction.merchantId)
    .where('id', '=', transaction.id)
    .execute();
  return { ...transaction, buyerCountry: country, buyerCountrySource: countrySource, buyerNetwork: network };
}

/** Keeps the language that the buyer chose, so that the link has it wherever it is opened. */
export async function rememberBuyerLocale(
  unit: UnitOfWork,
  transaction: FiatTransaction,
  locale: string,
): Promise<void> {
  await unit.query
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

/**
 * The transaction as it is now, held until the unit ends. Locked before its attempts, always. Who locks
 * it means to change it or what belongs to it: that is announced, so that no change can be forgotten.
 */
export async function lockTransaction(unit: UnitOfWork, merchantId: number, id: number): Promise<FiatTransaction> {
  unit.announce(transactionTopic(merchantId, id));
  const query = unit.query
    .selectFrom('fiat_transactions')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id);
  return toTransaction(await lockRows(unit, query).executeTakeFirstOrThrow());
}

export async function listAttempts(reader: Reader, transaction: FiatTransaction): Promise<CardAttempt[]> {
  const rows = await reader.query
    .selectFrom('card_attempts')
    .selectAll()
    .where('merchant_id', '=', transaction.merchantId)
    .where('fiat_transaction_id', '=', transaction.id)
    .orderBy('number')
    .execute();
  return rows.map(toAttempt);
}

export async function findAttempt(reader: Reader, attemptKey: string): Promise<CardAttempt | null> {
  const row = await reader.query
    .selectFrom('card_attempts')
    .selectAll()
    .where('attempt_key', '=', attemptKey)
    .executeTakeFirst();
  return row ? toAttempt(row) : null;
}

/** Writes to an attempt; answers it as it then is. */
export async function updateAttempt(
  unit: UnitOfWork,
  attempt: CardAttempt,
  change: Updateable<CardAttemptTable>,
  now: Instant,
): Promise<CardAttempt> {
  const row = await unit.query
    .updateTable('card_attempts')
    .set({ ...change, updated_at: now })
    .where('merchant_id', '=', attempt.merchantId)
    .where('id', '=', attempt.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toAttempt(row);
}

export async function listEvents(reader: Reader, transaction: FiatTransaction) {
  return await reader.query
    .selectFrom('events')
    .select(['sequence', 'type', 'at', 'status', 'detail'])
    .where('merchant_id', '=', transaction.merchantId)
    .where('fiat_transaction_id', '=', transaction.id)
    .orderBy('sequence')
    .execute();
}
