/** A time in whole microseconds since 1970-01-01T00:00:00Z, as stored in the database and returned by the clock. */
export type Instant = number;

export const MICROS_PER_MS = 1000;
export const SECOND: Instant = 1_000_000;
export const MINUTE: Instant = 60 * SECOND;
export const HOUR: Instant = 60 * MINUTE;
export const DAY: Instant = 24 * HOUR;

/** ISO 8601 in UTC with microseconds: `2026-01-31T09:30:00.123456Z`. */
export function formatInstant(instant: Instant): string {
  const ms = Math.floor(instant / MICROS_PER_MS);
  const micros = instant - ms * MICROS_PER_MS;
  return `${new Date(ms).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`;
}

/** Milliseconds since the epoch, for `Date` and timers. */
export function toMillis(instant: Instant): number {
  return Math.floor(instant / MICROS_PER_MS);
}

/** Seconds with their fraction, for metrics. */
export function toSeconds(duration: Instant): number {
  return duration / SECOND;
}

/** A parsed time, and whether it was a whole day. */
export interface Moment {
  /** Its start. */
  at: Instant;
  isDay: boolean;
}

/** The exclusive end of a period that ends with a moment: a day is included as a whole. */
export function endOf({ at, isDay }: Moment): Instant {
  return at + (isDay ? DAY : 0);
}

const dateTime =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?)?$/;

/**
 * Reads a date (UTC), an ISO 8601 date-time (UTC unless it has an offset), or Unix seconds; null for any other text.
 */
export function parseMoment(value: string): Moment | null {
  if (/^\d{1,11}$/.test(value)) return { at: Number(value) * SECOND, isDay: false };
  const parts = dateTime.exec(value);
  if (!parts) return null;
  const [, date = '', time, seconds = '00', fraction = '', offset = 'Z'] = parts;
  if (!isCalendarDate(date)) return null;
  const zone = offset.replace(/^(.\d{2})(\d{2})$/, '$1:$2');
  const ms = Date.parse(`${date}T${time ?? '00:00'}:${seconds}${zone}`);
  if (Number.isNaN(ms)) return null;
  return { at: ms * MICROS_PER_MS + Number(fraction.padEnd(6, '0').slice(0, 6)), isDay: time === undefined };
}

/** Returns true for a valid calendar day; `Date` would read 31 February as 3 March. */
function isCalendarDate(date: string): boolean {
  const parsed = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date);
}
