import { cardSubmissionRequest, cardSubmissionResponse } from '../card-submission.ts';
import {
  acceptTransactionRequest,
  cancelTransactionRequest,
  createTransactionRequest,
  createTransactionResponse,
  refundTransactionRequest,
  rejectTransactionRequest,
  renewTransactionRequest,
  transactionDetail,
  transactionExportQuery,
  transactionExportText,
  transactionListQuery,
  transactionListResponse,
  transactionQuery,
} from '../fiat-transaction.ts';
import { operation } from '../operation.ts';
import {
  acceptedTransaction,
  cancelledTransaction,
  pendingTransaction,
  handedBackTransaction,
  refundedTransaction,
  rejectedTransaction,
} from './example-transactions.ts';

const order = {
  transaction_id: 'order-1001',
  payment_method: 'credit_card',
  amount: 12.5,
  country: 'USA',
  currency: 'USD',
  description: 'Two cups and a saucer',
  success_redirect_url: 'https://shop.example/paid',
  fail_redirect_url: 'https://shop.example/failed',
  type_of_calculation: 'forward_without_fee',
} as const;

export const createTransaction = operation({
  id: 'createTransaction',
  method: 'POST',
  path: '/fiat/v1/transaction',
  group: 'payments',
  summary: 'Make a transaction and its one-time payment link',
  description:
    'The same request again answers the same link, so that a retry is safe; another body under the same `transaction_id` is refused with `transaction_id_conflict`.',
  scope: 'link:write',
  body: createTransactionRequest,
  answer: createTransactionResponse,
  unkeptAnswer: ['client_token'],
  problems: ['transaction_id_conflict'],
  examples: [
    {
      summary: 'A payment link',
      body: order,
      answer: {
        type: 'link',
        value: { link: 'https://pay.example/p/2n0N8mZ0bM4u1cQyVtQ3oX5rJxA' },
        ex_rate: 1,
        transaction_id: 'order-1001',
        status: 'transaction_status_pending',
        expires_at: '2026-11-22T09:00:00.000000Z',
      },
    },
    {
      summary: 'For your own page',
      body: {
        transaction_id: 'order-1002',
        payment_method: 'credit_card',
        amount: 20,
        country: 'FRA',
        currency: 'EUR',
        transaction_type: 'custom_form',
        type_of_calculation: 'forward_with_fee',
      },
      answer: {
        type: 'custom_form',
        amount_charged: 20.88,
        currency: 'EUR',
        ex_rate: 1.1534,
        transaction_id: 'order-1002',
        status: 'transaction_status_pending',
        expires_at: '2026-11-22T09:00:00.000000Z',
        client_token: 'pl_page_…',
        embed_url: 'https://pay.example/e/6w5f3eQ0m3T7uQvJ0hSxGZ1bCkY',
      },
    },
  ],
});

export const submitCard = operation({
  id: 'submitCard',
  method: 'POST',
  path: '/fiat/v1/transaction/submit',
  group: 'payments',
  summary: 'Charge a card that was typed into your own form',
  description:
    'Puts your servers in scope of PCI DSS; the link page and `<pay-form>` do not. A decline is an answer, not an error: `response_type` tells what became of it. A page may submit with the `client_token` of its transaction.',
  scope: 'card:submit',
  body: cardSubmissionRequest,
  unkept: ['card_cvv'],
  answer: cardSubmissionResponse,
  problems: [
    'not_found',
    'country_not_supported',
    'submit_in_progress',
    'already_paid',
    'partly_paid',
    'overpaid',
    'payment_method_mismatch',
    'link_expired',
    'link_cancelled',
    'link_failed',
    'provider_unavailable',
  ],
  examples: [
    {
      summary: 'A card that is approved',
      body: {
        transaction_id: 'order-1002',
        card_number: '4242424242424242',
        card_expiry_month: '04',
        card_expiry_year: '2040',
        card_cvv: '123',
        first_name: 'Ada',
        last_name: 'Lovelace',
        country: 'FR',
        state: 'Paris',
        city: 'Paris',
        postcode: '75001',
        address: '1 rue de Rivoli',
        phone: '+33 1 70 00 00 00',
        email: 'ada@example.com',
      },
      answer: {
        response_type: 'confirmed',
        transaction_id: 'order-1002',
        status: 'transaction_status_confirmed',
        message: 'The payment is confirmed.',
      },
    },
  ],
});

