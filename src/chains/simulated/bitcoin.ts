import type { BitcoinChainName } from '../../shared/crypto-currency.ts';
import { readTip } from './blocks.ts';
import { type Change, openBooks } from './books.ts';
import { createCommon, type SimulatedChain, type SimulatedChainOptions } from './common.ts';
import { bitcoinKind } from './kinds.ts';
import { pick } from './pick.ts';
import { readCoinStates, readUnspent, readWaiting } from './pool.ts';
import { answerTo } from './sending.ts';

/** A chain of the bitcoin family on its network regtest, without a node. */
export function createSimulatedBitcoin({
  name,
  ...options
}: SimulatedChainOptions & { name: BitcoinChainName }): SimulatedChain {
  const kind = bitcoinKind(name);
  const books = openBooks({ ...options, kind });
  return {
    ...createCommon(books, async () => await Promise.resolve(takeAll)),

    waiting: async (findOurs) => await pick(await readWaiting(await books.open(), name), findOurs),

    coinStates: async (paymentKeys) => await readCoinStates(await books.open(), name, paymentKeys),

    async scan(addresses) {
      const database = await books.open();
      return await database.inSnapshot(async (on) => ({
        at: await readTip(on, name),
        coins: await readUnspent(on, name, addresses),
      }));
    },

    balances: () => null,
    sentBy: () => null,
    feePaid: async () => await Promise.resolve(null),

    async send(raw) {
      // To read transactions takes code that nobody needs who only watches.
      const { sendBitcoin } = await import('./bitcoin-sending.ts');
      return await answerTo(async () => await sendBitcoin(books, kind, raw));
    },
  };
}

/** Whoever makes a block may take whatever waits. */
async function takeAll({ tables, kind }: Change, height: number): Promise<void> {
  await tables
    .updateTable('simulated_transactions')
    .set({ state: 'mined', height })
    .where('chain', '=', kind.name)
    .where('state', '=', 'waiting')
    .execute();
}
