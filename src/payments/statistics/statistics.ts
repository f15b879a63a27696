import { toAlpha3 } from '../../api/country.ts';
import { type CurrencyCode, minorUnitsOf } from '../../api/currency.ts';
import { amountNumber, formatMinor } from '../../shared/money.ts';
import {
  MAX_STATISTICS_DAYS,
  type Statistics,
  type StatisticsQuery,
  DEFAULT_STATISTICS_DAYS,
} from '../../api/statistics.ts';
import { DAY, formatInstant, HOUR, type Instant, MINUTE, type Moment } from '../../shared/time.ts';
import { SumAtRates } from '../../shared/rate-arithmetic.ts';
import { validationProblem } from '../../api/problem-error.ts';
import { formatDay, openTimeZone, type OffsetPeriod, type TimeZone } from '../../shared/time-zone.ts';
import type { PaymentsContext } from '../context.ts';
import {
  type StatisticsRange,
  countPendingWork,
  readFailureCounts,
  readSumsBySlot,
  readSumsByMethod,
  type SlotSums,
  type PendingWorkQueries,
  type MethodSums,
} from './read.ts';

/** Counts of a group, and its paid total in the additional currency. */
class StepCounts {
  count = 0;
  paidCount = 0;
  failedCount = 0;
  /** Paid transactions without a rate in the current additional currency. */
  excludedCount = 0;
  readonly paidTotal = new SumAtRates();

  add(row: SlotSums | MethodSums, additional: CurrencyCode): void {
    this.count += row.count;
    this.paidCount += row.paid;
    this.failedCount += row.failed;
    if (row.additional_currency !== additional) this.excludedCount += row.paid;
    else if (row.paid > 0) {
      const paid = toMinor(row.paid_millions, row.paid_rest);
      this.paidTotal.add(formatMinor(paid, minorUnitsOf(row.currency as CurrencyCode)), row.rate);
    }
  }
}

/** Reads the statistics of a merchant's fiat transactions in a range, in a time zone. */
export async function readStatistics(
  { database, clock, merchantTerms, pendingWork }: PaymentsContext & { pendingWork: PendingWorkQueries },
  merchantId: number,
  query: StatisticsQuery,
): Promise<Statistics> {
  const timeZone = query.time_zone ?? 'UTC';
  const zone = openTimeZone(timeZone);
  const { since, till, days } = parseRange(query, zone, clock.now());
  const range: StatisticsRange = { merchantId, since, till };
  const offsetPeriods = zone.offsetPeriods(since, till);
  const { additionalCurrency } = await merchantTerms.readSettings(merchantId);
  const slot = offsetPeriods.every(({ offset }) => offset % HOUR === 0) ? HOUR : 15 * MINUTE;
  const [slotSums, methodSums, failures, pending] = await Promise.all([
    database.onReplica((on) => readSumsBySlot(on, range, slot)),
    database.onReplica((on) => readSumsByMethod(on, range)),
    database.onReplica((on) => readFailureCounts(on, range)),
    database.onReplica((on) => countPendingWork(on, merchantId, pendingWork)),
  ]);

  const units = minorUnitsOf(additionalCurrency);
  const total = new StepCounts();
  for (const row of slotSums) total.add(row, additionalCurrency);
  const summarize = ({ count, paidCount, paidTotal }: StepCounts) => ({
    count,
    paid_count: paidCount,
    paid_amount: paidTotal.rounded(units),
  });
  const byDay = tallyBy(slotSums, additionalCurrency, ({ slot: at }) => String(localDayAt(offsetPeriods, at * slot)));
  const byHour = tallyBy(slotSums, additionalCurrency, ({ slot: at }) => String(localHourAt(offsetPeriods, at * slot)));
  const byMethod = tallyBy(methodSums, additionalCurrency, ({ payment_method: method }) => method);
  const byCountry = tallyBy(methodSums, additionalCurrency, ({ place }) => toAlpha3(place));
  const finishedCount = total.paidCount + total.failedCount;
  return {
    since: formatInstant(since),
    till: formatInstant(till),
    time_zone: timeZone,
    currencies: toCurrencyTotals(slotSums),
    total: {
      count: total.count,
      paid_count: total.paidCount,
      failed_count: total.failedCount,
      open_count: total.count - finishedCount,
      paid_share: finishedCount === 0 ? null : Number((total.paidCount / finishedCount).toFixed(4)),
      paid_in_additional_currency: {
        currency: additionalCurrency,
        amount: total.paidTotal.rounded(units),
        excluded_count: total.excludedCount,
      },
    },
    days: days.map((day) => ({ date: formatDay(day), ...summarize(byDay.get(String(day)) ?? new StepCounts()) })),
    hours: Array.from({ length: 24 }, (_, hour) => {
      const { count, paidCount } = byHour.get(String(hour)) ?? new StepCounts();
      return { hour, count, paid_count: paidCount };
    }),
    methods: rankByCount(byMethod).map(([method, tally]) => ({ payment_method: method, ...summarize(tally) })),
    countries: rankByCount(byCountry).map(([country, tally]) => ({ country, ...summarize(tally) })),
    failures: toFailureCounts(failures),
    waiting: pending,
  };
}

