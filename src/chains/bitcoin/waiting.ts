import { timeSlices } from '../../system/time-slices.ts';
import { type ChainPayment, ChainTrouble, type FindOurs } from '../port.ts';
import { type AddressOf, type PaidOutput, parseTransaction } from './blocks.ts';
import * as forms from './forms.ts';
import { isWithinMweb } from './mweb.ts';
import { requireWholePool } from './pool.ts';
import { isAbsent } from './refusals.ts';
import { HASHES_AT_ONCE, type Rpc } from './rpc.ts';

/** Transactions in one request. The largest that nodes relay is 400 kB: together they stay within what is read of an answer. */
const AT_ONCE = 32;

/** For how long the list of the mempool holds while size, bytes and fees of the mempool stay the same. */
const UNCHANGED_MS = 5000;
/**
 * For how long it holds otherwise, for each transaction in it: half a second for 20,000. Listing 300,000 takes the
 * node and this process a part of a second each.
 */
const LISTED_MS = 0.025;
/** Longest time for which a list holds. Another process takes over a chain after twice that. */
const LONGEST_MS = 7500;

const nothing: readonly ChainPayment[] = [];

/** A transaction of the mempool. */
interface Entry {
  /** The last list that had it. */
  list: number;
  /** What it pays to us, mostly nothing; null until it was looked into. */
  payments: readonly ChainPayment[] | null;
}

/** The last list that was read to its end. */
interface Listed {
  at: number;
  bestBlock: string;
  info: forms.MempoolInfo;
  payments: readonly ChainPayment[];
}

/**
 * Follows the mempool. Each transaction is looked into once, and what it pays to us is remembered for as long as it
 * waits. The answer is always complete: with a full mempool the first one takes a minute or so. What was looked into
 * before a call failed is not looked into again.
 *
 * The list of a full mempool is 20 MB: it is compared with the last one in portions, between which other work runs,
 * and it is read again only when the mempool or the last block has changed, at a pace that its length allows.
 */
export function createWaiting({
  rpc,
  addressOf,
  paymentOf,
  now = () => performance.now(),
}: {
  rpc: Rpc;
  addressOf: AddressOf;
  paymentOf: (output: PaidOutput) => ChainPayment;
  /** Milliseconds of a clock that never goes back. */
  now?: (() => number) | undefined;
}): (findOurs: FindOurs) => Promise<readonly ChainPayment[]> {
  /** By txid. */
  const entries = new Map<string, Entry>();
  let list = 0;
  let listed: Listed | null = null;
  /** Calls take turns: each reads the list for itself, or finds that of the one before. */
  let turn: Promise<unknown> = Promise.resolve();

  /** Looks into transactions; those that have left the pool meanwhile are not in the answer. */
  async function lookInto(txids: readonly string[], findOurs: FindOurs) {
    const method = 'getrawtransaction';
    const calls = txids.map((txid) => ({ method, params: [txid, 0] }));
    const answers = await rpc.askAll(calls, forms.hex);
    const transactions: { txid: string; outputs: readonly PaidOutput[] }[] = [];
    for (const [index, answer] of answers.entries()) {
      const txid = txids[index] ?? '';
      if (answer.ok) {
        const transaction = isWithinMweb(answer.value)
          ? { txid, outputs: [] }
          : await parseTransaction(answer.value, addressOf);
        if (transaction.txid !== txid) throw new ChainTrouble('down', `The node sent another transaction than ${txid}`);
        transactions.push(transaction);
      } else if (!isAbsent(answer)) throw rpc.refused(method, answer);
    }
    const addresses = new Set(transactions.flatMap(({ outputs }) => outputs.map(({ address }) => address)));
    const ours = addresses.size > 0 ? await findOurs([...addresses]) : addresses;
    return transactions.map(({ txid, outputs }) => {
      const payments = outputs.filter(({ address }) => ours.has(address)).map(paymentOf);
      return [txid, payments.length > 0 ? payments : nothing] as const;
    });
  }

  async function readBestBlock(): Promise<string> {
    return await rpc.call({ method: 'getbestblockhash', params: [] }, forms.hash);
  }

  function stillHolds(last: Listed, bestBlock: string, info: forms.MempoolInfo): boolean {
    if (last.bestBlock !== bestBlock) return false;
    const longest = isSame(last.info, info) ? UNCHANGED_MS : Math.min(LONGEST_MS, info.size * LISTED_MS);
    return now() - last.at < longest;
  }

  /** Lists the mempool; returns the transactions that were not looked into yet. */
  async function readList(): Promise<string[]> {
    const fresh: string[] = [];
    await rpc.hashes({ method: 'getrawmempool', params: [] }, (txids) => {
      for (const txid of txids) {
        const entry = entries.get(txid) ?? { list: 0, payments: null };
        if (entry.list === list) continue;
        if (entry.list === 0) entries.set(txid, entry);
        if (entry.payments === null) fresh.push(txid);
        entry.list = list;
      }
    });
    return fresh;
  }

  /** Forgets what left the mempool; returns what the rest pays to us. */
  async function paymentsOfList(): Promise<readonly ChainPayment[]> {
    const payments: ChainPayment[] = [];
    let count = 0;
    for (const [txid, entry] of entries) {
      if (entry.list !== list || entry.payments === null) entries.delete(txid);
      else if (entry.payments.length > 0) payments.push(...entry.payments);
      count += 1;
      if (count % HASHES_AT_ONCE === 0) await timeSlices.next();
    }
    return payments;
  }

  async function readPool(findOurs: FindOurs): Promise<readonly ChainPayment[]> {
    const [at, last] = [now(), listed];
    listed = null;
    const [bestBlock, info] = [await readBestBlock(), await requireWholePool(rpc)];
    if (last && stillHolds(last, bestBlock, info)) {
      listed = last;
      return last.payments;
    }
    list += 1;
    const fresh = await readList();
    for (let start = 0; start < fresh.length; start += AT_ONCE) {
      for (const [txid, payments] of await lookInto(fresh.slice(start, start + AT_ONCE), findOurs)) {
        const entry = entries.get(txid);
        if (entry) entry.payments = payments;
      }
    }
    const payments = await paymentsOfList();
    listed = { at, bestBlock, info, payments };
    return payments;
  }

  return async (findOurs) => {
    const answer = turn.then(async () => await readPool(findOurs));
    turn = answer.catch(() => undefined);
    return await answer;
  };
}

/** Whether nothing has changed in the mempool, as far as the node says; older nodes do not say enough. */
function isSame(one: forms.MempoolInfo, other: forms.MempoolInfo): boolean {
  return (
    one.total_fee !== undefined &&
    one.total_fee === other.total_fee &&
    one.size === other.size &&
    one.bytes === other.bytes &&
    one.usage === other.usage
  );
}
