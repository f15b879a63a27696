import { declineColumns, declineOf } from '../transaction.ts';
import { inspectCardNumber } from '../../shared/card.ts';
import { expiryOf } from '../../shared/card.ts';
import type { CardSubmission, CardSubmissionResponse } from '../../api/card-submission.ts';
import { toWireStatus } from '../../api/fiat-transaction.ts';
import { type Instant, SECOND } from '../../shared/time.ts';
import { displayName } from '../../merchants/merchants.ts';
import { listEnabledMethods, type OfferedPaymentMethod } from '../../methods/availability.ts';
import { findPaymentMethod } from '../../methods/catalogue.ts';
import { describeCardError } from '../../system/log.ts';
import { Problem } from '../../api/problem-error.ts';
import { randomId } from '../../system/random.ts';
import type { CardCharge, CardAcquirer, ChargeOutcome } from '../../acquirers/port.ts';
import { readPaymentAttempts } from '../related-records.ts';
import { linkUrl, type PaymentsContext } from '../context.ts';
import { expireIfDue, isExpired } from '../expire.ts';
import { withdrawOpenInstructions } from '../push/start.ts';
import { areInstructionsOpen } from '../push/instructions.ts';
import { type AttemptResult, applyOutcomeToAttempt } from './outcome.ts';
import { switchMethod } from '../switch-method.ts';
import { finalDecline, MAX_ATTEMPTS } from '../states.ts';
import { type Payer, requirePayable } from '../payable.ts';
import { listAttempts, lockTransaction, recordBuyerLocation, insertAttempt } from '../store.ts';
import type { CardAttempt, FiatTransaction } from '../schema.ts';
import { transition } from '../transition.ts';

/** How long a provider may take to answer before its outcome counts as unknown. */
const CHARGE_TIMEOUT_MS = 25_000;
/** When an attempt whose process died is asked about; later than any answer can still come. */
const STALE_ATTEMPT_AFTER: Instant = 35 * SECOND;
/** How long a page waits before it asks again. */
export const POLL_AFTER_MS = 2_000;

/**
 * Charges a card for a transaction. The attempt is written down before the provider is asked, so that
 * neither a second tab nor a crash can make a second charge.
 */
export async function submitCard(
  context: PaymentsContext,
  found: FiatTransaction,
  submission: CardSubmission,
  payer: Payer,
  requestName: string | null = null,
): Promise<CardSubmissionResponse> {
  const provider = requireCardAcquirer(context);
  const interrupted = requestName === null ? null : await findSubmission(context, found, requestName);
  if (interrupted) return await resumeAttempt(context, provider, interrupted, submission, payer);
  const method = await requireCardMethod(context, found, payer);
  const current = await expireIfDue(context, found);
  rejectIfPartiallyPaid(current);
  await enforceCardTestingLimits(context, current, submission, payer);
  if (current.status === 'waiting') await withdrawOpenInstructions(context, current);
  const { transaction, attempt } = await createAttempt(context, current, submission, {
    provider,
    method,
    payer,
    requestName,
  });
  return await chargeCard(context, provider, { transaction, attempt }, submission, payer);
}

/** The attempt that a request of this name has made already. */
async function findSubmission(
  context: PaymentsContext,
  transaction: FiatTransaction,
  requestName: string,
): Promise<AttemptResult | null> {
  const attempts = await listAttempts(context.database, transaction);
  const attempt = attempts.find(({ submissionKey }) => submissionKey === requestName);
  return attempt ? { transaction, attempt } : null;
}

/** What was interrupted goes on under the name that the provider may know it by; what is decided is answered as it is. */
async function resumeAttempt(
  context: PaymentsContext,
  provider: CardAcquirer,
  interrupted: AttemptResult,
  submission: CardSubmission,
  payer: Payer,
): Promise<CardSubmissionResponse> {
  const isUndecided = interrupted.attempt.state === 'submitting' || interrupted.attempt.state === 'unknown';
  if (!isUndecided) return toSubmissionResponse(interrupted);
  return await chargeCard(context, provider, interrupted, submission, payer);
}

