import type { ServerResponse } from 'node:http';
import type { TransactionExportQuery } from '../../api/fiat-transaction.ts';
import type { FileContent } from '../../api/operation.ts';
import { formatInstant } from '../../shared/time.ts';
import type { HttpContext } from '../../http/context.ts';
import { describeError } from '../../system/log.ts';
import { Problem } from '../../api/problem-error.ts';
import type { PaymentsContext } from '../context.ts';
import { type ExportedPart, exportTransactions } from './export.ts';

/** Exports of one merchant that a process makes at once: more would only slow each other, and everybody else. */
const MOST_AT_ONCE = 4;
const RETRY_SECONDS = 30;

/** Answers exports over HTTP; a process has one of these, which counts them. */
export function createExportAnswers({ database, clock, log }: PaymentsContext) {
  const underWay = new Map<number, number>();

  const occupy = (merchantId: number, outgoing: ServerResponse) => {
    const others = underWay.get(merchantId) ?? 0;
    if (others >= MOST_AT_ONCE) {
      const detail = `${MOST_AT_ONCE} exports are under way already. Wait for one to end.`;
      throw new Problem('rate_limited', detail, {
        limit: 'exports',
        headers: { 'Retry-After': String(RETRY_SECONDS) },
      });
    }
    // Who has gone already would never say so.
    if (outgoing.closed || outgoing.destroyed) return;
    underWay.set(merchantId, others + 1);
    outgoing.once('close', () => {
      const rest = (underWay.get(merchantId) ?? 1) - 1;
      if (rest > 0) underWay.set(merchantId, rest);
      else underWay.delete(merchantId);
    });
  };

  async function* encode(parts: AsyncIterable<ExportedPart>, requestId: string) {
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
    occupy(merchantId, http.env.outgoing);
    const day = formatInstant(clock.now()).slice(0, 10);
    return { name: `transactions-${day}.csv`, chunks: encode(parts, http.get('requestId')) };
  };
}
