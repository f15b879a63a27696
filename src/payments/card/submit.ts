import { minorUnitsOf } from '../../api/currency.ts';
import { formatMinor } from '../../shared/money.ts';
import { rateLimitAddress } from '../../http/address.ts';
import { declineColumns, declineOf } from '../transaction.ts';
import { inspectCardNumber } from '../../shared/card.ts';
import type { CardSubmission, CardSubmissionResponse, SubmittedCard } from '../../api/card-submission.ts';
import { toApiStatus } from '../../api/fiat-transaction.ts';
import type { PayerFieldName } from '../../shared/card-form.ts';
import { readCardFormFields } from '../../merchants/card-form-fields.ts';
import { listEnabledMethods, type OfferedPaymentMethod } from '../../methods/availability.ts';
import { findPaymentMethod } from '../../methods/catalog.ts';
import { Problem } from '../../api/problem-error.ts';
import { randomId } from '../../system/random.ts';
import type { AcquirerAccount } from '../../acquirers/registry.ts';
import { lockWithAttempts, recordsOfNew } from '../related-records.ts';
import type { PaymentsContext } from '../context.ts';
import { expireIfDue } from '../expire.ts';
import { withdrawOpenInstructions } from '../push/start.ts';
import { areInstructionsOpen } from '../push/instructions.ts';
import { acceptsCard, buildCharge, chargeFirstAvailable, resendCharge, STALE_ATTEMPT_AFTER } from './charge.ts';
import { challengeStartUrl } from './challenge.ts';
import { type AttemptResult, applyOutcomeToAttempt } from './outcome.ts';
import { requireAmountAboveFee, switchMethod } from '../switch-method.ts';
import { chargedAmount } from '../quote.ts';
import { finalDecline, isAttemptOpen, MAX_ATTEMPTS } from '../states.ts';
import { payerColumns } from '../listed-payer.ts';
import { type BuyerContext, linkExpiredProblem, requirePayable } from '../payable.ts';
import { completePayer, fieldsForCard, requirePayerFields } from '../payer.ts';
import { insertAttempt, listAttempts, lockTransaction, recordBuyerLocation, updateAttempt } from '../store.ts';
import type { FiatTransaction } from '../schema.ts';
import { hasOpenAuthorization } from '../transaction.ts';
import { isExpired } from '../expiry.ts';
import { transition } from '../transition.ts';

/** Poll interval of a page that awaits an outcome. */
export const POLL_AFTER_MS = 2_000;

/**
 * Charges a card for a transaction. The attempt is stored before the acquirer is called, so that neither a second tab
 * nor a crash can cause a second charge.
 */
export async function submitCard(
  context: PaymentsContext,
  transaction: FiatTransaction,
  entered: CardSubmission,
  buyer: BuyerContext,
  requestName: string | null = null,
): Promise<CardSubmissionResponse> {
  const submission = buyer.isOnPage ? completePayer(entered, transaction) : entered;
  const interrupted = requestName === null ? null : await findSubmission(context, transaction, requestName);
  if (interrupted) return await resumeAttempt(context, interrupted, submission, buyer);
  const method = await requireCardMethod(context, transaction, buyer);
  const account = requireCardAccount(context, transaction, method, submission.card);
  if (buyer.isOnPage) requirePayerFields(await cardFieldsFor(context, transaction, { account, method }), submission);
  const current = await expireIfDue(context, transaction);
  rejectIfPartiallyPaid(current);
  await enforceCardTestingLimits(context, current, submission, buyer);
  const forbidden = await findForbiddenRetry(context, current, submission);
  if (forbidden) return toSubmissionResponse(context, forbidden);
  if (method) requireAmountAboveFee(current, method);
  if (current.status === 'waiting') await withdrawOpenInstructions(context, current);
  const created = await createAttempt(context, current, submission, { account, method, buyer, requestName });
  return await chargeCard(context, chargeFirstAvailable, created, submission, buyer);
}

/** Finds the attempt of an earlier request with the same idempotency key. */
async function findSubmission(
  context: PaymentsContext,
  transaction: FiatTransaction,
  requestName: string,
): Promise<AttemptResult | null> {
  const attempts = await listAttempts(context.database, transaction);
  const attempt = attempts.find(({ submissionKey }) => submissionKey === requestName);
  return attempt ? { transaction, attempt } : null;
}

