/*
 * Map of this folder: `rpc.ts` sends the calls of `rpc-methods.ts`, and `schemas.ts` validates the results.
 * `blocks.ts` reads blocks, `token-amounts.ts` corrects token deposits, `state.ts` reads balances at a block.
 * `spender.ts`, `transfers.ts` and `signing.ts` build and sign. Reasons: docs/decisions/chains-ethereum.md.
 */

import type { CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import { toSeconds } from '../../shared/time.ts';
import type { Clock } from '../../system/clock.ts';
import { type BlockRef, type Chain, ChainError, type FeeRate, type TransactionState } from '../port.ts';
import { createEthereumAddresses } from './addresses.ts';
import { createBlockReader } from './blocks.ts';
import { requireAddress } from './checksum.ts';
import { encodeBalanceOf, encodeDecimals } from './erc20.ts';
import { toFeeRate } from './fees.ts';
import * as schemas from './schemas.ts';
import { networkCurrencies, type EthereumNetwork, findToken } from './networks.ts';
import { tokenCodesOf } from './tokens.ts';
import * as methods from './rpc-methods.ts';
import { createRpc, type Rpc, type RpcLimits } from './rpc.ts';
import { estimateGas, findTransaction, broadcastTransaction } from './broadcast.ts';
import { createStateReader, type ReadState } from './state.ts';
import { toQuantity, type TransactionFields } from './transaction.ts';

/** A chain of the Ethereum family, with the methods that withdrawals need. */
export interface EthereumChain extends Chain {
  /**
   * Balances of addresses after a block, however the funds arrived. Throws `ChainError` if the node no longer has that
   * state.
   */
  balances(code: CryptoCurrencyCode, addresses: readonly string[], at: BlockRef): Promise<ReadonlyMap<string, bigint>>;
  transactionCounts(addresses: readonly string[], at: BlockRef): Promise<ReadonlyMap<string, number>>;
  feeRate(): Promise<Extract<FeeRate, { unit: 'wei/gas' }>>;
  /** Nodes find every transaction by its hash, so no start height is needed. */
  findTransaction(txHash: string): Promise<TransactionState>;
  /** Nonce of an address's next transaction, including transactions in the node's mempool. */
  nextNonce(address: string): Promise<number>;
  /** Estimates the gas of a transfer. Throws `TransferWouldFail`, or `ChainError` without a reliable result. */
  estimateGas(from: string, transfer: Pick<TransactionFields, 'to' | 'value' | 'data'>): Promise<bigint>;
}

/** Blocks of the fee history: four minutes. */
const FEE_BLOCKS = 20;

/** A chain of the Ethereum family, read from one node or provider by JSON-RPC over HTTP. No call is sent before the first use. */
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
  let areTokensChecked = false;

  return {
    currencies: networkCurrencies(network),
    addresses: createEthereumAddresses(network),

    async tip() {
      const [chainId, syncing] = await rpc.requestBatch([methods.chainId(), methods.syncing()]);
      if (chainId !== network.chainId) {
        const expected = `${network.name} is chain ${network.chainId}`;
        throw new ChainError('wrong_network', `${rpc.nodeName} follows chain ${chainId}; ${expected}.`);
      }
      if (syncing) {
        const { currentBlock = 'an unknown one', highestBlock = 'an unknown one' } = syncing;
        const progress = `at block ${currentBlock} of ${highestBlock}`;
        throw new ChainError('behind', `${rpc.nodeName} is still catching up, ${progress}.`);
      }
      const { number, hash, timestamp } = await rpc.request(methods.latestHeader());
      const age = clock.now() - timestamp;
      if (network.staleAfter !== null && age > network.staleAfter) {
        const lag = `its last block, ${number}, is ${Math.floor(toSeconds(age))} s old`;
        throw new ChainError(
          'behind',
          `${rpc.nodeName} has fallen behind: ${lag}. Check that its consensus client runs.`,
        );
      }
      if (!areTokensChecked) await requireTokenContracts(rpc, readState, network, { height: number, hash });
      areTokensChecked = true;
      return { height: number, hash };
    },

    block: readBlock,

    async blockHash(height) {
      return (await rpc.request(methods.headerAt(height)))?.hash ?? null;
    },

    // Nodes report only their own mempool transactions reliably, and providers report none.
    unconfirmedDeposits: async () => [],

    async balances(code, addresses, at) {
      const token = findToken(network, code);
      if (!token && code !== network.feeCode) throw new RangeError(`${network.name} has no ${code}.`);
      const amounts = await readState(at, (block) =>
        addresses.map((address) =>
          token
            ? methods.callContract(token.address, encodeBalanceOf(requireAddress(address)), block, schemas.word)
            : methods.balance(address, block),
        ),
      );
      return new Map(addresses.map((address, index) => [address, amounts[index] ?? 0n]));
    },

    async transactionCounts(addresses, at) {
      const counts = await readState(at, (block) =>
        addresses.map((address) => methods.transactionCount(address, block)),
      );
      return new Map(addresses.map((address, index) => [address, counts[index] ?? 0]));
    },

    async feePaid(txHash) {
      const receipt = await rpc.request(methods.receiptWithFee(txHash));
      if (!receipt) return null;
      const { blockNumber: height, blockHash: hash, gasUsed, effectiveGasPrice } = receipt;
      return { block: { height, hash }, fee: gasUsed * effectiveGasPrice };
    },

    async feeRate() {
      const [history, header, price] = await Promise.all([
        rpc.request(methods.feeHistory(FEE_BLOCKS)),
        rpc.request(methods.latestHeader()),
        rpc.request(methods.gasPrice()),
      ]);
      return toFeeRate(history, { baseFee: header.baseFeePerGas ?? null, gasPrice: price });
    },

    outputStates: () => null,
    scanUtxoSet: () => null,

    broadcast: async (raw) => await broadcastTransaction(rpc, raw),
    findTransaction: async (txHash) => await findTransaction(rpc, txHash),
    nextNonce: async (address) => await rpc.request(methods.nextNonce(address)),
    estimateGas: async (from, { to, value, data }) =>
      await estimateGas(rpc, { from, to, value: toQuantity(value), data }),
    close: async () => await rpc.close(),
  };
}

/** Checks the contracts: an address of another network has none, so its payments would never be seen. */
async function requireTokenContracts(
  rpc: Rpc,
  readState: ReadState,
  network: EthereumNetwork,
  block: BlockRef,
): Promise<void> {
  for (const code of tokenCodesOf(network.chain)) {
    const token = network.tokens[code];
    if (!token) continue;
    const [result = '0x'] = await readState(block, (block) => [
      methods.callContract(token.address, encodeDecimals(), block, schemas.bytes),
    ]);
    if (result.length === schemas.WORD_LENGTH && BigInt(result) === BigInt(token.decimals)) continue;
    const detail = `has no ${code} contract with ${token.decimals} decimals at ${token.address}`;
    throw new ChainError('wrong_network', `${rpc.nodeName} ${detail}. Check its address on ${network.name}.`);
  }
}
