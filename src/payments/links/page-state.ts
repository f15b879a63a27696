import type { PagePhase } from '../../shared/page-phase.ts';
import { declineOf } from '../transaction.ts';
import type { CardAttempt, FiatTransaction, PaymentInstructions, PaymentRefund } from '../schema.ts';
import { networkOf } from '../../http/address.ts';
import type { ClientLocation } from '../../http/context.ts';
import { toAlpha2 } from '../../api/country.ts';
import { minorUnitsOf } from '../../api/currency.ts';
import { formatMinor } from '../../shared/money.ts';
import {
  type StartedMethod,
  type EndedMethod,
  type OfferedMethod,
  type PageState,
  type OutcomeSource,
} from '../../api/page-state.ts';
import { formatInstant, type Instant } from '../../shared/time.ts';
import { findBrandAndRestriction } from '../../merchants/merchants.ts';
import type { OfferedPaymentMethod } from '../../methods/availability.ts';
import { brandOf, findPaymentMethod, markChoices, markOf } from '../../methods/catalog.ts';
import { describeError } from '../../system/log.ts';
import { readRelatedRecords, type TransactionEventRow } from '../related-records.ts';
import type { CoinDeposits, MethodChoices } from '../../acquirers/push-port.ts';
import { challengeStartUrl } from '../card/challenge.ts';
import { type PaymentsContext, pushAcquirerOf } from '../context.ts';
import { areInstructionsOpen, hasPendingConfirmations, type PaymentReceipt } from '../push/instructions.ts';
import { acceptsRemainder, chargedAmount, listOfferedMethods, quoteFor } from '../quote.ts';
import { pageItems } from './page-items.ts';
import { fieldsForAccount, fieldsForCard, missingPayerFields } from '../payer.ts';
import type { CardFormFields } from '../../shared/card-form.ts';
import { finalDecline, isAttemptOpen, MAX_ATTEMPTS } from '../states.ts';
import { POLL_AFTER_MS } from '../card/submit.ts';
import { amountAfterRefunds, hasOpenAuthorization, remainingAmount } from '../transaction.ts';
import { isExpired } from '../expiry.ts';

/** Poll interval of a page that awaits no outcome, when it has no live updates. */
const IDLE_POLL_AFTER_MS = 15_000;

/** The viewer of a page. Coin prices are locked for a buyer's network; without an address, no prices are locked. */
export type PageViewer = Pick<ClientLocation, 'address' | 'country'>;

