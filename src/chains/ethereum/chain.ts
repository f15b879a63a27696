import type { CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import { toSeconds } from '../../shared/time.ts';
import type { Clock } from '../../system/clock.ts';
import { type BlockRef, type Chain, ChainTrouble, type FeeRate, type SentState } from '../port.ts';
import { createEthereumAddresses } from './addresses.ts';
import { createBlockReader } from './blocks.ts';
import { addressFrom } from './checksum.ts';
import { balanceCall, decimalsCall } from './erc20.ts';
import { feeRateOf } from './fees.ts';
import * as forms from './forms.ts';
import { currenciesOf, type EthereumNetwork, tokenOf } from './networks.ts';
import { tokenCodes } from './tokens.ts';
import * as questions from './questions.ts';
import { createRpc, type Rpc, type RpcLimits } from './rpc.ts';
import { lookUpTransaction, sendTransaction } from './sending.ts';
import { createStateReader, type ReadState } from './state.ts';
import { quantityOf } from './transaction.ts';
import type { Transfer } from './transfers.ts';

/** Ethereum, with what only those need who send on it. */
export interface EthereumChain extends Chain {
  /** What addresses suspend in a block, whoever sent it. Throws `ChainTrouble` where the node has that state no more. */
  balances(code: CryptoCurrencyCode, addresses: readonly string[], at: BlockRef): Promise<ReadonlyMap<string, bigint>>;
  sentBy(addresses: readonly string[], at: BlockRef): Promise<ReadonlyMap<string, number>>;
  feeRate(): Promise<Extract<FeeRate, { unit: 'wei/gas' }>>;
  /** Nodes know every transaction by its hash, from whatever block on. */
  lookUp(txHash: string): Promise<SentState>;
  /** The nonce of the next transaction of an address, after those that wait in the node's pool. */
  nextNonce(address: string): Promise<number>;
  /** Gas that a transfer would use now. Throws where it would fail. */
  gasFor(from: string, transfer: Pick<Transfer, 'to' | 'value' | 'data'>): Promise<bigint>;
}

/** Blocks that the fee is taken from: four minutes. */
const FEE_BLOCKS = 20;

/** Ethereum by one node that speaks its JSON-RPC over HTTP, one's own or a provider's. Nothing is asked before its first use. */
export function createEthereumChain({
  url,
  network,
  clock,
  limits,
}: {
  url: string;
  network: EthereumNetwork;
  clock: Clock;
  limits?: Partial<RpcLimits>;
}): EthereumChain {
  const rpc = createRpc({ url, limits });
  const readState = createStateReader(rpc);
  const readBlock = createBlockReader({ rpc, readState, network });
  let areTokensThere = false;

  return {
    currencies: currenciesOf(network),
    addresses: createEthereumAddresses(network),

    async tip() {
      const [chainId, syncing] = await rpc.askAll([questions.chainId(), questions.syncing()]);
      if (chainId !== network.chainId) {
        const wanted = `${network.name} is chain ${network.chainId}`;
        throw new ChainTrouble('wrong_network', `${rpc.node} follows chain ${chainId}; ${wanted}.`);
      }
      if (syncing) {
        const { currentBlock = 'an unknown one', highestBlock = 'an unknown one' } = syncing;
        const place = `at block ${currentBlock} of ${highestBlock}`;
        throw new ChainTrouble('behind', `${rpc.node} is still catching up, ${place}.`);
      }
      const { number, hash, timestamp } = await rpc.ask(questions.lastHeader());
      const age = clock.now() - timestamp;
      if (network.staleAfter !== null && age > network.staleAfter) {
        const since = `its last block, ${number}, is ${Math.floor(toSeconds(age))} s old`;
        throw new ChainTrouble('behind', `${rpc.node} has fallen behind: ${since}. Does its consensus client run?`);
      }
      if (!areTokensThere) await findTokens(rpc, readState, network, { height: number, hash });
      areTokensThere = true;
      return { height: number, hash };
    },

    block: readBlock,

    async hashAt(height) {
      return (await rpc.ask(questions.headerAt(height)))?.hash ?? null;
    },

    // Nodes keep a pool and tell only their own transactions of it reliably, if any; providers tell none.
    waiting: async () => [],

    async balances(code, addresses, at) {
      const token = tokenOf(network, code);
      if (!token && code !== 'eth') throw new RangeError(`There is no ${code} on ${network.name}`);
      const amounts = await readState(at, (block) =>
        addresses.map((address) =>
          token
            ? questions.read(token.address, balanceCall(addressFrom(address)), block, forms.word)
            : questions.balance(address, block),
        ),
      );
      return new Map(addresses.map((address, place) => [address, amounts[place] ?? 0n]));
    },

    async sentBy(addresses, at) {
      const counts = await readState(at, (block) => addresses.map((address) => questions.sentCount(address, block)));
      return new Map(addresses.map((address, place) => [address, counts[place] ?? 0]));
    },

    async feePaid(txHash) {
      const receipt = await rpc.ask(questions.paidReceipt(txHash));
      if (!receipt) return null;
      const { blockNumber: height, blockHash: hash, gasUsed, effectiveGasPrice } = receipt;
      return { block: { height, hash }, fee: gasUsed * effectiveGasPrice };
    },

    async feeRate() {
      const [history, header, price] = await Promise.all([
        rpc.ask(questions.feeHistory(FEE_BLOCKS)),
        rpc.ask(questions.lastHeader()),
        rpc.ask(questions.gasPrice()),
      ]);
      return feeRateOf(history, { baseFee: header.baseFeePerGas ?? null, gasPrice: price });
    },

    coinStates: () => null,
    scan: () => null,

    send: async (raw) => await sendTransaction(rpc, raw),
    lookUp: async (txHash) => await lookUpTransaction(rpc, txHash),
    nextNonce: async (address) => await rpc.ask(questions.nextNonce(address)),
    gasFor: async (from, { to, value, data }) =>
      await rpc.ask(questions.gasFor({ from, to, value: quantityOf(value), data })),
    close: async () => await rpc.close(),
  };
}

/** An address of another network holds no contract, and nobody would ever be seen to pay. */
async function findTokens(rpc: Rpc, readState: ReadState, network: EthereumNetwork, at: BlockRef): Promise<void> {
  for (const code of tokenCodes) {
    const token = network.tokens[code];
    if (!token) continue;
    const [answer = '0x'] = await readState(at, (block) => [
      questions.read(token.address, decimalsCall(), block, forms.bytes),
    ]);
    if (answer.length === forms.WORD_LENGTH && BigInt(answer) === BigInt(token.decimals)) continue;
    const words = `has no ${code} with ${token.decimals} decimals at ${token.address}`;
    throw new ChainTrouble('wrong_network', `${rpc.node} ${words}: is that its address on ${network.name}?`);
  }
}
