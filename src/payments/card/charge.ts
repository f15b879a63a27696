import { CHARGE_TIMEOUT_MS } from '../../acquirers/calls.ts';
import {
  type CardAcquirer,
  type CardCharge,
  type ChargeOutcome,
  type EncryptedCard,
  type EncryptedCardCharge,
  NotProcessed,
} from '../../acquirers/port.ts';
import type { AcquirerAccount } from '../../acquirers/registry.ts';
import type { CardSubmission, SubmittedCard } from '../../api/card-submission.ts';
import { readDisplayName } from '../../merchants/merchants.ts';
import { findPaymentMethod } from '../../methods/catalog.ts';
import { parseExpiryFields } from '../../shared/card.ts';
import { describeCardError } from '../../system/log.ts';
import { cardAcquirerOf, linkUrl, type PaymentsContext } from '../context.ts';
import type { BuyerContext } from '../payable.ts';
import { isAttemptOpen } from '../states.ts';
import { type Instant, SECOND } from '../../shared/time.ts';
import { fieldsForAccount, internationalPhone, knownDetails, payerProblems } from '../payer.ts';
import type { CardAttempt, FiatTransaction } from '../schema.ts';
import { findAttempt, lockTransaction, updateAttempt } from '../store.ts';

/**
 * The resolution job polls an attempt this long after its last call was started, in case the process died. Longer than
 * `CHARGE_TIMEOUT_MS`.
 */
export const STALE_ATTEMPT_AFTER: Instant = 35 * SECOND;

/** The outcome of a charge, and the attempt with the account that charged. */
export interface ChargedAttempt {
  outcome: ChargeOutcome | NotCharged;
  charged: CardAttempt;
}

/** No account could be called: the charge never reached an issuer. */
export interface NotCharged {
  kind: 'not_charged';
}

/** A charge of a card as entered, or encrypted by the page. */
type Charge = CardCharge | EncryptedCardCharge;

/** True if an account can charge a card: it has the key of an encrypted card, or needs no encryption. */
export function acceptsCard({ card: port }: AcquirerAccount, card: SubmittedCard | Charge['card']): boolean {
  return port !== undefined && port.encrypted?.key.id === ('keyId' in card ? card.keyId : undefined);
}

/** Builds the acquirer's request from a submission. */
export async function buildCharge(
  context: PaymentsContext,
  transaction: FiatTransaction,
  attempt: CardAttempt,
  submission: CardSubmission,
  buyer: BuyerContext,
): Promise<Charge> {
  return {
    attemptKey: attempt.attemptKey,
    amountMinor: attempt.amountMinor,
    currency: transaction.currency,
    capture: transaction.capture,
    ...chargedCard(submission.card),
    payer: {
      firstName: submission.first_name ?? '',
      lastName: submission.last_name ?? '',
      email: submission.email ?? '',
      phone: internationalPhone(submission.phone ?? '') ?? '',
      address: submission.address ?? '',
      city: submission.city ?? '',
      state: submission.state ?? '',
      postcode: submission.postcode ?? '',
      country: submission.country ?? '',
      ipAddress: buyer.location?.address ?? buyer.ipAddress ?? null,
    },
    browser: buyer.browser ?? null,
    merchantName: await readDisplayName(context.database, transaction.merchantId),
    description: transaction.description,
    transactionReference: transaction.reference,
    returnUrl: `${linkUrl(context, transaction.linkId)}/return`,
  };
}

function chargedCard(card: SubmittedCard): Pick<CardCharge, 'card'> | { card: EncryptedCard } {
  if ('keyId' in card) {
    const { first6: _first6, last4: _last4, ...encrypted } = card;
    return { card: encrypted };
  }
  const expiry = parseExpiryFields(card.expiryMonth, card.expiryYear);
  if (!expiry) throw new Error('The expiry was not validated');
  return { card: { number: card.number, expiryMonth: expiry.month, expiryYear: expiry.year, cvv: card.cvv } };
}

/**
 * Sends an interrupted charge again, under the same key and to the same account: the first request may have arrived,
 * regardless of the outcome of this one.
 */
export async function resendCharge(
  context: PaymentsContext,
  _transaction: FiatTransaction,
  attempt: CardAttempt,
  charge: Charge,
): Promise<ChargedAttempt> {
  const taken = await takeOver(context, attempt);
  if (!taken) return { outcome: { kind: 'not_charged' }, charged: attempt };
  const acquirer = cardAcquirerOf(context, taken);
  const outcome = acquirer ? await chargeWithTimeout(context, taken, acquirer, charge) : 'not_processed';
  return { outcome: outcome === 'not_processed' ? { kind: 'unknown' } : outcome, charged: taken };
}

