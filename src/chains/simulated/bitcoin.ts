import { type Change, openBooks } from './books.ts';
import { createCommon, type SimulatedChain, type SimulatedChainOptions } from './common.ts';
import { bitcoinKind } from './kinds.ts';
import { pick } from './pick.ts';
import { readWaiting } from './pool.ts';
import { answerTo } from './sending.ts';

/** Bitcoin on its network regtest, without a node. */
export function createSimulatedBitcoin(options: SimulatedChainOptions): SimulatedChain {
  const books = openBooks({ ...options, kind: bitcoinKind });
  return {
    ...createCommon(books, async () => await Promise.resolve(takeAll)),

    waiting: async (findOurs) => await pick(await readWaiting(await books.open(), bitcoinKind.name), findOurs),

    balances: () => null,
    sentBy: () => null,
    feePaid: async () => await Promise.resolve(null),

    async coinStates(paymentKeys) {
      const { readCoinStates } = await import('./bitcoin-sending.ts');
      return await readCoinStates(await books.open(), paymentKeys);
    },

    async send(raw) {
      // To read transactions takes code that nobody needs who only watches.
      const { sendBitcoin } = await import('./bitcoin-sending.ts');
      return await answerTo(async () => await sendBitcoin(books, raw));
    },
  };
}

/** Whoever makes a block may take whatever waits. */
async function takeAll({ query, kind }: Change, height: number): Promise<void> {
  await query
    .updateTable('simulated_transactions')
    .set({ state: 'mined', height })
    .where('chain', '=', kind.name)
    .where('state', '=', 'waiting')
    .execute();
}
