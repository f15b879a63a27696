import type { Callback } from '../../../client/api.ts';
import type { I18n } from '../../checkout/elements/i18n.ts';
import type { Format } from '../format.ts';
import { eventText } from './event-text.ts';
import { type ShownStatus, statusText } from './status.ts';

export interface WebhookChange {
  /** The status that the webhook reports; null if the change has another text, and without `transaction:read`. */
  status: string | null;
  /** The change in words: the cause of the status, or the change of something else than the status. */
  detail: string | null;
}

/** The change that a webhook reports, as the timeline of its transaction names it. */
export function changeOf({ type, status, ...callback }: Callback, i18n: I18n, format: Format): WebhookChange {
  const isFiat = type.startsWith('fiat.');
  // Details of the other kinds are codes.
  const detail = isFiat && callback.detail !== null ? eventText(callback.detail, i18n, format) : null;
  if (status === null || type.startsWith('fiat.dispute')) return { status: null, detail };
  if (status === callback.previous_status && detail !== null) return { status: null, detail };
  const isWithdrawal = type.includes('.withdrawal.');
  const text = isWithdrawal
    ? i18n.text(`account.statuses.withdrawal.${status}`)
    : statusText(status as ShownStatus, i18n);
  return { status: text, detail };
}