/**
 * Charges through the attempt's account. The next account is tried only if the call is known not to have been
 * processed.
 */
export async function chargeFirstAvailable(
  context: PaymentsContext,
  transaction: FiatTransaction,
  attempt: CardAttempt,
  charge: Charge,
): Promise<ChargedAttempt> {
  const triedAccountKeys: string[] = [];
  let current = attempt;
  for (;;) {
    const acquirer = cardAcquirerOf(context, current);
    if (!acquirer) return { outcome: { kind: 'unknown' }, charged: current };
    const outcome = await chargeWithTimeout(context, current, acquirer, charge);
    if (outcome !== 'not_processed') return { outcome, charged: current };
    triedAccountKeys.push(current.accountKey);
    const next = nextCardAccount(context, transaction, current, charge, triedAccountKeys);
    const moved = next && (await moveAttempt(context, current, next));
    if (!moved) return { outcome: { kind: 'not_charged' }, charged: current };
    current = moved;
  }
}

function nextCardAccount(
  { acquirers }: PaymentsContext,
  { merchantId, country, currency, capture }: FiatTransaction,
  { paymentMethod, amountMinor }: CardAttempt,
  { payer, card }: Charge,
  triedAccountKeys: readonly string[],
): AcquirerAccount | null {
  const method = findPaymentMethod(paymentMethod);
  if (!method) return null;
  const isManualCapture = capture === 'manual';
  const payment = { merchantId, method, country, currency, amountMinor, isManualCapture };
  const { firstName: first_name, lastName: last_name, ...others } = payer;
  const knownPayer = knownDetails({ first_name, last_name, ...others });
  const next = acquirers
    .route(payment)
    .find(
      (account) =>
        acceptsCard(account, card) &&
        !triedAccountKeys.includes(account.key) &&
        payerProblems(fieldsForAccount(account, payment), knownPayer).length === 0,
    );
  return next ?? null;
}

/** Reassigns an unsent attempt to another account; null if another process has taken it over. */
async function moveAttempt(
  { database, clock }: PaymentsContext,
  { attemptKey, merchantId, transactionId, accountKey }: CardAttempt,
  next: AcquirerAccount,
): Promise<CardAttempt | null> {
  return await database.inTransaction(async (unit) => {
    await lockTransaction(unit, merchantId, transactionId);
    const current = await findAttempt(unit, attemptKey);
    if (current?.state !== 'submitting' || current.accountKey !== accountKey) return null;
    const now = clock.now();
    return await updateAttempt(unit, current, { accountKey: next.key, nextCheckAt: now + STALE_ATTEMPT_AFTER }, now);
  });
}

/**
 * Takes over an attempt without an outcome, whose process may still be running: it can no longer move the attempt to
 * another account. Null if it has an outcome by now.
 */
async function takeOver(
  { database, clock }: PaymentsContext,
  { attemptKey, merchantId, transactionId }: CardAttempt,
): Promise<CardAttempt | null> {
  return await database.inTransaction(async (unit) => {
    await lockTransaction(unit, merchantId, transactionId);
    const current = await findAttempt(unit, attemptKey);
    if (!current || !isAttemptOpen(current.state) || current.state === 'challenge') return null;
    const now = clock.now();
    return await updateAttempt(unit, current, { state: 'unknown', nextCheckAt: now + STALE_ATTEMPT_AFTER }, now);
  });
}

/** Charges with a timeout. After a failure or timeout the outcome is unknown, and polled later. */
async function chargeWithTimeout(
  context: PaymentsContext,
  { accountKey }: CardAttempt,
  acquirer: CardAcquirer,
  charge: Charge,
): Promise<ChargeOutcome | 'not_processed'> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<ChargeOutcome>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'unknown' }), CHARGE_TIMEOUT_MS);
  });
  try {
    return await Promise.race([send(acquirer, charge), timeout]);
  } catch (error) {
    context.log.warn({ account: accountKey, error: describeCardError(error) }, 'acquirer failed to charge');
    return error instanceof NotProcessed ? 'not_processed' : { kind: 'unknown' };
  } finally {
    clearTimeout(timer);
  }
}

async function send(acquirer: CardAcquirer, charge: Charge): Promise<ChargeOutcome> {
  const { card } = charge;
  if (!('keyId' in card)) return await acquirer.charge({ ...charge, card });
  if (!acquirer.encrypted) throw new NotProcessed('The account does not accept encrypted cards');
  return await acquirer.encrypted.charge({ ...charge, card });
}
