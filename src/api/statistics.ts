import { z } from 'zod';
import { moment } from './fiat-transaction.ts';
import { instantText } from './text.ts';

/** Maximum number of days of a statistics period. */
export const MAX_STATISTICS_DAYS = 366;
/** Default number of days. */
export const DEFAULT_STATISTICS_DAYS = 30;
/** Pending reviews are counted up to this number. */
export const MAX_COUNTED_PENDING = 1000;

/**
 * A time zone known to the runtime, by its IANA name or as an offset: browsers report an offset if the system's zone is
 * one (ECMA-402, section 6.5.1). Days are rolled up by quarter-hours.
 */
const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, {
    error: 'must be the IANA name of a time zone, such as Europe/Berlin, or an offset such as +05:30',
    params: { code: 'unknown_time_zone' },
  });

function isTimeZone(name: string): boolean {
  if (!/^(?:[A-Za-z][\w/+-]*|[+-]\d\d:(?:00|15|30|45))$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Query of `GET /v1/statistics`. */
export const statisticsQuery = z.strictObject({
  since: moment
    .optional()
    .describe('Start of the period: a date (in `time_zone`), a date-time, or Unix seconds; 30 days ago by default'),
  till: moment
    .optional()
    .describe('End of the period: a date (inclusive), or a date-time or Unix seconds (exclusive); today by default'),
  time_zone: timeZone
    .optional()
    .describe('IANA time zone of days and hours, or an offset such as `+05:30`; UTC by default'),
});
export type StatisticsQuery = z.infer<typeof statisticsQuery>;

const count = z.number().int();
const paidAmount = z.number().describe('Amount received for paid transactions, in the additional currency');

/** Response of `GET /v1/statistics`. */
export const statistics = z
  .object({
    since: instantText,
    till: instantText.describe('Exclusive'),
    time_zone: z.string(),
    currencies: z
      .array(
        z.object({
          currency: z.string(),
          count,
          paid_count: count,
          paid_amount: z.number().describe('Amount received for paid transactions'),
          refunded_amount: z.number().describe('Refunds that succeeded or are pending'),
        }),
      )
      .describe('By currency of the transactions, most transactions first'),
    total: z.object({
      count,
      paid_count: count.describe('`transaction_status_confirmed`'),
      failed_count: count,
      open_count: count.describe('Neither paid nor failed'),
      paid_share: z
        .number()
        .nullable()
        .describe(
          'Share of paid transactions among paid and failed ones, from 0 to 1 with four decimals; null if there are none',
        ),
      paid_in_additional_currency: z.object({
        currency: z.string().describe('The preference `additional-currency`'),
        amount: z.number().describe('Amount received for paid transactions, each at its stored rate, rounded once'),
        excluded_count: count.describe(
          'Paid transactions that are excluded from these amounts, because they were created with another additional currency or without a rate to it',
        ),
      }),
    }),
    days: z
      .array(z.object({ date: z.string().meta({ format: 'date' }), count, paid_count: count, paid_amount: paidAmount }))
      .describe('Every day of the period, including days without transactions'),
    hours: z.array(z.object({ hour: z.number().int(), count, paid_count: count })).describe('The 24 hours of the day'),
    methods: z
      .array(z.object({ payment_method: z.string(), count, paid_count: count, paid_amount: paidAmount }))
      .describe('Most transactions first'),
    countries: z
      .array(
        z.object({
          country: z.string().describe('ISO 3166-1 alpha-3'),
          count,
          paid_count: count,
          paid_amount: paidAmount,
        }),
      )
      .describe('By the buyer’s detected country, or by the transaction’s country if unknown; most transactions first'),
    failures: z
      .array(
        z.object({
          reason: z
            .string()
            .describe(
              'The `reason` of the transaction; for `declined` and `expired` the code of its last decline, if any',
            ),
          count,
        }),
      )
      .describe('Failure reasons, most frequent first'),
    waiting: z
      .object({
        crypto_reviews: count.describe('Crypto transactions that are `approved_required`'),
        payment_reviews: count.describe(
          'Transactions with received funds awaiting review: `awaiting_review` of the list',
        ),
        failed_callbacks: count.describe('Webhooks whose attempts all failed'),
      })
      .describe(
        `Currently pending reviews and failures, regardless of the period; each counted up to ${MAX_COUNTED_PENDING}`,
      ),
  })
  .meta({ id: 'Statistics' });
export type Statistics = z.infer<typeof statistics>;
