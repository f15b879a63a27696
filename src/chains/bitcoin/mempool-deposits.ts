import { timeSlices } from '../../system/time-slices.ts';
import { type ChainDeposit, ChainError, type FindOwnAddresses } from '../port.ts';
import { type ScriptToAddress, type AddressOutput, parseTransaction } from './blocks.ts';
import * as schemas from './schemas.ts';
import { isWithinMweb } from './mweb.ts';
import { requireLoadedMempool } from './mempool.ts';
import { isNotFound } from './rpc-errors.ts';
import { HASHES_PER_SLICE, type Rpc } from './rpc.ts';

/** Transactions per request. Nodes relay up to 400 kB each, so a response stays within the size limit. */
const TRANSACTIONS_PER_BATCH = 32;

/** Age up to which a listing is current while the mempool's size, bytes and fees are unchanged. */
const UNCHANGED_MAX_AGE_MS = 5000;
/**
 * Age up to which a listing of a changed mempool is current, per transaction: half a second for 20,000. Listing 300,000
 * takes the node and this process a fraction of a second each.
 */
const MAX_AGE_PER_TRANSACTION_MS = 0.025;
/** Maximum age of a listing. Another process takes over a chain after twice that time. */
const MAX_AGE_MS = 7500;

const noDeposits: readonly ChainDeposit[] = [];

/** A mempool transaction. */
interface MempoolEntry {
  /** Number of the last listing that contained it. */
  listing: number;
  /** Its deposits, mostly none; null until it is parsed. */
  deposits: readonly ChainDeposit[] | null;
}

/** The last complete listing. */
interface Listing {
  startedAt: number;
  bestBlock: string;
  info: schemas.MempoolInfo;
  deposits: readonly ChainDeposit[];
}

/**
 * Follows the mempool. Each transaction is parsed once, and its deposits are cached while it is unconfirmed. Results
 * are always complete: with a full mempool the first one takes about a minute. Transactions that were parsed before a
 * call failed are not parsed again.
 *
 * The listing of a full mempool is 20 MB. It is compared with the previous one in time slices. It is repeated only when
 * the mempool or the last block has changed, at intervals that grow with its length.
 */
export function createMempoolReader({
  rpc,
  scriptToAddress,
  toDeposit,
  now = () => performance.now(),
}: {
  rpc: Rpc;
  scriptToAddress: ScriptToAddress;
  toDeposit: (output: AddressOutput) => ChainDeposit;
  /** Monotonic clock in milliseconds. */
  now?: (() => number) | undefined;
}): (findOwnAddresses: FindOwnAddresses) => Promise<readonly ChainDeposit[]> {
  /** By txid. */
  const entries = new Map<string, MempoolEntry>();
  let listingNumber = 0;
  let lastListing: Listing | null = null;
  /** Calls run one after the other; a call may reuse the listing of the one before. */
  let previousCall: Promise<unknown> = Promise.resolve();

  /** Parses transactions and returns their deposits, without transactions that have left the mempool. */
  async function findDeposits(txids: readonly string[], findOwnAddresses: FindOwnAddresses) {
    const method = 'getrawtransaction';
    const calls = txids.map((txid) => ({ method, params: [txid, 0] }));
    const results = await rpc.requestBatch(calls, schemas.hex);
    const transactions: { txid: string; outputs: readonly AddressOutput[] }[] = [];
    for (const [index, result] of results.entries()) {
      const txid = txids[index] ?? '';
      if (result.ok) {
        const transaction = isWithinMweb(result.value)
          ? { txid, outputs: [] }
          : await parseTransaction(result.value, scriptToAddress);
        if (transaction.txid !== txid)
          throw new ChainError('down', `The node sent a different transaction than ${txid}.`);
        transactions.push(transaction);
      } else if (!isNotFound(result)) throw rpc.unexpectedError(method, result);
    }
    const addresses = new Set(transactions.flatMap(({ outputs }) => outputs.map(({ address }) => address)));
    const ownAddresses = addresses.size > 0 ? await findOwnAddresses([...addresses]) : addresses;
    return transactions.map(({ txid, outputs }) => {
      const deposits = outputs.filter(({ address }) => ownAddresses.has(address)).map(toDeposit);
      return [txid, deposits.length > 0 ? deposits : noDeposits] as const;
    });
  }

  async function readBestBlock(): Promise<string> {
    return await rpc.call({ method: 'getbestblockhash', params: [] }, schemas.hash);
  }

  function isCurrent(listing: Listing, bestBlock: string, info: schemas.MempoolInfo): boolean {
    if (listing.bestBlock !== bestBlock) return false;
    const maxAge = isUnchanged(listing.info, info)
      ? UNCHANGED_MAX_AGE_MS
      : Math.min(MAX_AGE_MS, info.size * MAX_AGE_PER_TRANSACTION_MS);
    return now() - listing.startedAt < maxAge;
  }

  /** Lists the mempool. Returns the transactions that were not parsed yet. */
  async function listMempool(): Promise<string[]> {
    const newTxids: string[] = [];
    await rpc.requestHashes({ method: 'getrawmempool', params: [] }, (txids) => {
      for (const txid of txids) {
        const entry = entries.get(txid) ?? { listing: 0, deposits: null };
        if (entry.listing === listingNumber) continue;
        if (entry.listing === 0) entries.set(txid, entry);
        if (entry.deposits === null) newTxids.push(txid);
        entry.listing = listingNumber;
      }
    });
    return newTxids;
  }

  /** Removes cached transactions that left the mempool. Returns the deposits of the others. */
  async function collectDeposits(): Promise<readonly ChainDeposit[]> {
    const deposits: ChainDeposit[] = [];
    let count = 0;
    for (const [txid, entry] of entries) {
      if (entry.listing !== listingNumber || entry.deposits === null) entries.delete(txid);
      else if (entry.deposits.length > 0) deposits.push(...entry.deposits);
      count += 1;
      if (count % HASHES_PER_SLICE === 0) await timeSlices.next();
    }
    return deposits;
  }

  async function readMempool(findOwnAddresses: FindOwnAddresses): Promise<readonly ChainDeposit[]> {
    const [startedAt, previous] = [now(), lastListing];
    lastListing = null;
    const [bestBlock, info] = [await readBestBlock(), await requireLoadedMempool(rpc)];
    if (previous && isCurrent(previous, bestBlock, info)) {
      lastListing = previous;
      return previous.deposits;
    }
    listingNumber += 1;
    const newTxids = await listMempool();
    for (let start = 0; start < newTxids.length; start += TRANSACTIONS_PER_BATCH) {
      for (const [txid, payments] of await findDeposits(
        newTxids.slice(start, start + TRANSACTIONS_PER_BATCH),
        findOwnAddresses,
      )) {
        const entry = entries.get(txid);
        if (entry) entry.deposits = payments;
      }
    }
    const payments = await collectDeposits();
    lastListing = { startedAt: startedAt, bestBlock, info, deposits: payments };
    return payments;
  }

  return async (findOwnAddresses) => {
    const result = previousCall.then(async () => await readMempool(findOwnAddresses));
    previousCall = result.catch(() => undefined);
    return await result;
  };
}

/** Returns true if the mempool is unchanged. False on older nodes, which report too little to determine this. */
function isUnchanged(before: schemas.MempoolInfo, after: schemas.MempoolInfo): boolean {
  return (
    before.total_fee !== undefined &&
    before.total_fee === after.total_fee &&
    before.size === after.size &&
    before.bytes === after.bytes &&
    before.usage === after.usage
  );
}
