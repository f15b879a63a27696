import type { FeeRate } from '../../chains/port.ts';
import type { ChainName } from '../../contract/crypto-currency.ts';
import { describeRate, rateUnit } from './fee-limit.ts';
import type { WaitsFor } from './withdrawal.ts';

/** How much more than the network asks for a replacement may give where nobody has set a limit. */
const MOST_TIMES = 3n;

/**
 * What a transaction gives that is made now. On Ethereum an eighth more than the network asks for, which is what
 * the base fee may grow by with the next block.
 */
function asked({ unit, amount }: FeeRate): bigint {
  return unit === 'sat/vB' ? amount : raised(amount);
}

/** What takes the place of a transaction that gives `rate`: nodes ask for a tenth more on Ethereum, on Bitcoin for any. */
function raised(rate: bigint): bigint {
  return (rate * 9n + 7n) / 8n;
}

/** What to give for each unit of size, or why to wait. `before` is what the transaction gives that is to be replaced. */
export function priceOf(
  chain: ChainName,
  now: FeeRate,
  { limit, before }: { limit: bigint | null; before: bigint | null },
): { rate: bigint } | { waitsFor: WaitsFor } {
  const least = before === null ? now.amount : raised(before);
  const most = limit ?? (before === null ? null : MOST_TIMES * now.amount);
  if (most !== null && (least > most || (before === null && now.amount > most)))
    return waitForFee(chain, now.amount, most);
  const wanted = asked(now) > least ? asked(now) : least;
  return { rate: most !== null && wanted > most ? most : wanted };
}

function waitForFee(chain: ChainName, now: bigint, limit: bigint): { waitsFor: WaitsFor } {
  const [feeNow, most, unit] = [describeRate(chain, now), describeRate(chain, limit), rateUnit(chain)];
  const detail = `The network’s fee is ${feeNow} ${unit}; the limit is ${most} ${unit}. It goes on by itself.`;
  return { waitsFor: { reason: 'fee', detail, feeNow, limit: most } };
}
