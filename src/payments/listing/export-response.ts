import type { ServerResponse } from 'node:http';
import type { TransactionExportQuery } from '../../api/fiat-transaction.ts';
import type { FileContent } from '../../api/operation.ts';
import { formatInstant } from '../../shared/time.ts';
import type { HttpContext } from '../../http/context.ts';
import { describeError } from '../../system/log.ts';
import { Problem } from '../../api/problem-error.ts';
import type { PaymentsContext } from '../context.ts';
import type { ListReader } from './list.ts';
import { type ExportChunk, exportTransactions } from './export.ts';

/** Concurrent exports of one merchant per process: more would slow each other and all other requests. */
const MAX_CONCURRENT_EXPORTS = 4;
const RETRY_AFTER_SECONDS = 30;

/** Creates the export handler. One per process, since it counts running exports. */
export function createExportResponses({ database, clock, log }: PaymentsContext) {
  const running = new Map<number, number>();

  const reserveSlot = (merchantId: number, outgoing: ServerResponse) => {
    const count = running.get(merchantId) ?? 0;
    if (count >= MAX_CONCURRENT_EXPORTS) {
      const detail = `${MAX_CONCURRENT_EXPORTS} exports are already running. Wait until one ends.`;
      throw new Problem('rate_limited', detail, {
        limit: 'exports',
        headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
      });
    }
    // A closed connection emits no further `close` event.
    if (outgoing.closed || outgoing.destroyed) return;
    running.set(merchantId, count + 1);
    outgoing.once('close', () => {
      const remaining = (running.get(merchantId) ?? 1) - 1;
      if (remaining > 0) running.set(merchantId, remaining);
      else running.delete(merchantId);
    });
  };

  async function* encode(chunks: AsyncIterable<ExportChunk>, requestId: string) {
    let rows = 0;
    try {
      for await (const chunk of chunks) {
        rows += chunk.rows;
        yield Buffer.from(chunk.csv);
      }
    } catch (error) {
      // The response has started: only the log reports the failure.
      log.error({ requestId, rows, error: describeError(error) }, 'export aborted');
      throw error;
    }
  }

  return (http: HttpContext, reader: ListReader, query: TransactionExportQuery): FileContent => {
    const chunks = exportTransactions(database, reader, query);
    reserveSlot(reader.merchantId, http.env.outgoing);
    const day = formatInstant(clock.now()).slice(0, 10);
    return { name: `transactions-${day}.csv`, chunks: encode(chunks, http.get('requestId')) };
  };
}
