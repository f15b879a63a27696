/*
 * Transactions of the examples of several operations. A test creates and compares them, ignoring times,
 * addresses, identifiers and random values.
 */
import { SANDBOX_RATES_DATE, SANDBOX_RATES_SOURCE } from '../../shared/sandbox-rates.ts';
import type { TransactionEvent } from '../event.ts';
import type { TransactionDetail } from '../fiat-transaction.ts';

/** Items of the order in the examples. */
export const orderItems = [
  { name: 'Cup', quantity: 2, unit_amount: 4.25, image_url: 'https://shop.example/cup.jpg' },
  { name: 'Saucer', unit_amount: 4 },
];

/** Metadata of the order in the examples. */
export const orderMetadata = { cart: '7731' };

const CREATED = '2026-11-21T09:00:00.000000Z';
const UPDATED = '2026-11-21T09:04:10.250000Z';
const EXPIRES = '2026-11-22T09:00:00.000000Z';

const created = {
  sequence: 0,
  type: 'fiat.transaction.created',
  at: CREATED,
  status: 'transaction_status_pending',
} as const;

const noActivity = { refunded_amount: 0, attempts: [], instructions: [], receipts: [], refunds: [], disputes: [] };

const cardInDollars = {
  transaction_id: 'order-1001',
  created_at: CREATED,
  updated_at: CREATED,
  expires_at: EXPIRES,
  amount: 12.5,
  amount_charged: 12.5,
  amount_delivered: 11.84,
  amount_received: 0,
  currency: 'USD',
  country: 'USA',
  descriptions: 'Two cups and a saucer',
  line_items: orderItems,
  metadata: orderMetadata,
  payment_method: 'credit_card',
  status: 'transaction_status_pending',
  type_of_fee_calculate: 'forward_without_fee',
  link: 'https://pay.example/p/2n0N8mZ0bM4u1cQyVtQ3oX5rJxA',
  merchant_fee_fix: 0.3,
  merchant_fee_percent: 2.9,
  additional_currency: 'USD',
  rate: 1,
  rate_merchant_final: 0.971,
  ...noActivity,
} as const;

/** order-1001: an unused link. */
export const pendingTransaction: TransactionDetail = {
  ...cardInDollars,
  ...noActivity,
  available_actions: ['cancel'],
  timeline: [created],
};

/** order-1001: the same, canceled. */
export const cancelledTransaction: TransactionDetail = {
  ...cardInDollars,
  ...noActivity,
  updated_at: UPDATED,
  status: 'transaction_status_failed',
  reason: 'cancelled',
  available_actions: [],
  timeline: [
    created,
    {
      sequence: 1,
      type: 'fiat.transaction.updated',
      at: UPDATED,
      status: 'transaction_status_failed',
      detail: 'cancelled',
    },
  ],
};

const cardEnding4242 = {
  number: 1,
  state: 'approved',
  brand: 'visa',
  first6: '424242',
  last4: '4242',
  three_d_secure: false,
  acquirer_name: 'Sandbox',
  payer: { name: 'Ada Lovelace', email: 'ada@example.com' },
  created_at: UPDATED,
};
const authorizedEvents = [
  created,
  ...['card ending 4242', '12.50 USD authorized on card ending 4242'].map((detail, index) => ({
    ...{ sequence: index + 1, type: 'fiat.transaction.updated', at: UPDATED },
    ...({ status: 'transaction_status_waiting', detail } as const),
  })),
];
const authorization = {
  amount: 12.5,
  created_at: UPDATED,
  expires_at: '2026-11-28T09:04:10.250000Z',
};
const { line_items: _items, ...plainCard } = cardInDollars;
const authorizedInDollars = { ...plainCard, buyer_network: '203.0.113.0/24' };

/** order-1006: 10 of 12.50 authorized dollars captured. */
export const capturedTransaction: TransactionDetail = {
  ...authorizedInDollars,
  transaction_id: 'order-1006',
  updated_at: UPDATED,
  amount_delivered: 9.41,
  amount_received: 10,
  status: 'transaction_status_confirmed',
  capture: 'manual',
  authorization: { ...authorization, status: 'captured', captured_amount: 10 },
  attempts: [cardEnding4242],
  available_actions: ['refund'],
  refund_options: { maximum: 10, partial: true },
  timeline: [
    ...authorizedEvents,
    {
      ...{ sequence: 3, type: 'fiat.transaction.updated', at: UPDATED },
      ...{ status: 'transaction_status_waiting', detail: 'capture of 10.00 USD requested' },
    },
    {
      ...{ sequence: 4, type: 'fiat.transaction.updated', at: UPDATED },
      ...{ status: 'transaction_status_confirmed', detail: '10.00 USD captured' },
    },
  ],
};

