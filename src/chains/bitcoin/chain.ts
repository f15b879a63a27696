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
import { readCoinStates } from './coin-states.ts';
import { readFeeRate } from './fee-rate.ts';
import * as schemas from './schemas.ts';
import { createTransactionFinder } from './find-transaction.ts';
import { createScriptToAddress } from './script-address.ts';
import type { NetworkParameters } from '../../shared/chains/description.ts';
import { rejectionCause, isBeyondTip, isAlreadyKnown, isPruned, isRejection } from './rpc-errors.ts';
import { createRpc } from './rpc.ts';
import { scanUtxoSet } from './utxo-scan.ts';
import { createMempoolReader } from './mempool-deposits.ts';

/** Blocks that a node may know of without having them yet: what comes in while it checks one. */
const MAX_BLOCKS_BEHIND = 3;
/** New coins may be spent this many blocks after the one that made them. */
const COINBASE_MATURITY = 100;
/** And this many after the one that paid what left an extension block (MWEB). */
const PEG_OUT_MATURITY = 6;

/**
 * A chain of the bitcoin family as a full node tells of it: Bitcoin Core from version 25 on, or what
 * speaks as it does. It needs no index of transactions and no wallet, and may be pruned as long as it has
 * the blocks that are asked for. `url` holds the user and the password of its RPC.
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
  /** For each call. */
  timeoutMs?: number;
  /** Milliseconds of a clock that never goes back; that of the process unless given. */
  now?: () => number;
}): Chain {
  let isOnNetwork = false;
  /** The last block, as it was last answered. */
  let lastTip: BlockRef | null = null;
  const rpc = createRpc({
    url,
    ...(timeoutMs !== undefined && { timeoutMs }),
    onConnect: () => {
      isOnNetwork = false;
    },
  });
  const addressOf = createScriptToAddress(network);

  function toDeposit({ txid, vout, address, amount }: AddressOutput): ChainDeposit {
    return { paymentKey: `${txid}:${vout}`, txHash: txid, address, code, amount };
  }

  async function blockHash(height: number): Promise<string | null> {
    const method = 'getblockhash';
    const answer = await rpc.request({ method, params: [height] }, schemas.hash);
    if (answer.ok) return answer.value;
    if (isBeyondTip(answer)) return null;
    throw rpc.unexpectedError(method, answer);
  }

  /**
   * Where a search through the chain begins. Behind an address there may be several nodes: one that has not the last
   * block that was answered may lack what is looked for.
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
    if (!best?.ok) throw new ChainError('down', 'The node does not name its last block');
    if (lastTip && !(lastKnown?.ok && lastKnown.value === lastTip.hash))
      throw new ChainError(
        'behind',
        `The node does not have block ${lastTip.height} (${lastTip.hash}), which was its last block before.`,
      );
    return best.value;
  }

  async function requestRawBlock(hash: string): Promise<Buffer> {
    const method = 'getblock';
    const answer = await rpc.requestBytes({ method, params: [hash, 0] });
    if (answer.ok) return answer.value;
    if (isPruned(answer)) throw new ChainError('behind', `The node has deleted the block ${hash} (prune)`);
    throw rpc.unexpectedError(method, answer);
  }

  /** The first block is asked for once on each connection. */
  async function requireNetwork(): Promise<void> {
    if (isOnNetwork) return;
    const first = await blockHash(0);
    if (first !== network.genesisHash) {
      throw new ChainError(
        'wrong_network',
        `The node follows another chain than ${network.name}: ${first} is its first block`,
      );
    }
    isOnNetwork = true;
  }

  const checkingNetwork =
    <Parameters extends unknown[], Answer>(request: (...parameters: Parameters) => Promise<Answer>) =>
    async (...parameters: Parameters): Promise<Answer> => {
      await requireNetwork();
      const answer = await request(...parameters);
      // It may have come over a connection that was made for it.
      await requireNetwork();
      return answer;
    };

  return {
    currencies: [code],
    addresses: createBitcoinAddresses(network),

    tip: checkingNetwork(async () => {
      const { blocks, headers, bestblockhash, initialblockdownload } = await rpc.call(
        { method: 'getblockchaininfo', params: [] },
        schemas.blockchainInfo,
      );
      // A node also takes itself to be loading old blocks when its last one is a day old.
      if (initialblockdownload && !network.minesOnDemand) {
        throw new ChainError('behind', `The node is still loading old blocks: it has ${blocks} of ${headers}`);
      }
      if (headers - blocks > MAX_BLOCKS_BEHIND) {
        throw new ChainError('behind', `The node has ${blocks} blocks of ${headers} that it knows of`);
      }
      lastTip = { height: blocks, hash: bestblockhash };
      return lastTip;
    }),

    block: checkingNetwork(async (height: number, findOurs: FindOwnAddresses) => {
      const hash = await blockHash(height);
      if (hash === null) return null;
      const block = await parseBlock(await requestRawBlock(hash), addressOf);
      if (block.hash !== hash) throw new ChainError('down', `The node sent another block than ${hash}`);
      const addresses = new Set(block.outputs.map(({ address }) => address));
      const ours = addresses.size > 0 ? await findOurs([...addresses]) : addresses;
      const [coinbase] = block.txids;
      const deposits = block.outputs
        .filter(({ address }) => ours.has(address))
        .map((output) => ({
          ...toDeposit(output),
          ...(output.txid === coinbase && { spendableFrom: height + COINBASE_MATURITY }),
          ...(output.txid === block.hogEx && { spendableFrom: height + PEG_OUT_MATURITY }),
        }));
      return { height, hash, parentHash: block.parentHash, at: block.minedAt, deposits };
    }),

    blockHash: checkingNetwork(blockHash),

    unconfirmedDeposits: checkingNetwork(
      createMempoolReader({ rpc, scriptToAddress: addressOf, toDeposit: toDeposit, now }),
    ),

    // All that moves here is an output of a transaction.
    balances: () => null,
    transactionCounts: () => null,
    feePaid: async () => await Promise.resolve(null),

    feeRate: checkingNetwork(async () => await readFeeRate(rpc)),
    coinStates: checkingNetwork(
      async (paymentKeys: readonly string[], at: BlockRef) => await readCoinStates(rpc, paymentKeys, at),
    ),
    scanUtxoSet: checkingNetwork(
      async (addresses: readonly string[], onProgress: (percent: number) => void) =>
        await scanUtxoSet(rpc, addressOf, addresses, onProgress),
    ),

    broadcast: checkingNetwork(async (raw: string): Promise<BroadcastResult> => {
      const method = 'sendrawtransaction';
      const answer = await rpc.request({ method, params: [raw] }, schemas.hash);
      if (answer.ok || isAlreadyKnown(answer)) return { kind: 'sent' };
      const cause = rejectionCause(answer);
      if (isRejection(answer)) return { kind: 'refused', reason: answer.message, ...(cause && { cause }) };
      throw rpc.unexpectedError(method, answer);
    }),

    findTransaction: checkingNetwork(createTransactionFinder({ rpc, blockHash, bestBlockHash: bestBlockHash })),

    close: async () => await rpc.close(),
  };
}
