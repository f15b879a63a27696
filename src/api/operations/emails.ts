import { emailsQuery, emailsResponse, sendLinkRequest, sendLinkResponse } from '../mail.ts';
import { operation } from '../operation.ts';

const email = {
  id: 1,
  kind: 'payment_link',
  recipient: 'ada@example.com',
  transaction_id: 'order-1001',
  state: 'waiting',
  attempts: 0,
  created_at: '2026-11-21T09:00:00.000000Z',
  finished_at: null,
  error: null,
} as const;

export const sendPaymentLink = operation({
  id: 'sendPaymentLink',
  method: 'POST',
  path: '/fiat/v1/transaction/send',
  group: 'payments',
  summary: 'Send a payment link by email',
  description:
    'Sends the link of an unpaid transaction in the payer’s language, with your branding. Without a mail server, returns `email_not_set_up`.',
  scope: 'link:write',
  body: sendLinkRequest,
  response: sendLinkResponse,
  problems: [
    'not_found',
    'email_not_set_up',
    'already_paid',
    'already_authorized',
    'link_expired',
    'link_cancelled',
    'link_failed',
    'overpaid',
    'submit_in_progress',
  ],
  examples: [
    {
      summary: 'To an address',
      body: { transaction_id: 'order-1001', email: 'ada@example.com' },
      response: { email },
    },
  ],
});

export const listEmails = operation({
  id: 'listEmails',
  method: 'GET',
  path: '/v1/emails',
  group: 'people',
  summary: 'List emails',
  description:
    'Emails of the last 30 days to payers and to members, newest first. A failed email was rejected by the mail server, or could not be sent for two days. Addresses of payers are masked without the scope `approval:write`, those of members without `team:manage`.',
  scope: 'preference:read',
  query: emailsQuery,
  response: emailsResponse,
  problems: [],
  examples: [
    {
      summary: 'Newest email',
      query: { per_page: '1' },
      response: {
        is_set_up: true,
        emails: [{ ...email, id: 9, kind: 'invitation', recipient: 'e•••@shop.example', transaction_id: null }],
        next_cursor: '9',
      },
    },
  ],
});
