import { inCoins } from '../api/crypto-amount.ts';
import { cryptoCurrencies } from '../shared/crypto-currency.ts';
import type { CryptoLabel } from '../shared/crypto-status.ts';
import type { InvoicePageState, InvoicePhase } from '../api/invoice-page.ts';
import { formatInstant, type Instant } from '../shared/time.ts';
import type { InvoicesContext } from './context.ts';
import { simulatorPath, uriOf } from './describe.ts';
import { evaluatedOf, evaluateInvoice } from './evaluate.ts';
import type { PageReading } from './page-reading.ts';
import { confirmationsOf } from '../deposits/deposit.ts';

/** How long a page waits while its payer does something, and while it waits for others, where it is not told. */
const POLL_SOON_MS = 5_000;
const POLL_LATER_MS = 15_000;

/** What the page of an invoice shows. Of what the merchant keeps to itself (comment, reasons, fees) nothing is in it. */
export function describePage(
  context: Pick<InvoicesContext, 'chains' | 'clock' | 'sandbox' | 'simulatedChains' | 'publicUrl'>,
  reading: PageReading,
  payerCountry: string | null,
): InvoicePageState {
  const { transaction, wallet, payments, tipHeight, merchant } = reading;
  const { code, chain, exchangeRate, expiresAt } = transaction;
  const now = context.clock.now();
  const evaluated = evaluatedOf(transaction);
  const { amount, amountDue, confirmations } = evaluateInvoice(
    evaluated,
    payments.map((payment) => ({ ...payment, confirmations: confirmationsOf(payment, tipHeight) })),
    now,
  );
  const phase = phaseOf(reading, now);
  const { amountRequired, minConfirmations: needed } = evaluated;
  const isCounted = (phase === 'seen' || phase === 'review') && amount > 0n;
  return {
    phase,
    reference: transaction.txId,
    merchant,
    coin: { code, name: cryptoCurrencies[code].name, network: context.chains.ofCurrency(code)?.network ?? chain },
    takesAny: takesAny(reading),
    amount: amountRequired === null ? null : inCoins(amountRequired, code),
    worth:
      amountRequired === null || exchangeRate === null
        ? null
        : { value: exchangeRate.currencyAmount, currency: exchangeRate.currency },
    payTo: mayBePaid(reading, phase) ? { address: wallet.address, uri: uriOf(context, transaction, wallet) } : null,
    received: amount === 0n ? null : inCoins(amount, code),
    missing: phase === 'review' && amountDue > 0n ? inCoins(amountDue, code) : null,
    because: phase === 'review' ? reasonOf(transaction.labels) : null,
    confirmations: isCounted ? { seen: Math.min(confirmations, needed), needed } : null,
    isReplaced: amount === 0n && transaction.labels.includes('replaced'),
    serverTime: formatInstant(now),
    createdAt: formatInstant(transaction.createdAt),
    expiresAt: expiresAt === null ? null : formatInstant(expiresAt),
    payerCountry,
    pollAfterMs: pollAfter(phase, takesAny(reading)),
    sandbox: context.sandbox,
    simulatorUrl: context.simulatedChains[chain] ? context.publicUrl + simulatorPath(transaction.publicId) : null,
  };
}

/** The status of the page's answer: what is used, expired or refused is gone (RFC 9110 section 15.5.11). */
export function pageStatus({ phase, takesAny }: InvoicePageState): 200 | 403 | 410 {
  if (phase === 'restricted') return 403;
  return takesAny || unfinished.includes(phase) ? 200 : 410;
}

/** Phases in which the payer may do something, or waits for others. */
const unfinished: readonly InvoicePhase[] = ['ready', 'seen', 'review', 'refunding'];

function pollAfter(phase: InvoicePhase, takesAny: boolean): number | null {
  if (phase === 'restricted') return null;
  if (phase === 'ready' || phase === 'seen') return POLL_SOON_MS;
  // What is sent to an invoice that has expired may be on its way.
  return takesAny || phase === 'expired' || unfinished.includes(phase) ? POLL_LATER_MS : null;
}

function takesAny({ transaction: { kind, type } }: PageReading): boolean {
  return kind === 'invoice' && type === 'user';
}

function phaseOf({ transaction, isRestricted }: PageReading, now: Instant): InvoicePhase {
  const { status, kind, rejection, expiresAt } = transaction;
  switch (status) {
    case 'pending':
      // Whoever cannot be told in time whether it was paid must not pay any more.
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
      if (rejection !== null) return 'refused';
      return kind === 'invoice' ? 'expired' : 'gone';
  }
}

/** Where any amount may come as often as one likes it may also come again, for as long as the wallet serves. */
function mayBePaid(reading: PageReading, phase: InvoicePhase): boolean {
  if (phase === 'ready') return true;
  return takesAny(reading) && reading.wallet.state === 'serving' && !reading.isRestricted;
}

/** What there is to decide about, the amount first. */
function reasonOf(labels: readonly CryptoLabel[]): InvoicePageState['because'] {
  if (labels.includes('underpaid')) return 'less';
  if (labels.includes('overpaid')) return 'more';
  return labels.includes('late') ? 'late' : 'rules';
}
