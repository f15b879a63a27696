/* An example of every event: in the OpenAPI document, and sent by `paylatch webhooks trigger`. */
import type { WebhookEventData, WebhookEventType } from '../webhook-events.ts';
import { approvedInvoice, coffeeInvoice } from './example-invoices.ts';
import { acceptedTransaction } from './example-transactions.ts';
import { signedWithdrawal } from './example-withdrawals.ts';

const CREATED = '2026-11-21T10:00:00.000000Z';
const UPDATED = '2026-11-21T10:05:00.000000Z';

const merchant = { merchant_id: 1 };
const first = { previous_status: null, sequence: 1 } as const;

const dispute = {
  ...merchant,
  transaction_id: 'order-1001',
  number: 1,
  state: 'needs_response',
  amount: 12.5,
  currency: 'USD',
  reference: 'dp_1001',
  reason_code: '10.4',
  reason: 'Fraud, card not present',
  respond_by: '2026-12-05T10:00:00.000000Z',
  created_at: CREATED,
  updated_at: CREATED,
  previous_status: null,
  sequence: 3,
} as const;

/** `data` of an example of each event type. */
export const webhookExamples: { readonly [Type in WebhookEventType]: WebhookEventData<Type> } = {
  'fiat.transaction.updated': {
    ...merchant,
    ...acceptedTransaction,
    previous_status: 'transaction_status_waiting',
    sequence: 3,
  },
  'fiat.dispute.created': dispute,
  'fiat.dispute.updated': {
    ...dispute,
    state: 'under_review',
    respond_by: null,
    updated_at: UPDATED,
    previous_status: 'needs_response',
    sequence: 4,
  },
  'fiat.dispute.closed': {
    ...dispute,
    state: 'won',
    respond_by: null,
    updated_at: UPDATED,
    previous_status: 'under_review',
    sequence: 5,
  },
  'crypto.transaction.created': { ...merchant, ...coffeeInvoice, ...first },
  'crypto.transaction.updated': {
    ...merchant,
    ...approvedInvoice,
    previous_status: 'approved_required',
    sequence: 3,
  },
  'crypto.withdrawal.updated': { ...merchant, ...signedWithdrawal, previous_status: 'to_sign', sequence: 3 },
  'crypto.withdrawal.destination_changed': {
    ...merchant,
    code: 'btc',
    destination: signedWithdrawal.destination,
    previousDestination: null,
    effectiveAt: '2026-11-22T10:00:00.000000Z',
    requestedBy: 'token 2',
    createdAt: CREATED,
    ...first,
  },
  'callback.url_changed': {
    ...merchant,
    url: 'https://shop.example',
    previous_url: null,
    requested_by: 'token 2',
    created_at: CREATED,
    ...first,
  },
  'callback.endpoint_changed': {
    ...merchant,
    endpoint_id: 'we_7fA2nQ0xLr',
    change: 'added',
    url: 'https://books.example',
    previous_url: null,
    status: 'enabled',
    event_types: ['fiat.transaction.updated'],
    requested_by: 'token 2',
    created_at: CREATED,
    ...first,
  },
  'callback.test': { ...merchant, message: 'This is a test; no payment has changed.' },
};
