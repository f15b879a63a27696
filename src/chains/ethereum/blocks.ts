import type { CryptoCurrencyCode } from '../../contract/crypto-currency.ts';
import { type ChainBlock, type ChainPayment, ChainTrouble, type FindOurs } from '../port.ts';
import { checksummed } from './checksum.ts';
import { type Block, type Log, WORD_LENGTH } from './forms.ts';
import { type EthereumNetwork, tokenCodes } from './networks.ts';
import * as questions from './questions.ts';
import { NodeRefusal, type Rpc } from './rpc.ts';

/** A block that vanishes between two questions is asked for anew so often. */
const MOST_TRIES = 3;

/** Something in a block that pays an address, ours or not. */
interface Movement {
  txHash: string;
  address: string;
  code: CryptoCurrencyCode;
  amount: bigint;
  /** Its place among the logs of the block; null for ether. */
  logIndex: number | null;
}

/**
 * Reads blocks with what they pay to addresses of ours: ether that a transaction sends itself, and tokens
 * by their `Transfer` events. Ether that contracts send is in neither; balances tell of it.
 */
export function createBlockReader({ rpc, network }: { rpc: Rpc; network: EthereumNetwork }) {
  const codeOf = new Map<string, CryptoCurrencyCode>();
  for (const code of tokenCodes) {
    const token = network.tokens[code];
    if (token) codeOf.set(token.address, code);
  }
  const contracts = [...codeOf.keys()];

  /** Answers null where the block is not of the chain any more. */
  async function tokenMovements(block: Block): Promise<Movement[] | null> {
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
      return logs.flatMap((log) => movementOf(log, codeOf.get(log.address)));
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error;
      const header = await rpc.ask(questions.headerAt(block.number));
      if (header?.hash === block.hash) throw error;
      return null;
    }
  }

  /** What of it is ours and came about; null where the block is not of the chain any more. */
  async function settled(block: Block, movements: readonly Movement[]): Promise<ChainPayment[] | null> {
    const hashes = [...new Set(movements.map(({ txHash }) => txHash))];
    const receipts = await rpc.askAll(hashes.map((txHash) => questions.receipt(txHash)));
    if (receipts.some((receipt) => receipt?.blockHash !== block.hash)) return null;
    const receiptOf = new Map(receipts.map((receipt, place) => [hashes[place], receipt]));
    const payments: ChainPayment[] = [];
    for (const { logIndex, ...payment } of movements) {
      const receipt = receiptOf.get(payment.txHash);
      if (receipt?.status !== 1) continue;
      const place = receipt.logs.findIndex((log) => log.logIndex === logIndex);
      if (logIndex !== null && place < 0)
        throw new ChainTrouble('down', `${rpc.node} told of a log that is not in its transaction's receipt.`);
      payments.push({ paymentKey: `${payment.txHash}:${logIndex === null ? 'native' : place}`, ...payment });
    }
    return payments;
  }

  async function paymentsIn(block: Block, findOurs: FindOurs): Promise<ChainPayment[] | null> {
    const tokens = await tokenMovements(block);
    if (!tokens) return null;
    const movements = [...etherMovements(block), ...tokens];
    if (movements.length === 0) return [];
    const ours = await findOurs([...new Set(movements.map(({ address }) => address))]);
    return await settled(
      block,
      movements.filter(({ address }) => ours.has(address)),
    );
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
    to && value > 0n ? [{ txHash: hash, address: to, code: 'eth' as const, amount: value, logIndex: null }] : [],
  );
}

/** An address as a log has it: filled up to 32 bytes with zeros. */
const addressTopic = /^0x0{24}(?<digits>[0-9a-f]{40})$/;

/** None where it is no payment in the form of ERC-20: both addresses indexed, the amount in the data, and not nothing. */
function movementOf(log: Log, code: CryptoCurrencyCode | undefined): Movement[] {
  const [topic, , to = ''] = log.topics;
  const digits = addressTopic.exec(to)?.groups?.digits;
  if (!code || log.removed || topic !== questions.TRANSFER_TOPIC || log.topics.length !== 3 || !digits) return [];
  if (log.data.length !== WORD_LENGTH) return [];
  const amount = BigInt(log.data);
  if (amount === 0n) return [];
  return [{ txHash: log.transactionHash, address: checksummed(`0x${digits}`), code, amount, logIndex: log.logIndex }];
}
