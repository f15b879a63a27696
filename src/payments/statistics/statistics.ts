/*
 * Map of this folder: `statistics.ts` serves a period from the sums of `figures.ts`. `roll-up.ts` stores them by
 * quarter-hour and day, `read-figures.ts` combines stored and current ones, and `read.ts` computes them from
 * transactions. Reasons: docs/decisions/statistics.md.
 */

import { toAlpha3 } from '../../api/country.ts';
import { type CurrencyCode, minorUnitsOf } from '../../api/currency.ts';
import { amountNumber } from '../../shared/money.ts';
import {
  MAX_STATISTICS_DAYS,
  type Statistics,
  type StatisticsQuery,
  DEFAULT_STATISTICS_DAYS,
} from '../../api/statistics.ts';
import { DAY, formatInstant, HOUR, type Instant, type Moment } from '../../shared/time.ts';
import { validationProblem } from '../../api/problem-error.ts';
import { formatDay, openTimeZone, type OffsetPeriod, type TimeZone } from '../../shared/time-zone.ts';
import type { PaymentsContext } from '../context.ts';
import { Counts, type CountsByName, type Figures, getOrAdd } from './figures.ts';
import { countPendingWork, type PendingWorkQueries, QUARTER_HOUR } from './read.ts';
import { readFigures } from './read-figures.ts';

/** Counts of a group in all additional currencies, and its paid total in the current one. */
class GroupTally extends Counts {
  /** Paid transactions without a rate in the current additional currency. */
  excludedCount = 0;

  add({ count, paidCount, failedCount, paidTotal }: Counts, isCurrent: boolean): void {
    this.count += count;
    this.paidCount += paidCount;
    this.failedCount += failedCount;
    if (isCurrent) this.paidTotal.addSum(paidTotal.toString());
    else this.excludedCount += paidCount;
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
  const offsetPeriods = zone.offsetPeriods(since, till);
  const { additionalCurrency } = await merchantTerms.readSettings(merchantId);
  const [figures, pending] = await Promise.all([
    database.onReplica((reader) => readFigures(reader, { merchantId, since, till })),
    database.onReplica((reader) => countPendingWork(reader, merchantId, pendingWork)),
  ]);

  const units = minorUnitsOf(additionalCurrency);
  const tally = (groups: CountsByName, nameOf: (name: string) => string) => tallyBy(groups, additionalCurrency, nameOf);
  const total = tally(figures.quarters, () => '').get('') ?? new GroupTally();
  const summarize = ({ count, paidCount, paidTotal }: GroupTally) => ({
    count,
    paid_count: paidCount,
    paid_amount: paidTotal.rounded(units),
  });
  const instantOf = (quarter: string) => Number(quarter) * QUARTER_HOUR;
  const byDay = tally(figures.quarters, (quarter) => String(localDayAt(offsetPeriods, instantOf(quarter))));
  const byHour = tally(figures.quarters, (quarter) => String(localHourAt(offsetPeriods, instantOf(quarter))));
  const byMethod = tally(figures.methods, (method) => method);
  const byCountry = tally(figures.places, toAlpha3);
  const finishedCount = total.paidCount + total.failedCount;
  return {
    since: formatInstant(since),
    till: formatInstant(till),
    time_zone: timeZone,
    currencies: toCurrencyTotals(figures),
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
    days: days.map((day) => ({ date: formatDay(day), ...summarize(byDay.get(String(day)) ?? new GroupTally()) })),
    hours: Array.from({ length: 24 }, (_, hour) => {
      const { count, paidCount } = byHour.get(String(hour)) ?? new GroupTally();
      return { hour, count, paid_count: paidCount };
    }),
    methods: rankByCount(byMethod).map(([method, tally]) => ({ payment_method: method, ...summarize(tally) })),
    countries: rankByCount(byCountry).map(([country, tally]) => ({ country, ...summarize(tally) })),
    failures: toFailureCounts(figures),
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

function tallyBy(
  groups: CountsByName,
  additional: CurrencyCode,
  nameOf: (name: string) => string,
): Map<string, GroupTally> {
  const tallies = new Map<string, GroupTally>();
  for (const [currency, byName] of groups)
    for (const [name, counts] of byName)
      getOrAdd(tallies, nameOf(name), () => new GroupTally()).add(counts, currency === additional);
  return tallies;
}

/** Sorts groups by count, then by name. */
function rankByCount<Counted extends { count: number }>(counted: ReadonlyMap<string, Counted>): [string, Counted][] {
  return [...counted].toSorted(([one, { count }], [other, more]) => more.count - count || (one < other ? -1 : 1));
}

function toCurrencyTotals({ currencies }: Figures): Statistics['currencies'] {
  return rankByCount(currencies).map(([currency, { count, paidCount, paidMinor, refundedMinor }]) => {
    const number = (minor: bigint) => amountNumber(minor, minorUnitsOf(currency));
    return {
      currency,
      count,
      paid_count: paidCount,
      paid_amount: number(paidMinor),
      refunded_amount: number(refundedMinor),
    };
  });
}

function toFailureCounts({ failures }: Figures) {
  const counts = new Map([...failures].map(([reason, count]) => [reason, { count }]));
  return rankByCount(counts).map(([reason, { count }]) => ({ reason, count }));
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