async function chargeCard(
  context: PaymentsContext,
  provider: CardAcquirer,
  { transaction, attempt }: AttemptResult,
  submission: CardSubmission,
  payer: Payer,
): Promise<CardSubmissionResponse> {
  const charge: CardCharge = await buildCharge(context, transaction, attempt, submission, payer);
  const outcome = await chargeWithTimeout(context, provider, charge);
  return toSubmissionResponse(await applyOutcomeToAttempt(context, attempt, outcome));
}

/**
 * The card, where the buyer on the page has chosen it in place of the transaction's own method; null
 * where it is that. A merchant's own form takes a card only for what was made for one.
 */
async function requireCardMethod(
  context: PaymentsContext,
  transaction: FiatTransaction,
  payer: Payer,
): Promise<OfferedPaymentMethod | null> {
  const { merchantId, country, currency, paymentMethod } = transaction;
  if (findPaymentMethod(paymentMethod)?.action === 'card') return null;
  const enabled =
    payer.isOnPage || transaction.kind === 'custom_form'
      ? await listEnabledMethods(context.database, context.supportsMethod, merchantId, country, currency)
      : [];
  const card = enabled.find(({ action }) => action === 'card');
  if (card) return card;
  throw new Problem('payment_method_mismatch', `The transaction is to be paid by ${paymentMethod}, not by card.`);
}

function requireCardAcquirer(context: PaymentsContext): CardAcquirer {
  if (!context.acquirers.card)
    throw new Problem('provider_unavailable', 'No card provider is set up in this installation.');
  return context.acquirers.card;
}

/** A card is charged the whole: what has come in part by another way is completed by that. */
function rejectIfPartiallyPaid({ status, receivedMinor }: FiatTransaction): void {
  if ((status !== 'waiting' && status !== 'pending') || receivedMinor === 0n) return;
  throw new Problem('partly_paid', 'Part of the amount has arrived by another way to pay; nothing was charged now.');
}

/** Whoever tests stolen cards tries many from one address, or one on many links. */
async function enforceCardTestingLimits(
  context: PaymentsContext,
  transaction: FiatTransaction,
  submission: CardSubmission,
  payer: Payer,
): Promise<void> {
  if (payer.location) await enforceAddressLimit(context, transaction, payer.location.address, payer.proof);
  await context.requireWithin('submit_card', submission.card_number);
}

/** Many buyers may share an address: a page that has done some work is let through when it is too many. */
async function enforceAddressLimit(
  context: PaymentsContext,
  { id: transactionId }: FiatTransaction,
  address: string,
  proof: string | null | undefined,
): Promise<void> {
  const subject = { transactionId, address };
  if (typeof proof === 'string' && (await context.proofOfWork.verify(subject, proof))) return;
  const offer = proof === undefined ? undefined : () => context.proofOfWork.issue(subject);
  await context.requireWithin('submit_address', address, offer);
}

async function createAttempt(
  context: PaymentsContext,
  transaction: FiatTransaction,
  submission: CardSubmission,
  {
    provider,
    method,
    payer,
    requestName,
  }: { provider: CardAcquirer; method: OfferedPaymentMethod | null; payer: Payer; requestName: string | null },
): Promise<AttemptResult> {
  return await context.database.inUnit(async (unit) => {
    const locked = await lockTransaction(unit, transaction.merchantId, transaction.id);
    const { attempts, instructions } = await readPaymentAttempts(unit, locked);
    requirePayable(locked, attempts, instructions);
    if (attempts.length >= MAX_ATTEMPTS)
      throw new Problem('link_failed', 'No more cards may be tried for this payment; nothing was charged now.');
    if (instructions.some(areInstructionsOpen))
      throw new Problem('submit_in_progress', 'Another way to pay was begun just now. Reload the page to see it.');
    rejectIfPartiallyPaid(locked);
    const now = context.clock.now();
    if (isExpired(locked, now)) throw new Problem('link_expired', 'The payment link has expired; nothing was charged.');
    const number = submission.card_number;
    const seen = payer.location ? await recordBuyerLocation(unit, locked, payer.location) : locked;
    const priced = method ? await switchMethod(unit, seen, method) : seen;
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
      provider: provider.name,
      challengeUrl: null,
      threeDSecure: false,
      brand: inspectCardNumber(number).brand,
      first6: number.slice(0, 6),
      last4: number.slice(-4),
      ...declineColumns(null),
      checksMade: 0,
      nextCheckAt: now + STALE_ATTEMPT_AFTER,
      createdAt: now,
      updatedAt: now,
    });
    const waiting = await transition(context, unit, priced, { to: 'waiting', detail: `card ending ${attempt.last4}` });
    return { transaction: waiting, attempt };
  });
}

