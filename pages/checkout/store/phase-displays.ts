import { cardBrands } from '../../../src/shared/card-brands.ts';
import type { PagePhase } from '../../../src/shared/page-phase.ts';
import type { PageState } from '../../../src/api/page-state.ts';
import type { StatusAction, StatusFact } from '../elements/status-panel.ts';
import type { StatusIcon } from '../elements/status-icon.ts';
import type { I18n } from '../elements/i18n.ts';
import { httpUrl } from '../elements/http-url.ts';
import { declineNotice } from './notices.ts';
import type { PageView } from './page-view.ts';
import { restriction } from './restriction.ts';

/** Display of a phase in place of the form. */
export interface PhaseDisplay {
  icon: StatusIcon;
  tone: 'good' | 'bad' | 'warn' | 'quiet';
  heading: string;
  text: string;
  facts: readonly StatusFact[];
  actions: readonly StatusAction[];
}

/** A phase that is shown in place of the form. */
export type ShownOutcome = Exclude<PagePhase, 'ready'>;

type Display = (view: PageView, i18n: I18n) => PhaseDisplay;

/** Display of each phase. `ready` shows the form itself. */
export const phaseDisplays: Record<ShownOutcome, Display> = {
  challenge: ({ state }, i18n) => ({
    ...baseDisplay(i18n, state, 'challenge', 'bank'),
    actions: [
      { name: 'continue', label: i18n.text('phases.challenge.continue'), url: state.challengeUrl, isMain: true },
      { name: 'abandon', label: i18n.text('phases.challenge.abandon'), url: null, isMain: false },
    ],
  }),
  checking: ({ state }, i18n) => baseDisplay(i18n, state, 'checking', 'pulse'),
  paid: ({ state, sawOutcome }, i18n) => ({
    ...baseDisplay(i18n, state, 'paid', 'tick'),
    tone: 'good',
    ...(sawOutcome || state.authorized
      ? { text: i18n.text('frame.paid') }
      : {
          heading: i18n.textOr('phases.paid.already_title', 'phases.paid.title'),
          text: i18n.text('phases.paid.already_text'),
        }),
    ...(state.authorized && { heading: i18n.text('phases.paid.authorized') }),
    facts: [
      { label: i18n.text('page.amount'), value: i18n.amount(state.amount) },
      { label: i18n.text('page.reference'), value: state.reference },
      ...cardFact(state, i18n),
    ],
  }),
  expired: ({ state }, i18n) => baseDisplay(i18n, state, 'expired', 'clock'),
  cancelled: ({ state }, i18n) => baseDisplay(i18n, state, 'cancelled', 'cross'),
  failed: ({ state }, i18n) => ({
    ...baseDisplay(i18n, state, 'failed', 'cross'),
    tone: 'bad',
    ...(state.declined && {
      ...declineNotice(state.declined, 0, i18n),
      text: i18n.text('phases.failed.declined_text', { merchant: state.merchant.name }),
    }),
  }),
  restricted: ({ state }, i18n) => ({
    ...baseDisplay(i18n, state, 'restricted', 'globe'),
    ...restriction(state, i18n),
  }),
};

/** True if an authorized amount was released. */
export function isReleased({ authorized, phase }: PageState): boolean {
  return authorized && phase !== 'paid';
}

function baseDisplay(i18n: I18n, state: PageState, phase: ShownOutcome, icon: StatusIcon): PhaseDisplay {
  const merchant = state.merchant.name;
  const released = isReleased(state);
  return {
    icon,
    tone: 'quiet',
    // The authorization has expired, not the link.
    heading: i18n.text(released && phase === 'expired' ? 'frame.expired_title' : `phases.${phase}.title`),
    text: i18n.text(released ? 'authorization.released' : `phases.${phase}.text`, { merchant }),
    facts: cardFact(state, i18n),
    actions:
      httpUrl(state.returnUrl) === null
        ? []
        : [
            {
              name: 'return',
              label: i18n.text('phases.back', { merchant }),
              url: state.returnUrl,
              // The payment continues without this page, but its result appears here.
              isMain: phase !== 'checking',
            },
          ],
  };
}

/** Brand and last four digits of the card. */
export function cardFact({ card }: PageState, i18n: I18n): StatusFact[] {
  if (card === null) return [];
  const value = i18n.text('page.card_ending', {
    brand: card.brand === null ? i18n.text('page.card') : brandName(card.brand),
    last4: card.last4,
  });
  return [{ label: i18n.text('page.card'), value }];
}

/** Display name of a brand: `American Express` for `american-express`. Unknown codes are returned unchanged. */
function brandName(brand: string): string {
  return cardBrands.find((rules) => rules.brand === brand)?.name ?? brand;
}