/** Reads the state of a transaction's page for a buyer, located by `http/client-address.ts`. */
export async function readPageState(
  context: PaymentsContext,
  transaction: FiatTransaction,
  viewer: PageViewer,
): Promise<PageState> {
  const { database } = context;
  const buyerCountry = viewer.country;
  const { attempts, instructions, receipts, refunds, events } = await readRelatedRecords(database, transaction);
  // Outcomes from before a renewal are not shown.
  const renewedAt = events.findLast(({ detail }) => detail === 'renewed')?.at ?? 0;
  const isCurrent = ({ createdAt }: { createdAt: Instant }) => createdAt >= renewedAt;
  const latest = attempts.findLast(isCurrent) ?? null;
  const { brand, isRestricted, cardFormFields } = await findBrandAndRestriction(
    database,
    transaction.merchantId,
    buyerCountry,
  );
  const open = instructions.find(areInstructionsOpen) ?? null;
  const waitsFor =
    pendingOn(transaction, attempts, instructions) ?? pendingBelowMinimum(context, transaction, attempts);
  const phase = phaseOf(transaction, attempts, waitsFor, isRestricted);
  const isPayable = phase === 'ready' || phase === 'challenge';
  const isFinal = !isPayable && phase !== 'checking';
  const isReleased = isHoldReleased(transaction, latest);
  // While an outcome is pending, the page keeps the methods that the buyer may return to.
  const methods = isFinal ? [] : await listPageMethods(context, transaction, { viewer, instructions, cardFormFields });
  const selected = findPaymentMethod(transaction.paymentMethod);
  // Every payment attempt sets the transaction's method, so this is the method of the latest one.
  const isCardPayment = selected?.action === 'card';
  const now = context.clock.now();
  const started = open && !isFinal ? await toStartedMethod(context, transaction, open) : null;
  const methodStartedAt = instructions.at(-1)?.createdAt ?? 0;
  const isEnded = isPayable && started === null && !isCardPayment;
  const ended = isEnded ? toEndedMethod(instructions.findLast(isCurrent), receipts, now) : null;
  const decimal = (minor: bigint) => formatMinor(minor, minorUnitsOf(transaction.currency));
  const grant = { merchantId: transaction.merchantId, transactionId: transaction.id };
  const partMinor = partialCaptureMinor(transaction);
  const deposits = isFinal || phase === 'checking' ? await readDeposits(context, instructions) : [];
  const state = {
    phase,
    authorized: hasOpenAuthorization(transaction) || isReleased,
    reference: transaction.reference,
    merchant: brand,
    amount: {
      value: decimal(partMinor ?? transaction.chargedMinor),
      currency: transaction.currency,
    },
    subtotal: decimal(partMinor ?? transaction.amountMinor),
    description: transaction.description || null,
    items: partMinor === null ? pageItems(transaction) : [],
    serverTime: formatInstant(now),
    createdAt: formatInstant(transaction.createdAt),
    expiresAt: formatInstant(transaction.expiresAt),
    methods: methods.map((method) => (method.code === started?.code ? withMarkOfChoice(method, started) : method)),
    selectedMethod: isPayable ? selectedOf(methods, transaction, ended) : transaction.paymentMethod,
    selectedBrand: coinsReceived(instructions, receipts) ?? (selected ? brandOf(selected, transaction.country) : null),
    started,
    ended,
    received: partMinor === null ? toReceivedAmount(transaction, phase === 'checking' ? deposits : []) : null,
    refundProgress: refundProgress(transaction, refunds),
    coinTransactions: deposits.flatMap(({ transactions }) => transactions),
    waitsFor,
    mayReceiveFunds: isFinal && instructions.some(canBePaidLate),
    clientToken: isPayable ? context.clientTokens.issue(grant, now) : null,
    attemptsLeft: Math.max(0, MAX_ATTEMPTS - attempts.length),
    card: cardOf(phase, attempts, isReleased),
    declined: shownDecline(phase, transaction, latestUpdated(attempts, Math.max(renewedAt, methodStartedAt))),
    challengeUrl: phase === 'challenge' && latest ? challengeStartUrl(context, latest, transaction) : null,
    paidAt: phase === 'paid' ? paidAtOf(events) : null,
    returnUrl: phase === 'paid' ? transaction.successRedirectUrl : transaction.failRedirectUrl,
    payerCountry: transaction.payer?.country ?? buyerCountry ?? toAlpha2(transaction.country),
    buyerCountry,
    isLikelyAbroad: isAbroad(buyerCountry, transaction),
    sandbox: context.isSandbox,
  };
  return { ...state, pollAfterMs: pollIntervalOf(state) };
}

/** An authorized amount will be captured or released, and funds may arrive after the end of a payment. */
function pollIntervalOf({
  phase,
  started,
  authorized,
  mayReceiveFunds,
}: Omit<PageState, 'pollAfterMs'>): PageState['pollAfterMs'] {
  if (phase === 'checking' || phase === 'challenge' || started !== null) return POLL_AFTER_MS;
  const mayChange = phase === 'ready' || (phase === 'paid' && authorized) || mayReceiveFunds;
  return mayChange ? IDLE_POLL_AFTER_MS : null;
}

/** The captured amount, if it is less than the authorized one: the buyer pays only this. */
function partialCaptureMinor({ capture, status, receivedMinor, chargedMinor }: FiatTransaction): bigint | null {
  return capture === 'manual' && status === 'confirmed' && receivedMinor < chargedMinor ? receivedMinor : null;
}

/** True if the payment ended with a void or the expiry of its authorization. */
function isHoldReleased(
  { status, authorizationStatus: authorization }: FiatTransaction,
  latest: CardAttempt | null,
): boolean {
  const hasEnded = authorization === 'voided' || authorization === 'expired';
  return status === 'failed' && hasEnded && latest?.state === 'reversed';
}

/** Returns the attempt with the latest outcome: a retry that is forbidden repeats that of an earlier attempt. */
function latestUpdated(attempts: readonly CardAttempt[], since: Instant): CardAttempt | null {
  const current = attempts.filter(({ updatedAt }) => updatedAt >= since);
  return current.toSorted((one, other) => one.updatedAt - other.updatedAt).at(-1) ?? null;
}

