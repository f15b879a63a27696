import { Decimal } from '@scure/btc-signer';
import type { FeeRate } from '../port.ts';
import * as forms from './forms.ts';
import type { Rpc, RpcCall } from './rpc.ts';

const VIRTUAL_BYTES_PER_KILOBYTE = 1000n;
/** What nodes relay by default; less is taken by few of them. */
const LEAST = 1n;

/**
 * Satoshi for a virtual byte out of a rate in whole coins for a thousand of them, rounded up, at least 1.
 * Exact: a number that JSON gave for eight decimals is turned into those eight again.
 */
export function satPerVirtualByte(coinsPerKilobyte: number): bigint {
  const satPerKilobyte = Decimal.decode(coinsPerKilobyte.toFixed(8));
  const rate = (satPerKilobyte + VIRTUAL_BYTES_PER_KILOBYTE - 1n) / VIRTUAL_BYTES_PER_KILOBYTE;
  return rate > LEAST ? rate : LEAST;
}

/** A sweep is in no hurry: about an hour. The estimate for the sooner target is never below the other one. */
const TARGET_BLOCKS = 6;
const SOONER_BLOCKS = 2;
/** Blocks whose fees are compared with the estimate. */
const RECENT_BLOCKS = 3;
/** How many times an independent figure a plausible estimate may be. */
const MOST_TIMES = 10n;
/** Below this, in satoshi for a virtual byte, estimates may differ by any factor: a quiet network has no usual fee. */
const ALWAYS_PLAUSIBLE = 20n;

/**
 * The current rate: the node's estimate, or its mempool's minimum where that is higher. The estimate is compared with
 * the one for a sooner block, with the fees of recent blocks and with the mempool; where it is far above all that others show,
 * the rate is in doubt.
 */
export async function readFeeRate(rpc: Rpc): Promise<FeeRate> {
  const estimate = (blocks: number) => ({ method: 'estimatesmartfee', params: [blocks] });
  const [usual, sooner, pool, recent] = await Promise.all([
    rpc.call(estimate(TARGET_BLOCKS), forms.feeEstimate),
    rpc.call(estimate(SOONER_BLOCKS), forms.feeEstimate),
    rpc.call({ method: 'getmempoolinfo', params: [] }, forms.mempoolInfo),
    recentRate(rpc),
  ]);
  const least = satPerVirtualByte(pool.mempoolminfee);
  const estimated = usual.feerate === undefined ? least : satPerVirtualByte(usual.feerate);
  // Below the pool's least rate a transaction is not even taken.
  const amount = larger(estimated, least);
  const rate = { unit: 'sat/vB', amount } as const;
  if (usual.feerate === undefined || amount <= ALWAYS_PLAUSIBLE) return rate;

  const other = sooner.feerate === undefined ? null : satPerVirtualByte(sooner.feerate);
  if (other !== null && estimated > 2n * other)
    return {
      ...rate,
      doubt: `the estimate for ${TARGET_BLOCKS} blocks is ${estimated} sat/vB, for ${SOONER_BLOCKS} blocks ${other}`,
    };
  // Without the statistics of blocks there is nothing to hold against it: what waits is often far cheaper.
  if (recent === null) return rate;
  const inPool = pool.total_fee && pool.bytes ? satPerVirtualByte((pool.total_fee / pool.bytes) * 1000) : LEAST;
  const shown = [least, inPool, recent].reduce(larger);
  if (estimated > MOST_TIMES * shown)
    return { ...rate, doubt: `the estimate is ${estimated} sat/vB; recent blocks and the mempool show ${shown}` };
  return rate;
}

/** The highest of what the dearest tenth of each recent block pays; null where the node has no such statistics. */
async function recentRate(rpc: Rpc): Promise<bigint | null> {
  let hash: string | null = await rpc.call({ method: 'getbestblockhash', params: [] }, forms.hash);
  let highest: bigint | null = null;
  for (let left = RECENT_BLOCKS; left > 0 && hash !== null; left -= 1) {
    const call: RpcCall = { method: 'getblockstats', params: [hash, ['feerate_percentiles', 'height']] };
    const stats = await rpc.askOptional(call, forms.blockStats);
    if (!stats) return highest;
    const rate = BigInt(Math.ceil(stats.feerate_percentiles.at(-1) ?? 0));
    highest = highest === null ? rate : larger(highest, rate);
    if (stats.height === 0) break;
    const before = await rpc.ask({ method: 'getblockhash', params: [stats.height - 1] }, forms.hash);
    hash = before.ok ? before.value : null;
  }
  return highest;
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
