import { eraseFromAuditLog } from '../audit/erase.ts';
import type { ErasePayerRequest, ErasePayerResponse } from '../api/payer.ts';
import type { Metadata } from '../api/metadata.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import { eraseEmails, findEmailedPayments, readRecipients } from '../mail/outbox.ts';
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
  instructionsRecord,
  transactionMetadata,
  transactionRecord,
} from './schema.ts';
import { attemptsQuery, findByReference, findById, lockTransaction } from './store.ts';

type ErasureContext = Pick<PaymentsContext, 'database' | 'eraseCryptoPayments'>;

/**
 * Erases a payer's data from a merchant's payments: the payer of one transaction, or all with an email address.
 * Amounts, IDs, times, statuses and the masked card stay. Each transaction is one unit of work; a repeated call
 * completes an interrupted one.
 */
export async function erasePayer(
  context: ErasureContext,
  merchantId: number,
  { transaction_id: reference, email }: ErasePayerRequest,
): Promise<ErasePayerResponse> {
  const { database } = context;
  const ids =
    reference === undefined
      ? await idsOfEmail(database, merchantId, (email ?? '').toLowerCase())
      : await idsOfReference(database, merchantId, reference);
  const values = new Set(email === undefined ? [] : [email]);
  const recipients = new Map<number, readonly string[]>();
  for (const id of ids) {
    const found = await readPersonalValues(database, merchantId, id);
    for (const value of found.values) values.add(value);
    recipients.set(id, found.recipients);
  }
  // Copies are erased first: they are found by values that the transactions still hold.
  // Administrative entries stay: an erasure must not hide who changed what.
  await eraseFromAuditLog(database, merchantId, { actions: PAYMENT_OPERATIONS, erase: createEraser([...values]) });
  // Responses repeat the recipients of sent links. A recipient may be a member, so the audit log keeps them.
  const inResponses = createEraser([...values, ...[...recipients.values()].flat()]);
  await eraseFromResponses(database, merchantId, inResponses);
  if (reference === undefined && email !== undefined)
    await database.inTransaction(async (unit) => await eraseEmails(unit, { merchantId, email }));
  const eraseValues = createEraser([...values], transactionRecord.personalColumns);
  for (const id of ids) {
    const eraseRecipients = createEraser(recipients.get(id) ?? []);
    const erase: Eraser = {
      text: (text) => eraseRecipients.text(eraseValues.text(text)),
      json: (text) => eraseRecipients.json(eraseValues.json(text)),
    };
    await eraseFromPayment(context, { merchantId, id, erase });
  }
  return { transactions: ids.length };
}

/** Erases the payer of a payment, unless it is open. Copies outside the payment have a retention of their own. */
export async function eraseEndedPayment(context: ErasureContext, merchantId: number, id: number): Promise<void> {
  const { values, recipients } = await readPersonalValues(context.database, merchantId, id);
  const erase = createEraser([...values, ...recipients], transactionRecord.personalColumns);
  await eraseFromPayment(context, { merchantId, id, erase, keepsOpen: true });
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
  const ids = new Set([...charged, ...supplied].map(({ id }) => id));
  for (const id of await findEmailedPayments(database, merchantId, email)) {
    if (timeSlices.isUsedUp()) await timeSlices.next();
    const transaction = ids.has(id) ? null : await findById(database, merchantId, id);
    // Another payer's payment, about which this address received emails.
    if (transaction && !(await hasPayer(database, transaction))) ids.add(id);
  }
  return [...ids].sort((one, other) => one - other);
}

async function hasPayer(database: Database, transaction: FiatTransaction): Promise<boolean> {
  const attempts = await readAttempts(database, transaction);
  return transaction.payer !== null || attempts.some(({ payerName, payerEmail }) => payerName ?? payerEmail);
}

/** Reads the values that identify a payment's payer in other texts, and the recipients of the emails about it. */
async function readPersonalValues(database: Database, merchantId: number, id: number) {
  if (timeSlices.isUsedUp()) await timeSlices.next();
  const recipients = await readRecipients(database, merchantId, id);
  const transaction = await findById(database, merchantId, id);
  const values = transaction ? personalValues(transaction, await readAttempts(database, transaction)) : [];
  return { values, recipients };
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

async function eraseFromPayment(
  { database, eraseCryptoPayments }: ErasureContext,
  { merchantId, id, erase, keepsOpen = false }: { merchantId: number; id: number; erase: Eraser; keepsOpen?: boolean },
): Promise<void> {
  const instructions = await db(database)
    .selectFrom('payment_instructions')
    .select('instructions_key')
    .where('merchant_id', '=', merchantId)
    .where('fiat_transaction_id', '=', id)
    .execute();
  const instructionsKeys = instructions.map(({ instructions_key: key }) => key);
  await eraseCryptoPayments(database, { merchantId, instructionsKeys, erase });
  await database.inTransaction(async (unit) => {
    const transaction = await lockTransaction(unit, merchantId, id);
    const isOpen = transaction.status === 'pending' || transaction.status === 'waiting';
    if (!isOpen || !keepsOpen) await eraseFromTransaction(unit, transaction, erase);
  });
}

async function eraseFromTransaction(unit: UnitOfWork, transaction: FiatTransaction, erase: Eraser): Promise<void> {
  const { merchantId, id } = transaction;
  const erased = transactionRecord.erase(transaction, erase);
  if (transaction.metadata && erased.metadata !== JSON.stringify(transaction.metadata))
    await transactionMetadata.replace(
      unit,
      transaction,
      transaction.metadata,
      JSON.parse(erased.metadata ?? '{}') as Metadata,
    );
  await db(unit)
    .updateTable('fiat_transactions')
    // A digest would confirm a guess of the erased data.
    .set({ ...erased, request_digest: '' })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .execute();
  for (const attempt of await readAttempts(unit, transaction)) {
    await db(unit)
      .updateTable('card_attempts')
      .set(attemptRecord.erase(attempt, erase))
      .where('merchant_id', '=', merchantId)
      .where('id', '=', attempt.id)
      .execute();
  }
  const instructions = await db(unit)
    .selectFrom('payment_instructions')
    .select(instructionsRecord.columns)
    .where('merchant_id', '=', merchantId)
    .where('fiat_transaction_id', '=', id)
    .execute();
  for (const row of instructions) {
    await db(unit)
      .updateTable('payment_instructions')
      .set(instructionsRecord.erase(instructionsRecord.read(row), erase))
      .where('merchant_id', '=', merchantId)
      .where('id', '=', row.id)
      .execute();
  }
  await eraseEmails(unit, { merchantId, transactionId: id });
  await eraseFromEvents(unit, { merchantId, kind: 'fiat_transaction', id, erase });
}
