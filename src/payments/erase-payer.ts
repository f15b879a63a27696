import { eraseFromAuditLog } from '../audit/erase.ts';
import type { ErasePayerRequest, ErasePayerResponse } from '../api/payer.ts';
import type { Metadata } from '../api/metadata.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import { eraseEmails, readRecipients } from '../mail/outbox.ts';
import { eraseFromResponses } from '../operations/erase.ts';
import { createEraser, type Eraser } from '../system/eraser.ts';
import { eraseFromEvents } from '../webhooks/erase.ts';
import { timeSlices } from '../system/time-slices.ts';
import { Problem } from '../api/problem-error.ts';
import { PAYMENT_OPERATIONS } from './audit-subjects.ts';
import type { PaymentsContext } from './context.ts';
import { foldName } from './listed-payer.ts';
import {
  attemptRecord,
  type CardAttempt,
  db,
  type FiatTransaction,
  transactionMetadata,
  transactionRecord,
} from './schema.ts';
import { attemptsQuery, findByReference, findById, lockTransaction } from './store.ts';

/** Fields of a transaction in its events that contain personal data only. */
export const PAYER_FIELDS = ['payer', 'buyer_network'];

type ErasureContext = Pick<PaymentsContext, 'database' | 'eraseCryptoPayments'>;

/**
 * Erases a payer's data from a merchant's payments: the payer of one transaction, or all with an email address.
 * Amounts, IDs, times, statuses and the masked card stay. Each transaction is one unit of work; a repeated call
 * completes an interrupted one.
 */
export async function erasePayer(
  { database, eraseCryptoPayments }: ErasureContext,
  merchantId: number,
  request: ErasePayerRequest,
): Promise<ErasePayerResponse> {
  const ids =
    request.email === undefined
      ? await idsOfReference(database, merchantId, request.transaction_id ?? '')
      : await idsOfEmail(database, merchantId, request.email.toLowerCase());
  const values = new Set(request.email === undefined ? [] : [request.email]);
  const recipients = new Set<string>();
  for (const id of ids) {
    if (timeSlices.isUsedUp()) await timeSlices.next();
    for (const recipient of await readRecipients(database, merchantId, id)) recipients.add(recipient);
    const transaction = await findById(database, merchantId, id);
    if (!transaction) continue;
    const attempts = await readAttempts(database, transaction);
    for (const value of personalValues(transaction, attempts)) values.add(value);
  }
  const erase = createEraser([...values]);
  const eraseOwn = createEraser([...values], PAYER_FIELDS);
  // Copies are erased first: they are found by values that the transactions still hold.
  // Administrative entries stay: an erasure must not hide who changed what.
  await eraseFromAuditLog(database, merchantId, { actions: PAYMENT_OPERATIONS, erase });
  // Responses repeat the recipients of sent links. A recipient may be a member, so the audit log keeps them.
  await eraseFromResponses(database, merchantId, createEraser([...values, ...recipients]));
  const { email } = request;
  if (email !== undefined) await database.inTransaction(async (unit) => await eraseEmails(unit, { merchantId, email }));
  for (const id of ids) {
    const instructions = await db(database)
      .selectFrom('payment_instructions')
      .select('instructions_key')
      .where('merchant_id', '=', merchantId)
      .where('fiat_transaction_id', '=', id)
      .execute();
    const instructionsKeys = instructions.map(({ instructions_key: key }) => key);
    await eraseCryptoPayments(database, { merchantId, instructionsKeys, erase: eraseOwn });
    await database.inTransaction(async (unit) => await eraseFromTransaction(unit, { merchantId, id, erase: eraseOwn }));
  }
  return { transactions: ids.length };
}

async function idsOfReference(database: Database, merchantId: number, reference: string): Promise<number[]> {
  const transaction = await findByReference(database, merchantId, reference);
  if (!transaction) throw new Problem('not_found', 'There is no transaction with this transaction_id.');
  return [transaction.id];
}

