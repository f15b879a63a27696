import { type ChainPayment, ChainTrouble, type FindOurs } from '../port.ts';
import { type AddressOf, type PaidOutput, parseTransaction } from './blocks.ts';
import * as forms from './forms.ts';
import { isWithinMweb } from './mweb.ts';
import { requireWholePool } from './pool.ts';
import { isAbsent } from './refusals.ts';
import type { Rpc } from './rpc.ts';

/** Transactions in one request. The largest that nodes relay is 400 kB: together they stay within what is read of an answer. */
const AT_ONCE = 32;

const nothing: readonly ChainPayment[] = [];

/**
 * Follows the pool of transactions that wait for a block. Each is looked into once, and what it pays to
 * us is remembered for as long as it waits. The answer is always all of it: with a full pool the first one
 * takes a minute or so, the next ones little more than the list of names. What was looked into before a
 * call failed is not looked into again.
 */
export function createWaiting({
  rpc,
  addressOf,
  paymentOf,
}: {
  rpc: Rpc;
  addressOf: AddressOf;
  paymentOf: (output: PaidOutput) => ChainPayment;
}): (findOurs: FindOurs) => Promise<readonly ChainPayment[]> {
  /** By txid; what comes to us is in it, of most nothing. */
  let known = new Map<string, readonly ChainPayment[]>();

  /** Looks into transactions; those that have left the pool meanwhile are not in the answer. */
  async function lookInto(txids: readonly string[], findOurs: FindOurs) {
    const method = 'getrawtransaction';
    const calls = txids.map((txid) => ({ method, params: [txid, 0] }));
    const answers = await rpc.askAll(calls, forms.hex);
    const transactions = answers.flatMap((answer, index) => {
      if (answer.ok && isWithinMweb(answer.value)) return [{ txid: txids[index] ?? '', outputs: [] }];
      if (answer.ok) {
        const transaction = parseTransaction(answer.value, addressOf);
        if (transaction.txid === txids[index]) return [transaction];
        throw new ChainTrouble('down', `The node sent another transaction than ${txids[index]}`);
      }
      if (isAbsent(answer)) return [];
      throw rpc.refused(method, answer);
    });
    const addresses = new Set(transactions.flatMap(({ outputs }) => outputs.map(({ address }) => address)));
    const ours = addresses.size > 0 ? await findOurs([...addresses]) : addresses;
    return transactions.map(({ txid, outputs }) => {
      const payments = outputs.filter(({ address }) => ours.has(address)).map(paymentOf);
      return [txid, payments.length > 0 ? payments : nothing] as const;
    });
  }

  return async (findOurs) => {
    await requireWholePool(rpc);
    const txids = new Set(await rpc.call({ method: 'getrawmempool', params: [] }, forms.hashes));
    // A map of its own for each call: what another call, with another list, forgets meanwhile is not missed here.
    const now = new Map<string, readonly ChainPayment[]>();
    const fresh: string[] = [];
    for (const txid of txids) {
      const payments = known.get(txid);
      if (payments) now.set(txid, payments);
      else fresh.push(txid);
    }
    known = now;
    for (let start = 0; start < fresh.length; start += AT_ONCE) {
      for (const [txid, payments] of await lookInto(fresh.slice(start, start + AT_ONCE), findOurs)) {
        now.set(txid, payments);
      }
    }
    return [...now.values()].flat();
  };
}
