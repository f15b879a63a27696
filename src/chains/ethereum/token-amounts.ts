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

/** Token deposits of one address in one block. */
interface TokenRecipient {
  code: CryptoCurrencyCode;
  address: string;
  contract: string;
  /** Sum of its `Transfer` events. */
  logged: bigint;
  /** Received according to its balance; at most `logged`. */
  received: bigint;
  /** Running totals of both, up to the current deposit. */
  allocatedLogged: bigint;
  allocatedReceived: bigint;
}

const recipientKey = ({ code, address }: { code: CryptoCurrencyCode; address: string }) => `${code}:${address}`;

/**
 * Corrects token deposits by balances. A contract may move less than its `Transfer` event reports (a hidden fee). So
 * the credited sum is at most the balance increase in the block. Tokens received without an event are not credited.
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
    return recipients.map((_recipient, index) => (after?.[index] ?? 0n) - (before?.[index] ?? 0n));
  }

  /** Same as `balanceChanges`; null if the block left the chain. */
  async function findBalanceChanges(block: Block, recipients: readonly TokenRecipient[]): Promise<bigint[] | null> {
    try {
      return await balanceChanges(block, recipients);
    } catch (error) {
      if (!(error instanceof RpcError || (error instanceof ChainError && error.kind === 'behind'))) throw error;
      if ((await rpc.request(methods.headerAt(block.number)))?.hash !== block.hash) return null;
      if (network.areTransferLogsNet) return recipients.map(({ logged }) => logged);
      throw new ChainError(
        'down',
        `${rpc.nodeName} cannot report the tokens received in block ${block.number} (${error instanceof RpcError ? error.reason : error.message}). If it no longer has the block’s state, use an archive node.`,
        { cause: error },
      );
    }
  }

  /**
   * Returns the deposits with the received amounts. The amount becomes part of a token deposit's key: after a reorg the
   * same transaction may move a different amount, which makes it a different deposit. `transfers` are all of the block,
   * in and out. Returns null if the block left the chain.
   */
  return async function correctTokenAmounts(
    block: Block,
    deposits: readonly ChainDeposit[],
    transfers: readonly { from: string | null; code: CryptoCurrencyCode; amount: bigint }[],
  ): Promise<ChainDeposit[] | null> {
    const recipients = new Map<string, TokenRecipient>();
    for (const { code, address, amount } of deposits) {
      const contract = findToken(network, code)?.address;
      if (!contract) continue;
      const key = recipientKey({ code, address });
      const recipient = recipients.get(key) ?? {
        code,
        address,
        contract,
        logged: 0n,
        received: 0n,
        allocatedLogged: 0n,
        allocatedReceived: 0n,
      };
      recipients.set(key, { ...recipient, logged: recipient.logged + amount });
    }
    if (recipients.size === 0) return [...deposits];
    const changes = await findBalanceChanges(block, [...recipients.values()]);
    if (!changes) return null;
    for (const [index, recipient] of [...recipients.values()].entries()) {
      const sent = transfers
        .filter(({ from, code }) => from === recipient.address && code === recipient.code)
        .reduce((sum, { amount }) => sum + amount, 0n);
      const received = (changes[index] ?? 0n) + sent;
      recipient.received = received < 0n ? 0n : received < recipient.logged ? received : recipient.logged;
    }
    return deposits.flatMap((deposit) => {
      const recipient = recipients.get(recipientKey(deposit));
      if (!recipient) return [deposit];
      recipient.allocatedLogged += deposit.amount;
      // Rounded so that the shares add up.
      const amount = (recipient.received * recipient.allocatedLogged) / recipient.logged - recipient.allocatedReceived;
      recipient.allocatedReceived += amount;
      return amount === 0n ? [] : [{ ...deposit, paymentKey: `${deposit.paymentKey}:${amount}`, amount }];
    });
  };
}