export const getTransaction = operation({
  id: 'getTransaction',
  method: 'GET',
  path: '/fiat/v1/transaction',
  group: 'payments',
  summary: 'Read one transaction',
  scope: 'transaction:read',
  query: transactionQuery,
  answer: transactionDetail,
  problems: ['not_found'],
  examples: [
    {
      summary: 'A link that nobody has used',
      query: { transaction_id: 'order-1001' },
      answer: pendingTransaction,
      refundedTransaction,
    },
  ],
});

export const listTransactions = operation({
  id: 'listTransactions',
  method: 'GET',
  path: '/fiat/v1/transactions',
  group: 'payments',
  summary: 'List transactions',
  description:
    'Each filter is applied only when it is given. Newest first unless an order is named; ascending then. Pages reach 10,000 rows deep; beyond that go on with `pagination.next_cursor` or the `Link` header, which costs the same however deep.',
  scope: 'transaction:read',
  query: transactionListQuery,
  answer: transactionListResponse,
  problems: [],
  examples: [
    {
      summary: 'The newest that is not begun',
      query: { status: 'transaction_status_pending', per_page: '1' },
      answer: {
        transactions: [
          {
            id: 2,
            merchant_id: 1,
            amount: 20,
            amount_charged: 20.88,
            transaction_id: 'order-1002',
            currency: 'EUR',
            status: 'transaction_status_pending',
            description: '',
            additional_currency: 'USD',
            rate_merchant_final: 1.1199514,
            created_at: '2026-11-21T09:00:00.000000Z',
            payment_method: 'credit_card',
            updated_at: '2026-11-21T09:00:00.000000Z',
            amount_received: 0,
            amount_kept: 0,
          },
        ],
        pagination: {
          page: 1,
          per_page: 1,
          total: 2,
          total_capped: false,
          pages: 2,
          next_cursor: 'WyJjcmVhdGVkX2F0IiwiZGVzYyIsMTc2MzcxNTYwMDAwMDAwMCwyXQ',
        },
      },
    },
  ],
});

export const exportTransactions = operation({
  id: 'exportTransactions',
  method: 'GET',
  path: '/fiat/v1/transactions/export',
  group: 'payments',
  summary: 'Export transactions as CSV',
  description:
    'All that the filters let through, however many, as RFC 4180 with a header row: in the order of creation, newest first unless `order_direction` is `asc`. Each transaction that is there when the export begins is in it once. Amounts are exact decimals. Text that a spreadsheet would take for a formula has an apostrophe before it. The transfer is chunked: one that breaks off did not end, and the file is not whole.',
  scope: 'transaction:read',
  query: transactionExportQuery,
  answer: { mediaType: 'text/csv', parameters: 'charset=utf-8; header=present', text: transactionExportText },
  problems: [],
  examples: [
    {
      summary: 'None that is paid',
      query: { status: 'transaction_status_confirmed', since: '2026-01-01', till: '2026-01-31' },
      answer:
        'id,merchant_id,transaction_id,created_at,updated_at,status,reason,payment_method,country,currency,amount,amount_charged,amount_delivered,amount_received,description,additional_currency,rate_merchant_final\r\n',
    },
  ],
});