async function idsOfEmail(database: Database, merchantId: number, email: string): Promise<number[]> {
  const charged = await db(database)
    .selectFrom('card_attempts')
    .select('fiat_transaction_id as id')
    .where('merchant_id', '=', merchantId)
    .where('payer_email', '=', email)
    .execute();
  const supplied = await db(database)
    .selectFrom('fiat_transactions')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('payer_email_key', '=', email)
    .execute();
  return [...new Set([...charged, ...supplied].map(({ id }) => id))].sort((one, other) => one - other);
}

async function readAttempts(reader: Pick<Database, 'query'>, transaction: Pick<FiatTransaction, 'merchantId' | 'id'>) {
  const rows = await attemptsQuery(db(reader), transaction).execute();
  return rows.map((row) => attemptRecord.read(row));
}

/**
 * Returns the values that identify the payer in other texts. A single word or number, such as a first name or a local
 * phone number, is excluded, because it may be an ordinary word there.
 */
function personalValues({ payer, buyerNetwork }: FiatTransaction, attempts: readonly CardAttempt[]): string[] {
  const name = [payer?.first_name, payer?.last_name].filter(Boolean).join(' ');
  const details = payer
    ? [payer.first_name && payer.last_name ? name : '', payer.email, payer.phone, payer.address]
    : [];
  const attemptValues = attempts.flatMap(({ payerName, payerEmail }) => [
    payerName?.includes(' ') ? payerName : null,
    payerEmail,
  ]);
  const found = [...details, ...attemptValues, buyerNetwork].flatMap((value) =>
    value && /[@\s/]|^\+/.test(value) ? [value] : [],
  );
  return found.flatMap((value) => [value, foldName(value)]);
}

async function eraseFromTransaction(
  unit: UnitOfWork,
  { merchantId, id, erase }: { merchantId: number; id: number; erase: Eraser },
): Promise<void> {
  const transaction = await lockTransaction(unit, merchantId, id);
  const { line_items, metadata, decision_reason, description, success_redirect_url, fail_redirect_url } =
    transactionRecord.write(transaction);
  const erasedMetadata = metadata && erase.json(metadata);
  if (transaction.metadata && erasedMetadata !== metadata)
    await transactionMetadata.replace(
      unit,
      transaction,
      transaction.metadata,
      JSON.parse(erasedMetadata ?? '{}') as Metadata,
    );
  await db(unit)
    .updateTable('fiat_transactions')
    .set({
      ...{ payer: null, payer_name_key: null, payer_email_key: null, buyer_network: null, buyer_locale: null },
      description: erase.text(description),
      line_items: line_items && erase.json(line_items),
      metadata: erasedMetadata,
      decision_reason: decision_reason && erase.text(decision_reason),
      success_redirect_url: success_redirect_url && erase.text(success_redirect_url),
      fail_redirect_url: fail_redirect_url && erase.text(fail_redirect_url),
    })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .execute();
  for (const attempt of await readAttempts(unit, transaction)) {
    const { charge_details } = attemptRecord.write(attempt);
    await db(unit)
      .updateTable('card_attempts')
      .set({
        ...{ payer_name: null, payer_name_key: null, payer_email: null },
        charge_details: charge_details && erase.json(charge_details),
      })
      .where('merchant_id', '=', merchantId)
      .where('id', '=', attempt.id)
      .execute();
  }
  const instructions = await db(unit)
    .selectFrom('payment_instructions')
    .select(['id', 'choice', 'instructions', 'reference'])
    .where('merchant_id', '=', merchantId)
    .where('fiat_transaction_id', '=', id)
    .execute();
  for (const { id: instructionsId, ...stored } of instructions) {
    const erased = {
      choice: stored.choice && erase.text(stored.choice),
      instructions: stored.instructions && erase.json(stored.instructions),
      reference: stored.reference && erase.text(stored.reference),
    };
    if (JSON.stringify(erased) === JSON.stringify(stored)) continue;
    await db(unit)
      .updateTable('payment_instructions')
      .set(erased)
      .where('merchant_id', '=', merchantId)
      .where('id', '=', instructionsId)
      .execute();
  }
  await eraseEmails(unit, { merchantId, transactionId: id });
  await eraseFromEvents(unit, { merchantId, kind: 'fiat_transaction', id, erase });
}
