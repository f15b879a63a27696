import type { WaitsFor } from './schema.ts';
import Big from 'big.js';
import type { FeeRate } from '../chains/port.ts';
import { Problem } from '../api/problem-error.ts';
import { type ChainName, cryptoCurrencies, type CryptoCurrencyCode, feeCodeOf } from '../shared/crypto-currency.ts';
import type { WithdrawalsContext } from './context.ts';
import { formatFeeRate, toSmallestUnit, feeRateUnit } from './fee-limit.ts';
import { type Prepared, waitResult } from './prepared.ts';
import type { Version, Withdrawal } from './withdrawal.ts';

/** Largest multiple of the network's rate for a replacement, if the merchant has no limit. */
const MAX_OVERPAY_FACTOR = 3n;

/** Fee rate of a transaction, in the smallest unit per virtual byte or unit of gas. */
export interface TransactionFeeRate {
  /** With a priority fee: the cap of both. */
  rate: bigint;
  /** Priority fee per unit of gas, part of the rate; null on chains without one. */
  priority: bigint | null;
}

/** The network's fee rate. With a priority fee, the cap covers three full blocks, each 1/8 more expensive. */
function networkFeeRate(feeRate: FeeRate): TransactionFeeRate {
  if (feeRate.unit === 'sat/vB') return { rate: feeRate.amount, priority: null };
  return { rate: ((feeRate.amount - feeRate.priority) * 3n) / 2n + feeRate.priority, priority: feeRate.priority };
}

/**
 * Lowest rate of a replacement: an eighth higher, rounded up. Nodes of account chains require 10% more, others 1 sat/vB
 * more (BIP 125).
 */
export function replacementRate(rate: bigint): bigint {
  return (rate * 9n + 7n) / 8n;
}

/** Highest fee rate of the given versions. Versions that no node accepted need not be outbid. */
export function highestFeeRate(versions: readonly Version[]): TransactionFeeRate | null {
  const rate = versions.reduce((highest, { feeRate }) => (feeRate > highest ? feeRate : highest), 0n);
  const priority = versions.reduce<bigint | null>(
    (highest, { priorityRate }) => (priorityRate !== null && priorityRate > (highest ?? 0n) ? priorityRate : highest),
    null,
  );
  return versions.length === 0 ? null : { rate, priority };
}

/**
 * Chooses the fee rate of a transaction, or the reason to wait. `limit` is the merchant's; `maxRate` is the operator's,
 * in the display unit; `before` is the fee rate of the replaced transaction.
 */
export function chooseFeeRate(
  chain: ChainName,
  feeRate: FeeRate,
  { limit, maxRate, before }: { limit: bigint | null; maxRate: bigint; before: TransactionFeeRate | null },
): TransactionFeeRate | { waitsFor: WaitsFor } {
  const operatorLimit = toSmallestUnit(chain, maxRate);
  const effectiveLimit = limit !== null && limit < operatorLimit ? limit : operatorLimit;
  if (feeRate.disagreement !== undefined) return estimateWait(chain, feeRate, effectiveLimit);
  const highest =
    before !== null && limit === null ? min(operatorLimit, MAX_OVERPAY_FACTOR * feeRate.amount) : effectiveLimit;
  const lowest = before === null ? feeRate.amount : replacementRate(before.rate);
  if (lowest > highest || (before === null && feeRate.amount > highest)) return feeWait(chain, feeRate.amount, highest);
  const network = networkFeeRate(feeRate);
  const rate = min(highest, max(network.rate, lowest));
  if (network.priority === null) return { rate, priority: null };
  const priority =
    before === null ? network.priority : max(network.priority, replacementRate(before.priority ?? before.rate));
  return priority > rate ? feeWait(chain, feeRate.amount, highest) : { rate, priority };
}

function feeWait(chain: ChainName, networkRate: bigint, limit: bigint): { waitsFor: WaitsFor } {
  const [feeNow, maxRate, unit] = [formatFeeRate(chain, networkRate), formatFeeRate(chain, limit), feeRateUnit(chain)];
  const detail = `The network fee is ${feeNow} ${unit}; the limit is ${maxRate} ${unit}. The withdrawal is sent once the fee is lower.`;
  return { waitsFor: { reason: 'fee_limit', detail, feeNow, limit: maxRate } };
}

function estimateWait(chain: ChainName, { amount, disagreement }: FeeRate, limit: bigint): { waitsFor: WaitsFor } {
  const detail = `The node’s fee estimates disagree: ${disagreement}. The withdrawal is sent once they agree.`;
  const [feeNow, maxRate] = [formatFeeRate(chain, amount), formatFeeRate(chain, limit)];
  return { waitsFor: { reason: 'fee_estimate', detail, feeNow, limit: maxRate } };
}

/** Returns the reason to wait if a coin has no exchange rate to compare fee and amount with; null otherwise. */
function rateWait(
  rates: WithdrawalsContext['rates'],
  codes: readonly CryptoCurrencyCode[],
): Extract<Prepared, { kind: 'wait' }> | null {
  try {
    for (const code of codes) rates.rate(code, 'USD');
    return null;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return waitResult('rate', `${error.message} The withdrawal is sent once fee and amount can be compared.`);
  }
}

/** Returns the reason to wait if the fee exceeds the operator's maximum share of the amount; null otherwise. */
export function checkFeeShare(
  { rates, withdrawalLimits: { maxFeePercent } }: Pick<WithdrawalsContext, 'rates' | 'withdrawalLimits'>,
  { code }: Pick<Withdrawal, 'code'>,
  { amount, fee }: { amount: bigint; fee: bigint },
): Extract<Prepared, { kind: 'wait' }> | null {
  const feeCode = feeCodeOf(code);
  const isSameCurrency = feeCode === code;
  const unavailable = isSameCurrency ? null : rateWait(rates, [feeCode, code]);
  if (unavailable) return unavailable;
  const valueOf = (currency: typeof code, units: bigint) =>
    new Big(units.toString())
      .times(isSameCurrency ? 1 : rates.rate(currency, 'USD').rate)
      .div(new Big(10).pow(cryptoCurrencies[currency].decimals));
  if (valueOf(feeCode, fee).times(100).lte(valueOf(code, amount).times(maxFeePercent.toString()))) return null;
  const detail = `The fee of ${fee} (${feeCode}) exceeds ${maxFeePercent}% of the amount of ${amount} (${code}). The withdrawal is sent once the fee is lower.`;
  return waitResult('amount_too_small', detail);
}

export const max = (one: bigint, other: bigint) => (one > other ? one : other);
export const min = (one: bigint, other: bigint) => (one < other ? one : other);
