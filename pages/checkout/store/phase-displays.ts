import creditCardType from 'credit-card-type';
import type { PagePhase } from '../../../src/shared/page-phase.ts';
import type { PageState } from '../../../src/api/page-state.ts';
import type { StatusAction, StatusFact } from '../elements/status-panel.ts';
import type { StatusMark } from '../elements/status-mark.ts';
import type { Wording } from '../elements/text.ts';
import { httpUrl } from '../elements/http-url.ts';
import { declineNotice } from './notices.ts';
import type { PageView } from './page-view.ts';
import { restriction } from './restriction.ts';

/** Display of a phase in place of the form. */
export interface PhaseDisplay {
  mark: StatusMark;
  tone: 'good' | 'bad' | 'quiet';
  heading: string;
  text: string;
  facts: readonly StatusFact[];
  actions: readonly StatusAction[];
}

/** A phase that is shown in place of the form. */
export type ShownOutcome = Exclude<PagePhase, 'ready'>;

type Display = (view: PageView, words: Wording) => PhaseDisplay;

/** Display of each phase. `ready` shows the form itself. */
export const phaseDisplays: Record<ShownOutcome, Display> = {
  challenge: ({ state }, words) => ({
    ...baseDisplay(words, state, 'challenge', 'bank'),
    facts: cardFact(state, words),
    actions: [
      { name: 'continue', label: words.text('phases.challenge.continue'), url: state.challengeUrl, isMain: true },
      { name: 'abandon', label: words.text('phases.challenge.abandon'), url: null, isMain: false },
    ],
  }),
  checking: ({ state }, words) => ({
    ...baseDisplay(words, state, 'checking', 'pulse'),
    actions: [],
    facts: cardFact(state, words),
  }),
  paid: ({ state, sawPayment }, words) => ({
    ...baseDisplay(words, state, 'paid', 'tick'),
    tone: 'good',
    ...(sawPayment
      ? {}
      : { heading: words.text('phases.paid.again_title'), text: words.text('phases.paid.again_text') }),
    facts: [
      { label: words.text('page.amount'), value: words.amount(state.amount) },
      { label: words.text('page.reference'), value: state.reference },
      ...cardFact(state, words),
    ],
  }),
  expired: ({ state }, words) => baseDisplay(words, state, 'expired', 'clock'),
  cancelled: ({ state }, words) => baseDisplay(words, state, 'cancelled', 'cross'),
  failed: ({ state }, words) => ({
    ...baseDisplay(words, state, 'failed', 'cross'),
    tone: 'bad',
    ...(state.declined && {
      ...declineNotice(state.declined, 0, words),
      text: words.text('phases.failed.declined_text', { merchant: state.merchant.name }),
    }),
  }),
  restricted: ({ state }, words) => ({
    ...baseDisplay(words, state, 'restricted', 'globe'),
    ...restriction(state, words),
  }),
};

function baseDisplay(words: Wording, state: PageState, phase: ShownOutcome, mark: StatusMark): PhaseDisplay {
  const merchant = state.merchant.name;
  return {
    mark,
    tone: 'quiet',
    heading: words.text(`phases.${phase}.title`),
    text: words.text(`phases.${phase}.text`, { merchant }),
    facts: [],
    actions:
      httpUrl(state.returnUrl) === null
        ? []
        : [{ name: 'return', label: words.text('phases.back', { merchant }), url: state.returnUrl, isMain: true }],
  };
}

/** Brand and last four digits of the card. */
export function cardFact({ card }: PageState, words: Wording): StatusFact[] {
  if (card === null) return [];
  const value = words.text('page.card_ending', {
    brand: card.brand === null ? words.text('page.card') : brandName(card.brand),
    last4: card.last4,
  });
  return [{ label: words.text('page.card'), value }];
}

/** Display name of a brand: `American Express` for `american-express`. Unknown codes are returned unchanged. */
function brandName(brand: string): string {
  return creditCardType.getTypeInfo(brand)?.niceType ?? brand;
}
