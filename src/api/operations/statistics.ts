import { operation } from '../operation.ts';
import { statistics, statisticsQuery } from '../statistics.ts';

export const getStatistics = operation({
  id: 'getStatistics',
  method: 'GET',
  path: '/v1/statistics',
  group: 'statistics',
  summary: 'Retrieve transaction statistics',
  description:
    'Statistics of transactions created in a period of at most 366 days, the last 30 by default: paid counts and amounts received by currency, day, hour, method and country, and failure reasons. Days, hours, `since` and `till` are in `time_zone`.',
  scope: 'transaction:read',
  query: statisticsQuery,
  response: statistics,
  problems: [],
  examples: [
    {
      summary: 'A day in New York',
      query: { since: '2026-11-21', till: '2026-11-21', time_zone: 'America/New_York' },
      response: {
        since: '2026-11-21T05:00:00.000000Z',
        till: '2026-11-22T05:00:00.000000Z',
        time_zone: 'America/New_York',
        currencies: [
          { currency: 'THB', count: 2, paid_count: 1, paid_amount: 1125, refunded_amount: 1375 },
          { currency: 'USD', count: 2, paid_count: 0, paid_amount: 0, refunded_amount: 0 },
          { currency: 'EUR', count: 1, paid_count: 1, paid_amount: 20.88, refunded_amount: 0 },
        ],
        total: {
          count: 5,
          paid_count: 2,
          failed_count: 2,
          open_count: 1,
          paid_share: 0.5,
          paid_in_additional_currency: { currency: 'USD', amount: 58.82, excluded_count: 0 },
        },
        days: [{ date: '2026-11-21', count: 5, paid_count: 2, paid_amount: 58.82 }],
        hours: Array.from({ length: 24 }, (_, hour) => ({
          hour,
          count: hour === 4 ? 5 : 0,
          paid_count: hour === 4 ? 2 : 0,
        })),
        methods: [
          { payment_method: 'credit_card', count: 3, paid_count: 1, paid_amount: 24.08 },
          { payment_method: 'qr_code', count: 2, paid_count: 1, paid_amount: 34.74 },
        ],
        countries: [
          { country: 'THA', count: 2, paid_count: 1, paid_amount: 34.74 },
          { country: 'USA', count: 2, paid_count: 0, paid_amount: 0 },
          { country: 'FRA', count: 1, paid_count: 1, paid_amount: 24.08 },
        ],
        failures: [
          { reason: 'cancelled', count: 1 },
          { reason: 'rejected', count: 1 },
        ],
        waiting: { crypto_reviews: 0, payment_reviews: 0, failed_callbacks: 0 },
      },
    },
  ],
});
