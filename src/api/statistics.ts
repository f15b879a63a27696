import { z } from 'zod';
import { moment } from './fiat-transaction.ts';
import { instantText } from './text.ts';

/** The most days that statistics can be about. */
export const LONGEST_STATISTICS_DAYS = 366;
/** How many days they are about unless something else is asked. */
export const USUAL_STATISTICS_DAYS = 30;
/** How far what waits for a person is counted. */
export const COUNTED_WAITING = 1000;

/** An IANA name, as the machine that reads it knows them. */
const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, {
    error: 'must be the IANA name of a time zone, such as Europe/Berlin',
    params: { code: 'unknown_time_zone' },
  });

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w/+-]*$/.test(name)) return false;
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
    .describe('Made from then on: a date (in `time_zone`), a date-time, or Unix seconds; 30 days when left out'),
  till: moment
    .optional()
    .describe('Made until then: a date with its whole day, a date-time or Unix seconds exclusive; today when left out'),
  time_zone: timeZone.optional().describe('The IANA name of that by which days and hours are told; UTC when left out'),
});
export type StatisticsQuery = z.infer<typeof statisticsQuery>;

const count = z.number().int();
const paidAmount = z.number().describe('What has arrived for those that are paid, in the additional currency');

/** Answer of `GET /v1/statistics`. */
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
          paid_amount: z.number().describe('What has arrived for those that are paid'),
          refunded_amount: z.number().describe('Refunds that succeeded or are pending'),
        }),
      )
      .describe('By the currency of the transactions, most transactions first'),
    total: z.object({
      count,
      paid_count: count.describe('`transaction_status_confirmed`'),
      failed_count: count,
      open_count: count.describe('Neither paid nor failed'),
      paid_share: z
        .number()
        .nullable()
        .describe('Paid of those that are paid or failed, from 0 to 1 with four decimals; null for none'),
      paid_in_additional_currency: z.object({
        currency: z.string().describe('The preference `additional-currency`'),
        amount: z
          .number()
          .describe('What has arrived for those that are paid, each at the rate that was kept with it, rounded once'),
        left_out: count.describe(
          'Paid ones that are in none of the amounts in this currency: it was another one when they were made',
        ),
      }),
    }),
    days: z
      .array(z.object({ date: z.string().meta({ format: 'date' }), count, paid_count: count, paid_amount: paidAmount }))
      .describe('Every day of the span, also those without a transaction'),
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
      .describe('Where the buyer seemed to be, or else the country of the transaction; most transactions first'),
    failures: z
      .array(
        z.object({
          reason: z
            .string()
            .describe(
              'The `reason` of the transaction; for `declined` the code of its last decline, where there is one',
            ),
          count,
        }),
      )
      .describe('Why those that failed did, most frequent first'),
    waiting: z
      .object({
        crypto_decisions: count.describe('Crypto transactions that are `approved_required`'),
        partly_paid: count.describe(
          'Transactions for which money has come that waits to be accepted or rejected: `awaits_decision` of the list',
        ),
        failed_callbacks: count.describe('Callbacks that have failed for good'),
      })
      .describe(`What waits for a person now, whenever it was made; each counted to ${COUNTED_WAITING} at most`),
  })
  .meta({ id: 'Statistics' });
export type Statistics = z.infer<typeof statistics>;
