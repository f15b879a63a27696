import type { TransactionDetail } from '../../../client/api.ts';
import { toMinor } from '../amounts.ts';

/** A line of a sum: what it is, what it adds, and whether it is the sum of those above. */
export interface SumLine {
  name: string;
  minor: bigint;
  isSum?: boolean;
}

/** What has come and not gone back, nor is on its way back. */
export function keptOf(detail: TransactionDetail): bigint {
  return toMinor(detail.amount_received, detail.currency) - refundedOf(detail);
}

function refundedOf({ refunds, currency }: TransactionDetail, isCounted = (_at: string) => true): bigint {
  return refunds
    .filter(({ state, created_at }) => state !== 'failed' && isCounted(created_at))
    .reduce((sum, { amount }) => sum + toMinor(amount, currency), 0n);
}

/** What the buyer was asked for. */
export function askedSum(detail: TransactionDetail): SumLine[] {
  const amount = toMinor(detail.amount, detail.currency);
  const charged = toMinor(detail.amount_charged, detail.currency);
  if (charged === amount) return [{ name: 'asked', minor: amount, isSum: true }];
  return [
    { name: 'asked', minor: amount },
    { name: 'fee_on_top', minor: charged - amount },
    { name: 'charged', minor: charged, isSum: true },
  ];
}

/**
 * What became of what has come. What is delivered was fixed when the last money came or was accepted: what went
 * back before that is not in it, what went back later comes off it.
 */
export function deliveredSum(detail: TransactionDetail): SumLine[] {
  const { currency, status, timeline, receipts } = detail;
  const received = toMinor(detail.amount_received, currency);
  const charged = toMinor(detail.amount_charged, currency);
  const delivered = toMinor(detail.amount_delivered, currency);
  if (received === 0n) {
    if (status === 'transaction_status_failed') return [];
    return [
      { name: 'charged', minor: charged },
      ...(charged === delivered ? [] : [{ name: 'fee', minor: delivered - charged }]),
      { name: 'would_get', minor: delivered, isSum: true },
    ];
  }
  const back = refundedOf(detail);
  const isFixed = status === 'transaction_status_confirmed';
  if (!isFixed)
    return [
      { name: 'received', minor: received, ...(back === 0n && { isSum: true }) },
      ...(back === 0n
        ? []
        : [
            { name: 'refunded', minor: -back },
            { name: 'kept', minor: received - back, isSum: true },
          ]),
    ];
  const moments = receipts.map(({ received_at }) => received_at);
  for (const { at, detail: said } of timeline) if (/^\S+ \S+ accepted(:|$)/.test(said ?? '')) moments.push(at);
  const fixedAt = moments.sort().at(-1) ?? '';
  const before = refundedOf(detail, (at) => at < fixedAt);
  const fee = received - before - delivered;
  const later = back - before;
  return [
    { name: 'received', minor: received },
    ...(before === 0n ? [] : [{ name: 'refunded_before', minor: -before }]),
    ...(fee === 0n ? [] : [{ name: 'fee', minor: -fee }]),
    { name: 'delivered', minor: delivered, isSum: true },
    ...(later === 0n
      ? []
      : [
          { name: 'refunded', minor: -later },
          { name: 'left', minor: delivered - later, isSum: true },
        ]),
  ];
}