/**
 * Finds a decline that forbids another attempt with the same card (`do_not_retry`). Networks charge fees for such
 * attempts, so the stored decline is returned instead, which uses no attempt. It becomes the latest one: pages show it.
 */
async function findForbiddenRetry(
  { clock, database }: PaymentsContext,
  transaction: FiatTransaction,
  { card }: CardSubmission,
): Promise<AttemptResult | null> {
  if (transaction.status !== 'pending' && transaction.status !== 'waiting') return null;
  // Every attempt changes the sequence, so this is the first attempt.
  if (transaction.sequence === 0) return null;
  const attempts = await listAttempts(database, transaction);
  // An open attempt is rejected later, as for any card.
  if (attempts.some(({ state }) => isAttemptOpen(state))) return null;
  const digits = storedDigits(card);
  const attempt = attempts.find(
    ({ declineAdvice, first6, last4 }) =>
      declineAdvice === 'do_not_retry' && first6 === digits.first6 && last4 === digits.last4,
  );
  if (!attempt) return null;
  const latest = await database.inTransaction(async (unit) => {
    await lockTransaction(unit, transaction.merchantId, transaction.id);
    return await updateAttempt(unit, attempt, {}, clock.now());
  });
  // The remaining attempts are counted from the last one.
  return { transaction, attempt: { ...latest, number: attempts.length } };
}

/**
 * Returns the digits of a card to store: a truncated PAN (PCI DSS 3.5.1). For an encrypted card, the digits that the
 * page has sent.
 */
function storedDigits(card: SubmittedCard): { first6: string; last4: string } {
  if ('keyId' in card) return { first6: card.first6, last4: card.last4 };
  return { first6: card.number.slice(0, 6), last4: card.number.slice(-4) };
}

/** Resumes an interrupted attempt with the same charge key. An attempt with an outcome is returned unchanged. */
async function resumeAttempt(
  context: PaymentsContext,
  interrupted: AttemptResult,
  submission: CardSubmission,
  buyer: BuyerContext,
): Promise<CardSubmissionResponse> {
  const hasNoOutcome = interrupted.attempt.state === 'submitting' || interrupted.attempt.state === 'unknown';
  if (!hasNoOutcome) return toSubmissionResponse(context, interrupted);
  return await chargeCard(context, resendCharge, interrupted, submission, buyer);
}

async function chargeCard(
  context: PaymentsContext,
  charge: typeof resendCharge,
  { transaction, attempt }: AttemptResult,
  submission: CardSubmission,
  buyer: BuyerContext,
): Promise<CardSubmissionResponse> {
  const request = await buildCharge(context, transaction, attempt, submission, buyer);
  const { outcome, charged } = await charge(context, transaction, attempt, request);
  return toSubmissionResponse(context, await applyOutcomeToAttempt(context, charged, outcome));
}

/**
 * Returns the card method when the buyer has switched to it; null when it is the transaction's own method. Throws a
 * `Problem` when neither our page nor a custom form offers cards for this transaction.
 */
async function requireCardMethod(
  context: PaymentsContext,
  transaction: FiatTransaction,
  buyer: BuyerContext,
): Promise<OfferedPaymentMethod | null> {
  const { merchantId, country, currency, paymentMethod } = transaction;
  if (findPaymentMethod(paymentMethod)?.action === 'card') return null;
  const enabled =
    buyer.isOnPage || transaction.kind === 'custom_form'
      ? await listEnabledMethods(context.database, context.supportsMethod, merchantId, country, currency)
      : [];
  const card = enabled.find(({ action }) => action === 'card');
  if (card) return card;
  throw new Problem('payment_method_mismatch', `The transaction's payment method is ${paymentMethod}, not a card.`);
}

/**
 * Returns the account that charges a card for a transaction. An encrypted card can only be charged by the account with
 * its key, and other cards only by accounts without one.
 */