/** Parses the range of a query and its days. A date is a day in the time zone. */
function parseRange(
  query: StatisticsQuery,
  zone: TimeZone,
  now: Instant,
): { since: Instant; till: Instant; days: number[] } {
  const dayIn = ({ at }: Moment) => Math.floor(at / DAY);
  const till = query.till?.isDay
    ? zone.startOf(dayIn(query.till) + 1)
    : (query.till?.at ?? zone.startOf(zone.dayOf(now) + 1));
  const last = zone.dayOf(till - 1);
  const since = query.since?.isDay
    ? zone.startOf(dayIn(query.since))
    : (query.since?.at ?? zone.startOf(last - DEFAULT_STATISTICS_DAYS + 1));
  const rangeProblem = (pointer: string, code: string, detail: string) =>
    validationProblem([{ pointer, code, detail }]);
  if (query.since && since < 0) throw rangeProblem('?since', 'too_small', 'must be 1970 or later');
  if (since >= till)
    throw rangeProblem(query.till ? '?till' : '?since', 'empty_span', 'must define a range: till must be after since');
  const first = zone.dayOf(since);
  const length = last - first + 1;
  if (length > MAX_STATISTICS_DAYS) {
    const detail = `must be within ${MAX_STATISTICS_DAYS} days before till`;
    throw rangeProblem(query.since ? '?since' : '?till', 'too_long', detail);
  }
  return { since, till, days: Array.from({ length }, (_, index) => first + index) };
}

function tallyBy<Row extends SlotSums | MethodSums>(
  rows: readonly Row[],
  additional: CurrencyCode,
  nameOf: (row: Row) => string,
): Map<string, StepCounts> {
  const tallies = new Map<string, StepCounts>();
  for (const row of rows) {
    const name = nameOf(row);
    const tally = tallies.get(name) ?? new StepCounts();
    tallies.set(name, tally);
    tally.add(row, additional);
  }
  return tallies;
}

/** Sorts groups by count, then by name. */
function rankByCount<Counted extends { count: number }>(counted: ReadonlyMap<string, Counted>): [string, Counted][] {
  return [...counted].toSorted(([one, { count }], [other, more]) => more.count - count || (one < other ? -1 : 1));
}

function toCurrencyTotals(rows: readonly SlotSums[]): Statistics['currencies'] {
  const sums = new Map<string, { count: number; paidCount: number; paid: bigint; refunded: bigint }>();
  for (const row of rows) {
    const sum = sums.get(row.currency) ?? { count: 0, paidCount: 0, paid: 0n, refunded: 0n };
    sums.set(row.currency, sum);
    sum.count += row.count;
    sum.paidCount += row.paid;
    sum.paid += toMinor(row.paid_millions, row.paid_rest);
    sum.refunded += toMinor(row.refunded_millions, row.refunded_rest);
  }
  return rankByCount(sums).map(([currency, { count, paidCount, paid, refunded }]) => {
    const number = (minor: bigint) => amountNumber(minor, minorUnitsOf(currency as CurrencyCode));
    return { currency, count, paid_count: paidCount, paid_amount: number(paid), refunded_amount: number(refunded) };
  });
}

function toFailureCounts(rows: readonly { reason: string; decline_code: string | null; count: number }[]) {
  const counts = new Map<string, { count: number }>();
  for (const { reason, decline_code: code, count } of rows) {
    const name = code ?? reason;
    counts.set(name, { count: (counts.get(name)?.count ?? 0) + count });
  }
  return rankByCount(counts).map(([reason, { count }]) => ({ reason, count }));
}

function toMinor(millions: number, rest: number): bigint {
  return BigInt(millions) * 1_000_000n + BigInt(rest);
}

/** Returns an instant as local time of the time zone. */
function toLocalTime(offsetPeriods: readonly OffsetPeriod[], instant: Instant): Instant {
  const offsetPeriod = offsetPeriods.findLast(({ from }) => from <= instant) ?? offsetPeriods[0];
  return instant + (offsetPeriod?.offset ?? 0);
}

function localDayAt(offsetPeriods: readonly OffsetPeriod[], instant: Instant): number {
  return Math.floor(toLocalTime(offsetPeriods, instant) / DAY);
}

function localHourAt(offsetPeriods: readonly OffsetPeriod[], instant: Instant): number {
  return Math.floor((toLocalTime(offsetPeriods, instant) % DAY) / HOUR);
}
