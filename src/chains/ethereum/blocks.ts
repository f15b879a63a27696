import type { CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import { type ChainBlock, type ChainDeposit, ChainError, type FindOwnAddresses } from '../port.ts';
import { createTokenAmountCorrection } from './token-amounts.ts';
import { toChecksumAddress } from './checksum.ts';
import { type Block, type TransferLog, WORD_LENGTH } from './schemas.ts';
import type { EthereumNetwork } from './networks.ts';
import { type TokenCode, tokenCodes } from './tokens.ts';
import * as methods from './rpc-methods.ts';
import { RpcError, type Rpc } from './rpc.ts';
import type { ReadState } from './state.ts';

/** A block that vanishes between two questions is asked for anew so often. */
const MAX_ATTEMPTS = 3;

/** A `Transfer` event of a token: any address to any other. */
interface TokenTransfer {
  from: string | null;
  to: string;
  code: TokenCode;
  amount: bigint;
}

/** Something in a block that pays an address, ours or not. */
interface Payment {
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
  const codesByContract = new Map<string, TokenCode>();
  for (const code of tokenCodes) {
    const token = network.tokens[code];
    if (token) codesByContract.set(token.address, code);
  }
  const contracts = [...codesByContract.keys()];
  const correctTokenAmounts = createTokenAmountCorrection({ rpc, readState, network });

  /** Returns null where the block is no longer in the chain. */
  async function findTokenTransfers(block: Block): Promise<Transfers | null> {
    if (contracts.length === 0) return [];
    try {
      // Both from one place: a node that has lost the block may answer that there are no logs in it.
      const [logs, header] = await rpc.requestBatch([
        methods.transferLogs(block.hash, contracts),
        methods.headerAt(block.number),
      ]);
      if (header?.hash !== block.hash) return null;
      if (logs.some((log) => log.blockHash !== block.hash))
        throw new ChainError('down', `${rpc.nodeName} answered with logs of another block than it was asked for.`);
      return logs.flatMap((log) =>
        log.removed
          ? []
          : parseTransferLog(log, codesByContract).map((transfer) => ({ ...transfer, txHash: log.transactionHash })),
      );
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      const header = await rpc.request(methods.headerAt(block.number));
      if (header?.hash === block.hash) throw error;
      return null;
    }
  }

  /** Of movements to our addresses, those of transactions that succeeded; null where the block is no longer in the chain. */
  async function toDeposits(block: Block, payments: readonly Payment[]): Promise<ChainDeposit[] | null> {
    const hashes = [...new Set(payments.map(({ txHash }) => txHash))];
    const receipts = await rpc.requestBatch(hashes.map((txHash) => methods.receipt(txHash)));
    if (receipts.some((receipt) => receipt?.blockHash !== block.hash)) return null;
    const ours = new Set(payments.map(({ address }) => address));
    const deposits: ChainDeposit[] = [];
    for (const [index, txHash] of hashes.entries()) {
      const receipt = receipts[index];
      if (receipt?.status !== 1) continue;
      const ofTransaction = payments.filter((payment) => payment.txHash === txHash);
      const ether = ofTransaction.filter(({ code }) => code === 'eth');
      // Numbered within the transaction: nodes number logs within the block, so that a reorg changes the numbers.
      const tokens = receipt.logs.flatMap((log, index) =>
        parseTransferLog(log, codesByContract).flatMap(({ to, code, amount }) =>
          ours.has(to) ? [{ paymentKey: `${txHash}:${index}`, txHash, address: to, code, amount }] : [],
        ),
      );
      const summary = (list: readonly Payment[]) =>
        list.map(({ address, code, amount }) => [address, code, amount]).join();
      if (summary(tokens) !== summary(ofTransaction.filter(({ code }) => code !== 'eth')))
        throw new ChainError('down', `${rpc.nodeName} told of a log that is not in its transaction's receipt.`);
      deposits.push(...ether.map((payment) => ({ paymentKey: `${txHash}:native`, ...payment })), ...tokens);
    }
    return deposits;
  }

  async function findDeposits(block: Block, findOurs: FindOwnAddresses): Promise<ChainDeposit[] | null> {
    const transfers = await findTokenTransfers(block);
    if (!transfers) return null;
    const payments: Payment[] = [
      ...etherPayments(block),
      ...transfers.map(({ txHash, to, code, amount }) => ({ txHash, address: to, code, amount })),
    ];
    if (payments.length === 0) return [];
    const ours = await findOurs([...new Set(payments.map(({ address }) => address))]);
    const deposits = await toDeposits(
      block,
      payments.filter(({ address }) => ours.has(address)),
    );
    return deposits && (await correctTokenAmounts(block, deposits, transfers));
  }

  /** The block at a height of the chain as it is now; null where there is none (yet). Whole, or not at all. */
  return async function readBlock(height: number, findOurs: FindOwnAddresses): Promise<ChainBlock | null> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const block = await rpc.request(methods.blockAt(height));
      if (!block) return null;
      if (block.number !== height)
        throw new ChainError('down', `${rpc.nodeName} answered with block ${block.number} for block ${height}.`);
      const payments = await findDeposits(block, findOurs);
      const { hash, parentHash, timestamp } = block;
      if (payments) return { height, hash, parentHash, minedAt: timestamp, deposits: payments };
    }
    throw new ChainError(
      'behind',
      `${rpc.nodeName} told of block ${height} and did not know it the next moment, ${MAX_ATTEMPTS} times: if it is several nodes behind one address, one of them lags.`,
    );
  };
}

function etherPayments({ transactions }: Block): Payment[] {
  return transactions.flatMap(({ hash, to, value }) =>
    to && value > 0n ? [{ txHash: hash, address: to, code: 'eth' as const, amount: value }] : [],
  );
}

/** An address as a log has it: filled up to 32 bytes with zeros. */
const addressTopicPattern = /^0x0{24}(?<digits>[0-9a-f]{40})$/;

function topicToAddress(topic: string | undefined): string | null {
  const digits = addressTopicPattern.exec(topic ?? '')?.groups?.digits;
  return digits === undefined ? null : toChecksumAddress(`0x${digits}`);
}

/**
 * None where it is no payment in the form of ERC-20: both addresses indexed, the amount in the data, and not nothing.
 * What an address sends to itself is none either.
 */
function parseTransferLog(
  { address, topics, data }: TransferLog,
  codesByContract: ReadonlyMap<string, TokenCode>,
): TokenTransfer[] {
  const code = codesByContract.get(address);
  const [from, to] = [topicToAddress(topics[1]), topicToAddress(topics[2])];
  if (!code || topics[0] !== methods.TRANSFER_TOPIC || topics.length !== 3 || !to || from === to) return [];
  if (data.length !== WORD_LENGTH) return [];
  const amount = BigInt(data);
  return amount === 0n ? [] : [{ from, to, code, amount }];
}