function requireCardAccount(
  { acquirers }: PaymentsContext,
  transaction: FiatTransaction,
  switchedTo: OfferedPaymentMethod | null,
  card: SubmittedCard,
): AcquirerAccount {
  const { merchantId, country, currency, paymentMethod, capture } = transaction;
  const isManualCapture = capture === 'manual';
  const method = switchedTo ?? findPaymentMethod(paymentMethod);
  const amountMinor = switchedTo ? chargedAmount(transaction, switchedTo) : transaction.chargedMinor;
  const accounts = method
    ? acquirers.route({ merchantId, method, country, currency, amountMinor, isManualCapture })
    : [];
  const account = accounts.find((each) => acceptsCard(each, card));
  if (!account && 'keyId' in card)
    throw new Problem('card_key_changed', 'The card was encrypted for another acquirer account.');
  if (!account) throw new Problem('acquirer_unavailable', 'No acquirer account accepts cards for this payment.');
  return account;
}

/** Returns the payer fields that a card payment on our pages needs. */
async function cardFieldsFor(
  context: PaymentsContext,
  { merchantId, country, currency, paymentMethod }: FiatTransaction,
  { account, method: switchedTo }: { account: AcquirerAccount; method: OfferedPaymentMethod | null },
): Promise<readonly PayerFieldName[]> {
  const method = switchedTo ?? findPaymentMethod(paymentMethod);
  const setting = await readCardFormFields(context.database, merchantId);
  return method ? fieldsForCard(account, { merchantId, method, country, currency }, setting) : [];
}

/** A card charge is always for the full amount. A partial payment must be completed by its own method. */
function rejectIfPartiallyPaid({ status, receivedMinor }: FiatTransaction): void {
  if ((status !== 'waiting' && status !== 'pending') || receivedMinor === 0n) return;
  throw new Problem(
    'partially_paid',
    'Part of the amount was already received by another payment method. The card was not charged.',
  );
}

/** With the fee of the method that the buyer switches to, the total may differ from the one that was shown. */
function requireShownAmount(transaction: FiatTransaction, shown: string | undefined): void {
  const total = formattedTotal(transaction);
  if (shown === undefined || shown === total) return;
  throw new Problem('amount_changed', `The total by card is ${total}, not ${shown}. Nothing was charged.`);
}

function formattedTotal({ chargedMinor, currency }: FiatTransaction): string {
  return formatMinor(chargedMinor, minorUnitsOf(currency));
}

/** Card-testing protection: limits attempts per IP address and per card. */
async function enforceCardTestingLimits(
  context: PaymentsContext,
  transaction: FiatTransaction,
  submission: CardSubmission,
  buyer: BuyerContext,
): Promise<void> {
  if (buyer.location) await enforceAddressLimit(context, transaction, buyer.location.address, buyer.proof);
  const { card } = submission;
  const { first6, last4 } = storedDigits(card);
  // The client chooses the digits of an encrypted card, so they must not block a card at other merchants.
  const subject = 'keyId' in card ? `${transaction.merchantId} ${first6}…${last4}` : card.number;
  await context.enforceRateLimit('submit_card', subject);
}

/** Many buyers may share an IP address: over the limit, a page can continue with a proof of work. */
async function enforceAddressLimit(
  context: PaymentsContext,
  { id: transactionId }: FiatTransaction,
  address: string,
  proof: string | null | undefined,
): Promise<void> {
  // An IPv6 subscriber has a /64, which counts as one address.
  const subject = { transactionId, address: rateLimitAddress(address) };
  if (typeof proof === 'string' && (await context.proofOfWork.verify(subject, proof))) return;
  const issueChallenge = proof === undefined ? undefined : () => context.proofOfWork.issue(subject);
  await context.enforceRateLimit('submit_address', address, issueChallenge);
}

