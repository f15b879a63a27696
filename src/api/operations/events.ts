import {
  EVENT_RETENTION_DAYS,
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
  summary: 'List events',
  description: `For servers behind a firewall, and to catch up after an outage. Returns the same objects as webhooks, with the same \`id\`, in a fixed order: store \`next\` to receive each event exactly once. Events can be pulled for ${EVENT_RETENTION_DAYS} days. \`wait\` long-polls until an event arrives.`,
  scope: 'transaction:read',
  query: eventsQuery,
  response: eventsResponse,
  problems: [],
  examples: [
    {
      summary: 'Oldest event',
      query: { limit: '1' },
      response: { events: [chargingEvent], next: '1', has_more: true },
    },
  ],
});

export const listTransactionEvents = operation({
  id: 'listTransactionEvents',
  method: 'GET',
  path: '/fiat/v1/transaction/events',
  group: 'events',
  summary: 'List events of a transaction',
  scope: 'transaction:read',
  query: transactionEventsQuery,
  response: transactionEventsResponse,
  problems: ['not_found'],
  examples: [
    {
      summary: 'Canceled link',
      query: { transaction_id: 'order-1001' },
      response: { events: [cancelledEvent] },
    },
  ],
});
