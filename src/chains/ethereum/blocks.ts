import type { CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import { type ChainBlock, type ChainDeposit, ChainError, type FindOwnAddresses } from '../port.ts';
import { createTokenAmountCorrection } from './token-amounts.ts';
import { toChecksumAddress } from './checksum.ts';
import { type Block, type TransferLog, WORD_LENGTH } from './schemas.ts';
import type { EthereumNetwork } from './networks.ts';
import { type TokenCode, tokenCodesOf } from './tokens.ts';
import * as methods from './rpc-methods.ts';
import { RpcError, type Rpc } from './rpc.ts';
import type { ReadState } from './state.ts';

/** Attempts to read a block that a reorg removes while it is read. */
const MAX_ATTEMPTS = 3;

/** A `Transfer` event of a token, between any addresses. */
interface TokenTransfer {
  from: string | null;
  to: string;
  code: TokenCode;
  amount: bigint;
}

/** A payment in a block, to any address. */
interface Payment {
  txHash: string;
  address: string;
  code: CryptoCurrencyCode;
  amount: bigint;
}

/** Token transfers of a block, with their transactions. */
type Transfers = readonly (TokenTransfer & { txHash: string })[];

/**
 * Reads blocks with the deposits to our addresses: ether sent by the transaction itself, and tokens by their `Transfer`
 * events. Ether sent by contracts appears in neither; `src/deposits/balances/` finds it.
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
  for (const code of tokenCodesOf(network.chain)) {
    const token = network.tokens[code];
    if (token) codesByContract.set(token.address, code);
  }
  const contracts = [...codesByContract.keys()];
  const correctTokenAmounts = createTokenAmountCorrection({ rpc, readState, network });

  /** Returns null if the block left the chain. */
  async function findTokenTransfers(block: Block): Promise<Transfers | null> {
    if (contracts.length === 0) return [];
    try {
      // In one request: a node without the block may return no logs for it.
      const [logs, header] = await rpc.requestBatch([
        methods.transferLogs(block.hash, contracts),
        methods.headerAt(block.number),
      ]);
      if (header?.hash !== block.hash) return null;
      if (logs.some((log) => log.blockHash !== block.hash))
        throw new ChainError('down', `${rpc.nodeName} returned logs from a different block than requested.`);
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

  /** Converts payments to our addresses, without failed transactions. Returns null if the block left the chain. */
  async function toDeposits(block: Block, payments: readonly Payment[]): Promise<ChainDeposit[] | null> {
    const hashes = [...new Set(payments.map(({ txHash }) => txHash))];
    const receipts = await rpc.requestBatch(hashes.map((txHash) => methods.receipt(txHash)));
    if (receipts.some((receipt) => receipt?.blockHash !== block.hash)) return null;
    const paidAddresses = new Set(payments.map(({ address }) => address));
    const deposits: ChainDeposit[] = [];
    for (const [index, txHash] of hashes.entries()) {
      const receipt = receipts[index];
      if (receipt?.status !== 1) continue;
      const transactionPayments = payments.filter((payment) => payment.txHash === txHash);
      const ether = transactionPayments.filter(({ code }) => code === network.feeCode);
      // The index counts within the transaction: nodes number logs within the block, which a reorg changes.
      const tokens = receipt.logs.flatMap((log, index) =>
        parseTransferLog(log, codesByContract).flatMap(({ to, code, amount }) =>
          paidAddresses.has(to) ? [{ paymentKey: `${txHash}:${index}`, txHash, address: to, code, amount }] : [],
        ),
      );
      const summary = (list: readonly Payment[]) =>
        list.map(({ address, code, amount }) => [address, code, amount]).join();
      if (summary(tokens) !== summary(transactionPayments.filter(({ code }) => code !== network.feeCode)))
        throw new ChainError('down', `${rpc.nodeName} returned a log that is missing in its transaction’s receipt.`);
      deposits.push(...ether.map((payment) => ({ paymentKey: `${txHash}:native`, ...payment })), ...tokens);
    }
    return deposits;
  }

  async function findDeposits(block: Block, findOwnAddresses: FindOwnAddresses): Promise<ChainDeposit[] | null> {
    const transfers = await findTokenTransfers(block);
    if (!transfers) return null;
    const payments: Payment[] = [
      ...etherPayments(block, network),
      ...transfers.map(({ txHash, to, code, amount }) => ({ txHash, address: to, code, amount })),
    ];
    if (payments.length === 0) return [];
    const ownAddresses = await findOwnAddresses([...new Set(payments.map(({ address }) => address))]);
    const deposits = await toDeposits(
      block,
      payments.filter(({ address }) => ownAddresses.has(address)),
    );
    return deposits && (await correctTokenAmounts(block, deposits, transfers));
  }

  /** The complete block at a height of the current chain; null if there is none (yet). */
  return async function readBlock(height: number, findOwnAddresses: FindOwnAddresses): Promise<ChainBlock | null> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const block = await rpc.request(methods.blockAt(height));
      if (!block) return null;
      if (block.number !== height)
        throw new ChainError('down', `${rpc.nodeName} returned block ${block.number} instead of block ${height}.`);
      const deposits = await findDeposits(block, findOwnAddresses);
      const { hash, parentHash, timestamp } = block;
      if (deposits) return { height, hash, parentHash, minedAt: timestamp, deposits };
    }
    throw new ChainError(
      'behind',
      `${rpc.nodeName} returned block ${height} and lost it again, ${MAX_ATTEMPTS} times. If the URL leads to several nodes, one of them lags.`,
    );
  };
}

function etherPayments({ transactions }: Block, { feeCode }: EthereumNetwork): Payment[] {
  return transactions.flatMap(({ hash, to, value }) =>
    to && value > 0n ? [{ txHash: hash, address: to, code: feeCode, amount: value }] : [],
  );
}

/** An address in a log topic, padded to 32 bytes. */
const addressTopicPattern = /^0x0{24}(?<digits>[0-9a-f]{40})$/;

function topicToAddress(topic: string | undefined): string | null {
  const digits = addressTopicPattern.exec(topic ?? '')?.groups?.digits;
  return digits === undefined ? null : toChecksumAddress(`0x${digits}`);
}

/**
 * Parses an ERC-20 transfer: both addresses indexed, the amount in the data, more than 0. Returns an empty list for
 * other logs, and for transfers of an address to itself.
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
