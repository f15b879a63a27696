import type { TransactionDetail } from '../../../client/api.ts';
import type { AccountContext } from '../context.ts';
import type { Tone } from '../parts.ts';
import { declinedAttempts, declineLines } from './card-checks.ts';
import { deadlineText, eventText } from './event-text.ts';
import { statusText } from './status.ts';

/** The events of a payment, oldest first. */
export function timelineEntries(detail: TransactionDetail, { i18n, format }: AccountContext) {
  const declined = declinedAttempts(detail);
  return detail.timeline.map(({ sequence, type, at, status, detail: text }, index, all) => {
    const isCreation = type === 'fiat.transaction.created';
    const isSameStatus = index > 0 && all[index - 1]?.status === status && text !== undefined;
    // The amount says more than the status.
    const isOfAuthorization = text !== undefined && /^\S+ \S+ (?:authorized|captured)\b/.test(text);
    const isDecline = text !== undefined && i18n.has(`account.transactions.decline.${text}`);
    const isDeclined = isDecline && status === 'transaction_status_pending';
    const attempt = declined.get(sequence);
    const reason = text === undefined ? null : eventText(text, i18n, format);
    const note = attempt ? [reason, ...declineLines(attempt, i18n)].join(' · ') : reason;
    const title = isCreation
      ? i18n.text('account.transactions.timeline.created')
      : isDeclined
        ? i18n.text('account.transactions.event.declined')
        : statusText(status, i18n);
    return {
      ...{
        at,
        tone: isDeclined ? 'bad' : type.startsWith('fiat.dispute') ? disputeTone(text) : toneOf(status, isCreation),
      },
      ...((isSameStatus || isOfAuthorization) && note !== null
        ? { title: note, note: deadlineText(text, i18n, format) }
        : { title, note }),
    };
  });
}

function disputeTone(detail: string | undefined): Tone {
  if (detail === undefined) return 'plain';
  if (detail.endsWith(': won')) return 'good';
  return detail.endsWith(': under_review') ? 'plain' : 'bad';
}

function toneOf(status: TransactionDetail['status'], isCreation: boolean): Tone {
  if (isCreation) return 'plain';
  if (status === 'transaction_status_confirmed') return 'good';
  return status === 'transaction_status_failed' ? 'bad' : 'plain';
}
