import { z } from 'zod';
import { currencyCode } from '../../api/currency.ts';
import { parseMoment } from '../../shared/time.ts';
import type { DisputeReport } from '../adapter.ts';
import type { DisputeState } from '../../shared/dispute.ts';
import { hasSameMinorUnits } from './amounts.ts';
import { parseId } from './ids.ts';

const text = z.string().nullish().catch(null);

export const dispute = z.object({
  dispute_id: z.string().min(1).max(200),
  payment_id: z.string(),
  /** Minor units, as text. */
  amount: z.string().regex(/^\d{1,18}$/),
  currency: z.string(),
  dispute_stage: z.string(),
  dispute_status: z.string(),
  connector_reason: text,
  connector_reason_code: text,
  challenge_required_by: text,
  created_at: text,
});
export type Dispute = z.infer<typeof dispute>;

/**
 * Hyperswitch's schema `DisputeStatus`. `cancelled`: the buyer or the bank withdrew the dispute. `expired`: the
 * merchant did not respond in time.
 */
const states: Readonly<Record<string, DisputeState>> = {
  dispute_opened: 'needs_response',
  dispute_challenged: 'under_review',
  dispute_won: 'won',
  dispute_cancelled: 'won',
  dispute_lost: 'lost',
  dispute_accepted: 'lost',
  dispute_expired: 'lost',
};

/**
 * A dispute about one of our payments; null for others, for unknown statuses, and for amounts in a currency that this
 * adapter does not send. `timestamp`: when Hyperswitch reported it.
 */
export function disputeOf(reported: Dispute, timestamp: string | null): DisputeReport | null {
  const parsed = parseId(reported.payment_id);
  const status = states[reported.dispute_status];
  const currency = currencyCode.safeParse(reported.currency).data;
  const updatedAt = parseMoment(timestamp ?? '')?.at ?? parseMoment(reported.created_at ?? '')?.at;
  const isOurs = parsed?.kind === 'charge' || parsed?.kind === 'push';
  if (!isOurs || !status || !currency || !hasSameMinorUnits(currency) || updatedAt === undefined) return null;
  const isInquiry = status === 'needs_response' && reported.dispute_stage === 'pre_dispute';
  const respondBy = parseMoment(reported.challenge_required_by ?? '')?.at ?? null;
  return {
    disputeKey: reported.dispute_id,
    chargeKey: parsed.key,
    state: isInquiry ? 'inquiry' : status,
    amountMinor: BigInt(reported.amount),
    currency,
    reasonCode: reported.connector_reason_code?.trim() || null,
    reason: reported.connector_reason?.trim() || null,
    respondBy: status === 'needs_response' ? respondBy : null,
    updatedAt,
  };
}
