import type { CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import { type ChainPayment, ChainTrouble } from '../port.ts';
import { addressFrom } from './checksum.ts';
import { balanceCall } from './erc20.ts';
import * as forms from './forms.ts';
import { type EthereumNetwork, tokenOf } from './networks.ts';
import * as questions from './questions.ts';
import { NodeRefusal, type Rpc } from './rpc.ts';
import type { ReadState } from './state.ts';

type Block = Pick<forms.Block, 'number' | 'hash' | 'parentHash'>;

/** The token deposits of one address in one block. */
interface Holder {
  code: CryptoCurrencyCode;
  address: string;
  contract: string;
  /** By the events. */
  told: bigint;
  /** By the balance; no more than was told. */
  arrived: bigint;
  /** Of both, what the deposits up to the current one account for. */
  seen: bigint;
  credited: bigint;
}

const nameOf = ({ code, address }: { code: CryptoCurrencyCode; address: string }) => `${code}:${address}`;

/**
 * Corrects token deposits by balances. A contract may move less than its `Transfer` event says (a hidden fee): what
 * is credited is in sum no more than the balance grew in the block. What arrives without an event is not credited.
 */
export function createArrivals({
  rpc,
  readState,
  network,
}: {
  rpc: Rpc;
  readState: ReadState;
  network: EthereumNetwork;
}) {
  async function growthOf({ number: height, hash, parentHash }: Block, holders: readonly Holder[]): Promise<bigint[]> {
    const [before, after] = await Promise.all(
      [
        { height: height - 1, hash: parentHash },
        { height, hash },
      ].map(
        async (at) =>
          await readState(at, (block) =>
            holders.map(({ contract, address }) =>
              questions.read(contract, balanceCall(addressFrom(address)), block, forms.word),
            ),
          ),
      ),
    );
    return holders.map((_holder, place) => (after?.[place] ?? 0n) - (before?.[place] ?? 0n));
  }

  /** As `growthOf`; null where the block is no longer in the chain. */
  async function readGrowth(block: Block, holders: readonly Holder[]): Promise<bigint[] | null> {
    try {
      return await growthOf(block, holders);
    } catch (error) {
      if (!(error instanceof NodeRefusal || (error instanceof ChainTrouble && error.kind === 'behind'))) throw error;
      if ((await rpc.ask(questions.headerAt(block.number)))?.hash !== block.hash) return null;
      if (network.areTokensKnown) return holders.map(({ told }) => told);
      throw new ChainTrouble(
        'down',
        `${rpc.node} cannot tell how many tokens arrived in block ${block.number} (${error instanceof NodeRefusal ? error.reason : error.message}). If it no longer has that block's state, let an archive node read on.`,
        { cause: error },
      );
    }
  }

  /**
   * The deposits with what arrived of each, and with that amount in the keys of token deposits: after a reorg the same
   * transaction may move another amount, which is another deposit. `transfers` are all of the block, in and out.
   * Returns null where the block is no longer in the chain.
   */
  return async function arrivedIn(
    block: Block,
    payments: readonly ChainPayment[],
    transfers: readonly { from: string | null; code: CryptoCurrencyCode; amount: bigint }[],
  ): Promise<ChainPayment[] | null> {
    const holders = new Map<string, Holder>();
    for (const { code, address, amount } of payments) {
      const contract = tokenOf(network, code)?.address;
      if (!contract) continue;
      const name = nameOf({ code, address });
      const holder = holders.get(name) ?? { code, address, contract, told: 0n, arrived: 0n, seen: 0n, credited: 0n };
      holders.set(name, { ...holder, told: holder.told + amount });
    }
    if (holders.size === 0) return [...payments];
    const growth = await readGrowth(block, [...holders.values()]);
    if (!growth) return null;
    for (const [place, holder] of [...holders.values()].entries()) {
      const sent = transfers
        .filter(({ from, code }) => from === holder.address && code === holder.code)
        .reduce((sum, { amount }) => sum + amount, 0n);
      const arrived = (growth[place] ?? 0n) + sent;
      holder.arrived = arrived < 0n ? 0n : arrived < holder.told ? arrived : holder.told;
    }
    return payments.flatMap((payment) => {
      const holder = holders.get(nameOf(payment));
      if (!holder) return [payment];
      holder.seen += payment.amount;
      // Rounded so that the shares add up.
      const amount = (holder.arrived * holder.seen) / holder.told - holder.credited;
      holder.credited += amount;
      return amount === 0n ? [] : [{ ...payment, paymentKey: `${payment.paymentKey}:${amount}`, amount }];
    });
  };
}