/** Returns the decline of the latest payment attempt, if the page's phase shows it. */
function shownDecline(
  phase: PagePhase,
  { reason }: FiatTransaction,
  latest: CardAttempt | null,
): PageState['declined'] {
  const decline = latest ? declineOf(latest) : null;
  if (phase === 'ready') return decline;
  return phase === 'failed' && reason === 'declined' && decline ? finalDecline(decline) : null;
}

/**
 * Returns the approved card of a paid transaction, otherwise the last attempt's card. If the payment ended unpaid, a
 * card is returned only if its authorized amount was released.
 */
function cardOf(phase: PagePhase, attempts: readonly CardAttempt[], isReleased: boolean): PageState['card'] {
  const card = phase === 'paid' ? attempts.find(({ state }) => state === 'approved') : attempts.at(-1);
  const isShown = isReleased || ['paid', 'ready', 'challenge', 'checking'].includes(phase);
  return card && isShown ? { brand: card.brand, last4: card.last4 } : null;
}

/** Lists the payment methods that the page offers, the transaction's own first. */
async function listPageMethods(
  context: PaymentsContext,
  transaction: FiatTransaction,
  {
    viewer,
    instructions,
    cardFormFields,
  }: { viewer: PageViewer; instructions: readonly PaymentInstructions[]; cardFormFields: CardFormFields },
): Promise<OfferedMethod[]> {
  const open = instructions.find(areInstructionsOpen);
  const isLikelyAbroad = isAbroad(viewer.country, transaction);
  const { country, currency, paymentMethod } = transaction;
  const methods = await listOfferedMethods(context, transaction);
  // A partial payment is completed by its own method.
  const usable = transaction.receivedMinor > 0n ? methods.filter(({ code }) => code === paymentMethod) : methods;
  const listed = await Promise.all(
    usable.map(async (method) => {
      const { code, action } = method;
      const offered = await listChoices(context, transaction, method, viewer);
      const lastChoice = instructions.findLast(({ paymentMethod: started }) => started === code)?.choice ?? null;
      const shown: OfferedMethod = {
        code,
        brand: brandOf(method, country),
        action,
        mark: markOf(method, country),
        choices: offered && markChoices(method, offered.choices, lastChoice),
        quoteExpiresAt: offered?.quoteExpiresAt ? formatInstant(offered.quoteExpiresAt) : null,
        amount: formatMinor(chargedAmount(transaction, method), minorUnitsOf(currency)),
        needsCountry: isLikelyAbroad && method.countries !== 'world' ? toAlpha2(country) : null,
        ...fieldsOf(context, transaction, method, cardFormFields),
        handle: method.handle ?? null,
      };
      return { shown, isHidden: offered?.choices.length === 0 && code !== open?.paymentMethod };
    }),
  );
  // A method without a bank or a coin to choose is hidden, unless the page would then offer no method.
  const startable = listed.filter(({ isHidden }) => !isHidden);
  const methodsShown = (startable.length > 0 ? startable : listed).map(({ shown }) => shown);
  const isOwn = ({ code }: OfferedMethod) => code === paymentMethod;
  return [...methodsShown.filter(isOwn), ...methodsShown.filter((method) => !isOwn(method))];
}

/** A started method has the mark of its bank or coin. */
function withMarkOfChoice(method: OfferedMethod, { choice }: StartedMethod): OfferedMethod {
  return { ...method, mark: method.choices?.find(({ code }) => code === choice)?.mark ?? method.mark };
}

/** Returns the requirements of a method's best account for the page: payer fields and card encryption. */
function fieldsOf(
  { acquirers }: PaymentsContext,
  transaction: FiatTransaction,
  method: OfferedPaymentMethod,
  setting: CardFormFields,
): Pick<OfferedMethod, 'payerFields' | 'cardKey'> {
  const payment = quoteFor(transaction, method, null);
  const isCard = method.action === 'card';
  const account = acquirers.route(payment).find(({ card, push }) => (isCard ? card : push) !== undefined);
  if (!account) return { payerFields: [] };
  const needed = isCard ? fieldsForCard(account, payment, setting) : fieldsForAccount(account, payment);
  const cardKey = isCard ? account.card?.encrypted?.key : undefined;
  return { payerFields: missingPayerFields(needed, transaction), ...(cardKey && { cardKey }) };
}

/**
 * The transaction's own method, or the first one if that is not offered at the moment. After instructions expired, none:
 * the payment may be on its way, so the buyer decides whether to start another one.
 */
