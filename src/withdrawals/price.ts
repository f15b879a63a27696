import type { WaitsFor } from './schema.ts';
import Big from 'big.js';
import type { FeeRate } from '../chains/port.ts';
import { type ChainName, cryptoCurrencies, feeCodeOf } from '../shared/crypto-currency.ts';
import type { WithdrawalsContext } from './context.ts';
import { describeRate, fromReadable, rateUnit } from './fee-limit.ts';
import { type Prepared, waitFor } from './prepared.ts';
import type { Version, Withdrawal } from './withdrawal.ts';

/** How much more than the network asks for a replacement may give where no merchant has set a limit. */
const MOST_TIMES = 3n;

/** What a transaction gives for each unit of its size. */
export interface Price {
  /** On Ethereum the cap of base fee and priority fee. */
  rate: bigint;
  /** Of it, what the block's producer gets; null on Bitcoin. */
  priority: bigint | null;
}

/** The price of a transaction made now. On Ethereum the cap holds for three full blocks, each an eighth dearer. */
function asked(now: FeeRate): Price {
  if (now.unit === 'sat/vB') return { rate: now.amount, priority: null };
  return { rate: ((now.amount - now.priority) * 3n) / 2n + now.priority, priority: now.priority };
}

/** The least of a replacement: nodes ask for a tenth more on Ethereum, on Bitcoin for 1 sat/vB more (BIP 125). */
export function raised(rate: bigint): bigint {
  return (rate * 9n + 7n) / 8n;
}

/** The highest price of some versions; what no node ever took need not be topped. */
export function highestOf(sent: readonly Version[]): Price | null {
  const rate = sent.reduce((most, { feeRate }) => (feeRate > most ? feeRate : most), 0n);
  const priority = sent.reduce<bigint | null>(
    (most, { priorityRate }) => (priorityRate !== null && priorityRate > (most ?? 0n) ? priorityRate : most),
    null,
  );
  return sent.length === 0 ? null : { rate, priority };
}

/**
 * The price of a transaction, or why to wait. `limit` is the merchant's, `most` the operator's in the unit that people
 * read; `before` is the price of the transaction to be replaced.
 */
export function priceOf(
  chain: ChainName,
  now: FeeRate,
  { limit, most: operatorMost, before }: { limit: bigint | null; most: bigint; before: Price | null },
): Price | { waitsFor: WaitsFor } {
  const ceiling = fromReadable(chain, operatorMost);
  const own = limit !== null && limit < ceiling ? limit : ceiling;
  if (now.doubt !== undefined) return waitForEstimate(chain, now, own);
  const most = before !== null && limit === null ? smaller(ceiling, MOST_TIMES * now.amount) : own;
  const least = before === null ? now.amount : raised(before.rate);
  if (least > most || (before === null && now.amount > most)) return waitForFee(chain, now.amount, most);
  const wanted = asked(now);
  const rate = smaller(most, larger(wanted.rate, least));
  if (wanted.priority === null) return { rate, priority: null };
  const priority = before === null ? wanted.priority : larger(wanted.priority, raised(before.priority ?? before.rate));
  return priority > rate ? waitForFee(chain, now.amount, most) : { rate, priority };
}

function waitForFee(chain: ChainName, now: bigint, limit: bigint): { waitsFor: WaitsFor } {
  const [feeNow, most, unit] = [describeRate(chain, now), describeRate(chain, limit), rateUnit(chain)];
  const detail = `The network’s fee is ${feeNow} ${unit}; the limit is ${most} ${unit}. It goes on by itself.`;
  return { waitsFor: { reason: 'fee', detail, feeNow, limit: most } };
}

function waitForEstimate(chain: ChainName, { amount, doubt }: FeeRate, limit: bigint): { waitsFor: WaitsFor } {
  const detail = `The node’s fee estimates disagree: ${doubt}. It goes on by itself once they agree.`;
  const [feeNow, most] = [describeRate(chain, amount), describeRate(chain, limit)];
  return { waitsFor: { reason: 'estimate', detail, feeNow, limit: most } };
}

/** Why a withdrawal waits whose fee is too large a part of what it sends; null where it is not. */
export function tooDear(
  { rates, withdrawalLimits: { maxFeePercent } }: Pick<WithdrawalsContext, 'rates' | 'withdrawalLimits'>,
  { code }: Pick<Withdrawal, 'code'>,
  { amount, fee }: { amount: bigint; fee: bigint },
): Extract<Prepared, { kind: 'wait' }> | null {
  const feeCode = feeCodeOf(code);
  const isSame = feeCode === code;
  const worth = (of: typeof code, units: bigint) =>
    new Big(units.toString())
      .times(isSame ? 1 : rates.rate(of, 'USD').rate)
      .div(new Big(10).pow(cryptoCurrencies[of].decimals));
  if (worth(feeCode, fee).times(100).lte(worth(code, amount).times(maxFeePercent.toString()))) return null;
  const detail = `Its fee of ${fee} (${feeCode}) is more than ${maxFeePercent} % of the ${amount} (${code}) that it sends. It goes on once the fee is lower.`;
  return waitFor('amount', detail);
}

export const larger = (one: bigint, other: bigint) => (one > other ? one : other);
export const smaller = (one: bigint, other: bigint) => (one < other ? one : other);
