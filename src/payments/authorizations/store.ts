import type { Kysely } from 'kysely';
import type { Runner } from '../../database/engine.ts';
import type { UnitOfWork } from '../../database/database.ts';
import type { Instant } from '../../shared/time.ts';
import {
  authorizationRecord,
  type CardAttempt,
  type CardAuthorization,
  db,
  type FiatTransaction,
  type PaymentTables,
} from '../schema.ts';

/** The query for a transaction's authorizations, oldest first. */
export function authorizationsQuery(
  query: Kysely<PaymentTables>,
  { merchantId, id }: Pick<FiatTransaction, 'merchantId' | 'id'>,
) {
  return query
    .selectFrom('card_authorizations')
    .select(authorizationRecord.columns)
    .where('merchant_id', '=', merchantId)
    .where('fiat_transaction_id', '=', id)
    .orderBy('id');
}

/** Finds an authorization by its last capture or void, or by its attempt. */
export async function findAuthorization(
  reader: Runner,
  column: 'modification_key' | 'attempt_key',
  key: string,
): Promise<CardAuthorization | null> {
  const query = db(reader).selectFrom('card_authorizations').selectAll().where(column, '=', key);
  const row = await query.executeTakeFirst();
  return row ? authorizationRecord.read(row) : null;
}

/** Finds an authorization by the acquirer's own reference of its charge. */
export async function findAuthorizationOfCharge(
  reader: Runner,
  accountKey: string,
  chargeReference: string,
): Promise<CardAuthorization | null> {
  const row = await db(reader)
    .selectFrom('card_authorizations')
    .innerJoin('card_attempts', 'card_attempts.attempt_key', 'card_authorizations.attempt_key')
    .selectAll('card_authorizations')
    .where('card_attempts.acquirer_reference', '=', chargeReference)
    .where('card_authorizations.account_key', '=', accountKey)
    .executeTakeFirst();
  return row ? authorizationRecord.read(row) : null;
}

/** Returns the last authorization of a transaction; null without one. */
export async function findLastAuthorization(
  reader: Runner,
  transaction: Pick<FiatTransaction, 'merchantId' | 'id'>,
): Promise<CardAuthorization | null> {
  const row = (await authorizationsQuery(db(reader), transaction).execute()).at(-1);
  return row ? authorizationRecord.read(row) : null;
}

export async function insertAuthorization(
  unit: UnitOfWork,
  { merchantId, transactionId, attemptKey, accountKey, amountMinor }: CardAttempt,
  { now, expiresAt }: { now: Instant; expiresAt: Instant },
): Promise<void> {
  await db(unit)
    .insertInto('card_authorizations')
    .values(
      authorizationRecord.write({
        ...{ merchantId, transactionId, attemptKey, accountKey, amountMinor },
        status: 'authorized',
        capturedMinor: 0n,
        ...{ modificationKey: null, modificationReference: null, requestName: null },
        ...{ failureCode: null, failureDetail: null, reportedAt: null, checksMade: 0 },
        ...{ nextCheckAt: expiresAt, expiresAt, createdAt: now, updatedAt: now },
      }),
    )
    .execute();
}

/**
 * Updates an authorization, and its status on the transaction. Returns both. Without a new status, the transaction keeps
 * its own, which may be that of a later authorization.
 */
export async function updateAuthorization(
  unit: UnitOfWork,
  { transaction, authorization }: { transaction: FiatTransaction; authorization: CardAuthorization },
  change: Partial<CardAuthorization>,
): Promise<{ transaction: FiatTransaction; authorization: CardAuthorization }> {
  const row = await db(unit)
    .updateTable('card_authorizations')
    .set(authorizationRecord.write(change))
    .where('merchant_id', '=', authorization.merchantId)
    .where('id', '=', authorization.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const updated = authorizationRecord.read(row);
  if (change.status === undefined) return { transaction, authorization: updated };
  return { transaction: await setAuthorizationStatus(unit, transaction, updated.status), authorization: updated };
}

export async function setAuthorizationStatus(
  unit: UnitOfWork,
  transaction: FiatTransaction,
  authorizationStatus: CardAuthorization['status'],
): Promise<FiatTransaction> {
  if (transaction.authorizationStatus === authorizationStatus) return transaction;
  await db(unit)
    .updateTable('fiat_transactions')
    .set({ authorization_status: authorizationStatus })
    .where('merchant_id', '=', transaction.merchantId)
    .where('id', '=', transaction.id)
    .execute();
  return { ...transaction, authorizationStatus };
}