function selectedOf(
  methods: readonly OfferedMethod[],
  { paymentMethod }: FiatTransaction,
  ended: EndedMethod | null,
): string {
  if (ended?.reason === 'expired' && methods.length > 1) return '';
  const isOffered = methods.some(({ code }) => code === paymentMethod);
  return isOffered ? paymentMethod : (methods[0]?.code ?? paymentMethod);
}

async function listChoices(
  context: PaymentsContext,
  transaction: FiatTransaction,
  method: OfferedPaymentMethod,
  { address }: PageViewer,
): Promise<MethodChoices | null> {
  if (method.choice === undefined) return null;
  try {
    const quote = quoteFor(transaction, method, networkOf(address));
    const acquirer = context.acquirers.route(quote).find(({ push }) => push !== undefined)?.push;
    return (await acquirer?.listChoices(quote)) ?? NO_CHOICES;
  } catch (error) {
    // The page still offers the other methods. This one returns once its acquirer responds.
    context.log.warn({ method: method.code, error: describeError(error) }, 'acquirer could not list choices');
    return NO_CHOICES;
  }
}

const NO_CHOICES: MethodChoices = { choices: [], quoteExpiresAt: null };

/** True if the buyer is not in the transaction's country. */
function isAbroad(buyerCountry: string | null, { country }: FiatTransaction): boolean {
  return buyerCountry !== null && buyerCountry !== toAlpha2(country);
}

/** Returns the time of the payment; of the latest one after a reversal. */
function paidAtOf(events: readonly TransactionEventRow[]): string | null {
  const paid = events[events.findLastIndex(({ status }) => status !== 'confirmed') + 1];
  return paid ? formatInstant(paid.at) : null;
}

/** Returns open instructions for the page; null when they have expired or no longer match the remaining amount. */
async function toStartedMethod(
  context: PaymentsContext,
  transaction: FiatTransaction,
  open: PaymentInstructions,
): Promise<StartedMethod | null> {
  const hasExpired = isExpired(open, context.clock.now()) && open.confirmations === null;
  if (!open.instructions || open.expiresAt === null || hasExpired) return null;
  if (open.amountMinor !== remainingAmount(transaction)) return null;
  const acquirer = pushAcquirerOf(context, open);
  return {
    code: open.paymentMethod,
    choice: open.choice,
    instructions: open.instructions,
    reference: open.reference,
    expiresAt: formatInstant(open.expiresAt),
    simulatorUrl: (context.isSandbox && (await acquirer?.simulatorUrl?.(open.instructionsKey))) || null,
  };
}

/** Returns the deposits on blockchains, by address. */
async function readDeposits(
  context: PaymentsContext,
  instructions: readonly PaymentInstructions[],
): Promise<CoinDeposits[]> {
  const cryptoInstructions = instructions.filter((each) => each.instructions?.action === 'crypto');
  const deposits = await Promise.all(
    cryptoInstructions.map(async (each) => await pushAcquirerOf(context, each)?.readDeposits?.(each.instructionsKey)),
  );
  return deposits.flatMap((each) => each ?? []);
}

/** Returns the codes of the coins that were received, such as `BTC`; null for none. */
function coinsReceived(
  instructions: readonly PaymentInstructions[],
  receipts: readonly PaymentReceipt[],
): string | null {
  const coins = instructions.flatMap(({ number, instructions: issued }) =>
    issued?.action === 'crypto' && receipts.some(({ instructionsNumber }) => instructionsNumber === number)
      ? [issued.currency]
      : [],
  );
  return [...new Set(coins)].join(', ') || null;
}

/** Returns the latest instructions if they ended without a receipt of funds. */
function toEndedMethod(
  latest: PaymentInstructions | undefined,
  receipts: readonly PaymentReceipt[],
  now: Instant,
): EndedMethod | null {
  if (!latest || receipts.some(({ instructionsNumber }) => instructionsNumber === latest.number)) return null;
  const code = latest.paymentMethod;
  if (latest.state === 'refused') return { code, reason: 'refused' };
  const hasExpired = areInstructionsOpen(latest) && isExpired(latest, now);
  return latest.state === 'expired' || hasExpired ? { code, reason: 'expired' } : null;
}