async function createAttempt(
  context: PaymentsContext,
  transaction: FiatTransaction,
  submission: CardSubmission,
  {
    account,
    method,
    buyer,
    requestName,
  }: { account: AcquirerAccount; method: OfferedPaymentMethod | null; buyer: BuyerContext; requestName: string | null },
): Promise<AttemptResult> {
  return await context.database.inTransaction(async (unit) => {
    const { locked, attempts, instructions } = await lockWithAttempts(unit, transaction);
    requirePayable(locked, attempts, instructions);
    if (attempts.length >= MAX_ATTEMPTS)
      throw new Problem('link_failed', 'The payment accepts no further card attempts. Nothing was charged.');
    if (instructions.some(areInstructionsOpen))
      throw new Problem('submit_in_progress', 'Another payment method was just started. Reload the page to see it.');
    rejectIfPartiallyPaid(locked);
    const now = context.clock.now();
    if (isExpired(locked, now)) throw linkExpiredProblem();
    const { first6, last4 } = storedDigits(submission.card);
    const located = buyer.location ? await recordBuyerLocation(unit, locked, buyer.location) : locked;
    const priced = method ? await switchMethod(unit, located, method) : located;
    // A merchant's own form showed `amount_charged`.
    requireShownAmount(priced, buyer.isOnPage ? submission.amount : formattedTotal(located));
    const attempt = await insertAttempt(unit, {
      merchantId: locked.merchantId,
      transactionId: locked.id,
      number: attempts.length + 1,
      attemptKey: randomId(context.random),
      submissionKey: requestName,
      paymentMethod: priced.paymentMethod,
      amountMinor: priced.chargedMinor,
      feeFixMinor: priced.feeFixMinor,
      feePercentMillionths: priced.feePercentMillionths,
      state: 'submitting',
      accountKey: account.key,
      acquirerReference: null,
      challengeUrl: null,
      challengeFields: null,
      threeDSecure: false,
      brand: inspectCardNumber('keyId' in submission.card ? first6 : submission.card.number).brand,
      ...{ first6, last4 },
      ...payerColumns(submission),
      ...declineColumns(null),
      chargeDetails: null,
      checksMade: 0,
      nextCheckAt: now + STALE_ATTEMPT_AFTER,
      createdAt: now,
      updatedAt: now,
    });
    const waiting = await transition(context, unit, priced, {
      to: 'waiting',
      detail: `card ending ${attempt.last4}`,
      // Before the first attempt, there are no other records.
      ...(locked.sequence === 0 && { related: { ...recordsOfNew(locked), attempts: [attempt] } }),
    });
    return { transaction: waiting, attempt };
  });
}

/** Returns the response to a card submission. */
function toSubmissionResponse(
  context: PaymentsContext,
  { transaction, attempt }: AttemptResult,
): CardSubmissionResponse {
  const common = { transaction_id: transaction.reference, status: toApiStatus(transaction.status) };
  // Also after a duplicate charge, which is reversed: another attempt has paid.
  if (transaction.status === 'confirmed') {
    return {
      response_type: 'confirmed',
      ...common,
      message: 'The payment is confirmed.',
      ...(transaction.successRedirectUrl && { redirect_url: transaction.successRedirectUrl }),
    };
  }
  if (hasOpenAuthorization(transaction)) {
    return {
      response_type: 'authorized',
      ...common,
      message: 'The payment is authorized. The merchant captures it later.',
      ...(transaction.successRedirectUrl && { redirect_url: transaction.successRedirectUrl }),
    };
  }
  switch (attempt.state) {
    case 'challenge':
      return {
        response_type: '3ds_redirect',
        redirect_url: challengeStartUrl(context, attempt, transaction),
        message: 'Redirect the payer to redirect_url to complete the 3-D Secure challenge.',
      };

    case 'declined': {
      const decline = declineOf(attempt);
      const attemptsLeft = transaction.status === 'failed' ? 0 : MAX_ATTEMPTS - attempt.number;
      return {
        response_type: 'declined',
        ...common,
        message:
          attemptsLeft > 0
            ? 'The card was declined. The payer can try another card.'
            : 'The card was declined. No further attempts are possible.',
        ...(attemptsLeft === 0 && transaction.failRedirectUrl && { redirect_url: transaction.failRedirectUrl }),
        ...(decline && { decline: attemptsLeft > 0 ? decline : finalDecline(decline) }),
        attempts_left: attemptsLeft,
      };
    }
    default:
      return {
        response_type: 'processing',
        ...common,
        message: 'The outcome is not known yet. Do not pay again. Poll the transaction’s status.',
        poll_after_ms: POLL_AFTER_MS,
      };
  }
}
