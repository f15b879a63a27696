import type { InvoicePageState, InvoicePhase } from '../../../src/api/invoice-page.ts';
import type { StatusMark } from '../elements/status-mark.ts';
import type { StatusFact } from '../elements/status-panel.ts';
import type { Wording } from '../elements/text.ts';
import { restriction } from '../store/restriction.ts';
import { formatCoins } from './coins.ts';

/** Status shown above, or in place of, the payment instructions. */
export interface InvoiceDisplay {
  mark: StatusMark;
  tone: 'good' | 'bad' | 'quiet';
  heading: string;
  text: string;
}

type Display = (state: InvoicePageState, words: Wording) => InvoiceDisplay;

/** Display of each phase. In `ready` there are only the payment instructions. */
const displays: Record<Exclude<InvoicePhase, 'ready'>, Display> = {
  seen: (state, words) =>
    quietDisplay('pulse', words.text('sent.confirmations_title'), confirmationsText(state, words)),
  review: (state, words) => quietDisplay('pulse', reviewTitle(state, words), reviewText(state, words)),
  paid: ({ merchant }, words) => ({
    mark: 'tick',
    tone: 'good',
    heading: words.text('phases.paid.title'),
    text: words.text('phases.paid.text', { merchant: merchant.name }),
  }),
  refunding: (state, words) =>
    quietDisplay('pulse', words.text('invoice.refunding_title'), contactMerchantText(state, words)),
  refunded: (state, words) =>
    quietDisplay('tick', words.text('invoice.refunded_title'), contactMerchantText(state, words)),
  refused: (state, words) => ({
    ...quietDisplay('cross', words.text('invoice.refused_title'), contactMerchantText(state, words)),
    tone: 'bad',
  }),
  expired: ({ merchant }, words) =>
    quietDisplay('clock', words.text('phases.expired.title'), words.text('sent.late', { merchant: merchant.name })),
  gone: (_state, words) => quietDisplay('cross', words.text('invoice.replaced_title'), words.text('invoice.replaced')),
  restricted: ({ merchant, payerCountry }, words) => ({
    ...quietDisplay(
      'globe',
      words.text('phases.restricted.title'),
      words.text('phases.restricted.text', { merchant: merchant.name }),
    ),
    ...restriction({ merchant, buyerCountry: payerCountry }, words),
  }),
};

/** Returns the status to show, or null if there are only payment instructions. */
export function invoiceDisplay(state: InvoicePageState, words: Wording): InvoiceDisplay | null {
  return state.phase === 'ready' ? null : displays[state.phase](state, words);
}

/** Facts that a payer compares or needs for support. */
export function invoiceFacts(state: InvoicePageState, words: Wording): StatusFact[] {
  const { amount, received, reference, confirmations, phase } = state;
  if (phase === 'restricted') return [];
  const facts: StatusFact[] = [];
  const addFact = (label: string, value: string) => facts.push({ label, value });
  if (amount !== null) addFact(words.text('page.amount'), formatCoins(amount, state));
  if (received !== null && received !== amount) addFact(words.text('received.fact'), formatCoins(received, state));
  if (confirmations) addFact(words.text('invoice.confirmations'), `${confirmations.seen} / ${confirmations.needed}`);
  if (reference !== null) addFact(words.text('page.reference'), reference);
  return facts;
}

function quietDisplay(mark: StatusMark, heading: string, text: string): InvoiceDisplay {
  return { mark, tone: 'quiet', heading, text };
}

/** Invoices for any amount can be paid repeatedly, so they don't warn against paying again. */
function confirmationsText({ confirmations, coin, takesAny }: InvoicePageState, words: Wording): string {
  const { seen = 0, needed = 0 } = confirmations ?? {};
  if (takesAny) return words.text('instructions.crypto_confirmations', { count: needed });
  if (seen > 0) return words.text('sent.confirmations', { seen, count: needed });
  return `${words.text('invoice.block', { network: coin.network })} ${words.text('invoice.not_again')}`;
}

function reviewTitle({ because, merchant }: InvoicePageState, words: Wording): string {
  if (because === 'less') return words.text('sent.failed_part_title');
  if (because === 'more') return words.text('sent.merchant_title');
  return because === 'late'
    ? words.text('invoice.late_title')
    : words.text('invoice.review_title', { merchant: merchant.name });
}

function reviewText(state: InvoicePageState, words: Wording): string {
  const { because, missing, takesAny } = state;
  const merchant = state.merchant.name;
  const received = formatCoins(state.received ?? '0', state);
  const amount = formatCoins(state.amount ?? '0', state);
  if (because === 'less')
    return words.text('invoice.less', { received, amount, missing: formatCoins(missing ?? '0', state), merchant });
  if (because === 'more') return words.text('sent.merchant', { received, amount, merchant });
  const review = words.text('invoice.decides', { received, merchant });
  return takesAny ? review : `${review} ${words.text('invoice.not_again')}`;
}

function contactMerchantText({ merchant }: InvoicePageState, words: Wording): string {
  return words.text('invoice.ask', { merchant: merchant.name });
}