/** True if a buyer could still send a late payment with these instructions. */
function canBePaidLate({ instructions, state }: PaymentInstructions): boolean {
  return instructions !== null && state !== 'refused';
}

/**
 * Returns the received and the remaining amount of a partial payment or overpayment. Refunds of a paid transaction are
 * not deducted. Deposits that await confirmations count, so that a buyer who sent too little sees it at once.
 */
function toReceivedAmount(
  transaction: FiatTransaction,
  deposits: readonly Pick<CoinDeposits, 'pendingMinor'>[],
): PageState['received'] {
  const { chargedMinor, currency, status } = transaction;
  const settledMinor = status === 'confirmed' ? transaction.receivedMinor : amountAfterRefunds(transaction);
  const receivedMinor = deposits.reduce((sum, { pendingMinor }) => sum + pendingMinor, settledMinor);
  // The exact amount on a failed transaction was received after a rejection.
  if (receivedMinor === 0n || (receivedMinor === chargedMinor && status !== 'failed')) return null;
  const decimal = (minor: bigint) => formatMinor(minor, minorUnitsOf(currency));
  const remainingMinor = receivedMinor < chargedMinor ? chargedMinor - receivedMinor : 0n;
  return { value: decimal(receivedMinor), left: decimal(remainingMinor) };
}

function refundProgress(transaction: FiatTransaction, refunds: readonly PaymentRefund[]): PageState['refundProgress'] {
  if (transaction.status !== 'failed' || transaction.receivedMinor === 0n || amountAfterRefunds(transaction) > 0n)
    return null;
  return refunds.some(({ state }) => state === 'pending') ? 'pending' : 'done';
}

/** Returns the party that a transaction without an outcome waits for; null when the buyer can pay. */
function pendingOn(
  { receivedMinor, chargedMinor, status }: FiatTransaction,
  attempts: readonly CardAttempt[],
  instructions: readonly PaymentInstructions[],
): OutcomeSource | null {
  if (status === 'confirmed') return null;
  const attempt = attempts.find(({ state }) => isAttemptOpen(state));
  if (attempt) return attempt.state === 'challenge' ? null : { kind: 'acquirer' };
  const unconfirmed = instructions.find(hasPendingConfirmations);
  if (unconfirmed && unconfirmed.confirmations !== null && unconfirmed.instructions?.action === 'crypto') {
    const { minConfirmations } = unconfirmed.instructions;
    return { kind: 'confirmations', seen: unconfirmed.confirmations, needed: minConfirmations };
  }
  return status !== 'failed' && receivedMinor > chargedMinor ? { kind: 'merchant' } : null;
}

/**
 * A merchant must review a partial payment if no account accepts the remaining amount: it is below the method's
 * minimum.
 */
function pendingBelowMinimum(
  context: PaymentsContext,
  transaction: FiatTransaction,
  attempts: readonly CardAttempt[],
): OutcomeSource | null {
  const { status, receivedMinor } = transaction;
  const isOpen = (status === 'pending' || status === 'waiting') && !attempts.some(({ state }) => isAttemptOpen(state));
  if (!isOpen || receivedMinor === 0n || remainingAmount(transaction) <= 0n) return null;
  return acceptsRemainder(context, transaction) ? null : { kind: 'merchant' };
}

function phaseOf(
  transaction: FiatTransaction,
  attempts: readonly CardAttempt[],
  waitsFor: OutcomeSource | null,
  isRestricted: boolean,
): PagePhase {
  if (transaction.status === 'confirmed' || hasOpenAuthorization(transaction)) return 'paid';
  // A deposit that awaits confirmations can still pay a failed transaction.
  if (waitsFor?.kind === 'confirmations') return 'checking';
  if (transaction.status === 'failed') {
    if (transaction.reason === 'expired') return 'expired';
    return transaction.reason === 'cancelled' ? 'cancelled' : 'failed';
  }
  // An open attempt may still be charged, regardless of the country in which the page is opened.
  if (attempts.some(({ state }) => state === 'challenge')) return 'challenge';
  if (waitsFor) return 'checking';
  return isRestricted ? 'restricted' : 'ready';
}

/** HTTP status of the page: 410 for a used, expired or canceled link (RFC 9110, section 15.5.11). */
export function pageStatus(phase: PagePhase): 200 | 403 | 410 {
  if (phase === 'restricted') return 403;
  return phase === 'ready' || phase === 'challenge' || phase === 'checking' ? 200 : 410;
}
