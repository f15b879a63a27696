import {
  EVENTS_KEPT_DAYS,
  eventsQuery,
  eventsResponse,
  transactionEventsQuery,
  transactionEventsResponse,
} from '../event.ts';
import { operation } from '../operation.ts';
import { cancelledEvent, chargingEvent } from './example-transactions.ts';

export const listEvents = operation({
  id: 'listEvents',
  method: 'GET',
  path: '/v1/events',
  group: 'events',
  summary: 'Pull what callbacks tell',
  description: `For receivers behind a firewall, and after an outage. The same objects as callbacks carry, under the same \`id\`, in an order that never changes: keep \`next\`, and nothing is missed and nothing comes twice. Kept for ${EVENTS_KEPT_DAYS} days. With \`wait\` the answer comes as soon as there is something.`,
  scope: 'transaction:read',
  query: eventsQuery,
  answer: eventsResponse,
  problems: [],
  examples: [
    {
      summary: 'The oldest that is kept',
      query: { limit: '1' },
      answer: { events: [chargingEvent], next: '1', has_more: true },
    },
  ],
});

export const listTransactionEvents = operation({
  id: 'listTransactionEvents',
  method: 'GET',
  path: '/fiat/v1/transaction/events',
  group: 'events',
  summary: 'Read all events of one transaction',
  scope: 'transaction:read',
  query: transactionEventsQuery,
  answer: transactionEventsResponse,
  problems: ['not_found'],
  examples: [
    {
      summary: 'Of a link that was cancelled',
      query: { transaction_id: 'order-1001' },
      answer: { events: [cancelledEvent] },
    },
  ],
});
