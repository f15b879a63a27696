import type { LivePage, PageSnapshot } from '../http/live-updates.ts';
import type { InvoicesContext } from './context.ts';
import { lastBlockTopic } from '../chains/cursor.ts';
import type { LastHeights } from '../chains/last-heights.ts';
import { confirmationsOf } from '../deposits/deposit.ts';
import { type InvoicePageRecords, readPageRecords } from './page-records.ts';
import { buildPageState } from './page-state.ts';
import type { CryptoTransaction } from './schema.ts';
import { transactionTopic } from './transition.ts';

/**
 * Live updates of an open invoice page. Changes of the transaction are read from the database; a new block only adds
 * confirmations, which are computed from the records read before.
 */
export function subscribeInvoicePage(
  context: InvoicesContext,
  lastBlocks: LastHeights,
  { publicId, chain }: Pick<CryptoTransaction, 'publicId' | 'chain'>,
  payerCountry: string | null,
): LivePage {
  const blocks = lastBlockTopic(chain);
  let lastRecords: InvoicePageRecords | null = null;

  const toUpdate = (records: InvoicePageRecords): PageSnapshot => {
    const state = buildPageState(context, records, payerCountry);
    return {
      state,
      expiresAt: state.phase === 'ready' ? records.transaction.expiresAt : null,
      isFinal: state.pollAfterMs === null,
    };
  };

  /** Records at the current height; null if the page must be read again. */
  const withCurrentHeight = async (records: InvoicePageRecords): Promise<InvoicePageRecords | null> => {
    const { minConfirmations } = records.transaction;
    const next = { ...records, tipHeight: await lastBlocks.height(chain) };
    const { confirmations } = buildPageState(context, next, payerCountry);
    return confirmations && confirmations.seen < minConfirmations ? next : null;
  };

  return {
    topics: [blocks, transactionTopic(publicId)],
    async readState(changedTopics) {
      const isBlock = changedTopics.size === 1 && changedTopics.has(blocks);
      if (isBlock && lastRecords && !awaitsConfirmations(lastRecords)) return null;
      const updated = isBlock && lastRecords ? await withCurrentHeight(lastRecords) : null;
      const records = updated ?? (await readPageRecords(context.database, publicId, payerCountry));
      if (!records) throw new Error(`Invoice ${publicId} no longer exists.`);
      lastRecords = records;
      return toUpdate(records);
    },
  };
}

/** True if another block changes the page: a deposit lacks confirmations. */
function awaitsConfirmations({
  transaction: { status, minConfirmations },
  deposits,
  tipHeight,
}: InvoicePageRecords): boolean {
  if (status !== 'waiting' && status !== 'approved_required') return false;
  return deposits.some(
    (deposit) => deposit.state === 'mined' && (confirmationsOf(deposit, tipHeight) ?? 0) < minConfirmations,
  );
}
