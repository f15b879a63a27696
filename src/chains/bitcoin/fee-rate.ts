import { Decimal } from '@scure/btc-signer';
import type { FeeRate } from '../port.ts';
import * as schemas from './schemas.ts';
import type { Rpc, RpcCall } from './rpc.ts';

const VIRTUAL_BYTES_PER_KILOBYTE = 1000n;
/** Default relay minimum of nodes; few of them accept less. */
const MIN_RELAY_RATE = 1n;

/**
 * Converts coins per 1,000 virtual bytes to satoshi per virtual byte, rounded up, at least 1. Exact: the JSON number is
 * converted back to its eight decimals.
 */
export function satPerVirtualByte(coinsPerKilobyte: number): bigint {
  const satPerKilobyte = Decimal.decode(coinsPerKilobyte.toFixed(8));
  const rate = (satPerKilobyte + VIRTUAL_BYTES_PER_KILOBYTE - 1n) / VIRTUAL_BYTES_PER_KILOBYTE;
  return rate > MIN_RELAY_RATE ? rate : MIN_RELAY_RATE;
}

/** Sweeps are not urgent: about an hour. The estimate for the shorter target is never lower. */
const TARGET_BLOCKS = 6;
const FAST_TARGET_BLOCKS = 2;
/** Number of recent blocks whose fees are compared with the estimate. */
const RECENT_BLOCKS = 3;
/** Maximum ratio of a plausible estimate to an independent figure. */
const MAX_RATIO = 10n;
/** Up to this rate (sat/vB) an estimate may differ by any factor, because a quiet network has no usual fee. */
const PLAUSIBLE_UP_TO = 20n;

/**
 * Current rate: the node's estimate, or the minimum of its mempool if that is higher. The estimate is compared with the
 * one for a shorter target, the fees of recent blocks, and the mempool. If it is far above all of them, it is marked
 * as implausible.
 */
export async function readFeeRate(rpc: Rpc): Promise<FeeRate> {
  const estimate = (blocks: number) => ({ method: 'estimatesmartfee', params: [blocks] });
  const [target, fast, mempool, recentBlocks] = await Promise.all([
    rpc.call(estimate(TARGET_BLOCKS), schemas.feeEstimate),
    rpc.call(estimate(FAST_TARGET_BLOCKS), schemas.feeEstimate),
    rpc.call({ method: 'getmempoolinfo', params: [] }, schemas.mempoolInfo),
    readRecentRate(rpc),
  ]);
  const minimum = satPerVirtualByte(mempool.mempoolminfee);
  const estimated = target.feerate === undefined ? minimum : satPerVirtualByte(target.feerate);
  // Nodes reject transactions below the minimum of their mempool.
  const amount = max(estimated, minimum);
  const rate = { unit: 'sat/vB', amount } as const;
  if (target.feerate === undefined || amount <= PLAUSIBLE_UP_TO) return rate;

  const fastRate = fast.feerate === undefined ? null : satPerVirtualByte(fast.feerate);
  if (fastRate !== null && estimated > 2n * fastRate)
    return {
      ...rate,
      disagreement: `the estimate for ${TARGET_BLOCKS} blocks is ${estimated} sat/vB, for ${FAST_TARGET_BLOCKS} blocks ${fastRate}`,
    };
  // Without block statistics, no independent figure contradicts the estimate: mempool transactions are often far
  // cheaper.
  if (recentBlocks === null) return rate;
  const mempoolRate =
    mempool.total_fee && mempool.bytes ? satPerVirtualByte((mempool.total_fee / mempool.bytes) * 1000) : MIN_RELAY_RATE;
  const reference = [minimum, mempoolRate, recentBlocks].reduce(max);
  if (estimated > MAX_RATIO * reference)
    return {
      ...rate,
      disagreement: `the estimate is ${estimated} sat/vB; recent blocks and the mempool show ${reference}`,
    };
  return rate;
}

/** Highest rate among the most expensive tenths of recent blocks; null if the node has no block statistics. */
async function readRecentRate(rpc: Rpc): Promise<bigint | null> {
  let hash: string | null = await rpc.call({ method: 'getbestblockhash', params: [] }, schemas.hash);
  let highest: bigint | null = null;
  for (let left = RECENT_BLOCKS; left > 0 && hash !== null; left -= 1) {
    const call: RpcCall = { method: 'getblockstats', params: [hash, ['feerate_percentiles', 'height']] };
    const stats = await rpc.requestOptional(call, schemas.blockStats);
    if (!stats) return highest;
    const rate = BigInt(Math.ceil(stats.feerate_percentiles.at(-1) ?? 0));
    highest = highest === null ? rate : max(highest, rate);
    if (stats.height === 0) break;
    const parent = await rpc.request({ method: 'getblockhash', params: [stats.height - 1] }, schemas.hash);
    hash = parent.ok ? parent.value : null;
  }
  return highest;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
