import { cardSubmissionRequest, cardSubmissionResponse } from '../card-submission.ts';
import {
  acceptTransactionRequest,
  cancelTransactionRequest,
  captureTransactionRequest,
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
  voidTransactionRequest,
} from '../fiat-transaction.ts';
import { operation } from '../operation.ts';
import {
  acceptedTransaction,
  cancelledTransaction,
  capturedTransaction,
  voidedTransaction,
  orderItems,
  orderMetadata,
  pendingTransaction,
  outOfBandRefundTransaction,
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
  line_items: orderItems,
  metadata: orderMetadata,
  success_redirect_url: 'https://shop.example/paid',
  fail_redirect_url: 'https://shop.example/failed',
  type_of_calculation: 'forward_without_fee',
} as const;

export const createTransaction = operation({
  id: 'createTransaction',
  method: 'POST',
  path: '/fiat/v1/transaction',
  group: 'payments',
  summary: 'Create a transaction',
  description:
    'Returns a one-time payment link, or the data for your own form (`custom_form`). Repeating the request returns the same link, so retries are safe. A different body with the same `transaction_id` returns `transaction_id_conflict`.',
  scope: 'link:write',
  body: createTransactionRequest,
  response: createTransactionResponse,
  unstoredResponseFields: ['client_token'],
  problems: ['transaction_id_conflict'],
  examples: [
    {
      summary: 'A payment link',
      body: order,
      response: {
        type: 'link',
        value: { link: 'https://pay.example/p/2n0N8mZ0bM4u1cQyVtQ3oX5rJxA' },
        ex_rate: 1,
        transaction_id: 'order-1001',
        status: 'transaction_status_pending',
        expires_at: '2026-11-22T09:00:00.000000Z',
      },
    },
    {
      summary: 'For a form on your page',
      body: {
        transaction_id: 'order-1002',
        payment_method: 'credit_card',
        amount: 20,
        country: 'FRA',
        currency: 'EUR',
        transaction_type: 'custom_form',
        type_of_calculation: 'forward_with_fee',
      },
      response: {
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
  summary: 'Submit a card',
  description:
    'Charges a card from your own form. This brings your servers into PCI DSS scope; the payment page and `<pay-form>` do not. A decline is not an error: `response_type` holds the outcome. A page can submit with the `client_token` of its transaction; its `Idempotency-Key` is ignored.',
  scope: 'card:submit',
  body: cardSubmissionRequest,
  unhashedFields: ['card.cvv'],
  truncatedFields: ['card.number'],
  response: cardSubmissionResponse,
  problems: [
    'not_found',
    'country_not_supported',
    'submit_in_progress',
    'already_paid',
    'already_authorized',
    'partially_paid',
    'overpaid',
    'payment_method_mismatch',
    'amount_changed',
    'card_key_changed',
    'link_expired',
    'link_cancelled',
    'link_failed',
    'acquirer_unavailable',
  ],
  examples: [
    {
      summary: 'Approved card',
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
      response: {
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
  summary: 'Retrieve a transaction',
  scope: 'transaction:read',
  query: transactionQuery,
  response: transactionDetail,
  problems: ['not_found'],
  examples: [
    {
      summary: 'Unused link',
      query: { transaction_id: 'order-1001' },
      response: pendingTransaction,
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
    'All filters are optional. Newest first by default; ascending if `order` is given. `page` covers the first 10,000 rows; beyond that, use `pagination.next_cursor` or the `Link` header, which is as fast on every page.',
  scope: 'transaction:read',
  query: transactionListQuery,
  response: transactionListResponse,
  problems: [],
  examples: [
    {
      summary: 'Newest pending transaction',
      query: { status: 'transaction_status_pending', per_page: '1' },
      response: {
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
    'Every transaction that matches the filters, as RFC 4180 with a header row, by creation time: newest first unless `order_direction` is `asc`. Contains each transaction that exists when the export starts exactly once. Amounts are exact decimals. Text that a spreadsheet would read as a formula is prefixed with an apostrophe. `payer_name` and `payer_email` are as in the list, masked without the scope `approval:write`. The response is chunked: if the transfer is interrupted, the file is incomplete.',
  scope: 'transaction:read',
  query: transactionExportQuery,
  response: { mediaType: 'text/csv', parameters: 'charset=utf-8; header=present', text: transactionExportText },
  problems: [],
  examples: [
    {
      summary: 'No paid transactions',
      query: { status: 'transaction_status_confirmed', since: '2026-01-01', till: '2026-01-31' },
      response:
        'id,merchant_id,transaction_id,created_at,updated_at,status,reason,payment_method,country,currency,amount,amount_charged,amount_delivered,amount_received,description,additional_currency,rate_merchant_final,authorization_status,metadata,payer_name,payer_email,amount_kept\r\n',
    },
  ],
});

export const acceptTransaction = operation({
  id: 'acceptTransaction',
  method: 'POST',
  path: '/fiat/v1/transaction/accept',
  group: 'payments',
  summary: 'Approve a transaction',
  scope: 'approval:write',
  body: acceptTransactionRequest,
  response: transactionDetail,
  problems: ['not_found', 'nothing_to_accept', 'submit_in_progress', 'acquirer_account_missing'],
  examples: [
    {
      summary: 'Approve 1,125 of 1,250 baht',
      body: { transaction_id: 'order-1003', reason: 'Regular customer' },
      response: acceptedTransaction,
    },
  ],
});

export const rejectTransaction = operation({
  id: 'rejectTransaction',
  method: 'POST',
  path: '/fiat/v1/transaction/reject',
  group: 'payments',
  summary: 'Reject a transaction',
  description:
    'The transaction becomes `failed` with the reason `rejected`, and the amount received is refunded to its source; `refunds` shows it. Funds that arrive later are reviewed separately. If the acquirer cannot refund, as for crypto paid to a payment link, the request fails with `refund_not_supported`: refund the payer yourself, then reject the transaction with `out_of_band`.',
  scope: 'approval:write',
  body: rejectTransactionRequest,
  response: transactionDetail,
  problems: [
    ...(['not_found', 'nothing_to_review', 'already_paid', 'submit_in_progress', 'acquirer_unavailable'] as const),
    ...(['refund_not_supported', 'partial_refund_not_supported', 'acquirer_account_missing'] as const),
  ],
  examples: [
    {
      summary: 'Refund 1,125 baht received for 1,250',
      body: { transaction_id: 'order-1005', reason: 'Sold out' },
      response: rejectedTransaction,
    },
  ],
});

export const cancelTransaction = operation({
  id: 'cancelTransaction',
  method: 'POST',
  path: '/fiat/v1/transaction/cancel',
  group: 'payments',
  summary: 'Cancel a transaction',
  scope: 'link:write',
  body: cancelTransactionRequest,
  response: transactionDetail,
  problems: ['not_found', 'already_paid', 'not_cancellable', 'submit_in_progress', 'acquirer_account_missing'],
  examples: [{ summary: 'Unused link', body: { transaction_id: 'order-1001' }, response: cancelledTransaction }],
});

export const renewTransaction = operation({
  id: 'renewTransaction',
  method: 'POST',
  path: '/fiat/v1/transaction/renew',
  group: 'payments',
  summary: 'Renew an expired transaction',
  description:
    'Issues a new link with the full lifetime, for the same `transaction_id` and price. The old link redirects to the new one.',
  scope: 'link:write',
  body: renewTransactionRequest,
  response: createTransactionResponse,
  unstoredResponseFields: ['client_token'],
  problems: ['not_found', 'already_paid', 'not_renewable', 'submit_in_progress', 'sold_out'],
  examples: [
    {
      summary: 'Expired link',
      body: { transaction_id: 'order-1004' },
      response: {
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

export const captureTransaction = operation({
  id: 'captureTransaction',
  method: 'POST',
  path: '/fiat/v1/transaction/capture',
  group: 'payments',
  summary: 'Capture a transaction',
  description:
    'Captures an authorized payment, in full or in part. The remaining amount is released. One capture per authorization. The capture may still be pending in the response; a webhook reports when `authorization.status` is `captured`. If the acquirer rejects it, the amount stays `authorized`.',
  scope: 'approval:write',
  body: captureTransactionRequest,
  response: transactionDetail,
  problems: ['not_found', 'no_open_authorization', 'authorization_update_pending', 'acquirer_account_missing'],
  examples: [
    {
      summary: 'Capture 10 of 12.50 dollars',
      body: { transaction_id: 'order-1006', amount: 10 },
      response: capturedTransaction,
    },
  ],
});

export const voidTransaction = operation({
  id: 'voidTransaction',
  method: 'POST',
  path: '/fiat/v1/transaction/void',
  group: 'payments',
  summary: 'Void an authorization',
  description:
    'Releases the amount that is reserved on the card. The transaction fails with the reason `cancelled`. The void may still be pending in the response; a webhook reports when `authorization.status` is `voided`.',
  scope: 'approval:write',
  body: voidTransactionRequest,
  response: transactionDetail,
  problems: ['not_found', 'no_open_authorization', 'authorization_update_pending', 'acquirer_account_missing'],
  examples: [
    {
      summary: 'Release an authorized amount',
      body: { transaction_id: 'order-1007' },
      response: voidedTransaction,
    },
  ],
});

export const refundTransaction = operation({
  id: 'refundTransaction',
  method: 'POST',
  path: '/fiat/v1/transaction/refund',
  group: 'payments',
  summary: 'Refund a transaction',
  description:
    'Refunds the full amount or a part to the original payment method, through the acquirer. `refund_options` of the transaction shows the possible refunds. The refund may still be `pending` in the response; a webhook reports when it `succeeded` or `failed`. Record a refund that you made elsewhere with `out_of_band`. Send an `Idempotency-Key`: without one, a repeated partial refund is issued twice.',
  scope: 'approval:write',
  body: refundTransactionRequest,
  response: transactionDetail,
  problems: [
    ...(['not_found', 'not_refundable', 'refund_not_supported'] as const),
    ...(['partial_refund_not_supported', 'acquirer_account_missing'] as const),
  ],
  examples: [
    {
      summary: 'Refund 125 of 1,125 baht',
      body: { transaction_id: 'order-1003', amount: 125 },
      response: { ...refundedTransaction, requested_refunds: [1] },
    },
    {
      summary: 'Record a cash refund of 125 baht',
      body: { transaction_id: 'order-1003', amount: 125, out_of_band: true },
      response: { ...outOfBandRefundTransaction, requested_refunds: [2] },
    },
  ],
});
