import type { CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import { type BlockRef, type Chain, type ChainPayment, ChainTrouble, type FindOurs, type SendAnswer } from '../port.ts';
import { createBitcoinAddresses } from './addresses.ts';
import { type PaidOutput, parseBlock } from './blocks.ts';
import { readCoinStates } from './coin-states.ts';
import { readFeeRate } from './fee-rate.ts';
import * as forms from './forms.ts';
import { createLookUp } from './look-up.ts';
import { createAddressOf } from './output-script.ts';
import type { NetworkParameters } from '../../shared/chains/description.ts';
import { causeOf, isBeyondTip, isKnownAlready, isPruned, isRejection } from './refusals.ts';
import { createRpc } from './rpc.ts';
import { scanUnspent } from './scan.ts';
import { createWaiting } from './waiting.ts';

/** Blocks that a node may know of without having them yet: what comes in while it checks one. */
const MOST_ON_THEIR_WAY = 3;
/** New coins may be spent this many blocks after the one that made them. */
const COINBASE_MATURITY = 100;
/** And this many after the one that paid what left an extension block (MWEB). */
const PEGOUT_MATURITY = 6;

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
  const addressOf = createAddressOf(network);

  function paymentOf({ txid, vout, address, amount }: PaidOutput): ChainPayment {
    return { paymentKey: `${txid}:${vout}`, txHash: txid, address, code, amount };
  }

  async function hashAt(height: number): Promise<string | null> {
    const method = 'getblockhash';
    const answer = await rpc.ask({ method, params: [height] }, forms.hash);
    if (answer.ok) return answer.value;
    if (isBeyondTip(answer)) return null;
    throw rpc.refused(method, answer);
  }

  /**
   * Where a search through the chain begins. Behind an address there may be several nodes: one that has not the last
   * block that was answered may lack what is looked for.
   */
  async function bestHash(): Promise<string> {
    const method = 'getblockhash';
    const [best, known] = await rpc.askAll(
      [
        { method: 'getbestblockhash', params: [] },
        { method, params: [lastTip?.height ?? 0] },
      ],
      forms.hash,
    );
    if (!best?.ok) throw new ChainTrouble('down', 'The node does not name its last block');
    if (lastTip && !(known?.ok && known.value === lastTip.hash))
      throw new ChainTrouble(
        'behind',
        `The node does not have block ${lastTip.height} (${lastTip.hash}), which was its last block before.`,
      );
    return best.value;
  }

  async function rawBlock(hash: string): Promise<Buffer> {
    const method = 'getblock';
    const answer = await rpc.askBytes({ method, params: [hash, 0] });
    if (answer.ok) return answer.value;
    if (isPruned(answer)) throw new ChainTrouble('behind', `The node has deleted the block ${hash} (prune)`);
    throw rpc.refused(method, answer);
  }

  /** The first block is asked for once on each connection. */
  async function requireNetwork(): Promise<void> {
    if (isOnNetwork) return;
    const first = await hashAt(0);
    if (first !== network.genesisHash) {
      throw new ChainTrouble(
        'wrong_network',
        `The node follows another chain than ${network.name}: ${first} is its first block`,
      );
    }
    isOnNetwork = true;
  }

  const onNetwork =
    <Parameters extends unknown[], Answer>(ask: (...parameters: Parameters) => Promise<Answer>) =>
    async (...parameters: Parameters): Promise<Answer> => {
      await requireNetwork();
      const answer = await ask(...parameters);
      // It may have come over a connection that was made for it.
      await requireNetwork();
      return answer;
    };

  return {
    currencies: [code],
    addresses: createBitcoinAddresses(network),

    tip: onNetwork(async () => {
      const { blocks, headers, bestblockhash, initialblockdownload } = await rpc.call(
        { method: 'getblockchaininfo', params: [] },
        forms.blockchainInfo,
      );
      // A node also takes itself to be loading old blocks when its last one is a day old.
      if (initialblockdownload && !network.minesOnDemand) {
        throw new ChainTrouble('behind', `The node is still loading old blocks: it has ${blocks} of ${headers}`);
      }
      if (headers - blocks > MOST_ON_THEIR_WAY) {
        throw new ChainTrouble('behind', `The node has ${blocks} blocks of ${headers} that it knows of`);
      }
      lastTip = { height: blocks, hash: bestblockhash };
      return lastTip;
    }),

    block: onNetwork(async (height: number, findOurs: FindOurs) => {
      const hash = await hashAt(height);
      if (hash === null) return null;
      const block = await parseBlock(await rawBlock(hash), addressOf);
      if (block.hash !== hash) throw new ChainTrouble('down', `The node sent another block than ${hash}`);
      const addresses = new Set(block.outputs.map(({ address }) => address));
      const ours = addresses.size > 0 ? await findOurs([...addresses]) : addresses;
      const [coinbase] = block.txids;
      const payments = block.outputs
        .filter(({ address }) => ours.has(address))
        .map((output) => ({
          ...paymentOf(output),
          ...(output.txid === coinbase && { spendableFrom: height + COINBASE_MATURITY }),
          ...(output.txid === block.hogEx && { spendableFrom: height + PEGOUT_MATURITY }),
        }));
      return { height, hash, parentHash: block.parentHash, at: block.at, payments };
    }),

    hashAt: onNetwork(hashAt),

    waiting: onNetwork(createWaiting({ rpc, addressOf, paymentOf, now })),

    // All that moves here is an output of a transaction.
    balances: () => null,
    sentBy: () => null,
    feePaid: async () => await Promise.resolve(null),

    feeRate: onNetwork(async () => await readFeeRate(rpc)),
    coinStates: onNetwork(
      async (paymentKeys: readonly string[], at: BlockRef) => await readCoinStates(rpc, paymentKeys, at),
    ),
    scan: onNetwork(
      async (addresses: readonly string[], onProgress: (percent: number) => void) =>
        await scanUnspent(rpc, addressOf, addresses, onProgress),
    ),

    send: onNetwork(async (raw: string): Promise<SendAnswer> => {
      const method = 'sendrawtransaction';
      const answer = await rpc.ask({ method, params: [raw] }, forms.hash);
      if (answer.ok || isKnownAlready(answer)) return { kind: 'sent' };
      const cause = causeOf(answer);
      if (isRejection(answer)) return { kind: 'refused', reason: answer.message, ...(cause && { cause }) };
      throw rpc.refused(method, answer);
    }),

    lookUp: onNetwork(createLookUp({ rpc, hashAt, bestHash })),

    close: async () => await rpc.close(),
  };
}
