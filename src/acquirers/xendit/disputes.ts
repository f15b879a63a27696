import { z } from 'zod';
import { currencyCode, minorUnitsOf } from '../../api/currency.ts';
import { parseAmount } from '../../shared/money.ts';
import { parseMoment } from '../../shared/time.ts';
import { isRandomId } from '../../system/random.ts';
import type { DisputeReport } from '../adapter.ts';
import type { DisputeState } from '../../shared/dispute.ts';

const text = z.string().nullish().catch(null);

/** API reference "Dispute webhook notifications". */
export const dispute = z.object({
  event: z.string().startsWith('dispute.'),
  id: z.string().min(1).max(200),
  status: z.string(),
  currency: z.string(),
  /** Major units with decimals, as text. */
  amount: z.object({ initial: z.string().regex(/^\d{1,15}(?:\.\d{1,4})?$/) }),
  updated_at: z.string(),
  due_date: text,
  reference_id: text,
  category: z.object({ name: text }).nullish().catch(null),
});
export type Dispute = z.infer<typeof dispute>;

const states: Readonly<Record<string, DisputeState>> = {
  ACTION_REQUIRED: 'needs_response',
  UNDER_REVIEW: 'under_review',
  WON: 'won',
  LOST: 'lost',
};

/**
 * A dispute about one of our payments; null for others, for unknown statuses, and for amounts in an unknown
 * currency. Xendit reports no reason code of the network, only its category.
 */
export function disputeOf(reported: Dispute): DisputeReport | null {
  const state = states[reported.status];
  const currency = currencyCode.safeParse(reported.currency).data;
  const updatedAt = parseMoment(reported.updated_at)?.at;
  const chargeKey = reported.reference_id ?? '';
  if (!state || !currency || updatedAt === undefined || !isRandomId(chargeKey)) return null;
  const amountMinor = parseAmount(Number(reported.amount.initial), minorUnitsOf(currency));
  if (typeof amountMinor !== 'bigint') return null;
  return {
    ...{ disputeKey: reported.id, chargeKey, state, amountMinor, currency, updatedAt },
    reasonCode: null,
    reason: reported.category?.name?.trim() || null,
    respondBy: state === 'needs_response' ? (parseMoment(reported.due_date ?? '')?.at ?? null) : null,
  };
}
