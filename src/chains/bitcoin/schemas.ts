import { z } from 'zod';

/** Forms of what Bitcoin Core's RPC answers, as far as it is read here. */

/** A hash of a block or transaction, as it is shown. */
export const hash = z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 hexadecimal digits');

export const height = z.int().min(0);

export const hex = z.string();

export const hashes = z.array(hash);

/** `getblockchaininfo`. A node that does not say whether it is still loading old blocks is taken to be done. */
export const blockchainInfo = z.object({
  blocks: height,
  headers: height,
  bestblockhash: hash,
  initialblockdownload: z.boolean().default(false),
});

/** `getblock HASH 1`. The first block has none before it. */
export const blockWithTxids = z.object({ hash, height, previousblockhash: hash.nullish(), tx: hashes });

/** A fee rate in whole coins for a thousand virtual bytes. More than all coins there are is none. */
const coinsPerKilobyte = z.number().min(0).max(100_000_000);

/** `estimatesmartfee`: no rate where too little is known. */
export const feeEstimate = z.object({ feerate: coinsPerKilobyte.optional() });

/** `getmempoolinfo`. After a restart the mempool is loaded while the node answers already. */
export const mempoolInfo = z.object({
  mempoolminfee: coinsPerKilobyte,
  loaded: z.boolean().default(true),
  size: z.int().min(0).default(0),
  bytes: z.int().min(0).default(0),
  usage: z.int().min(0).optional(),
  /** From Bitcoin Core 22 on. */
  total_fee: z.number().optional(),
});
export type MempoolInfo = z.infer<typeof mempoolInfo>;

/** `getblockstats`: what tenths of a block pay, in satoshi for a virtual byte. */
export const blockStats = z.object({ height, feerate_percentiles: z.array(z.number().min(0)).length(5) });

/** `gettxout`: null where it is spent. */
export const unspentOutput = z.object({ value: z.number().min(0) }).nullable();

/** `getmempoolentry`: that there is an answer says enough. */
export const mempoolEntry = z.object({});

/** `scantxoutset status`: null while none runs. */
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
