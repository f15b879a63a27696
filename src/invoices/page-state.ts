import { toCoins } from '../api/crypto-amount.ts';
import { cryptoCurrencies } from '../shared/crypto-currency.ts';
import type { CryptoLabel } from '../shared/crypto-status.ts';
import type { InvoicePageState, InvoicePhase } from '../api/invoice-page.ts';
import { formatInstant, type Instant } from '../shared/time.ts';
import type { InvoicesContext } from './context.ts';
import { latestTransactions } from './coin-transactions.ts';
import { simulatorPath, uriOf } from './api-transaction.ts';
import { toEvaluated, evaluateInvoice } from './evaluate.ts';
import type { InvoicePageRecords } from './page-records.ts';
import { confirmationsOf } from '../deposits/deposit.ts';

/** Poll intervals of a page without live updates: while it expects a deposit or confirmations, and otherwise. */
const POLL_SOON_MS = 5_000;
const POLL_LATER_MS = 15_000;

/** Builds the state of an invoice page. Excludes everything internal to the merchant: comment, reasons, fees. */
export function buildPageState(
  context: Pick<InvoicesContext, 'chains' | 'clock' | 'sandbox' | 'simulatedChains' | 'publicUrl'>,
  records: InvoicePageRecords,
  payerCountry: string | null,
): InvoicePageState {
  const { transaction, wallet, deposits, tipHeight, merchant, paidAt } = records;
  const { code, chain, exchangeRate, expiresAt } = transaction;
  const now = context.clock.now();
  const evaluated = toEvaluated(transaction);
  const { amount, amountDue, confirmations } = evaluateInvoice(
    evaluated,
    deposits.map((deposit) => ({ ...deposit, confirmations: confirmationsOf(deposit, tipHeight) })),
    now,
  );
  const phase = derivePhase(records, now);
  const { amountRequired, minConfirmations: needed } = evaluated;
  const showsConfirmations = (phase === 'seen' || phase === 'review') && amount > 0n;
  return {
    phase,
    reference: transaction.txId,
    description: transaction.description,
    merchant,
    coin: { code, name: cryptoCurrencies[code].name, network: context.chains.forCurrency(code)?.network ?? chain },
    acceptsAnyAmount: acceptsAnyAmount(records),
    amount: amountRequired === null ? null : toCoins(amountRequired, code),
    fiatEquivalent:
      amountRequired === null || exchangeRate === null
        ? null
        : { value: exchangeRate.currencyAmount, currency: exchangeRate.currency, rate: exchangeRate.exchangeRate },
    paymentUri: canBePaid(records, phase)
      ? { address: wallet.address, uri: uriOf(context, transaction, wallet) }
      : null,
    received: amount === 0n ? null : toCoins(amount, code),
    remaining: phase === 'review' && amountDue > 0n ? toCoins(amountDue, code) : null,
    reviewReason: phase === 'review' ? reviewReason(transaction.labels) : null,
    confirmations: showsConfirmations ? { seen: Math.min(confirmations, needed), needed } : null,
    transactions: phase === 'restricted' ? [] : latestTransactions(context, transaction, deposits),
    paidAt: phase === 'paid' && paidAt !== null ? formatInstant(paidAt) : null,
    returnUrl: transaction.returnUrl,
    isReplaced: amount === 0n && transaction.labels.includes('replaced'),
    serverTime: formatInstant(now),
    createdAt: formatInstant(transaction.createdAt),
    expiresAt: expiresAt === null ? null : formatInstant(expiresAt),
    payerCountry,
    pollAfterMs: pollInterval(phase, acceptsAnyAmount(records)),
    sandbox: context.sandbox,
    simulatorUrl: context.simulatedChains[chain] ? context.publicUrl + simulatorPath(transaction.publicId) : null,
  };
}

/** HTTP status of the page: 410 once the invoice is paid, expired or rejected (RFC 9110 section 15.5.11). */
export function pageStatus({ phase, acceptsAnyAmount }: InvoicePageState): 200 | 403 | 410 {
  if (phase === 'restricted') return 403;
  return acceptsAnyAmount || openPhases.includes(phase) ? 200 : 410;
}

/** Phases that are not final. */
const openPhases: readonly InvoicePhase[] = ['ready', 'seen', 'review', 'refunding'];

function pollInterval(phase: InvoicePhase, isAnyAmountAccepted: boolean): number | null {
  if (phase === 'restricted') return null;
  if (phase === 'ready' || phase === 'seen') return POLL_SOON_MS;
  // A deposit to an expired invoice may still arrive.
  return isAnyAmountAccepted || phase === 'expired' || openPhases.includes(phase) ? POLL_LATER_MS : null;
}

function acceptsAnyAmount({ transaction: { kind, type } }: InvoicePageRecords): boolean {
  return kind === 'invoice' && type === 'user';
}

function derivePhase({ transaction, isRestricted }: InvoicePageRecords, now: Instant): InvoicePhase {
  const { status, kind, rejection, expiresAt } = transaction;
  switch (status) {
    case 'pending':
      // The page must not invite payments after the deadline, even before the expiry is recorded.
      if (expiresAt !== null && now >= expiresAt) return 'expired';
      return isRestricted ? 'restricted' : 'ready';
    case 'waiting':
    case 'confirmed':
      return 'seen';
    case 'complete':
      return 'paid';
    case 'approved_required':
      return 'review';
    case 'refunding':
    case 'refunded':
      return status;
    case 'failed':
      if (rejection !== null) return 'rejected';
      return kind === 'invoice' ? 'expired' : 'dropped';
  }
}

/** A user's wallet can be paid repeatedly until it is retired; other invoices only while they are open. */
function canBePaid(records: InvoicePageRecords, phase: InvoicePhase): boolean {
  if (phase === 'ready') return true;
  return acceptsAnyAmount(records) && records.wallet.state === 'serving' && !records.isRestricted;
}

/** Reason for the review; discrepancies of the amount take precedence. */
function reviewReason(labels: readonly CryptoLabel[]): InvoicePageState['reviewReason'] {
  if (labels.includes('underpaid')) return 'underpaid';
  if (labels.includes('overpaid')) return 'overpaid';
  return labels.includes('late') ? 'late' : 'manual_approval';
}
