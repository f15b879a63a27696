import type { EthereumChainName } from '../../shared/crypto-currency.ts';
import type { EthereumChain } from '../ethereum/chain.ts';
import { requireAddress } from '../ethereum/checksum.ts';
import type { Runner } from '../../database/engine.ts';
import { type BlockRef, ChainError } from '../port.ts';
import { readFeePaid, readHash } from './blocks.ts';
import { createChainStore } from './store.ts';
import { createBaseChain, type SimulatedChain, type SimulatedChainOptions } from './base-chain.ts';
import { readNextMinedNonce, nextFreeNonce, readBalances, readPendingTransfers } from './ethereum-accounts.ts';
import { readFeeRate } from './fee-rate.ts';
import { createEthereumKind } from './chain-kinds.ts';
import { insertMempoolTransaction, normalizeOutputs } from './mempool.ts';
import { toBroadcastResult } from './broadcast.ts';

/** A chain of the Ethereum family, with the methods that withdrawals need. */
export interface SimulatedEthereum extends SimulatedChain, EthereumChain {
  balances: EthereumChain['balances'];
  transactionCounts: EthereumChain['transactionCounts'];
  feeRate: EthereumChain['feeRate'];
  findTransaction: EthereumChain['findTransaction'];
  /** Sends ether from a contract. Once mined it is visible in no block, only in the address's balance. */
  sendFromContract(transfer: { address: string; amount: bigint }): Promise<{ txHash: string }>;
}

/** Creates a simulated chain of the Ethereum family. The code that broadcasts and mines is loaded on first use. */
export function createSimulatedEthereum({
  name,
  ...options
}: SimulatedChainOptions & { name: EthereumChainName }): SimulatedEthereum {
  const kind = createEthereumKind(name);
  const store = createChainStore({ ...options, kind });
  const { currencies, feeCode } = kind;

  async function requireBlock(reader: Runner, { height, hash }: BlockRef): Promise<void> {
    if ((await readHash(reader, name, height)) !== hash)
      throw new ChainError('behind', `The simulated chain ${name} does not have block ${height} (${hash}).`);
  }

  return {
    ...createBaseChain(store, async () => (await import('./ethereum-execution.ts')).executeBlock),

    outputStates: () => null,
    scanUtxoSet: () => null,

    // Same as with a node: mempool transactions are not reported.
    unconfirmedDeposits: async () => await Promise.resolve([]),

    async balances(code, addresses, { height, hash }) {
      if (!currencies.includes(code)) throw new RangeError(`The simulated chain ${name} has no ${code}.`);
      const database = await store.openDatabase();
      return await database.inSnapshot(async (reader) => {
        await requireBlock(reader, { height, hash });
        const normalized = new Map(addresses.map((address) => [address, requireAddress(address)]));
        const balances = await readBalances(reader, kind, [...new Set(normalized.values())], height);
        return new Map([...normalized].map(([address, key]) => [address, balances.get(key, code)]));
      });
    },

    async transactionCounts(addresses, { height, hash }) {
      const database = await store.openDatabase();
      return await database.inSnapshot(async (reader) => {
        await requireBlock(reader, { height, hash });
        const counts = new Map<string, number>();
        for (const address of addresses)
          counts.set(address, await readNextMinedNonce(reader, name, requireAddress(address), height));
        return counts;
      });
    },

    feePaid: async (txHash) => await readFeePaid(await store.openDatabase(), name, txHash),

    async feeRate() {
      const rate = await readFeeRate(await store.openDatabase(), name);
      if (rate.unit !== 'wei/gas') throw new Error(`The fee rate of ${name} is in ${rate.unit}.`);
      return rate;
    },

    async broadcast(raw) {
      const { acceptEthereumTransaction } = await import('./ethereum-broadcast.ts');
      return await toBroadcastResult(async () => await acceptEthereumTransaction(store, kind, raw));
    },

    async nextNonce(address) {
      const sender = requireAddress(address);
      const database = await store.openDatabase();
      return await database.inSnapshot(async (reader) => {
        const waiting = await readPendingTransfers(reader, kind, sender);
        return nextFreeNonce(await readNextMinedNonce(reader, name, sender), waiting);
      });
    },

    async estimateGas(from, transfer) {
      const { estimateGas } = await import('./ethereum-gas.ts');
      const database = await store.openDatabase();
      return await database.inSnapshot(async (reader) => await estimateGas(reader, kind, from, transfer));
    },

    async sendFromContract({ address, amount }) {
      const [sent] = normalizeOutputs(kind, { address, code: feeCode, amount });
      return await store.change(async (change) => {
        const txHash = change.newHash();
        const outputs = sent ? [{ ...sent, place: 0, paymentKey: null }] : [];
        await insertMempoolTransaction(change, { txHash, outputs });
        return { txHash };
      });
    },
  };
}
