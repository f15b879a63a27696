import type { CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import { type ChainBlock, type ChainPayment, ChainTrouble, type FindOurs } from '../port.ts';
import { createArrivals } from './arrivals.ts';
import { checksummed } from './checksum.ts';
import { type Block, type Event, WORD_LENGTH } from './forms.ts';
import type { EthereumNetwork } from './networks.ts';
import { type TokenCode, tokenCodes } from './tokens.ts';
import * as questions from './questions.ts';
import { NodeRefusal, type Rpc } from './rpc.ts';
import type { ReadState } from './state.ts';

/** A block that vanishes between two questions is asked for anew so often. */
const MOST_TRIES = 3;

/** A `Transfer` event of a token: any address to any other. */
interface TokenTransfer {
  from: string | null;
  to: string;
  code: TokenCode;
  amount: bigint;
}

/** Something in a block that pays an address, ours or not. */
interface Movement {
  txHash: string;
  address: string;
  code: CryptoCurrencyCode;
  amount: bigint;
}

/** A block's token transfers, each with its transaction. */
type Transfers = readonly (TokenTransfer & { txHash: string })[];

/**
 * Reads blocks with what they pay to addresses of ours: ether that a transaction sends itself, and tokens
 * by their `Transfer` events. Ether that contracts send is in neither; balances tell of it.
 */
export function createBlockReader({
  rpc,
  readState,
  network,
}: {
  rpc: Rpc;
  readState: ReadState;
  network: EthereumNetwork;
}) {
  const codeOf = new Map<string, TokenCode>();
  for (const code of tokenCodes) {
    const token = network.tokens[code];
    if (token) codeOf.set(token.address, code);
  }
  const contracts = [...codeOf.keys()];
  const arrivedIn = createArrivals({ rpc, readState, network });

  /** Returns null where the block is no longer in the chain. */
  async function tokenTransfers(block: Block): Promise<Transfers | null> {
    if (contracts.length === 0) return [];
    try {
      // Both from one place: a node that has lost the block may answer that there are no logs in it.
      const [logs, header] = await rpc.askAll([
        questions.transfersIn(block.hash, contracts),
        questions.headerAt(block.number),
      ]);
      if (header?.hash !== block.hash) return null;
      if (logs.some((log) => log.blockHash !== block.hash))
        throw new ChainTrouble('down', `${rpc.node} answered with logs of another block than it was asked for.`);
      return logs.flatMap((log) =>
        log.removed ? [] : transferOf(log, codeOf).map((transfer) => ({ ...transfer, txHash: log.transactionHash })),
      );
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error;
      const header = await rpc.ask(questions.headerAt(block.number));
      if (header?.hash === block.hash) throw error;
      return null;
    }
  }

  /** Of movements to our addresses, those of transactions that succeeded; null where the block is no longer in the chain. */
  async function paymentsOf(block: Block, movements: readonly Movement[]): Promise<ChainPayment[] | null> {
    const hashes = [...new Set(movements.map(({ txHash }) => txHash))];
    const receipts = await rpc.askAll(hashes.map((txHash) => questions.receipt(txHash)));
    if (receipts.some((receipt) => receipt?.blockHash !== block.hash)) return null;
    const ours = new Set(movements.map(({ address }) => address));
    const payments: ChainPayment[] = [];
    for (const [place, txHash] of hashes.entries()) {
      const receipt = receipts[place];
      if (receipt?.status !== 1) continue;
      const own = movements.filter((movement) => movement.txHash === txHash);
      const ether = own.filter(({ code }) => code === 'eth');
      // Numbered within the transaction: nodes number logs within the block, so that a reorg changes the numbers.
      const tokens = receipt.logs.flatMap((log, index) =>
        transferOf(log, codeOf).flatMap(({ to, code, amount }) =>
          ours.has(to) ? [{ paymentKey: `${txHash}:${index}`, txHash, address: to, code, amount }] : [],
        ),
      );
      const words = (list: readonly Movement[]) =>
        list.map(({ address, code, amount }) => [address, code, amount]).join();
      if (words(tokens) !== words(own.filter(({ code }) => code !== 'eth')))
        throw new ChainTrouble('down', `${rpc.node} told of a log that is not in its transaction's receipt.`);
      payments.push(...ether.map((payment) => ({ paymentKey: `${txHash}:native`, ...payment })), ...tokens);
    }
    return payments;
  }

  async function paymentsIn(block: Block, findOurs: FindOurs): Promise<ChainPayment[] | null> {
    const transfers = await tokenTransfers(block);
    if (!transfers) return null;
    const movements: Movement[] = [
      ...etherMovements(block),
      ...transfers.map(({ txHash, to, code, amount }) => ({ txHash, address: to, code, amount })),
    ];
    if (movements.length === 0) return [];
    const ours = await findOurs([...new Set(movements.map(({ address }) => address))]);
    const payments = await paymentsOf(
      block,
      movements.filter(({ address }) => ours.has(address)),
    );
    return payments && (await arrivedIn(block, payments, transfers));
  }

  /** The block at a height of the chain as it is now; null where there is none (yet). Whole, or not at all. */
  return async function readBlock(height: number, findOurs: FindOurs): Promise<ChainBlock | null> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const block = await rpc.ask(questions.blockAt(height));
      if (!block) return null;
      if (block.number !== height)
        throw new ChainTrouble('down', `${rpc.node} answered with block ${block.number} for block ${height}.`);
      const payments = await paymentsIn(block, findOurs);
      const { hash, parentHash, timestamp } = block;
      if (payments) return { height, hash, parentHash, at: timestamp, payments };
    }
    throw new ChainTrouble(
      'behind',
      `${rpc.node} told of block ${height} and did not know it the next moment, ${MOST_TRIES} times: if it is several nodes behind one address, one of them lags.`,
    );
  };
}

function etherMovements({ transactions }: Block): Movement[] {
  return transactions.flatMap(({ hash, to, value }) =>
    to && value > 0n ? [{ txHash: hash, address: to, code: 'eth' as const, amount: value }] : [],
  );
}

/** An address as a log has it: filled up to 32 bytes with zeros. */
const addressTopic = /^0x0{24}(?<digits>[0-9a-f]{40})$/;

function addressOf(topic: string | undefined): string | null {
  const digits = addressTopic.exec(topic ?? '')?.groups?.digits;
  return digits === undefined ? null : checksummed(`0x${digits}`);
}

/**
 * None where it is no payment in the form of ERC-20: both addresses indexed, the amount in the data, and not nothing.
 * What an address sends to itself is none either.
 */
function transferOf({ address, topics, data }: Event, codeOf: ReadonlyMap<string, TokenCode>): TokenTransfer[] {
  const code = codeOf.get(address);
  const [from, to] = [addressOf(topics[1]), addressOf(topics[2])];
  if (!code || topics[0] !== questions.TRANSFER_TOPIC || topics.length !== 3 || !to || from === to) return [];
  if (data.length !== WORD_LENGTH) return [];
  const amount = BigInt(data);
  return amount === 0n ? [] : [{ from, to, code, amount }];
}
