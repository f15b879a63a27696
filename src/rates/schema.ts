import { z } from 'zod';
import { generated, integer, json, record, type RecordOf, type TableOf, text } from '../database/record.ts';
import { tablesOf } from '../database/tables-of.ts';
import { pairs, type Pair } from './pairs.ts';
import type { unavailableReasons } from './port.ts';

const storedQuote = z.object({ pair: z.enum(pairs), rate: z.string(), at: z.number() });
/** Unknown pairs stored by another release are skipped. */
const storedQuotes = <Quote>(quote: z.ZodType<Quote>) =>
  z.array(z.unknown()).transform((entries) =>
    entries.flatMap((entry) => {
      const parsed = quote.safeParse(entry);
      return parsed.success ? [parsed.data] : [];
    }),
  );

/** A source, with its last quotes and the time of its next fetch. */
export const rateSourceRecord = record({
  id: generated(),
  name: text(),
  quotes: json(storedQuotes(storedQuote).parse),
  /** Null before the first success. */
  fetched_at: integer().nullable(),
  /** Failures since the last success. */
  failures: integer(),
  /** Null for a source that is not used. */
  due_at: integer().nullable(),
});
export interface StoredSource extends RecordOf<typeof rateSourceRecord> {}

/** The last good rate of a pair. It survives a restart. */
export const pairRateRecord = record({
  pair: text<Pair>(),
  /** A decimal; null before the first good rate. */
  rate: text().nullable(),
  /** Time of the oldest quote in the rate. */
  at: integer().nullable(),
  quotes: json(storedQuotes(storedQuote.extend({ source: z.string() })).parse),
  /** Reason why the rate is not usable; null while it is. */
  reason: text<(typeof unavailableReasons)[number]>().nullable(),
  detail: text().nullable(),
  unavailable_since: integer().nullable(),
  /** The rejected rate, while the reason is `jump`. */
  proposed: text().nullable(),
});
export interface StoredPairRate extends RecordOf<typeof pairRateRecord> {}

export interface RateTables {
  rate_sources: TableOf<typeof rateSourceRecord>;
  rates: TableOf<typeof pairRateRecord>;
}

export const { db } = tablesOf<RateTables>();
