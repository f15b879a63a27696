import { parseMoment } from '../../shared/time.ts';
import type { DisputeReport } from '../adapter.ts';
import { type DisputeState, isResponseDue } from '../../shared/dispute.ts';
import { fromAdyenAmountRoundedUp } from './amounts.ts';
import type { AdditionalData } from './declines.ts';
import type { WebhookItem } from './webhook.ts';

/**
 * State of a dispute after each event (Adyen's page "Dispute webhooks"). A reversed chargeback returns the funds; a
 * second chargeback can still take them, and arrives as another event.
 */
const states: Readonly<Record<string, DisputeState>> = {
  REQUEST_FOR_INFORMATION: 'inquiry',
  NOTIFICATION_OF_CHARGEBACK: 'needs_response',
  DISPUTE_OPENED_WITH_CHARGEBACK: 'needs_response',
  CHARGEBACK: 'needs_response',
  INFORMATION_SUPPLIED: 'under_review',
  CHARGEBACK_REVERSED: 'won',
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: 'won',
  DISPUTE_DEFENSE_PERIOD_ENDED: 'lost',
  SECOND_CHARGEBACK: 'lost',
  PREARBITRATION_OPEN: 'needs_response',
  PREARBITRATION_ACCEPTED: 'lost',
  PREARBITRATION_DECLINED: 'under_review',
  PREARBITRATION_ISSUER_WITHDRAWN: 'won',
  PREARBITRATION_WON: 'won',
  PREARBITRATION_LOST: 'lost',
  SCHEME_ARBITRATION: 'under_review',
  SCHEME_ARBITRATION_WON: 'won',
  SCHEME_ARBITRATION_LOST: 'lost',
};

/** Events that can follow a response or the end of the dispute. Their `disputeStatus`, absent in Brazil, takes precedence. */
const eventsWithStatus = new Set([
  ...['NOTIFICATION_OF_CHARGEBACK', 'DISPUTE_OPENED_WITH_CHARGEBACK', 'CHARGEBACK', 'DISPUTE_DEFENSE_PERIOD_ENDED'],
]);
const statesByStatus: Readonly<Record<string, DisputeState>> = {
  ...{ Responded: 'under_review', Pending: 'under_review', Won: 'won' },
  ...{ Lost: 'lost', Accepted: 'lost', Expired: 'lost' },
};

/** Events that name only the payment, unless the webhook's setting includes `originalReference` (Webhooks v1, examples). */
const eventsOfPayment = new Set([
  ...['CHARGEBACK_REVERSED', 'SECOND_CHARGEBACK', 'PREARBITRATION_WON', 'PREARBITRATION_LOST'],
]);

/** Parses a dispute event about one of our payments; null for other events. */
export function disputeOf(item: WebhookItem, chargeKey: string): DisputeReport | null {
  const data = item.additionalData;
  const status = eventsWithStatus.has(item.eventCode) ? text(data, 'disputeStatus') : null;
  const state = statesByStatus[status ?? ''] ?? states[item.eventCode];
  const amount = item.amount ? fromAdyenAmountRoundedUp(item.amount) : null;
  const updatedAt = parseMoment(item.eventDate)?.at;
  if (!state || !amount || updatedAt === undefined) return null;
  const isDefended = text(data, 'defendable') === 'false' || text(data, 'autoDefended') === 'true';
  return {
    disputeKey: item.originalReference === '' && eventsOfPayment.has(item.eventCode) ? null : item.pspReference,
    chargeKey,
    state,
    ...(item.eventCode === 'CHARGEBACK' && status === null && { isDebit: true }),
    ...amount,
    reasonCode: text(data, 'chargebackReasonCode') ?? text(data, 'rfiReasonCode'),
    reason: item.reason.trim() || null,
    respondBy:
      isResponseDue(state) && !isDefended ? (parseMoment(text(data, 'defensePeriodEndsAt') ?? '')?.at ?? null) : null,
    updatedAt,
  };
}

function text(data: AdditionalData, name: string): string | null {
  const value = data[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
