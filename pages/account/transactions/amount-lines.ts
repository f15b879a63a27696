import type { TransactionDetail } from '../../../client/api.ts';
import { toMinor } from '../amounts.ts';
import { negativeAmount } from '../format.ts';
import { isAuthorizationOpen } from './outcome.ts';

/** A line of a list of amounts: an amount, or the total of the lines above. */
export interface AmountLine {
  name: string;
  minor: bigint;
  isTotal?: boolean;
}

/** Formats an amount; a negative one with a minus sign. */
export function signedText(minor: bigint, format: (minor: bigint) => string): string {
  return minor < 0n ? negativeAmount(format(-minor)) : format(minor);
}

/** The amount received, minus completed and pending refunds. */
export function amountAfterRefunds(detail: TransactionDetail): bigint {
  return toMinor(detail.amount_received, detail.currency) - refundedAmount(detail);
}

function refundedAmount({ refunds, currency }: TransactionDetail, includes = (_at: string) => true): bigint {
  return refunds
    .filter(({ state, created_at }) => state !== 'failed' && includes(created_at))
    .reduce((sum, { amount }) => sum + toMinor(amount, currency), 0n);
}

/** The amount requested from the buyer, with fees on top; of an authorization that has ended also what was captured. */
export function requestedLines({ currency, authorization, ...detail }: TransactionDetail): AmountLine[] {
  const amount = toMinor(detail.amount, currency);
  const charged = toMinor(detail.amount_charged, currency);
  const feeLines =
    charged === amount
      ? []
      : [
          { name: 'requested', minor: amount },
          { name: 'fee_on_top', minor: charged - amount },
        ];
  if (!authorization)
    return [...feeLines, { name: charged === amount ? 'requested' : 'charged', minor: charged, isTotal: true }];
  const authorized = { name: 'authorized', minor: toMinor(authorization.amount, currency) };
  if (isAuthorizationOpen(authorization.status)) return [...feeLines, { ...authorized, isTotal: true }];
  const captured = toMinor(authorization.captured_amount, currency);
  const released = authorized.minor - captured;
  return [
    ...[...feeLines, authorized],
    ...(released === 0n ? [] : [{ name: 'released', minor: -released }]),
    { name: 'captured', minor: captured, isTotal: true },
  ];
}

/**
 * From the amount received to the net amount. The net amount was set at the last receipt or acceptance: it excludes
 * earlier refunds, and later refunds are subtracted from it.
 */
export function netAmountLines(detail: TransactionDetail): AmountLine[] {
  const { currency, status, timeline, receipts } = detail;
  const received = toMinor(detail.amount_received, currency);
  const charged = toMinor(detail.amount_charged, currency);
  const netAmount = toMinor(detail.amount_delivered, currency);
  if (received === 0n) {
    if (status === 'transaction_status_failed') return [];
    return [
      { name: 'charged', minor: charged },
      ...(charged === netAmount ? [] : [{ name: 'fee', minor: netAmount - charged }]),
      { name: 'expected_net', minor: netAmount, isTotal: true },
    ];
  }
  const refunded = refundedAmount(detail);
  const isConfirmed = status === 'transaction_status_confirmed';
  if (!isConfirmed)
    return refunded === 0n
      ? [{ name: 'received', minor: received, isTotal: true }]
      : [
          { name: 'received', minor: received },
          { name: 'refunded', minor: -refunded },
          { name: 'remaining', minor: received - refunded, isTotal: true },
        ];
  const times = receipts.map(({ received_at }) => received_at);
  for (const { at, detail: note } of timeline) if (/^\S+ \S+ accepted(:|$)/.test(note ?? '')) times.push(at);
  const fixedAt = times.sort().at(-1) ?? '';
  const refundedBefore = refundedAmount(detail, (at) => at < fixedAt);
  const fee = received - refundedBefore - netAmount;
  const refundedLater = refunded - refundedBefore;
  return [
    { name: 'received', minor: received },
    ...(refundedBefore === 0n ? [] : [{ name: 'refunded_before', minor: -refundedBefore }]),
    ...(fee === 0n ? [] : [{ name: 'fee', minor: -fee }]),
    { name: 'net', minor: netAmount, isTotal: true },
    ...(refundedLater === 0n
      ? []
      : [
          { name: 'refunded', minor: -refundedLater },
          { name: 'net_remaining', minor: netAmount - refundedLater, isTotal: true },
        ]),
  ];
}
