import { minorUnitsOf } from '../contract/currency.ts';
import { formatMinor } from '../contract/money.ts';
import type { BegunMethod, OfferedMethod, PagePhase, PageState } from '../contract/page-state.ts';
import { formatInstant } from '../contract/time.ts';
import { displayName } from '../merchants/merchants.ts';
import { isRestricted } from '../merchants/restricted-countries.ts';
import { enabledMethods } from '../methods/availability.ts';
import { findPaymentMethod } from '../methods/catalogue.ts';
import { isAcceptable } from './acceptable.ts';
import type { PaymentsContext } from './context.ts';
import { splitFee } from './fees.ts';
import { findOpenInstructions } from './instructions-store.ts';
import { isOpen, MAX_ATTEMPTS } from './states.ts';
import { listAttempts } from './store.ts';
import { POLL_AFTER_MS } from './submit.ts';
import type { CardAttempt, FiatTransaction } from './transaction.ts';

/** What the page of a transaction shows to a buyer who seems to be in `buyerCountry`. */
export async function describePage(
  context: PaymentsContext,
  transaction: FiatTransaction,
  buyerCountry: string | null,
): Promise<PageState> {
  const { database } = context;
  const attempts = await listAttempts(database, transaction);
  const latest = attempts.at(-1) ?? null;
  const restricted = await isRestricted(database, transaction.merchantId, buyerCountry);
  const phase = phaseOf(transaction, attempts, restricted);
  const offered = phase === 'ready' || phase === 'challenge';
  const methods = offered ? await offeredMethods(context, transaction) : [];
  const now = context.clock.now();
  const decimal = (minor: bigint) => formatMinor(minor, minorUnitsOf(transaction.currency));
  const grant = { merchantId: transaction.merchantId, transactionId: transaction.id };
  return {
    phase,
    reference: transaction.reference,
    merchant: { name: await displayName(database, transaction.merchantId) },
    amount: {
      value: decimal(transaction.chargedMinor),
      currency: transaction.currency,
    },
    description: transaction.description || null,
    serverTime: formatInstant(now),
    createdAt: formatInstant(transaction.createdAt),
    expiresAt: formatInstant(transaction.expiresAt),
    methods,
    selectedMethod: transaction.paymentMethod,
    begun: offered ? await describeBegun(context, transaction) : null,
    received: isAcceptable(transaction) ? decimal(transaction.receivedMinor) : null,
    clientToken: offered ? context.clientTokens.issue(grant, now) : null,
    attemptsLeft: Math.max(0, MAX_ATTEMPTS - attempts.length),
    card: latest && phase !== 'restricted' ? { brand: latest.brand, last4: latest.last4 } : null,
    declined: phase === 'ready' || phase === 'failed' ? (latest?.decline ?? null) : null,
    challengeUrl: phase === 'challenge' ? (latest?.challengeUrl ?? null) : null,
    returnUrl: phase === 'paid' ? transaction.successRedirectUrl : transaction.failRedirectUrl,
    buyerCountry,
    pollAfterMs: phase === 'checking' || phase === 'challenge' ? POLL_AFTER_MS : null,
    sandbox: context.sandbox,
  };
}

/** What the merchant offers now, and always the method that the transaction was made with. */
async function offeredMethods(context: PaymentsContext, transaction: FiatTransaction): Promise<OfferedMethod[]> {
  const { merchantId, country, currency, paymentMethod } = transaction;
  const enabled = await enabledMethods(context.database, context.canCarry, merchantId, country, currency);
  const own = findPaymentMethod(paymentMethod);
  const ownFee = { fixMinor: transaction.feeFixMinor, percentMillionths: transaction.feePercentMillionths };
  const isOffered = own && enabled.some(({ code }) => code === own.code);
  const methods = own && !isOffered ? [{ ...own, fee: ownFee }, ...enabled] : enabled;
  return methods.map((method) => {
    const { code, action } = method;
    const { chargedMinor } = splitFee(transaction.amountMinor, method.fee, transaction.feeCalculation);
    return {
      code,
      action,
      choices: method.choice === undefined ? null : (context.pushProvider?.choices(method, country) ?? []),
      amount: formatMinor(chargedMinor, minorUnitsOf(currency)),
    };
  });
}

async function describeBegun(context: PaymentsContext, transaction: FiatTransaction): Promise<BegunMethod | null> {
  const open = await findOpenInstructions(context.database, transaction);
  if (!open?.instructions || open.expiresAt === null || open.expiresAt <= context.clock.now()) return null;
  return {
    code: open.paymentMethod,
    choice: open.choice,
    instructions: open.instructions,
    reference: open.reference,
    expiresAt: formatInstant(open.expiresAt),
    simulatorUrl: (context.sandbox && (await context.pushProvider?.simulatorUrl?.(open.instructionsKey))) || null,
  };
}

function phaseOf(transaction: FiatTransaction, attempts: readonly CardAttempt[], restricted: boolean): PagePhase {
  if (transaction.status === 'confirmed') return 'paid';
  if (transaction.status === 'failed') {
    if (transaction.reason === 'expired') return 'expired';
    return transaction.reason === 'cancelled' ? 'cancelled' : 'failed';
  }
  // What is under way may still take money, wherever the page is opened from.
  const open = attempts.find((attempt) => isOpen(attempt.state));
  if (open) return open.state === 'challenge' ? 'challenge' : 'checking';
  return restricted ? 'restricted' : 'ready';
}

/** The status of the page's answer: a link that is used, expired or cancelled is gone (RFC 9110 section 15.5.11). */
export function pageStatus(phase: PagePhase): 200 | 403 | 410 {
  if (phase === 'restricted') return 403;
  return phase === 'ready' || phase === 'challenge' || phase === 'checking' ? 200 : 410;
}
