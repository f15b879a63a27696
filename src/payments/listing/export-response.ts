import type { ServerResponse } from 'node:http';
import type { TransactionExportQuery } from '../../api/fiat-transaction.ts';
import type { FileContent } from '../../api/operation.ts';
import { formatInstant } from '../../shared/time.ts';
import type { HttpContext } from '../../http/context.ts';
import { describeError } from '../../system/log.ts';
import { Problem } from '../../api/problem-error.ts';
import type { PaymentsContext } from '../context.ts';
import { type ExportChunk, exportTransactions } from './export.ts';

/** Exports of one merchant that a process makes at once: more would only slow each other, and everybody else. */
const MAX_CONCURRENT_EXPORTS = 4;
const RETRY_AFTER_SECONDS = 30;

/** Answers exports over HTTP; a process has one of these, which counts them. */
export function createExportResponses({ database, clock, log }: PaymentsContext) {
  const running = new Map<number, number>();

  const occupySlot = (merchantId: number, outgoing: ServerResponse) => {
    const others = running.get(merchantId) ?? 0;
    if (others >= MAX_CONCURRENT_EXPORTS) {
      const detail = `${MAX_CONCURRENT_EXPORTS} exports are under way already. Wait for one to end.`;
      throw new Problem('rate_limited', detail, {
        limit: 'exports',
        headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
      });
    }
    // Who has gone already would never say so.
    if (outgoing.closed || outgoing.destroyed) return;
    running.set(merchantId, others + 1);
    outgoing.once('close', () => {
      const rest = (running.get(merchantId) ?? 1) - 1;
      if (rest > 0) running.set(merchantId, rest);
      else running.delete(merchantId);
    });
  };

  async function* encode(parts: AsyncIterable<ExportChunk>, requestId: string) {
    let rows = 0;
    try {
      for await (const part of parts) {
        rows += part.rows;
        yield Buffer.from(part.csv);
      }
    } catch (error) {
      // The head of the answer has gone out: nothing else would tell of it.
      log.error({ requestId, rows, error: describeError(error) }, 'an export broke off');
      throw error;
    }
  }

  return (http: HttpContext, merchantId: number, query: TransactionExportQuery): FileContent => {
    const parts = exportTransactions(database, merchantId, query);
    occupySlot(merchantId, http.env.outgoing);
    const day = formatInstant(clock.now()).slice(0, 10);
    return { name: `transactions-${day}.csv`, chunks: encode(parts, http.get('requestId')) };
  };
}
