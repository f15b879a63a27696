import { z } from 'zod';

/** Schemas of Bitcoin Core's RPC results, limited to the fields used here. */

/** Hash of a block or transaction, in display order. */
export const hash = z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 hexadecimal digits');

const height = z.int().min(0);

export const hex = z.string();

const hashes = z.array(hash);

/** `getblockchaininfo`. Nodes without `initialblockdownload` count as up to date. */
export const blockchainInfo = z.object({
  blocks: height,
  headers: height,
  bestblockhash: hash,
  initialblockdownload: z.boolean().default(false),
});

/** `getblock HASH 1`. The genesis block has no parent. */
export const blockWithTxids = z.object({ hash, height, previousblockhash: hash.nullish(), tx: hashes });

/** Fee rate in whole coins per 1,000 virtual bytes, limited to the total supply. */
const coinsPerKilobyte = z.number().min(0).max(100_000_000);

/** `estimatesmartfee`: no rate if the node has too little data. */
export const feeEstimate = z.object({ feerate: coinsPerKilobyte.optional() });

/** `getmempoolinfo`. After a restart the node responds while it still loads the mempool. */
export const mempoolInfo = z.object({
  mempoolminfee: coinsPerKilobyte,
  loaded: z.boolean().default(true),
  size: z.int().min(0).default(0),
  bytes: z.int().min(0).default(0),
  usage: z.int().min(0).optional(),
  /** Since Bitcoin Core 22. */
  total_fee: z.number().optional(),
});
export type MempoolInfo = z.infer<typeof mempoolInfo>;

/** `getblockstats`: fee rate percentiles of a block, in satoshi per virtual byte. */
export const blockStats = z.object({ height, feerate_percentiles: z.array(z.number().min(0)).length(5) });

/** `gettxout`: null if the output is spent. */
export const unspentOutput = z.object({ value: z.number().min(0) }).nullable();

/** `getmempoolentry`: only its presence matters. */
export const mempoolEntry = z.object({});

/** `scantxoutset status`: null if no scan is running. */
export const scanStatus = z
  .object({ progress: z.number() })
  .nullable()
  .transform((running) => ({ running }));

/** `scantxoutset start`. */
export const scan = z.object({
  success: z.boolean(),
  height,
  bestblock: hash,
  unspents: z.array(
    z.object({ txid: hash, vout: z.int().min(0), scriptPubKey: hex, amount: z.number().min(0), height }),
  ),
});
