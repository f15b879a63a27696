/** A moment as whole microseconds since 1970-01-01T00:00:00Z: what the database keeps and the clock gives. */
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
