import type { DeclineDetails } from '../../src/contract/card-submission.ts';
import type { Wording } from '../elements/text.ts';
import type { PageView } from './page-view.ts';

/** What the buyer should know before paying: one thing at a time, the most pressing first. */
export interface Notice {
  tone: 'bad' | 'quiet';
  heading: string;
  lines: readonly string[];
}

export function noticeOf(view: PageView, words: Wording): Notice | null {
  const { problem, state } = view;
  if (problem !== null) {
    const ownTitle = `problems.titles.${problem}`;
    const heading = words.text(words.has(ownTitle) ? ownTitle : 'problems.title');
    return { tone: 'bad', heading, lines: [words.text(`problems.${problem}`)] };
  }
  if (state.phase === 'ready' && state.declined !== null)
    return declineNotice(state.declined, state.attemptsLeft, words);
  return null;
}

function declineNotice(declined: DeclineDetails, attemptsLeft: number, words: Wording): Notice {
  const byCode = `decline.reasons.${declined.code}`;
  const reason = words.text(words.has(byCode) ? byCode : 'decline.reasons.card_declined');
  const ownTitle = `decline.titles.${declined.code}`;
  const attempts = words.text('decline.attempts', { count: attemptsLeft });
  // What ends without the bank's answer is no decline: it has a title of its own, and its reason says what to do.
  if (words.has(ownTitle)) return { tone: 'quiet', heading: words.text(ownTitle), lines: [reason, attempts] };
  const advice = words.text(`decline.advice.${declined.advice}`);
  return { tone: 'bad', heading: words.text('decline.title'), lines: [reason, `${advice} ${attempts}`] };
}
