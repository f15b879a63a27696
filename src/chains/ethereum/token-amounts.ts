import type { CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import { type ChainDeposit, ChainError } from '../port.ts';
import { requireAddress } from './checksum.ts';
import { encodeBalanceOf } from './erc20.ts';
import * as schemas from './schemas.ts';
import { type EthereumNetwork, findToken } from './networks.ts';
import * as methods from './rpc-methods.ts';
import { RpcError, type Rpc } from './rpc.ts';
import type { ReadState } from './state.ts';

type Block = Pick<schemas.Block, 'number' | 'hash' | 'parentHash'>;

/** The token deposits of one address in one block. */
interface TokenRecipient {
  code: CryptoCurrencyCode;
  address: string;
  contract: string;
  /** By the events. */
  logged: bigint;
  /** By the balance; no more than was told. */
  received: bigint;
  /** Of both, what the deposits up to the current one account for. */
  allocatedLogged: bigint;
  allocatedReceived: bigint;
}

const recipientKey = ({ code, address }: { code: CryptoCurrencyCode; address: string }) => `${code}:${address}`;

/**
 * Corrects token deposits by balances. A contract may move less than its `Transfer` event says (a hidden fee): what
 * is credited is in sum no more than the balance grew in the block. What arrives without an event is not credited.
 */
export function createTokenAmountCorrection({
  rpc,
  readState,
  network,
}: {
  rpc: Rpc;
  readState: ReadState;
  network: EthereumNetwork;
}) {
  async function balanceChanges(
    { number: height, hash, parentHash }: Block,
    recipients: readonly TokenRecipient[],
  ): Promise<bigint[]> {
    const [before, after] = await Promise.all(
      [
        { height: height - 1, hash: parentHash },
        { height, hash },
      ].map(
        async (at) =>
          await readState(at, (block) =>
            recipients.map(({ contract, address }) =>
              methods.callContract(contract, encodeBalanceOf(requireAddress(address)), block, schemas.word),
            ),
          ),
      ),
    );
    return recipients.map((_holder, index) => (after?.[index] ?? 0n) - (before?.[index] ?? 0n));
  }

  /** As `growthOf`; null where the block is no longer in the chain. */
  async function findBalanceChanges(block: Block, recipients: readonly TokenRecipient[]): Promise<bigint[] | null> {
    try {
      return await balanceChanges(block, recipients);
    } catch (error) {
      if (!(error instanceof RpcError || (error instanceof ChainError && error.kind === 'behind'))) throw error;
      if ((await rpc.request(methods.headerAt(block.number)))?.hash !== block.hash) return null;
      if (network.areTransferLogsNet) return recipients.map(({ logged }) => logged);
      throw new ChainError(
        'down',
        `${rpc.nodeName} cannot tell how many tokens arrived in block ${block.number} (${error instanceof RpcError ? error.reason : error.message}). If it no longer has that block's state, let an archive node read on.`,
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
    payments: readonly ChainDeposit[],
    transfers: readonly { from: string | null; code: CryptoCurrencyCode; amount: bigint }[],
  ): Promise<ChainDeposit[] | null> {
    const holders = new Map<string, TokenRecipient>();
    for (const { code, address, amount } of payments) {
      const contract = findToken(network, code)?.address;
      if (!contract) continue;
      const name = recipientKey({ code, address });
      const holder = holders.get(name) ?? {
        code,
        address,
        contract,
        logged: 0n,
        received: 0n,
        allocatedLogged: 0n,
        allocatedReceived: 0n,
      };
      holders.set(name, { ...holder, logged: holder.logged + amount });
    }
    if (holders.size === 0) return [...payments];
    const growth = await findBalanceChanges(block, [...holders.values()]);
    if (!growth) return null;
    for (const [place, holder] of [...holders.values()].entries()) {
      const sent = transfers
        .filter(({ from, code }) => from === holder.address && code === holder.code)
        .reduce((sum, { amount }) => sum + amount, 0n);
      const arrived = (growth[place] ?? 0n) + sent;
      holder.received = arrived < 0n ? 0n : arrived < holder.logged ? arrived : holder.logged;
    }
    return payments.flatMap((payment) => {
      const holder = holders.get(recipientKey(payment));
      if (!holder) return [payment];
      holder.allocatedLogged += payment.amount;
      // Rounded so that the shares add up.
      const amount = (holder.received * holder.allocatedLogged) / holder.logged - holder.allocatedReceived;
      holder.allocatedReceived += amount;
      return amount === 0n ? [] : [{ ...payment, paymentKey: `${payment.paymentKey}:${amount}`, amount }];
    });
  };
}