export const acceptTransaction = operation({
  id: 'acceptTransaction',
  method: 'POST',
  path: '/fiat/v1/transaction/accept',
  group: 'payments',
  summary: 'Take what has arrived, less or more than asked for, as the payment',
  scope: 'approval:write',
  body: acceptTransactionRequest,
  answer: transactionDetail,
  problems: ['not_found', 'nothing_to_accept', 'submit_in_progress'],
  examples: [
    {
      summary: 'Take 1,125 baht for 1,250',
      body: { transaction_id: 'order-1003', reason: 'A friend of the house' },
      answer: acceptedTransaction,
    },
  ],
});

export const rejectTransaction = operation({
  id: 'rejectTransaction',
  method: 'POST',
  path: '/fiat/v1/transaction/reject',
  group: 'payments',
  summary: 'Refuse what has arrived, and give all of it back',
  description:
    'The transaction becomes `failed` with the reason `rejected`, and what has arrived goes back by the way it came: `refunds` tells of it, as after a refund. What comes later waits for a decision of its own, whatever it is. Money that the provider cannot give back, as coins of a payment link, waits again: give it back yourself, and reject it `out_of_band`.',
  scope: 'approval:write',
  body: rejectTransactionRequest,
  answer: transactionDetail,
  problems: ['not_found', 'nothing_to_decide', 'already_paid', 'submit_in_progress', 'provider_unavailable'],
  examples: [
    {
      summary: 'Give 1,125 baht back that came for 1,250',
      body: { transaction_id: 'order-1005', reason: 'Sold out' },
      answer: rejectedTransaction,
    },
  ],
});

export const cancelTransaction = operation({
  id: 'cancelTransaction',
  method: 'POST',
  path: '/fiat/v1/transaction/cancel',
  group: 'payments',
  summary: 'End a transaction that is not paid',
  scope: 'link:write',
  body: cancelTransactionRequest,
  answer: transactionDetail,
  problems: ['not_found', 'already_paid', 'not_cancellable', 'submit_in_progress'],
  examples: [
    { summary: 'A link that nobody has used', body: { transaction_id: 'order-1001' }, answer: cancelledTransaction },
  ],
});

export const renewTransaction = operation({
  id: 'renewTransaction',
  method: 'POST',
  path: '/fiat/v1/transaction/renew',
  group: 'payments',
  summary: 'Give an expired transaction a new link',
  description:
    'The same transaction at the same price under the same `transaction_id`, with the full time again; the old link leads to the new one.',
  scope: 'link:write',
  body: renewTransactionRequest,
  answer: createTransactionResponse,
  unkeptAnswer: ['client_token'],
  problems: ['not_found', 'already_paid', 'not_renewable', 'submit_in_progress'],
  examples: [
    {
      summary: 'A link whose day is over',
      body: { transaction_id: 'order-1004' },
      answer: {
        type: 'link',
        value: { link: 'https://pay.example/p/P0ZBlDd3Dc21Dnm1ajPfqQeHpUM' },
        ex_rate: 1,
        transaction_id: 'order-1004',
        status: 'transaction_status_pending',
        expires_at: '2026-11-23T10:00:00.000000Z',
      },
    },
  ],
});

export const refundTransaction = operation({
  id: 'refundTransaction',
  method: 'POST',
  path: '/fiat/v1/transaction/refund',
  group: 'payments',
  summary: 'Give back what has arrived, in whole or in part',
  description:
    'Through the provider, by the way it came. The answer may have the refund still `pending`; a callback tells when it has `succeeded` or `failed`. What you have given back in a way of your own is written down with `out_of_band`. Give an `Idempotency-Key`: without one, a request for a part that is sent twice gives back twice.',
  scope: 'approval:write',
  body: refundTransactionRequest,
  answer: transactionDetail,
  problems: ['not_found', 'not_refundable'],
  examples: [
    {
      summary: 'Give 125 of 1,125 baht back',
      body: { transaction_id: 'order-1003', amount: 125 },
      answer: refundedTransaction,
    },
    {
      summary: 'Write down that 125 baht more were given back in cash',
      body: { transaction_id: 'order-1003', amount: 125, out_of_band: true },
      answer: handedBackTransaction,
    },
  ],
});
