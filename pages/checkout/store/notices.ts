import type { DeclineDetails } from '../../../src/api/card-submission.ts';
import type { Wording } from '../elements/text.ts';
import type { PageView } from './page-view.ts';

/** A message before payment. One at a time, most important first. */
export interface Notice {
  tone: 'bad' | 'quiet';
  heading: string;
  lines: readonly string[];
}

/**
 * An attempt that ended without an issuer's response is not called a decline. It has its own title, and its reason
 * says what to do.
 */
export function declineNotice({ code, advice }: DeclineDetails, attemptsLeft: number, words: Wording): Notice {
  const attempts = words.text('decline.attempts', { count: attemptsLeft });
  const isDecline = !words.has(`decline.titles.${code}`);
  return {
    tone: isDecline ? 'bad' : 'quiet',
    heading: words.textOr(`decline.titles.${code}`, 'decline.title'),
    lines: [
      words.textOr(`decline.reasons.${code}`, 'decline.reasons.card_declined'),
      isDecline ? `${words.text(`decline.advice.${advice}`)} ${attempts}` : attempts,
    ],
  };
}

export function paymentNotice(view: PageView, words: Wording): Notice | null {
  const { problem, state } = view;
  if (problem !== null) {
    const heading = words.textOr(`problems.titles.${problem}`, 'problems.title');
    return { tone: 'bad', heading, lines: [words.text(`problems.${problem}`)] };
  }
  if (state.phase === 'ready' && state.declined !== null)
    return declineNotice(state.declined, state.attemptsLeft, words);
  return null;
}
