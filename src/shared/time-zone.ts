import { DAY, type Instant, MICROS_PER_MS, MINUTE, toMillis } from './time.ts';

/** A UTC offset and the time from which it applies, until the next period. */
export interface OffsetPeriod {
  from: Instant;
  offset: Instant;
}

/** UTC offsets of a time zone. Days are counted from 1970-01-01. */
export interface TimeZone {
  /** UTC offsets from `since` to `until`; the first period starts at `since`. */
  offsetPeriods(since: Instant, until: Instant): OffsetPeriod[];
  /** Start of a day. */
  startOf(day: number): Instant;
  /** The day at a time. */
  dayOf(instant: Instant): number;
}

/** Offsets change only at quarter-hours. */
const QUARTER: Instant = 15 * MINUTE;

/** Reads a time zone by its IANA name or offset. */
export function openTimeZone(name: string): TimeZone {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: name, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  const offsetAt = (instant: Instant): Instant => {
    const ms = Math.floor(toMillis(instant) / 1000) * 1000;
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return (Date.UTC(year, month - 1, day, hour, minute, second) - ms) * MICROS_PER_MS;
  };

  const offsetPeriods = (since: Instant, until: Instant): OffsetPeriod[] => {
    const periods = [{ from: since, offset: offsetAt(since) }];
    // No time zone changes its offset twice within a day.
    for (let low = since; low < until; low += DAY) {
      const offset = offsetAt(low);
      const next = offsetAt(Math.min(low + DAY, until));
      if (next !== offset) periods.push({ from: changeBetween(low, Math.min(low + DAY, until), offset), offset: next });
    }
    return periods;
  };

  /** The first quarter-hour with an offset other than `offset`. */
  const changeBetween = (low: Instant, high: Instant, offset: Instant): Instant => {
    let [before, after] = [Math.floor(low / QUARTER), Math.ceil(high / QUARTER)];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (offsetAt(middle * QUARTER) === offset) before = middle;
      else after = middle;
    }
    return after * QUARTER;
  };

  return {
    offsetPeriods,
    startOf(day) {
      const midnight = day * DAY;
      const near = offsetPeriods(midnight - DAY, midnight + DAY);
      for (const [index, { from, offset }] of near.entries()) {
        const at = Math.max(from, midnight - offset);
        if (at < (near[index + 1]?.from ?? Number.POSITIVE_INFINITY)) return at;
      }
      throw new RangeError(`${name} never reaches day ${day}`);
    },
    dayOf: (instant) => Math.floor((instant + offsetAt(instant)) / DAY),
  };
}

/** `2026-01-31` for a day. */
export function formatDay(day: number): string {
  return new Date(day * toMillis(DAY)).toISOString().slice(0, 10);
}