/** order-1007: 12.50 authorized dollars released. */
export const voidedTransaction: TransactionDetail = {
  ...authorizedInDollars,
  transaction_id: 'order-1007',
  updated_at: UPDATED,
  status: 'transaction_status_failed',
  reason: 'cancelled',
  capture: 'manual',
  authorization: { ...authorization, status: 'voided', captured_amount: 0 },
  attempts: [{ ...cardEnding4242, state: 'reversed' }],
  available_actions: [],
  timeline: [
    ...authorizedEvents,
    {
      ...{ sequence: 3, type: 'fiat.transaction.updated', at: UPDATED },
      ...{ status: 'transaction_status_waiting', detail: 'void requested' },
    },
    {
      ...{ sequence: 4, type: 'fiat.transaction.updated', at: UPDATED },
      ...{ status: 'transaction_status_failed', detail: 'voided' },
    },
  ],
};

/** order-1003: 1,125 of 1,250 baht received by QR code, and accepted. */
export const acceptedTransaction: TransactionDetail = {
  transaction_id: 'order-1003',
  created_at: CREATED,
  updated_at: UPDATED,
  expires_at: EXPIRES,
  amount: 1250,
  amount_charged: 1250,
  amount_delivered: 1113.75,
  amount_received: 1125,
  currency: 'THB',
  country: 'THA',
  descriptions: 'Two cups and a saucer',
  payment_method: 'qr_code',
  status: 'transaction_status_confirmed',
  reason: 'underpaid',
  decision: { by: 'token 1', by_name: null, at: UPDATED, reason: 'Regular customer', is_approved: true },
  type_of_fee_calculate: 'forward_without_fee',
  link: 'https://pay.example/p/5zdL10Ncagg8yoYHlZYKASJw_fA',
  merchant_fee_fix: 0,
  merchant_fee_percent: 1,
  additional_currency: 'USD',
  rate: 0.03088,
  rate_merchant_final: 0.0305712,
  rate_source: SANDBOX_RATES_SOURCE,
  rate_at: `${SANDBOX_RATES_DATE}T00:00:00.000000Z`,
  buyer_network: '203.0.113.0/24',
  refunded_amount: 0,
  refunds: [],
  disputes: [],
  attempts: [],
  instructions: [
    {
      number: 1,
      payment_method: 'qr_code',
      choice: null,
      state: 'withdrawn',
      reference: 'D723EKZRMQ',
      expires_at: '2026-11-21T09:16:00.000000Z',
      confirmations: null,
      late_payments: true,
      created_at: '2026-11-21T09:01:00.000000Z',
    },
  ],
  receipts: [
    {
      reference: 'Kx3vQn0aTt9mUe5bWqZ2Rg',
      amount: 1125,
      instructions_number: 1,
      received_at: '2026-11-21T09:02:30.500000Z',
    },
  ],
  available_actions: ['refund'],
  refund_options: { maximum: 1125, partial: true },
  timeline: [
    created,
    {
      sequence: 1,
      type: 'fiat.transaction.updated',
      at: '2026-11-21T09:01:00.000000Z',
      status: 'transaction_status_waiting',
      detail: 'qr_code',
    },
    {
      sequence: 2,
      type: 'fiat.transaction.updated',
      at: '2026-11-21T09:02:30.500000Z',
      status: 'transaction_status_waiting',
      detail: '1125.00 THB received',
    },
    {
      sequence: 3,
      type: 'fiat.transaction.updated',
      at: UPDATED,
      status: 'transaction_status_confirmed',
      detail: '1125.00 THB accepted: Regular customer',
    },
  ],
};

