import type { DeclineDetails } from '../../../src/api/decline.ts';
import type { I18n } from '../elements/i18n.ts';
import type { PageView } from './page-view.ts';

/** The number of attempts left from which it is shown. */
const FEW_ATTEMPTS = 2;

/** A message before payment. One at a time, most important first. */
export interface Notice {
  tone: 'bad' | 'warn' | 'quiet';
  heading: string;
  lines: readonly string[];
}

/**
 * An attempt that ended without an issuer's response is not called a decline: it was abandoned by the buyer, or no
 * acquirer could be called. It has its own title, and its reason includes the next step.
 */
export function declineNotice(declined: DeclineDetails, attemptsLeft: number, i18n: I18n): Notice {
  const code = declined.code === 'acquirer_unavailable' ? 'authentication_abandoned' : declined.code;
  const isDecline = !i18n.has(`decline.titles.${code}`);
  return {
    tone: isDecline ? 'bad' : 'quiet',
    heading: i18n.textOr(`decline.titles.${code}`, 'decline.title'),
    lines: [
      i18n.textOr(`decline.reasons.${code}`, 'decline.reasons.card_declined'),
      ...(isDecline ? [i18n.text(`decline.advice.${declined.advice}`)] : []),
      ...(attemptsLeft <= FEW_ATTEMPTS ? [i18n.text('decline.attempts', { count: attemptsLeft })] : []),
    ],
  };
}

export function paymentNotice(view: PageView, i18n: I18n): Notice | null {
  const { problem, state } = view;
  if (problem !== null) {
    const heading = i18n.textOr(`problems.titles.${problem}`, 'problems.title');
    return { tone: 'bad', heading, lines: [i18n.text(`problems.${problem}`)] };
  }
  if (state.phase === 'ready' && state.declined !== null)
    return declineNotice(state.declined, state.attemptsLeft, i18n);
  return null;
}
