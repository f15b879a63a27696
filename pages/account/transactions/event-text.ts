import type { I18n } from '../../checkout/elements/i18n.ts';
import type { Format } from '../format.ts';
import { nameOfMethod } from './methods.ts';

const AMOUNT = String.raw`(\d+(?:\.\d+)?) ([A-Z]{3})`;
const amountChange = new RegExp(
  `^${AMOUNT} (received|reversed|accepted|rejected|refunded out of band|refunded|captured)(?:: (.*))?$`,
  's',
);
const failedRefund = new RegExp(`^refund of ${AMOUNT} (refused|failed after it had succeeded): .*$`);
const authorized = new RegExp(`^${AMOUNT} authorized on card ending (\\d{4})$`);
const capture = new RegExp(`^capture of ${AMOUNT} (requested|refused|failed after it had succeeded)(?:: .*)?$`);
const dispute = new RegExp(`^dispute of ${AMOUNT}: (\\w+)(?:, respond by (\\S+))?$`);

/** Translates the detail of a payment's event; unknown details are shown unchanged. */
export function eventText(detail: string, i18n: I18n, format: Format): string {
  const text = (key: string, values?: Record<string, string>) => i18n.text(`account.transactions.${key}`, values);
  const [, last4] = /^card ending (\d{4})$/.exec(detail) ?? [];
  if (last4 !== undefined) return text('timeline.card', { last4 });
  const [, amount, currency, change = '', reason] = amountChange.exec(detail) ?? [];
  if (amount !== undefined && currency !== undefined) {
    const sentence = text(`timeline.${change.replaceAll(' ', '_')}`, { amount: format.money(amount, currency) });
    return reason === undefined ? sentence : `${sentence}: ${reason}`;
  }
  const [, refunded, refundCurrency, failure] = failedRefund.exec(detail) ?? [];
  if (refunded !== undefined && refundCurrency !== undefined)
    return text(`timeline.refund_${failure === 'refused' ? 'refused' : 'returned'}`, {
      amount: format.money(refunded, refundCurrency),
    });
  const [, held, heldCurrency, card] = authorized.exec(detail) ?? [];
  if (held !== undefined && heldCurrency !== undefined && card !== undefined)
    return text('timeline.authorized', { amount: format.money(held, heldCurrency), last4: card });
  const [, captured, captureCurrency, captureState = ''] = capture.exec(detail) ?? [];
  if (captured !== undefined && captureCurrency !== undefined)
    return text(`timeline.capture_${captureState.startsWith('failed') ? 'failed' : captureState}`, {
      amount: format.money(captured, captureCurrency),
    });
  if (detail.startsWith('void refused: ')) return text('event.void_refused');
  const [, disputed, disputeCurrency, state] = dispute.exec(detail) ?? [];
  if (disputed !== undefined && disputeCurrency !== undefined)
    return text('timeline.dispute', {
      amount: format.money(disputed, disputeCurrency),
      state: i18n.text(`account.statuses.dispute.${state}`),
    });
  if (detail === 'awaits approval') return i18n.text('account.statuses.crypto.approved_required');
  for (const key of [`decline.${detail}`, `event.${detail.replaceAll(' ', '_')}`])
    if (i18n.has(`account.transactions.${key}`)) return text(key);
  return i18n.has(`methods.${detail}`) ? nameOfMethod(detail, i18n) : detail;
}

/** The deadline of a dispute's event; null for events without one. */
export function deadlineText(detail: string, i18n: I18n, format: Format): string | null {
  const [, , , , deadline] = dispute.exec(detail) ?? [];
  if (deadline === undefined) return null;
  return i18n.text('account.transactions.disputes.respond_until', { time: format.dateTimeText(deadline) });
}