/** order-1003: a refund of 125 baht is pending. */
export const refundedTransaction: TransactionDetail = {
  ...acceptedTransaction,
  refund_options: { maximum: 1000, partial: true },
  refunds: [
    {
      number: 1,
      amount: 125,
      state: 'pending',
      created_at: '2026-11-21T10:00:00.000000Z',
      updated_at: '2026-11-21T10:00:00.000000Z',
    },
  ],
};

/** order-1003: another 125 baht refunded in cash. */
export const outOfBandRefundTransaction: TransactionDetail = {
  ...refundedTransaction,
  refund_options: { maximum: 875, partial: true },
  refunded_amount: 125,
  refunds: [
    ...refundedTransaction.refunds,
    { number: 2, amount: 125, state: 'succeeded', out_of_band: true, created_at: UPDATED, updated_at: UPDATED },
  ],
  timeline: [
    ...acceptedTransaction.timeline,
    {
      sequence: 4,
      type: 'fiat.transaction.updated',
      at: UPDATED,
      status: 'transaction_status_confirmed',
      detail: '125.00 THB refunded out of band',
    },
  ],
};

const { refund_options: _refundable, ...unrefundable } = acceptedTransaction;

/** order-1005: 1,125 of 1,250 baht received by QR code, and rejected. */
export const rejectedTransaction: TransactionDetail = {
  ...unrefundable,
  transaction_id: 'order-1005',
  amount_delivered: 1237.5,
  status: 'transaction_status_failed',
  reason: 'rejected',
  decision: { by: 'token 1', by_name: null, at: UPDATED, reason: 'Sold out', is_approved: false },
  link: 'https://pay.example/p/m3VnbyGkHbLb9rZ1cXQ1eXu2oEw',
  refunds: [{ number: 1, amount: 1125, state: 'pending', created_at: UPDATED, updated_at: UPDATED }],
  available_actions: [],
  timeline: [
    ...acceptedTransaction.timeline.slice(0, -1),
    {
      sequence: 3,
      type: 'fiat.transaction.updated',
      at: UPDATED,
      status: 'transaction_status_failed',
      detail: '1125.00 THB rejected: Sold out',
    },
  ],
};

/** The event of order-1001 that reports its cancellation. */
export const cancelledEvent: TransactionEvent = {
  id: 'evt_a2NXoWdzJg99-U3RoByt4uebgMs',
  type: 'fiat.transaction.updated',
  timestamp: UPDATED,
  data: { merchant_id: 1, ...cancelledTransaction, previous_status: 'transaction_status_pending', sequence: 1 },
};

/** The event of order-1002 that reports the charge in progress. */
export const chargingEvent: TransactionEvent = {
  id: 'evt_sJyH34ePKnANULgs4ITOLyXkIAI',
  type: 'fiat.transaction.updated',
  timestamp: UPDATED,
  data: {
    merchant_id: 1,
    transaction_id: 'order-1002',
    created_at: CREATED,
    updated_at: UPDATED,
    expires_at: EXPIRES,
    amount: 20,
    amount_charged: 20.88,
    amount_delivered: 20,
    amount_received: 0,
    currency: 'EUR',
    country: 'FRA',
    descriptions: '',
    payment_method: 'credit_card',
    status: 'transaction_status_waiting',
    type_of_fee_calculate: 'forward_with_fee',
    link: 'https://pay.example/p/UKvKkIxZPD5mlQ5uFoX3U9L8Sw4',
    merchant_fee_fix: 0.3,
    merchant_fee_percent: 2.9,
    additional_currency: 'USD',
    rate: 1.1534,
    rate_merchant_final: 1.1199514,
    rate_source: SANDBOX_RATES_SOURCE,
    rate_at: `${SANDBOX_RATES_DATE}T00:00:00.000000Z`,
    attempts: [
      {
        number: 1,
        state: 'submitting',
        brand: 'visa',
        first6: '424242',
        last4: '4242',
        three_d_secure: false,
        acquirer_name: 'Sandbox',
        created_at: UPDATED,
      },
    ],
    refunded_amount: 0,
    instructions: [],
    receipts: [],
    refunds: [],
    disputes: [],
    available_actions: [],
    timeline: [
      created,
      {
        sequence: 1,
        type: 'fiat.transaction.updated',
        at: UPDATED,
        status: 'transaction_status_waiting',
        detail: 'card ending 4242',
      },
    ],
    previous_status: 'transaction_status_pending',
    sequence: 1,
  },
};
