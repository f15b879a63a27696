import type { Database } from '../database/database.ts';
import { claimDue, earliestDue } from '../jobs/due.ts';
import type { Job } from '../jobs/runner.ts';
import { type Instant, MINUTE } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import { describeError, type Log } from '../system/log.ts';
import type { Metrics } from '../system/metrics.ts';
import { combineQuotes } from './combine.ts';
import { type LimitsByKind, limitsOf, type LiveRates } from './live.ts';
import { isExpected, type Pair, pairs } from './pairs.ts';
import type { FetchText, Quote, RateSource, SourceQuote } from './port.ts';
import { db, type StoredPairRate } from './schema.ts';
import { lockSources, readRates, updateSource, writeRates } from './store.ts';

const RATES_JOB = 'rates';

/** Topic of the announcement that rates were stored. */
const RATES_STORED = 'rates stored';
/** Interval at which a process reads stored rates without an announcement. */
const RELOAD_MS = 30_000;
const FIRST_RETRY: Instant = MINUTE;
const LAST_RETRY: Instant = 15 * MINUTE;

interface RatesJobOptions {
  database: Database;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  sources: readonly RateSource[];
  limits: LimitsByKind;
  fetchText: FetchText;
  live: LiveRates;
}

/**
 * Creates the job that keeps rates current. Each due source is claimed and fetched by one process; the others read the
 * stored rates.
 */
export function createRatesJob(options: RatesJobOptions): Job {
  const { database, clock, sources, live } = options;
  return {
    name: RATES_JOB,
    claimsAll: true,
    earliestDue: earliestDue('rate_sources', 'due_at'),
    topics: [RATES_STORED],
    intervalMs: RELOAD_MS,
    async runOnce() {
      const rows = await database.inTransaction(
        async (unit) =>
          await claimDue(db, unit, { table: 'rate_sources', column: 'due_at', now: clock.now(), limit: 100 }),
      );
      const due = rows.flatMap((row) => {
        const source = sources.find(({ name }) => name === row.name);
        return source ? [{ source, failures: row.failures }] : [];
      });
      if (due.length > 0) {
        await Promise.all(due.map(async ({ source, failures }) => await refresh(options, source, failures)));
        await combineAll(options);
      }
      await live.load(database);
      return due.length;
    },
  };
}

/** Fetches a source and stores its quotes; after a failure, schedules a retry. */
async function refresh(
  { database, clock, log, metrics, fetchText }: RatesJobOptions,
  source: RateSource,
  failures: number,
): Promise<void> {
  let quotes: Quote[];
  try {
    quotes = await source.fetchQuotes(fetchText, clock.now());
  } catch (error) {
    metrics.rateSourceErrors.inc({ source: source.name });
    // Once per outage: the metric counts the others.
    if (failures === 0) log.warn({ source: source.name, error: describeError(error) }, 'rate source failed');
    const retryAt = clock.now() + Math.min(FIRST_RETRY * 2 ** failures, LAST_RETRY);
    await database.inTransaction(
      async (unit) => await updateSource(unit, source.name, { failures: failures + 1, dueAt: retryAt }),
    );
    return;
  }
  if (failures > 0) log.info({ source: source.name }, 'rate source responds again');
  const now = clock.now();
  await database.inTransaction(
    async (unit) =>
      await updateSource(unit, source.name, { quotes, fetchedAt: now, failures: 0, dueAt: now + source.interval }),
  );
}

/** Combines the stored quotes of all sources into the rate of each pair. */
async function combineAll({ database, clock, log, sources, limits }: RatesJobOptions): Promise<void> {
  await database.inTransaction(async (unit) => {
    const stored = await lockSources(
      unit,
      sources.map(({ name }) => name),
    );
    const quotes = stored.flatMap(({ name, quotes: sourceQuotes }) =>
      sourceQuotes.map((quote) => ({ ...quote, source: name })),
    );
    const former = await readRates(unit);
    const now = clock.now();
    const changed = pairs.flatMap((pair) => {
      const pairQuotes = quotes.filter((quote) => quote.pair === pair);
      const before = former.get(pair);
      const after = nextRate(pair, pairQuotes, before, limits, now);
      return isSame(before, after) ? [] : [{ before, after }];
    });
    await writeRates(
      unit,
      changed.map(({ after }) => after),
    );
    unit.announce(RATES_STORED);
    unit.afterCommit(() => {
      for (const { before, after } of changed) logAvailability(log, before, after);
    });
  });
}

function nextRate(
  pair: Pair,
  quotes: readonly SourceQuote[],
  before: StoredPairRate | undefined,
  limits: LimitsByKind,
  now: Instant,
): StoredPairRate {
  const last = before?.rate && before.at !== null ? { rate: before.rate, at: before.at } : null;
  const { proposed = null, unavailableSince: since = null } = before ?? {};
  const rejected = proposed !== null && since !== null ? { rate: proposed, since } : null;
  const combined = combineQuotes(quotes, { last, jump: rejected, now }, limitsOf(limits, pair));
  if (combined.kind === 'rate') {
    const available = { reason: null, detail: null, unavailableSince: null, proposed: null };
    return { pair, rate: combined.rate, at: combined.at, quotes: [...combined.quotes], ...available };
  }
  const { reason, detail, jump } = combined;
  const isSameReason = before?.reason === reason;
  return {
    ...{ pair, rate: last?.rate ?? null, at: last?.at ?? null, quotes: [...(before?.quotes ?? [])] },
    ...{ reason, detail, unavailableSince: jump?.since ?? (isSameReason ? (since ?? now) : now) },
    proposed: jump?.rate ?? null,
  };
}

function isSame(before: StoredPairRate | undefined, after: StoredPairRate): boolean {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(after);
}

/** Logs when a pair becomes unavailable, and when it is available again. */
function logAvailability(log: Log, before: StoredPairRate | undefined, after: StoredPairRate): void {
  const wasAvailable = before?.reason === null;
  const { pair, reason, detail, rate } = after;
  if (reason !== null && wasAvailable) log.error({ pair, reason, detail }, 'exchange rate unavailable');
  else if (reason !== null && !before && isExpected(pair, rate))
    log.warn({ pair, reason, detail }, 'exchange rate unavailable');
  else if (reason === null && before && !wasAvailable) log.info({ pair, rate }, 'exchange rate available again');
}
