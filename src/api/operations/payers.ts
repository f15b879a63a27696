import { operation } from '../operation.ts';
import { erasePayerRequest, erasePayerResponse } from '../payer.ts';

export const erasePayer = operation({
  id: 'erasePayer',
  method: 'POST',
  path: '/v1/payers/erase',
  group: 'payments',
  summary: 'Erase a payer’s data',
  description:
    'Permanently removes a payer’s personal data: name, email, phone, address, network and language, from the payments of one `transaction_id`, or from all with an `email`. Copies in descriptions, line items, events, webhooks, stored responses and the audit log become `[erased]`. Amounts, IDs, times, statuses and the masked card are kept. Merchants’ own systems, acquirers, downloaded exports and backups are not affected.',
  scope: 'payer:erase',
  needsStepUp: true,
  body: erasePayerRequest,
  response: erasePayerResponse,
  problems: ['not_found', 'step_up_required'],
  examples: [
    { summary: 'The payer of one payment', body: { transaction_id: 'order-1003' }, response: { transactions: 1 } },
    {
      summary: 'All payments with an email address',
      body: { email: 'nobody@shop.example' },
      response: { transactions: 0 },
    },
  ],
});
