import type { EndedMethod, PageState } from '../../../src/api/page-state.ts';
import { methodName } from '../elements/method-name.ts';
import type { StatusFact } from '../elements/status-panel.ts';
import type { Wording } from '../elements/text.ts';
import type { Notice } from '../store/notices.ts';
import type { PageView } from '../store/page-view.ts';
import { cardFact, type PhaseDisplay, type ShownOutcome } from '../store/phase-displays.ts';

/** Notice before payment: funds were received in part, or a non-card method ended without payment. */
export function pushPaymentNotice({ state }: PageView, words: Wording): Notice | null {
  if (state.phase !== 'ready') return null;
  if (state.received !== null) {
    const { left } = state.received;
    const text = words.text('received.text', { ...amountTexts(state, words), left: formatAmount(left, state, words) });
    return { tone: 'quiet', heading: words.text('received.title'), lines: [text] };
  }
  return state.ended === null ? null : endedNotice(state, state.ended, words);
}

function endedNotice(state: PageState, { code, because }: EndedMethod, words: Wording): Notice {
  const offeredMethod = state.methods.find((offered) => offered.code === code);
  const name = methodName(offeredMethod ?? { code, brand: null }, words);
  return {
    tone: because === 'refused' ? 'bad' : 'quiet',
    heading: words.text(`ended.${because}_title`),
    lines: [words.text(`ended.${because}`, { name })],
  };
}

/** Changes to an outcome if the buyer sent money instead of paying by card. */
export function pushPaymentDisplay({ state }: PageView, outcome: ShownOutcome, words: Wording): Partial<PhaseDisplay> {
  return overrides[outcome]?.(state, words) ?? {};
}

type Override = (state: PageState, words: Wording) => Partial<PhaseDisplay>;

const overrides: Partial<Record<ShownOutcome, Override>> = {
  checking(state, words) {
    const { waitsFor } = state;
    if (waitsFor?.what === 'confirmations') {
      const { seen, needed } = waitsFor;
      return {
        heading: words.text('sent.confirmations_title'),
        text: words.text('sent.confirmations', { seen, count: needed }),
        facts: [methodFact(state, words)],
      };
    }
    if (waitsFor?.what !== 'merchant') return {};
    return {
      heading: words.text('sent.merchant_title'),
      text: words.text('sent.merchant', amountTexts(state, words)),
      facts: receivedFact(state, words),
    };
  },

  paid(state, words) {
    if (state.card !== null && state.received === null) return {};
    const isOverpaid = state.received !== null && Number(state.received.left) === 0;
    return {
      ...(isOverpaid && { text: words.text('sent.paid_more', amountTexts(state, words)) }),
      facts: [
        { label: words.text('page.amount'), value: words.amount(state.amount) },
        ...receivedFact(state, words),
        { label: words.text('page.reference'), value: state.reference },
        ...(state.card === null ? [methodFact(state, words)] : cardFact(state, words)),
      ],
    };
  },

  expired: latePaymentOverride,
  cancelled: latePaymentOverride,

  failed: (state, words) =>
    refundOverride(state, words) ?? partialPaymentOverride(state, words) ?? latePaymentOverride(state, words),
  restricted: (state, words) => partialPaymentOverride(state, words) ?? {},
};

/** The full amount is refunded. The text must not claim that nothing was charged. */
function refundOverride({ goesBack, merchant, reference }: PageState, words: Wording): Partial<PhaseDisplay> | null {
  if (goesBack === null) return null;
  return {
    mark: goesBack === 'done' ? 'tick' : 'pulse',
    tone: 'quiet',
    heading: words.text(goesBack === 'done' ? 'invoice.refunded_title' : 'invoice.refunding_title'),
    text: words.text('invoice.ask', { merchant: merchant.name }),
    facts: [{ label: words.text('page.reference'), value: reference }],
  };
}

/** Part of the amount was received, and no more is expected. The text must not claim that nothing was charged. */
function partialPaymentOverride(state: PageState, words: Wording): Partial<PhaseDisplay> | null {
  if (state.received === null) return null;
  const facts = [{ label: words.text('page.reference'), value: state.reference }];
  if (state.received.value === state.amount.value) {
    const { merchant, received } = amountTexts(state, words);
    return {
      mark: 'pulse',
      tone: 'quiet',
      heading: words.text('invoice.review_title', { merchant }),
      text: words.text('invoice.decides', { merchant, received }),
      facts,
    };
  }
  if (Number(state.received.left) === 0) {
    return {
      heading: words.text('sent.merchant_title'),
      text: words.text('sent.merchant', amountTexts(state, words)),
      facts: [...receivedFact(state, words), ...facts],
    };
  }
  return {
    heading: words.text('sent.failed_part_title'),
    text: words.text('sent.failed_part', amountTexts(state, words)),
    facts,
  };
}

/** Nothing was received, but a payment may be on its way. */
function latePaymentOverride({ moneyMayCome, merchant }: PageState, words: Wording): Partial<PhaseDisplay> {
  return moneyMayCome ? { text: words.text('sent.late', { merchant: merchant.name }) } : {};
}

function formatAmount(value: string, { amount }: PageState, words: Wording): string {
  return words.amount({ value, currency: amount.currency });
}

function amountTexts(state: PageState, words: Wording) {
  return {
    received: formatAmount(state.received?.value ?? '0', state, words),
    amount: words.amount(state.amount),
    merchant: state.merchant.name,
  };
}

function receivedFact(state: PageState, words: Wording): StatusFact[] {
  if (state.received === null) return [];
  return [{ label: words.text('received.fact'), value: formatAmount(state.received.value, state, words) }];
}

function methodFact({ selectedMethod, selectedBrand }: PageState, words: Wording): StatusFact {
  return { label: words.text('sent.method'), value: methodName({ code: selectedMethod, brand: selectedBrand }, words) };
}
