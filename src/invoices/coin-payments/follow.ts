import type { ChainName } from '../../contract/crypto-currency.ts';
import type { Job } from '../../platform/jobs.ts';
import { describeError } from '../../platform/log.ts';
import type { InvoicesContext } from '../context.ts';
import { readHeight } from '../store.ts';
import type { CryptoTransaction } from '../transaction.ts';
import { findDeepening, findOfTransactions } from './store.ts';

/** Told by this process's own work on chains, after it was committed. */
export interface CoinNews {
  changed(transaction: Pick<CryptoTransaction, 'id' | 'paysFor'>): void;
  blockRead(chain: ChainName): void;
}

/** Name of the job that tells payment links what has come. */
export const COIN_PAYMENTS_JOB = 'coin payments';

/**
 * Tells payment links what has come to them in coins, as soon as this process has seen it. What is lost with the
 * process is not lost: the links ask as well, from time to time.
 */
export function followCoinPayments(
  context: () => InvoicesContext,
  { onPayment, wake }: { onPayment: (instructionsKey: string) => Promise<void>; wake: () => void },
): { news: CoinNews; job: Job } {
  const changed = new Set<number>();
  const deeper = new Set<ChainName>();

  const take = async (): Promise<number[]> => {
    const { database } = context();
    const ids = new Set(changed);
    changed.clear();
    const chains = [...deeper];
    deeper.clear();
    for (const chain of chains) {
      const tipHeight = (await readHeight(database, chain)) ?? 0;
      for (const id of await findDeepening(database, chain, tipHeight)) ids.add(id);
    }
    return [...ids];
  };

  return {
    news: {
      changed({ id, paysFor }) {
        if (paysFor === null) return;
        changed.add(id);
        wake();
      },
      blockRead(chain) {
        deeper.add(chain);
        wake();
      },
    },
    job: {
      name: COIN_PAYMENTS_JOB,
      async round() {
        if (changed.size === 0 && deeper.size === 0) return 0;
        const payments = await findOfTransactions(context().database, await take());
        for (const payment of payments) {
          try {
            await onPayment(payment.instructionsKey);
          } catch (error) {
            // The link asks for it itself, later.
            context().log.error({ error: describeError(error) }, 'a payment in coins could not be told of');
          }
        }
        return payments.length;
      },
    },
  };
}
