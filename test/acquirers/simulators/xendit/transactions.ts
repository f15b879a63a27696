import { type XenditAccount, channelOfRequest } from './account.ts';

/** The account's payments and refunds that a query asks for, newest first. */
export function transactionsOf(
  account: XenditAccount,
  query: {
    reference_id?: string | undefined;
    product_id?: string | undefined;
    types?: string | undefined;
    limit?: string | undefined;
  },
) {
  const ended = [...account.payments.values()].filter(({ status }) => status === 'SUCCEEDED' || status === 'FAILED');
  const payments = ended.map((payment) => ({
    ...{ product_id: payment.payment_id, reference_id: payment.reference_id, type: 'PAYMENT', cashflow: 'MONEY_IN' },
    ...{
      status: payment.status === 'SUCCEEDED' ? 'SUCCESS' : 'FAILED',
      payment_request_id: payment.payment_request_id,
    },
    amount: payment.captures?.[0]?.capture_amount ?? payment.request_amount,
    ...{ currency: payment.currency, created: payment.created, updated: payment.updated },
  }));
  const refunds = [...account.refunds.values()].map((refund) => ({
    ...{ product_id: refund.id, reference_id: refund.reference_id, type: 'REFUND', cashflow: 'MONEY_OUT' },
    status: { PENDING: 'PENDING', SUCCEEDED: 'SUCCESS', FAILED: 'FAILED' }[refund.status],
    ...{ payment_request_id: refund.payment_request_id, amount: refund.amount, currency: refund.currency },
    ...{ created: refund.created, updated: refund.updated },
  }));
  const matching = [...payments, ...refunds]
    .toReversed()
    .filter(({ reference_id }) => query.reference_id === undefined || reference_id === query.reference_id)
    .filter(({ product_id }) => query.product_id === undefined || product_id === query.product_id)
    .filter(({ type }) => query.types === undefined || type === query.types);
  const limit = Number(query.limit ?? 10);
  const data = matching.slice(0, limit).flatMap(({ payment_request_id, ...transaction }) => {
    const request = account.requests.get(payment_request_id);
    if (!request) return [];
    return {
      ...{ id: `txn_${transaction.product_id}`, ...transaction, net_amount: transaction.amount },
      ...{ channel_category: channelOfRequest(request).category, channel_code: request.channel_code },
      ...{ account_identifier: null, settlement_status: null, business_id: request.business_id },
      product_data: { payment_request_id },
    };
  });
  return { has_more: matching.length > limit, data };
}
