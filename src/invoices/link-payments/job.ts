import type { ChainName } from '../../shared/crypto-currency.ts';
import { type Instant, MINUTE } from '../../shared/time.ts';
import { earliestDue } from '../../jobs/due.ts';
import type { Job } from '../../jobs/runner.ts';
import { describeError } from '../../system/log.ts';
import type { PaymentsContext } from '../../payments/context.ts';
import { applyReceipts } from '../../payments/push/receipts.ts';
import { readLastHeight } from '../../chains/cursor.ts';
import {
  findTransactionsWithNewConfirmations,
  findDueLinkPayments,
  findByTransactions,
  postponeLinkPayment,
} from './store.ts';

const BATCH = 20;
/** Delay before a failed update of a link is retried. */
const RETRY: Instant = MINUTE;

/** Name of the job that applies changed deposits to payment links. */
export const LINK_PAYMENTS_JOB = 'coin payments';

/**
 * Applies changed deposits to payment links. A change is marked in the scan's unit of work and cleared in the link's, so
 * a crash in between loses nothing. New confirmations only show progress: they are signaled in memory, and the next
 * block signals them again.
 */
export function createLinkPaymentJob(
  payments: PaymentsContext,
  /** Chains with a block scanned by this process; the job removes them. */
  scannedChains: Set<ChainName>,
): Job {
  const { database, clock, log } = payments;

  const findKeysWithNewConfirmations = async (): Promise<string[]> => {
    const chains = [...scannedChains];
    scannedChains.clear();
    const ids = new Set<number>();
    for (const chain of chains) {
      const tipHeight = (await readLastHeight(database, chain)) ?? 0;
      for (const id of await findTransactionsWithNewConfirmations(database, chain, tipHeight)) ids.add(id);
    }
    return (await findByTransactions(database, [...ids])).map(({ instructionsKey }) => instructionsKey);
  };

  const updateLink = async (instructionsKey: string): Promise<boolean> => {
    try {
      return (await applyReceipts(payments, instructionsKey, null)) !== null;
    } catch (error) {
      log.error({ error: describeError(error) }, 'applying changed deposits to a payment link failed');
      return false;
    }
  };

  return {
    name: LINK_PAYMENTS_JOB,
    earliestDue: earliestDue('coin_payments', 'due_at'),
    async runOnce() {
      const due = await findDueLinkPayments(database, clock.now(), BATCH);
      for (const payment of due) {
        if (!(await updateLink(payment.instructionsKey)))
          await postponeLinkPayment(database, payment, clock.now() + RETRY);
      }
      const progressed = await findKeysWithNewConfirmations();
      for (const instructionsKey of progressed) await updateLink(instructionsKey);
      return due.length + progressed.length;
    },
  };
}
