import { Decimal } from '@scure/btc-signer';
import type { FeeRate } from '../port.ts';
import * as schemas from './schemas.ts';
import type { Rpc, RpcCall } from './rpc.ts';

const VIRTUAL_BYTES_PER_KILOBYTE = 1000n;
/** What nodes relay by default; less is taken by few of them. */
const MIN_RELAY_RATE = 1n;

/**
 * Satoshi for a virtual byte out of a rate in whole coins for a thousand of them, rounded up, at least 1.
 * Exact: a number that JSON gave for eight decimals is turned into those eight again.
 */
export function satPerVirtualByte(coinsPerKilobyte: number): bigint {
  const satPerKilobyte = Decimal.decode(coinsPerKilobyte.toFixed(8));
  const rate = (satPerKilobyte + VIRTUAL_BYTES_PER_KILOBYTE - 1n) / VIRTUAL_BYTES_PER_KILOBYTE;
  return rate > MIN_RELAY_RATE ? rate : MIN_RELAY_RATE;
}

/** A sweep is in no hurry: about an hour. The estimate for the sooner target is never below the other one. */
const TARGET_BLOCKS = 6;
const FAST_TARGET_BLOCKS = 2;
/** Blocks whose fees are compared with the estimate. */
const RECENT_BLOCKS = 3;
/** How many times an independent figure a plausible estimate may be. */
const MAX_RATIO = 10n;
/** Below this, in satoshi for a virtual byte, estimates may differ by any factor: a quiet network has no usual fee. */
const PLAUSIBLE_UP_TO = 20n;

/**
 * The current rate: the node's estimate, or its mempool's minimum where that is higher. The estimate is compared with
 * the one for a sooner block, with the fees of recent blocks and with the mempool; where it is far above all that others show,
 * the rate is in doubt.
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
  // Below the pool's least rate a transaction is not even taken.
  const amount = max(estimated, minimum);
  const rate = { unit: 'sat/vB', amount } as const;
  if (target.feerate === undefined || amount <= PLAUSIBLE_UP_TO) return rate;

  const fastRate = fast.feerate === undefined ? null : satPerVirtualByte(fast.feerate);
  if (fastRate !== null && estimated > 2n * fastRate)
    return {
      ...rate,
      implausibility: `the estimate for ${TARGET_BLOCKS} blocks is ${estimated} sat/vB, for ${FAST_TARGET_BLOCKS} blocks ${fastRate}`,
    };
  // Without the statistics of blocks there is nothing to hold against it: what waits is often far cheaper.
  if (recentBlocks === null) return rate;
  const mempoolRate =
    mempool.total_fee && mempool.bytes ? satPerVirtualByte((mempool.total_fee / mempool.bytes) * 1000) : MIN_RELAY_RATE;
  const reference = [minimum, mempoolRate, recentBlocks].reduce(max);
  if (estimated > MAX_RATIO * reference)
    return {
      ...rate,
      implausibility: `the estimate is ${estimated} sat/vB; recent blocks and the mempool show ${reference}`,
    };
  return rate;
}

/** The highest of what the dearest tenth of each recent block pays; null where the node has no such statistics. */
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

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
