import { timeSlices } from '../../system/time-slices.ts';
import { type ChainDeposit, ChainError, type FindOwnAddresses } from '../port.ts';
import { type ScriptToAddress, type AddressOutput, parseTransaction } from './blocks.ts';
import * as schemas from './schemas.ts';
import { isWithinMweb } from './mweb.ts';
import { requireLoadedMempool } from './mempool.ts';
import { isNotFound } from './rpc-errors.ts';
import { HASHES_PER_SLICE, type Rpc } from './rpc.ts';

/** Transactions in one request. The largest that nodes relay is 400 kB: together they stay within what is read of an answer. */
const TRANSACTIONS_PER_BATCH = 32;

/** For how long the list of the mempool holds while size, bytes and fees of the mempool stay the same. */
const UNCHANGED_MAX_AGE_MS = 5000;
/**
 * For how long it holds otherwise, for each transaction in it: half a second for 20,000. Listing 300,000 takes the
 * node and this process a part of a second each.
 */
const MAX_AGE_PER_TRANSACTION_MS = 0.025;
/** Longest time for which a list holds. Another process takes over a chain after twice that. */
const MAX_AGE_MS = 7500;

const noDeposits: readonly ChainDeposit[] = [];

/** A transaction of the mempool. */
interface MempoolEntry {
  /** The last list that had it. */
  listing: number;
  /** What it pays to us, mostly nothing; null until it was looked into. */
  deposits: readonly ChainDeposit[] | null;
}

/** The last list that was read to its end. */
interface Listing {
  startedAt: number;
  bestBlock: string;
  info: schemas.MempoolInfo;
  deposits: readonly ChainDeposit[];
}

/**
 * Follows the mempool. Each transaction is looked into once, and what it pays to us is remembered for as long as it
 * waits. The answer is always complete: with a full mempool the first one takes a minute or so. What was looked into
 * before a call failed is not looked into again.
 *
 * The list of a full mempool is 20 MB: it is compared with the last one in portions, between which other work runs,
 * and it is read again only when the mempool or the last block has changed, at a pace that its length allows.
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
  /** Milliseconds of a clock that never goes back. */
  now?: (() => number) | undefined;
}): (findOurs: FindOwnAddresses) => Promise<readonly ChainDeposit[]> {
  /** By txid. */
  const entries = new Map<string, MempoolEntry>();
  let listingNumber = 0;
  let lastListing: Listing | null = null;
  /** Calls take turns: each reads the list for itself, or finds that of the one before. */
  let previousCall: Promise<unknown> = Promise.resolve();

  /** Looks into transactions; those that have left the pool meanwhile are not in the answer. */
  async function findDeposits(txids: readonly string[], findOurs: FindOwnAddresses) {
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
        if (transaction.txid !== txid) throw new ChainError('down', `The node sent another transaction than ${txid}`);
        transactions.push(transaction);
      } else if (!isNotFound(result)) throw rpc.unexpectedError(method, result);
    }
    const addresses = new Set(transactions.flatMap(({ outputs }) => outputs.map(({ address }) => address)));
    const ours = addresses.size > 0 ? await findOurs([...addresses]) : addresses;
    return transactions.map(({ txid, outputs }) => {
      const deposits = outputs.filter(({ address }) => ours.has(address)).map(toDeposit);
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

  /** Lists the mempool; returns the transactions that were not looked into yet. */
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

  /** Forgets what left the mempool; returns what the rest pays to us. */
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

  async function readMempool(findOurs: FindOwnAddresses): Promise<readonly ChainDeposit[]> {
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
        findOurs,
      )) {
        const entry = entries.get(txid);
        if (entry) entry.deposits = payments;
      }
    }
    const payments = await collectDeposits();
    lastListing = { startedAt: startedAt, bestBlock, info, deposits: payments };
    return payments;
  }

  return async (findOurs) => {
    const answer = previousCall.then(async () => await readMempool(findOurs));
    previousCall = answer.catch(() => undefined);
    return await answer;
  };
}

/** Whether nothing has changed in the mempool, as far as the node says; older nodes do not say enough. */
function isUnchanged(before: schemas.MempoolInfo, after: schemas.MempoolInfo): boolean {
  return (
    before.total_fee !== undefined &&
    before.total_fee === after.total_fee &&
    before.size === after.size &&
    before.bytes === after.bytes &&
    before.usage === after.usage
  );
}
