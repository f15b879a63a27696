import type { ChainName } from '../../shared/crypto-currency.ts';
import { type Instant, MINUTE } from '../../shared/time.ts';
import { earliestDue } from '../../jobs/due.ts';
import type { Job } from '../../jobs/runner.ts';
import { describeError } from '../../system/log.ts';
import type { InvoicesContext } from '../context.ts';
import { readHeight } from '../../chains/cursor.ts';
import { findDeepening, findDue, findOfTransactions, postpone } from './store.ts';

const BATCH = 20;
/** When a link that could not take up a change is asked to again. */
const RETRY: Instant = MINUTE;

/** Reported by this process's own work on chains, after the commit. */
export interface CoinNews {
  /** Payments were marked as due. */
  due(): void;
  blockRead(chain: ChainName): void;
}

/** Name of the job that has payment links take up changes of their deposits. */
export const COIN_PAYMENTS_JOB = 'coin payments';

/**
 * Has payment links take up changes of their deposits. The mark of a change is written in the unit of the chain and
 * cleared in the unit of the link, so that a process that dies in between loses none. More confirmations without a
 * change only show progress: they are kept in memory, and the next block brings them again.
 */
export function followCoinPayments(
  context: () => InvoicesContext,
  { onPayment, wake }: { onPayment: (instructionsKey: string) => Promise<boolean>; wake: () => void },
): { news: CoinNews; job: Job } {
  const deeper = new Set<ChainName>();

  const takeDeepening = async (): Promise<string[]> => {
    const { database } = context();
    const chains = [...deeper];
    deeper.clear();
    const ids = new Set<number>();
    for (const chain of chains) {
      const tipHeight = (await readHeight(database, chain)) ?? 0;
      for (const id of await findDeepening(database, chain, tipHeight)) ids.add(id);
    }
    return (await findOfTransactions(database, [...ids])).map(({ instructionsKey }) => instructionsKey);
  };

  const tryPayment = async (instructionsKey: string): Promise<boolean> => {
    try {
      return await onPayment(instructionsKey);
    } catch (error) {
      context().log.error({ error: describeError(error) }, 'a payment link could not take up a change of its deposits');
      return false;
    }
  };

  return {
    news: {
      due: wake,
      blockRead(chain) {
        deeper.add(chain);
        wake();
      },
    },
    job: {
      name: COIN_PAYMENTS_JOB,
      earliestDue: earliestDue('coin_payments', 'due_at'),
      async round() {
        const { database, clock } = context();
        const due = await findDue(database, clock.now(), BATCH);
        for (const payment of due) {
          if (!(await tryPayment(payment.instructionsKey))) await postpone(database, payment, clock.now() + RETRY);
        }
        const deepening = await takeDeepening();
        for (const instructionsKey of deepening) await tryPayment(instructionsKey);
        return due.length + deepening.length;
      },
    },
  };
}
