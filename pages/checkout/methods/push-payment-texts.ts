import { transactionLink } from './transaction-link.ts';
import type { EndedMethod, PageState } from '../../../src/api/page-state.ts';
import { methodName } from '../elements/method-name.ts';
import type { StatusFact } from '../elements/status-panel.ts';
import { type I18n, joinSentences } from '../elements/i18n.ts';
import type { Notice } from '../store/notices.ts';
import type { PageView } from '../store/page-view.ts';
import { cardFact, type PhaseDisplay, type ShownOutcome } from '../store/phase-displays.ts';

/** Notice before payment: a partial payment was received, or a non-card method ended without payment. */
export function pushPaymentNotice({ state }: PageView, i18n: I18n): Notice | null {
  const { phase, started, received, ended } = state;
  // Open instructions are newer, and state the amount to pay.
  if (phase !== 'ready' || started) return null;
  const notice = ended && endedNotice(state, ended, i18n);
  if (!received) return notice;
  const left = formatAmount(received.left, state, i18n);
  return {
    tone: 'warn',
    heading: i18n.text('received.title'),
    ...notice,
    // The lines of `notice` claim that nothing was received.
    lines: [i18n.text('received.text', { ...amountTexts(state, i18n), left })],
  };
}

function endedNotice(state: PageState, { code, reason }: EndedMethod, i18n: I18n): Notice {
  const offeredMethod = state.methods.find((offered) => offered.code === code);
  const name = methodName(offeredMethod ?? { code, brand: null }, i18n);
  return {
    tone: reason === 'refused' ? 'bad' : 'warn',
    heading: i18n.text(`ended.${reason}_title`),
    lines: [i18n.text(`ended.${reason}`, { name })],
  };
}

/** Changes to an outcome if the buyer paid by a push payment instead of a card. */
export function pushPaymentDisplay({ state }: PageView, outcome: ShownOutcome, i18n: I18n): Partial<PhaseDisplay> {
  return overrides[outcome]?.(state, i18n) ?? {};
}

type Override = (state: PageState, i18n: I18n) => Partial<PhaseDisplay>;

const overrides: Partial<Record<ShownOutcome, Override>> = {
  checking(state, i18n) {
    const { waitsFor } = state;
    if (waitsFor?.kind === 'confirmations') {
      const { seen, needed } = waitsFor;
      return {
        heading: i18n.text(Number(state.received?.left) > 0 ? 'received.title' : 'sent.confirmations_title'),
        text: i18n.text('sent.confirmations', { seen, count: needed }),
        facts: paymentFacts(state, i18n),
      };
    }
    return (waitsFor?.kind === 'merchant' && reviewOverride(state, i18n)) || {};
  },

  paid(state, i18n) {
    if (state.card !== null && state.received === null) return {};
    const isOverpaid = state.received !== null && Number(state.received.left) === 0;
    return {
      ...(isOverpaid && { text: i18n.text('sent.request_refund', amountTexts(state, i18n)) }),
      facts: paymentFacts(state, i18n, state.card === null ? [methodFact(state, i18n)] : cardFact(state, i18n)),
    };
  },

  expired: latePaymentOverride,
  cancelled: latePaymentOverride,

  failed: (state, i18n) =>
    refundOverride(state, i18n) ?? reviewOverride(state, i18n) ?? latePaymentOverride(state, i18n),
  restricted: (state, i18n) => reviewOverride(state, i18n) ?? {},
};

/** The full amount is refunded. The text must not claim that nothing was charged. */
function refundOverride(state: PageState, i18n: I18n): Partial<PhaseDisplay> | null {
  const { refundProgress, merchant } = state;
  if (refundProgress === null) return null;
  return {
    icon: refundProgress === 'done' ? 'tick' : 'pulse',
    tone: 'quiet',
    heading: i18n.text(refundProgress === 'done' ? 'invoice.refunded_title' : 'invoice.refunding_title'),
    text: i18n.text('invoice.contact', { merchant: merchant.name }),
    facts: [referenceFact(state, i18n)],
  };
}

/** The merchant reviews the received amount. The text must not claim that nothing was charged. */
function reviewOverride(state: PageState, i18n: I18n): Partial<PhaseDisplay> | null {
  const { received, amount } = state;
  if (received === null) return null;
  const outcome = Number(received.left) > 0 ? 'sent.underpaid' : 'sent.overpaid';
  const isExact = received.value === amount.value;
  const [heading, text] = isExact ? ['invoice.review_title', 'invoice.in_review'] : [`${outcome}_title`, outcome];
  const texts = amountTexts(state, i18n);
  return {
    icon: 'review',
    tone: isExact ? 'quiet' : 'warn',
    heading: i18n.text(heading, texts),
    text: i18n.text(text, texts),
    facts: [...receivedFact(state, i18n), referenceFact(state, i18n)],
  };
}

/** Nothing was received, but a payment may be in progress. */
function latePaymentOverride(state: PageState, i18n: I18n): Partial<PhaseDisplay> {
  if (!state.mayReceiveFunds) return {};
  return {
    text: joinSentences(i18n.text('ended.expired'), i18n.text('sent.late', { merchant: state.merchant.name })),
    facts: [referenceFact(state, i18n)],
  };
}

function formatAmount(value: string, { amount }: PageState, i18n: I18n): string {
  return i18n.amount({ value, currency: amount.currency });
}

function amountTexts(state: PageState, i18n: I18n) {
  return {
    received: formatAmount(state.received?.value ?? '0', state, i18n),
    amount: i18n.amount(state.amount),
    merchant: state.merchant.name,
  };
}

function referenceFact({ reference }: PageState, i18n: I18n): StatusFact {
  return { label: i18n.text('page.reference'), value: reference };
}

function receivedFact(state: PageState, i18n: I18n): StatusFact[] {
  if (state.received === null) return [];
  return [{ label: i18n.text('received.label'), value: formatAmount(state.received.value, state, i18n) }];
}

function paymentFacts(state: PageState, i18n: I18n, method: readonly StatusFact[] = []): StatusFact[] {
  return [
    { label: i18n.text('page.amount'), value: i18n.amount(state.amount) },
    ...receivedFact(state, i18n),
    referenceFact(state, i18n),
    ...method,
    ...state.coinTransactions.map((each) => ({
      label: i18n.text('invoice.transaction'),
      value: transactionLink(each),
    })),
  ];
}

function methodFact({ selectedMethod, selectedBrand }: PageState, i18n: I18n): StatusFact {
  return { label: i18n.text('sent.method'), value: methodName({ code: selectedMethod, brand: selectedBrand }, i18n) };
}
