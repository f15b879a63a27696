import type { LivePage, PageSnapshot } from '../http/live-updates.ts';
import type { InvoicesContext } from './context.ts';
import { lastBlockTopic } from '../chains/cursor.ts';
import type { LastBlocks } from '../chains/last-blocks.ts';
import { confirmationsOf } from '../deposits/deposit.ts';
import { type PageReading, readPage } from './page-reading.ts';
import { describePage } from './page-state.ts';
import type { CryptoTransaction } from './schema.ts';
import { transactionTopic } from './transition.ts';

/**
 * An open page of an invoice. Whatever becomes of its money is announced under its own topic, and read anew;
 * one more block is only one more confirmation, counted from what was read before.
 */
export function followInvoice(
  context: InvoicesContext,
  lastBlocks: LastBlocks,
  { publicId, chain }: Pick<CryptoTransaction, 'publicId' | 'chain'>,
  payerCountry: string | null,
): LivePage {
  const blocks = lastBlockTopic(chain);
  let before: PageReading | null = null;

  const describe = (reading: PageReading): PageSnapshot => {
    const state = describePage(context, reading, payerCountry);
    return {
      state,
      expiresAt: state.phase === 'ready' ? reading.transaction.expiresAt : null,
      isFinal: state.pollAfterMs === null,
    };
  };

  /** The page at another height; null where it must be read. */
  const countOn = async (reading: PageReading): Promise<PageReading | null> => {
    const { minConfirmations } = reading.transaction;
    const next = { ...reading, tipHeight: await lastBlocks.height(chain) };
    const { confirmations } = describePage(context, next, payerCountry);
    return confirmations && confirmations.seen < minConfirmations ? next : null;
  };

  return {
    topics: [blocks, transactionTopic(publicId)],
    async readState(news) {
      const isBlock = news.size === 1 && news.has(blocks);
      if (isBlock && before && !waitsForBlocks(before)) return null;
      const counted = isBlock && before ? await countOn(before) : null;
      const reading = counted ?? (await readPage(context.database, publicId, payerCountry));
      if (!reading) throw new Error('An invoice is gone');
      before = reading;
      return describe(reading);
    },
  };
}

/** Whether another block changes what is shown: there is money that is not deep enough. */
function waitsForBlocks({ transaction: { status, minConfirmations }, payments, tipHeight }: PageReading): boolean {
  if (status !== 'waiting' && status !== 'approved_required') return false;
  return payments.some(
    (payment) => payment.state === 'mined' && (confirmationsOf(payment, tipHeight) ?? 0) < minConfirmations,
  );
}
