import { addDays, type DateRange, lengthOf, localDate } from '../dates.ts';

export const periodLengths = [7, 30, 90] as const;
const DEFAULT_LENGTH = 30;
/** Longest period that the service accepts. */
const MAX_PERIOD_DAYS = 366;

/** A period of the overview: the last days up to today, or chosen dates. */
export interface Period extends DateRange {
  isCustom: boolean;
}

export function lastDays(days: number): Period {
  return { since: localDate(days - 1), till: localDate(0), isCustom: false };
}

/** Parses the period of the URL: `?days=7`, or `?since=2026-03-01&till=2026-03-31`. */
export function parsePeriod(search: string): Period {
  const params = new URLSearchParams(search);
  const days = Number(params.get('days'));
  const [since, till] = [params.get('since') ?? '', params.get('till') ?? ''];
  const isDate = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  if (isDate(since) && isDate(till)) return customPeriod({ since, till });
  return lastDays(periodLengths.find((length) => length === days) ?? DEFAULT_LENGTH);
}

/** A period with chosen dates, in order and within the longest period. */
export function customPeriod({ since, till }: DateRange): Period {
  const last = since > till ? since : till;
  const first = since > till ? till : since;
  const earliest = addDays(last, 1 - MAX_PERIOD_DAYS);
  return { since: first < earliest ? earliest : first, till: last, isCustom: true };
}

export function formatPeriod(period: Period): string {
  if (period.isCustom) return `?since=${period.since}&till=${period.till}`;
  const days = lengthOf(period);
  return days === DEFAULT_LENGTH ? '' : `?days=${days}`;
}

/** The period of the same length just before. */
export function previousPeriod(period: DateRange): DateRange {
  return { since: addDays(period.since, -lengthOf(period)), till: addDays(period.since, -1) };
}
