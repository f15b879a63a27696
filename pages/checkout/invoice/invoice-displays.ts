import type { InvoicePageState, InvoicePhase } from '../../../src/api/invoice-page.ts';
import type { StatusIcon } from '../elements/status-icon.ts';
import type { StatusAction, StatusFact } from '../elements/status-panel.ts';
import { type I18n, joinSentences } from '../elements/i18n.ts';
import { httpUrl } from '../elements/http-url.ts';
import { restriction } from '../store/restriction.ts';
import { transactionLink } from '../methods/transaction-link.ts';
import { formatCoins } from './coins.ts';

/** Status shown above, or in place of, the payment instructions. */
export interface InvoiceDisplay {
  icon: StatusIcon;
  tone: 'good' | 'bad' | 'warn' | 'quiet';
  heading: string;
  text: string;
}

type Display = (state: InvoicePageState, i18n: I18n) => InvoiceDisplay;

/** Display of each phase. In `ready` there are only the payment instructions. */
const displays: Record<Exclude<InvoicePhase, 'ready'>, Display> = {
  seen: (state, i18n) => quietDisplay('pulse', i18n.text('sent.confirmations_title'), confirmationsText(state, i18n)),
  review: (state, i18n) => ({
    ...quietDisplay('review', reviewTitle(state, i18n), reviewText(state, i18n)),
    ...(/^(under|over)paid$/.test(state.reviewReason ?? '') && { tone: 'warn' }),
  }),
  paid: (_state, i18n) => ({
    icon: 'tick',
    tone: 'good',
    heading: i18n.text('phases.paid.title'),
    // Doesn't mention a return link: an invoice may have no return URL.
    text: i18n.text('frame.paid'),
  }),
  refunding: (state, i18n) =>
    quietDisplay('pulse', i18n.text('invoice.refunding_title'), contactMerchantText(state, i18n)),
  refunded: (state, i18n) =>
    quietDisplay('tick', i18n.text('invoice.refunded_title'), contactMerchantText(state, i18n)),
  rejected: (state, i18n) => ({
    ...quietDisplay('cross', i18n.text('invoice.rejected_title'), contactMerchantText(state, i18n)),
    tone: 'bad',
  }),
  expired: ({ merchant }, i18n) =>
    quietDisplay(
      'clock',
      i18n.text('phases.expired.title'),
      joinSentences(i18n.text('ended.expired'), i18n.text('sent.late', { merchant: merchant.name })),
    ),
  dropped: (_state, i18n) => quietDisplay('cross', i18n.text('invoice.replaced_title'), i18n.text('invoice.replaced')),
  restricted: ({ payerCountry }, i18n) => ({
    ...quietDisplay('globe', i18n.text('phases.restricted.title'), i18n.text('phases.restricted.text')),
    ...restriction({ buyerCountry: payerCountry }, i18n),
  }),
};

/** Returns the status to show, or null if there are only payment instructions. */
export function invoiceDisplay(state: InvoicePageState, i18n: I18n): InvoiceDisplay | null {
  return state.phase === 'ready' ? null : displays[state.phase](state, i18n);
}

/** Facts that a payer compares or needs for support. */
export function invoiceFacts(state: InvoicePageState, i18n: I18n): StatusFact[] {
  const { amount, received, reference, confirmations, phase, transactions, paidAt } = state;
  if (phase === 'restricted') return [];
  const facts: StatusFact[] = [];
  const addFact = (label: string, value: unknown) => facts.push({ label, value });
  if (amount !== null) addFact(i18n.text('page.amount'), formatCoins(amount, state));
  if (received !== null && received !== amount) addFact(i18n.text('received.label'), formatCoins(received, state));
  if (confirmations) addFact(i18n.text('invoice.confirmations'), `${confirmations.seen} / ${confirmations.needed}`);
  if (reference !== null) addFact(i18n.text('page.reference'), reference);
  for (const transaction of transactions) addFact(i18n.text('invoice.transaction'), transactionLink(transaction));
  if (paidAt !== null) addFact(i18n.text('page.paid_at'), i18n.dateTime(paidAt));
  return facts;
}

/** Link back to the merchant, and a receipt to print. */
export function invoiceActions({ phase, returnUrl, merchant }: InvoicePageState, i18n: I18n): StatusAction[] {
  const isPaid = phase === 'paid';
  const back = { name: 'return', label: i18n.text('phases.back', { merchant: merchant.name }), url: returnUrl };
  return [
    ...(httpUrl(returnUrl) === null ? [] : [{ ...back, isMain: isPaid }]),
    ...(isPaid ? [{ name: 'print', label: i18n.text('page.print'), url: null, isMain: false }] : []),
  ];
}

function quietDisplay(icon: StatusIcon, heading: string, text: string): InvoiceDisplay {
  return { icon, tone: 'quiet', heading, text };
}

/** Invoices for any amount can be paid repeatedly, so they don't warn against paying again. */
function confirmationsText({ confirmations, coin, acceptsAnyAmount }: InvoicePageState, i18n: I18n): string {
  const { seen = 0, needed = 0 } = confirmations ?? {};
  if (acceptsAnyAmount) return i18n.text('invoice.complete_after', { count: needed });
  if (seen > 0) return i18n.text('sent.confirmations', { seen, count: needed });
  return joinSentences(
    i18n.text('invoice.unconfirmed', { network: coin.network }),
    i18n.text('invoice.do_not_pay_again'),
  );
}

function reviewTitle({ reviewReason, merchant }: InvoicePageState, i18n: I18n): string {
  if (reviewReason === 'underpaid') return i18n.text('sent.underpaid_title');
  if (reviewReason === 'overpaid') return i18n.text('sent.overpaid_title');
  return reviewReason === 'late'
    ? i18n.text('invoice.late_title')
    : i18n.text('invoice.review_title', { merchant: merchant.name });
}

function reviewText(state: InvoicePageState, i18n: I18n): string {
  const { reviewReason, remaining, acceptsAnyAmount } = state;
  const merchant = state.merchant.name;
  const received = formatCoins(state.received ?? '0', state);
  const amount = formatCoins(state.amount ?? '0', state);
  if (reviewReason === 'underpaid')
    return i18n.text('invoice.underpaid', {
      received,
      amount,
      missing: formatCoins(remaining ?? '0', state),
      merchant,
    });
  if (reviewReason === 'overpaid') return i18n.text('sent.overpaid', { received, amount, merchant });
  const review = i18n.text('invoice.in_review', { received, merchant });
  return acceptsAnyAmount ? review : joinSentences(review, i18n.text('invoice.do_not_pay_again'));
}

function contactMerchantText({ merchant }: InvoicePageState, i18n: I18n): string {
  return i18n.text('invoice.contact', { merchant: merchant.name });
}
