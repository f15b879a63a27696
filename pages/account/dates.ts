const DAY_MS = 86_400_000;

/** A range of dates in the user's time zone, both inclusive, as `2026-03-10`. */
export interface DateRange {
  since: string;
  till: string;
}

/** A date in the user's time zone, `daysAgo` days before today. */
export function localDate(daysAgo: number): string {
  const date = new Date(Date.now());
  date.setHours(12, 0, 0, 0);
  date.setTime(date.getTime() - daysAgo * DAY_MS);
  return formatDate(date);
}

function formatDate(date: Date): string {
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** A date moved by whole days. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T12:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Number of days in a range. */
export function lengthOf({ since, till }: DateRange): number {
  return Math.round((Date.parse(till) - Date.parse(since)) / DAY_MS) + 1;
}

/** The first and last day of a month, `monthsAgo` months before the current one. */
function monthRange(monthsAgo: number): DateRange {
  const now = new Date(Date.now());
  const month = (offset: number, day: number) =>
    formatDate(new Date(now.getFullYear(), now.getMonth() - monthsAgo + offset, day, 12));
  return { since: month(0, 1), till: month(1, 0) };
}

export const datePresets = ['today', 'yesterday', 'last_7', 'last_30', 'this_month', 'last_month'] as const;
export type DatePreset = (typeof datePresets)[number];

/** The dates of a preset, as of today. */
export function presetRange(preset: DatePreset): DateRange {
  const today = localDate(0);
  switch (preset) {
    case 'today':
      return { since: today, till: today };
    case 'yesterday':
      return { since: localDate(1), till: localDate(1) };
    case 'last_7':
      return { since: localDate(6), till: today };
    case 'last_30':
      return { since: localDate(29), till: today };
    case 'this_month':
      return monthRange(0);
    default:
      return monthRange(1);
  }
}

/** The preset with these dates; null if there is none. */
export function presetOf(since: string | undefined, till: string | undefined): DatePreset | null {
  return (
    datePresets.find((preset) => {
      const range = presetRange(preset);
      return range.since === since && range.till === till;
    }) ?? null
  );
}

/** The start of the first day and the end of the last one, in the user's time zone; null if a date is missing or invalid. */
export function toInstants({ since, till }: { since?: string | undefined; till?: string | undefined }) {
  return { since: startOfDay(since, 0), till: startOfDay(till, 1) };
}

/** Start of `day` plus `dayOffset` days, in the user's time zone; null if `day` is not a date. */
function startOfDay(day: string | undefined, dayOffset: number): string | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '') ?? [];
  if (year === undefined) return null;
  const start = new Date(Number(year), Number(month) - 1, Number(date) + dayOffset);
  return Number.isNaN(start.getTime()) ? null : start.toISOString();
}
