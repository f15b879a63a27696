import type { EthereumChain } from '../ethereum/chain.ts';
import { addressFrom } from '../ethereum/checksum.ts';
import type { Runner } from '../../database/engine.ts';
import { type BlockRef, ChainTrouble } from '../port.ts';
import { readFeePaid, readHash } from './blocks.ts';
import { openBooks } from './books.ts';
import { createCommon, type SimulatedChain, type SimulatedChainOptions } from './common.ts';
import { minedNonces, nonceAfter, readHoldings, waitingCalls } from './ethereum-accounts.ts';
import { readFeeRate } from './fee-rate.ts';
import { ethereumKind } from './kinds.ts';
import { addTransaction, payable } from './pool.ts';
import { answerTo } from './sending.ts';

/** Ethereum, with what else those need who send on it. */
export interface SimulatedEthereum extends SimulatedChain, EthereumChain {
  balances: EthereumChain['balances'];
  sentBy: EthereumChain['sentBy'];
  feeRate: EthereumChain['feeRate'];
  lookUp: EthereumChain['lookUp'];
  /** A contract sends ether: it waits, and is then to be seen in no block, but in what the address holds there. */
  transferInside(transfer: { address: string; amount: bigint }): Promise<{ txHash: string }>;
}

/** Ethereum with a network of its own, without a node. What sending and mining takes is only loaded for that. */
export function createSimulatedEthereum(options: SimulatedChainOptions): SimulatedEthereum {
  const books = openBooks({ ...options, kind: ethereumKind });
  const { name, currencies } = ethereumKind;

  async function requireBlock(on: Runner, { height, hash }: BlockRef): Promise<void> {
    if ((await readHash(on, name, height)) !== hash)
      throw new ChainTrouble('behind', `The simulated chain ${name} does not have block ${height} (${hash}).`);
  }

  return {
    ...createCommon(books, async () => (await import('./ethereum-execution.ts')).execute),

    coinStates: () => null,
    scan: () => null,

    // As with a node: none is told.
    waiting: async () => await Promise.resolve([]),

    async balances(code, addresses, { height, hash }) {
      if (!currencies.includes(code)) throw new RangeError(`There is no ${code} on the simulated chain ${name}`);
      const database = await books.open();
      return await database.inSnapshot(async (on) => {
        await requireBlock(on, { height, hash });
        const kept = new Map(addresses.map((address) => [address, addressFrom(address)]));
        const holdings = await readHoldings(on, [...new Set(kept.values())], height);
        return new Map([...kept].map(([address, normal]) => [address, holdings.of(normal, code)]));
      });
    },

    async sentBy(addresses, { height, hash }) {
      const database = await books.open();
      return await database.inSnapshot(async (on) => {
        await requireBlock(on, { height, hash });
        const counts = new Map<string, number>();
        for (const address of addresses) counts.set(address, await minedNonces(on, addressFrom(address), height));
        return counts;
      });
    },

    feePaid: async (txHash) => await readFeePaid(await books.open(), name, txHash),

    async feeRate() {
      const rate = await readFeeRate(await books.open(), name);
      if (rate.unit !== 'wei/gas') throw new Error(`The fee of ${name} is in ${rate.unit}`);
      return rate;
    },

    async send(raw) {
      const { sendEthereum } = await import('./ethereum-sending.ts');
      return await answerTo(async () => await sendEthereum(books, raw));
    },

    async nextNonce(address) {
      const sender = addressFrom(address);
      const database = await books.open();
      return await database.inSnapshot(async (on) => {
        const waiting = await waitingCalls(on, sender);
        return nonceAfter(await minedNonces(on, sender), waiting);
      });
    },

    async gasFor(from, transfer) {
      const { gasFor } = await import('./ethereum-gas.ts');
      const database = await books.open();
      return await database.inSnapshot(async (on) => await gasFor(on, from, transfer));
    },

    async transferInside({ address, amount }) {
      const [sent] = payable(ethereumKind, { address, code: 'eth', amount });
      return await books.change(async (change) => {
        const txHash = change.newHash();
        const outputs = sent ? [{ ...sent, place: 0, paymentKey: null }] : [];
        await addTransaction(change, { txHash, outputs });
        return { txHash };
      });
    },
  };
}