async function buildCharge(
  context: PaymentsContext,
  transaction: FiatTransaction,
  attempt: CardAttempt,
  submission: CardSubmission,
  payer: Payer,
): Promise<CardCharge> {
  const expiry = expiryOf(submission.card_expiry_month, submission.card_expiry_year);
  if (!expiry) throw new Error('The expiry was not checked at the door');
  return {
    attemptKey: attempt.attemptKey,
    amountMinor: attempt.amountMinor,
    currency: transaction.currency,
    card: {
      number: submission.card_number,
      expiryMonth: expiry.month,
      expiryYear: expiry.year,
      cvv: submission.card_cvv,
    },
    payer: {
      firstName: submission.first_name,
      lastName: submission.last_name,
      email: submission.email,
      phone: submission.phone,
      address: submission.address,
      city: submission.city,
      state: submission.state,
      postcode: submission.postcode,
      country: submission.country,
      ipAddress: payer.location?.address ?? null,
    },
    merchantName: await displayName(context.database, transaction.merchantId),
    returnUrl: `${linkUrl(context, transaction.linkId)}/return`,
  };
}

/** A provider that fails or is silent has an outcome all the same; it is unknown, and asked for later. */
async function chargeWithTimeout(
  context: PaymentsContext,
  provider: CardAcquirer,
  charge: CardCharge,
): Promise<ChargeOutcome> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<ChargeOutcome>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'unknown' }), CHARGE_TIMEOUT_MS);
  });
  try {
    return await Promise.race([provider.charge(charge), silence]);
  } catch (error) {
    context.log.warn({ provider: provider.name, error: describeCardError(error) }, 'a provider failed while charging');
    return { kind: 'unknown' };
  } finally {
    clearTimeout(timer);
  }
}

/** What became of an attempt, as the one who submitted it is told. */
function toSubmissionResponse({ transaction, attempt }: AttemptResult): CardSubmissionResponse {
  const common = { transaction_id: transaction.reference, status: toWireStatus(transaction.status) };
  // Also when it was another attempt that paid: this one's money is not kept.
  if (transaction.status === 'confirmed') {
    return {
      response_type: 'confirmed',
      ...common,
      message: 'The payment is confirmed.',
      ...(transaction.successRedirectUrl && { redirect_url: transaction.successRedirectUrl }),
    };
  }
  switch (attempt.state) {
    case 'challenge':
      return {
        response_type: '3ds_redirect',
        redirect_url: attempt.challengeUrl ?? '',
        message: 'Send the payer to redirect_url to confirm the payment with the card’s bank.',
      };

    case 'declined': {
      const decline = declineOf(attempt);
      const attemptsLeft = transaction.status === 'failed' ? 0 : MAX_ATTEMPTS - attempt.number;
      return {
        response_type: 'declined',
        ...common,
        message:
          attemptsLeft > 0
            ? 'The card was declined; another one may be tried.'
            : 'The card was declined, and no other one may be tried.',
        ...(attemptsLeft === 0 && transaction.failRedirectUrl && { redirect_url: transaction.failRedirectUrl }),
        ...(decline && { decline: attemptsLeft > 0 ? decline : finalDecline(decline) }),
        attempts_left: attemptsLeft,
      };
    }
    default:
      return {
        response_type: 'processing',
        ...common,
        message: 'The outcome is not known yet. Do not pay again; ask for the transaction’s status.',
        poll_after_ms: POLL_AFTER_MS,
      };
  }
}
