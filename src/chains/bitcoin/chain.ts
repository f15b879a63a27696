/*
 * Map of this folder: `rpc.ts` calls the node, and `schemas.ts` validates its responses. `blocks.ts` and
 * `raw-transaction.ts` parse raw blocks. `mempool-deposits.ts` follows the mempool, and `find-transaction.ts` finds
 * sent transactions. `spender.ts` and `sweep.ts` build and sign. Reasons: docs/decisions/chains.md.
 */

import type { CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import {
  type BlockRef,
  type Chain,
  type ChainDeposit,
  ChainError,
  type FindOwnAddresses,
  type BroadcastResult,
} from '../port.ts';
import { createBitcoinAddresses } from './addresses.ts';
import { type AddressOutput, parseBlock } from './blocks.ts';
import { readOutputStates } from './output-states.ts';
import { readFeeRate } from './fee-rate.ts';
import * as schemas from './schemas.ts';
import { createTransactionFinder } from './find-transaction.ts';
import { createScriptToAddress } from './script-address.ts';
import type { NetworkParameters } from '../../shared/chains/description.ts';
import { rejectionCause, isBeyondTip, isAlreadyKnown, isPruned, isRejection } from './rpc-errors.ts';
import { createRpc } from './rpc.ts';
import { scanUtxoSet } from './utxo-scan.ts';
import { createMempoolReader } from './mempool-deposits.ts';

/** Number of headers that a healthy node may have beyond its blocks: they arrive while it validates a block. */
const MAX_BLOCKS_BEHIND = 3;
/** Coinbase outputs may be spent this many blocks later. */
const COINBASE_MATURITY = 100;
/** Outputs of a HogEx (MWEB peg-outs) may be spent this many blocks later. */
const PEG_OUT_MATURITY = 6;

/**
 * A chain of the Bitcoin family, read from a full node: Bitcoin Core 25 or later, or a node with the same RPC. The node
 * needs neither a wallet nor a transaction index. It may be pruned if it still has the blocks to scan. `url` contains
 * the user and password of its RPC.
 */
export function createBitcoinChain({
  url,
  network,
  code = 'btc',
  timeoutMs,
  now,
}: {
  url: string;
  network: NetworkParameters;
  code?: CryptoCurrencyCode;
  /** Per call. */
  timeoutMs?: number;
  /** Monotonic clock in milliseconds; the process's own by default. */
  now?: () => number;
}): Chain {
  let isOnNetwork = false;
  /** Last block reported by the node. */
  let lastTip: BlockRef | null = null;
  const rpc = createRpc({
    url,
    ...(timeoutMs !== undefined && { timeoutMs }),
    onConnect: () => {
      isOnNetwork = false;
    },
  });
  const scriptToAddress = createScriptToAddress(network);

  function toDeposit({ txid, vout, address, amount }: AddressOutput): ChainDeposit {
    return { paymentKey: `${txid}:${vout}`, txHash: txid, address, code, amount };
  }

  async function blockHash(height: number): Promise<string | null> {
    const method = 'getblockhash';
    const result = await rpc.request({ method, params: [height] }, schemas.hash);
    if (result.ok) return result.value;
    if (isBeyondTip(result)) return null;
    throw rpc.unexpectedError(method, result);
  }

  /**
   * Hash of the block to search backwards from. A URL may serve several nodes; one without the last reported block
   * may also lack the transaction.
   */
  async function bestBlockHash(): Promise<string> {
    const method = 'getblockhash';
    const [best, lastKnown] = await rpc.requestBatch(
      [
        { method: 'getbestblockhash', params: [] },
        { method, params: [lastTip?.height ?? 0] },
      ],
      schemas.hash,
    );
    if (!best?.ok) throw new ChainError('down', 'The node does not report its last block.');
    if (lastTip && !(lastKnown?.ok && lastKnown.value === lastTip.hash))
      throw new ChainError(
        'behind',
        `The node does not have block ${lastTip.height} (${lastTip.hash}), which it previously reported as its last block.`,
      );
    return best.value;
  }

  async function requestRawBlock(hash: string): Promise<Buffer> {
    const method = 'getblock';
    const result = await rpc.requestBytes({ method, params: [hash, 0] });
    if (result.ok) return result.value;
    if (isPruned(result)) throw new ChainError('behind', `The node has pruned block ${hash}.`);
    throw rpc.unexpectedError(method, result);
  }

  /** Checks the genesis block once per connection. */
  async function requireNetwork(): Promise<void> {
    if (isOnNetwork) return;
    const first = await blockHash(0);
    if (first !== network.genesisHash) {
      throw new ChainError('wrong_network', `The node is not on ${network.name}: its genesis block is ${first}.`);
    }
    isOnNetwork = true;
  }

  const withNetworkCheck =
    <Parameters extends unknown[], Result>(request: (...parameters: Parameters) => Promise<Result>) =>
    async (...parameters: Parameters): Promise<Result> => {
      await requireNetwork();
      const result = await request(...parameters);
      // The call may have opened a connection.
      await requireNetwork();
      return result;
    };

  return {
    currencies: [code],
    addresses: createBitcoinAddresses(network),

    tip: withNetworkCheck(async () => {
      const { blocks, headers, bestblockhash, initialblockdownload } = await rpc.call(
        { method: 'getblockchaininfo', params: [] },
        schemas.blockchainInfo,
      );
      // A node also reports its initial download if its last block is a day old.
      if (initialblockdownload && !network.minesOnDemand) {
        throw new ChainError('behind', `The node is still downloading blocks: it has ${blocks} of ${headers}.`);
      }
      if (headers - blocks > MAX_BLOCKS_BEHIND) {
        throw new ChainError('behind', `The node has ${blocks} of ${headers} known blocks.`);
      }
      lastTip = { height: blocks, hash: bestblockhash };
      return lastTip;
    }),

    block: withNetworkCheck(async (height: number, findOwnAddresses: FindOwnAddresses) => {
      const hash = await blockHash(height);
      if (hash === null) return null;
      const block = await parseBlock(await requestRawBlock(hash), scriptToAddress);
      if (block.hash !== hash) throw new ChainError('down', `The node sent a different block than ${hash}.`);
      const addresses = new Set(block.outputs.map(({ address }) => address));
      const ownAddresses = addresses.size > 0 ? await findOwnAddresses([...addresses]) : addresses;
      const [coinbase] = block.txids;
      const deposits = block.outputs
        .filter(({ address }) => ownAddresses.has(address))
        .map((output) => ({
          ...toDeposit(output),
          ...(output.txid === coinbase && { spendableFrom: height + COINBASE_MATURITY }),
          ...(output.txid === block.hogEx && { spendableFrom: height + PEG_OUT_MATURITY }),
        }));
      return { height, hash, parentHash: block.parentHash, minedAt: block.minedAt, deposits };
    }),

    blockHash: withNetworkCheck(blockHash),

    unconfirmedDeposits: withNetworkCheck(
      createMempoolReader({ rpc, scriptToAddress: scriptToAddress, toDeposit: toDeposit, now }),
    ),

    // On this chain every deposit is an output of a transaction.
    balances: () => null,
    transactionCounts: () => null,
    feePaid: async () => await Promise.resolve(null),

    feeRate: withNetworkCheck(async () => await readFeeRate(rpc)),
    outputStates: withNetworkCheck(
      async (paymentKeys: readonly string[], at: BlockRef) => await readOutputStates(rpc, paymentKeys, at),
    ),
    scanUtxoSet: withNetworkCheck(
      async (addresses: readonly string[], onProgress: (percent: number) => void) =>
        await scanUtxoSet(rpc, scriptToAddress, addresses, onProgress),
    ),

    broadcast: withNetworkCheck(async (raw: string): Promise<BroadcastResult> => {
      const method = 'sendrawtransaction';
      const result = await rpc.request({ method, params: [raw] }, schemas.hash);
      if (result.ok || isAlreadyKnown(result)) return { kind: 'sent' };
      const cause = rejectionCause(result);
      if (isRejection(result)) return { kind: 'refused', reason: result.message, ...(cause && { cause }) };
      throw rpc.unexpectedError(method, result);
    }),

    findTransaction: withNetworkCheck(createTransactionFinder({ rpc, blockHash, bestBlockHash: bestBlockHash })),

    close: async () => await rpc.close(),
  };
}
