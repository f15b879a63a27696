import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { deriveAccount } from '../../src/chains/seed-accounts.ts';
import type { ChainName } from '../../src/shared/crypto-currency.ts';
import type { CryptoTransaction } from '../../src/api/crypto-transaction.ts';
import { readCursors, type ScanError } from '../../src/chains/cursor.ts';
import { SimulatedClock } from './clock.ts';
import { invoicesOf } from './invoices.ts';
import type { NodeProxy, WireResponse } from './node-proxy.ts';
import type { Fixture } from './fixture.ts';

/** A clock that starts at the time of a block, in seconds, and does not run. */
export function clockOfBlock(time: number): SimulatedClock {
  return new SimulatedClock(new Date(time * 1000).toISOString());
}

/** Public key of an account without any payment. */
export async function freshAccountKey(chain: ChainName): Promise<string> {
  return (await deriveAccount(randomBytes(64), chain, { isTest: true })).publicKey;
}

/** Test helpers for invoices that are paid on a real node. */
export function nodeInvoicesOf(fixture: () => Fixture, chain: ChainName) {
  const { create, get, list, review, prefer } = invoicesOf(fixture);
  const cursor = async () => {
    const chainCursor = (await readCursors(fixture().service().database)).find((each) => each.chain === chain);
    assert.ok(chainCursor);
    return chainCursor;
  };
  return {
    create,
    list,
    review,
    prefer,
    get,

    async statusOf(transaction: { id: string }): Promise<CryptoTransaction['status']> {
      return (await get(transaction)).status;
    },

    /** Every reported status of a transaction, in order. */
    async reportedStatuses({ id }: { id: string }): Promise<string[]> {
      const statuses: string[] = [];
      for (let after = ''; ; ) {
        const { body, text, status } = await fixture().request(`/v1/events?limit=100${after && `&after=${after}`}`);
        assert.equal(status, 200, text);
        statuses.push(...body.events.filter(({ data }: any) => data.id === id).map(({ data }: any) => data.status));
        if (!body.has_more) return statuses;
        after = body.next;
      }
    },

    cursor,

    async trouble(): Promise<ScanError | null> {
      return (await cursor()).error;
    },
  };
}

/** Makes the proxy in front of a node close every connection until it is reset. */
export function closeAllConnections(between: NodeProxy): void {
  between.edit = () => {
    throw new Error('The node is down');
  };
}

export const forwardCalls = (_call: unknown, result: WireResponse): WireResponse => result;
