import { z } from 'zod';
import { proofChallenge } from './challenge.ts';
import { reachableLimits } from '../shared/limits.ts';

/** An invalid field of a request: its location, a stable code, and a sentence. */
const fieldProblem = z
  .object({
    pointer: z.string().describe('A JSON pointer (RFC 6901) into the body, or ?name for a query parameter'),
    code: z.string(),
    detail: z.string(),
  })
  .meta({ id: 'FieldProblem' });
export type FieldProblem = z.infer<typeof fieldProblem>;

/** A problem as the docs describe it. `cause` and `remedy` are Markdown for developers. */
interface DescribedProblem {
  status: number;
  title: string;
  /** True if the same request may succeed later. */
  retryable: boolean;
  cause: string;
  remedy: string;
}

/** Every problem that the service returns, by its stable code. */
export const problemCatalog = {
  malformed_json: {
    status: 400,
    title: 'The request body is not valid JSON',
    retryable: false,
    cause: 'The body is not valid JSON in UTF-8.',
    remedy: 'Send valid JSON, encoded in UTF-8.',
  },
  malformed_request: {
    status: 400,
    title: 'A request header is invalid',
    retryable: false,
    cause: 'A header is invalid, for example an `Idempotency-Key` that is empty, too long or not ASCII.',
    remedy: 'Correct the header named in `detail`.',
  },
  unauthorized: {
    status: 401,
    title: 'Invalid access token',
    retryable: false,
    cause: 'The access token is missing, unknown, revoked, expired, or belongs to the other environment.',
    remedy:
      'Send `Authorization: Bearer` with a valid token. Tokens of OAuth clients expire after one hour: request a new one.',
  },
  forbidden: {
    status: 403,
    title: 'Missing permission',
    retryable: false,
    cause: 'The access token lacks the scope named in `detail`.',
    remedy: 'Use a token with that scope, or create one.',
  },
  manager_only: {
    status: 403,
    title: 'Managers only',
    retryable: false,
    cause:
      'A merchant’s token tried to change something that only managers of the service can change, such as methods, fees, and some preferences.',
    remedy: 'Ask the operator of the service to change it.',
  },
  origin_not_allowed: {
    status: 403,
    title: 'Origin not allowed',
    retryable: false,
    cause:
      'A page embeds the payment and its origin is not in the preference `embed-origin-list`. Reported by the frame, never by the API.',
    remedy: 'Add the page’s origin to `embed-origin-list`.',
  },
  country_not_supported: {
    status: 403,
    title: 'Country not supported',
    retryable: false,
    cause: 'The buyer is in a restricted country, or their country is unknown and `unknown-country` is `refuse`.',
    remedy: 'Offer the buyer another payment method, or change `restricted-country-list` or `unknown-country`.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    retryable: false,
    cause: 'No resource exists at this URL or with this reference, or it belongs to another merchant.',
    remedy: 'Check the URL, the reference, and which merchant’s token you use.',
  },
  sign_in_failed: {
    status: 401,
    title: 'Incorrect email or password',
    retryable: false,
    cause: 'The email address or password is incorrect.',
    remedy: 'Check both. The operator of the service can restore access with `paylatch user reset`.',
  },
  step_up_required: {
    status: 403,
    title: 'Confirm your identity first',
    retryable: false,
    cause:
      'A user must have confirmed their identity in the same session within the last five minutes to change credentials, acquirer accounts or webhook endpoints, or to erase a payer’s data.',
    remedy:
      'Confirm it with an authenticator code, a recovery code or a passkey, or with the password if the account has none of these. Then send the request again.',
  },
  second_factor_invalid: {
    status: 422,
    title: 'Incorrect code',
    retryable: false,
    cause: 'The authenticator code is incorrect, expired, or was already used.',
    remedy: 'Wait for the next code, check the clock of the device, or use a recovery code.',
  },
  second_factor_not_started: {
    status: 409,
    title: 'Second factor not started',
    retryable: false,
    cause: 'An authenticator code was sent, but no setup is in progress.',
    remedy: 'Start the setup again.',
  },
  passkey_rejected: {
    status: 422,
    title: 'Passkey not accepted',
    retryable: false,
    cause:
      'The passkey is unknown or already registered, or its response belongs to another request or arrived too late.',
    remedy: 'Try again, or sign in with a password.',
  },
  last_credential: {
    status: 409,
    title: 'Last sign-in method',
    retryable: false,
    cause: 'Removing this sign-in method would leave the user without a passkey or password.',
    remedy: 'Add another passkey or set a password first.',
  },
  account_exists: {
    status: 409,
    title: 'Account already exists',
    retryable: false,
    cause: 'The invitation was used to create an account for an email address that already has one.',
    remedy: 'Sign in to that account, open the invitation again, and accept it.',
  },
  invitation_invalid: {
    status: 410,
    title: 'Invitation no longer valid',
    retryable: false,
    cause: 'The invitation was used, revoked, or expired after seven days.',
    remedy: 'Ask the person who invited you for a new one.',
  },
  last_owner: {
    status: 409,
    title: 'Last owner',
    retryable: false,
    cause: 'The last owner of a merchant cannot be removed or lose the role.',
    remedy: 'Make another member an owner first.',
  },
  cross_site_request: {
    status: 403,
    title: 'Cross-site request',
    retryable: false,
    cause: 'A request that changes data carried a session cookie but did not originate from a page of the service.',
    remedy: 'Use an access token instead of the cookie.',
  },
  merchant_required: {
    status: 400,
    title: 'Merchant not specified',
    retryable: false,
    cause: 'The signed-in user belongs to several merchants and the request does not name one.',
    remedy: 'Send the header `Paylatch-Merchant`.',
  },
  method_not_allowed: {
    status: 405,
    title: 'HTTP method not allowed',
    retryable: false,
    cause: 'The URL exists but does not support this HTTP method.',
    remedy: 'Use a method from the `Allow` header.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    retryable: true,
    cause:
      'The headers took more than 10 seconds to arrive, or the whole request more than 30. The request was not processed.',
    remedy: 'Send the request again over a faster connection.',
  },
  transaction_id_conflict: {
    status: 409,
    title: 'transaction_id already used',
    retryable: false,
    cause: 'You already have a transaction with this `transaction_id` but different fields.',
    remedy: 'Use a new `transaction_id`, or repeat the first request unchanged to get its link again.',
  },
  tx_id_conflict: {
    status: 409,
    title: 'txId already used',
    retryable: false,
    cause:
      'You already have a crypto invoice with this `txId` and `code` but a different amount or type. A `user` invoice may be repeated with a different amount.',
    remedy: 'Use a new `txId`, or repeat the first request unchanged to get its invoice again.',
  },
  nothing_to_review: {
    status: 409,
    title: 'Nothing to review',
    retryable: false,
    cause:
      'No received funds await review, or they were already reviewed. For crypto transactions: the status is not `approved_required`, or the funds are `unattributed`, which are never credited.',
    remedy: 'Read the transaction: `status` and `decision` show its current state.',
  },
  nothing_to_withdraw: {
    status: 409,
    title: 'Nothing to withdraw',
    retryable: false,
    cause:
      'The wallet has no funds of the requested kind, they do not have enough confirmations yet, or another withdrawal uses them.',
    remedy: 'Check `GET /v1/withdrawals`; wait for more confirmations, or request another `source`.',
  },
  withdrawal_below_minimum: {
    status: 409,
    title: 'Withdrawal too small',
    retryable: false,
    cause: 'The wallet’s funds are below the smallest payment that the network’s nodes relay (the dust limit).',
    remedy: 'Wait for more deposits. `GET /v1/currencies` returns the limit in `minAmount`.',
  },
  withdrawal_not_cancellable: {
    status: 409,
    title: 'Withdrawal cannot be canceled',
    retryable: false,
    cause:
      'The withdrawal has ended, its transaction is in a block, or a replacement would exceed the operator’s limits. Until `heldUntil`, any caller with `withdrawal:write` can cancel it; after that, only a manager.',
    remedy: '`detail` states the reason. Read the withdrawal: `status` and `waitsFor` show its current state.',
  },
  nothing_to_sign: {
    status: 409,
    title: 'Nothing to sign',
    retryable: false,
    cause: 'The withdrawal is not `to_sign`: it is already signed, or its transaction does not exist yet.',
    remedy: 'Read the withdrawal: `status` and `waitsFor` show its current state.',
  },
  submit_in_progress: {
    status: 409,
    title: 'Payment in progress',
    retryable: true,
    cause: 'A payment attempt of this transaction is in progress and its outcome is not known yet.',
    remedy: 'Read the transaction, or wait for its webhook. Do not charge again.',
  },
  partially_paid: {
    status: 409,
    title: 'Partially paid',
    retryable: false,
    cause:
      'A card was submitted for the full amount after part of it was received by another method. Nothing was charged.',
    remedy:
      'Ask the buyer to pay the remaining amount by the same method, or approve the payment with the amount received.',
  },
  too_many_payment_attempts: {
    status: 409,
    title: 'Too many payment attempts',
    retryable: false,
    cause:
      'The buyer started the maximum number of payment methods for this transaction. Reported by the payment page.',
    remedy: 'Create a new transaction.',
  },
  overpaid: {
    status: 409,
    title: 'Overpaid',
    retryable: false,
    cause: 'More than the requested amount was received and is awaiting the merchant’s review. Nothing was charged.',
    remedy: 'Approve the payment with the amount received. Do not accept another payment for this transaction.',
  },
  already_paid: {
    status: 409,
    title: 'Already paid',
    retryable: false,
    cause: 'The transaction is already paid. This request charged nothing.',
    remedy: 'Treat it as paid. Read the transaction for the amount received.',
  },
  already_authorized: {
    status: 409,
    title: 'Already authorized',
    retryable: false,
    cause: 'The transaction already has an authorized card payment. This request charged nothing.',
    remedy: 'Capture or void the authorization. Do not ship before the capture.',
  },
  amount_changed: {
    status: 409,
    title: 'Amount changed',
    retryable: false,
    cause:
      'The total differs from the one that the payer was shown: the fee of the payment method has changed since the payment page was opened, or a merchant’s own form submitted a card for a transaction created for a method with another fee. Nothing was charged.',
    remedy:
      'The payment page shows the new total, and the payer can submit the card again. For your own form, create the transaction with a card method.',
  },
  card_key_changed: {
    status: 409,
    title: 'Card encryption changed',
    retryable: false,
    cause: 'The card was encrypted for an acquirer account that no longer accepts this payment. Nothing was charged.',
    remedy: 'The payment page reads its state and submits again automatically. If it does not, reload it.',
  },
  nothing_to_accept: {
    status: 409,
    title: 'Nothing to accept',
    retryable: false,
    cause: 'No received funds are awaiting review, or the received amount does not exceed the fee.',
    remedy: 'Read the transaction: `available_actions` lists the actions that are possible.',
  },
  not_renewable: {
    status: 409,
    title: 'Cannot be renewed',
    retryable: false,
    cause: 'The transaction has not expired: it can still be paid, or ended for another reason.',
    remedy: 'Send the buyer the existing link, or create a new transaction.',
  },
  no_open_authorization: {
    status: 409,
    title: 'No open authorization',
    retryable: false,
    cause:
      'No payment is authorized: the transaction is captured automatically, or already captured, voided or expired.',
    remedy: 'Read the transaction’s `authorization`. To capture a payment later, create it with `capture: "manual"`.',
  },
  authorization_update_pending: {
    status: 409,
    title: 'Capture or void pending',
    retryable: true,
    cause: 'The acquirer has not reported the outcome of an earlier capture or void yet.',
    remedy: 'Wait for the webhook, or read the transaction’s `authorization`.',
  },
  refund_not_supported: {
    status: 409,
    title: 'Refund not supported',
    retryable: false,
    cause: 'The acquirer does not refund payments by this method.',
    remedy:
      'Refund the payer outside Paylatch, and record the refund with `out_of_band`. `refund_options` shows possible refunds.',
  },
  partial_refund_not_supported: {
    status: 409,
    title: 'Partial refund not supported',
    retryable: false,
    cause: 'The acquirer refunds this payment only in full.',
    remedy: 'Omit `amount`, or refund part of it outside Paylatch and record that with `out_of_band`.',
  },
  acquirer_account_missing: {
    status: 409,
    title: 'Acquirer account missing',
    retryable: false,
    cause: 'The acquirer account of the payment is not set up, or its credentials cannot be read.',
    remedy: 'Ask the operator to check the account: `paylatch acquirer list` shows it, and the log shows the cause.',
  },
  not_refundable: {
    status: 409,
    title: 'Cannot be refunded',
    retryable: false,
    cause:
      'Nothing was paid, everything is already refunded, the requested amount exceeds the remaining amount, or the payment is still in progress.',
    remedy:
      'Read the transaction: once it is confirmed or failed, `amount_received` less its `refunds` can be refunded.',
  },
  no_callback_url: {
    status: 409,
    title: 'callback-url not set',
    retryable: false,
    cause: 'A test webhook was requested and the preference `callback-url` is not set.',
    remedy: 'Set `callback-url` first.',
  },
  too_many_endpoints: {
    status: 409,
    title: 'Too many webhook endpoints',
    retryable: false,
    cause: 'The merchant has the maximum number of webhook endpoints.',
    remedy: 'Remove an endpoint that you no longer use.',
  },
  sold_out: {
    status: 409,
    title: 'Sold out',
    retryable: false,
    cause: 'The remaining stock of the reusable link is sold or reserved by open transactions.',
    remedy: 'Increase `stock`, or wait: an expired or failed transaction releases its quantity.',
  },
  not_cancellable: {
    status: 409,
    title: 'Cannot be canceled',
    retryable: false,
    cause:
      'The transaction already failed, part of the amount was received, or the payment is authorized: void it instead.',
    remedy: 'Read the transaction: `available_actions` lists the actions that are possible.',
  },
  email_not_set_up: {
    status: 409,
    title: 'Email is not set up',
    retryable: false,
    cause: 'No mail server is configured.',
    remedy: 'Send the link yourself, or ask the operator to set `SMTP_URL`.',
  },
  challenge_not_open: {
    status: 409,
    title: 'No open 3-D Secure challenge',
    retryable: false,
    cause: 'The 3-D Secure challenge is no longer open. Reported by the payment page.',
    remedy: 'Reload the page to see the current state.',
  },
  payment_method_mismatch: {
    status: 409,
    title: 'Not a card transaction',
    retryable: false,
    cause: 'A card was submitted for a transaction with another payment method. Nothing was charged.',
    remedy: 'Create a transaction with `payment_method: "credit_card"`.',
  },
  edit_conflict: {
    status: 409,
    title: 'Changed by another request',
    retryable: false,
    cause: 'The object has changed since the `updated_at` in the request.',
    remedy: 'Read the object again, and repeat your change.',
  },
  idempotency_key_in_use: {
    status: 409,
    title: 'Request in progress',
    retryable: true,
    cause: 'A request with this `Idempotency-Key` is in progress.',
    remedy: 'Send the same request again after the number of seconds in `Retry-After`.',
  },
  link_expired: {
    status: 410,
    title: 'Payment link expired',
    retryable: false,
    cause: 'The transaction expired. Nothing was charged.',
    remedy: 'Renew the transaction to get a new link.',
  },
  link_cancelled: {
    status: 410,
    title: 'Payment canceled',
    retryable: false,
    cause: 'The transaction was canceled. Nothing was charged.',
    remedy: 'Create a new transaction.',
  },
  link_failed: {
    status: 410,
    title: 'Payment failed',
    retryable: false,
    cause: 'The transaction failed permanently, for example after five declined cards. This request charged nothing.',
    remedy: 'Create a new transaction.',
  },
  body_too_large: {
    status: 413,
    title: 'Request body too large',
    retryable: false,
    cause: 'The body exceeds 64 KiB, or the limit of an upload.',
    remedy: 'Send a smaller body.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Request body must be JSON',
    retryable: false,
    cause: 'The body is not declared as JSON.',
    remedy: 'Send the header `Content-Type: application/json`.',
  },
  validation_failed: {
    status: 422,
    title: 'Invalid fields',
    retryable: false,
    cause: 'Fields in the body or the query are missing, invalid or unknown. `errors` lists each of them.',
    remedy: 'Correct the fields in `errors`; `pointer` locates each one.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency key already used',
    retryable: false,
    cause: 'A different request was sent with this `Idempotency-Key` in the last 24 hours.',
    remedy: 'Use a new key for a new request.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    retryable: true,
    cause: 'A rate limit was exceeded; `limit` names it.',
    remedy:
      'Retry after the number of seconds in `Retry-After`. Slow down when `RateLimit` shows a low remaining quota.',
  },
  headers_too_large: {
    status: 431,
    title: 'URL or headers too large',
    retryable: false,
    cause: 'The URL and headers exceed 16 KiB together, or the request has more than 100 header fields.',
    remedy: 'Send fewer or shorter headers, starting with cookies.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    retryable: true,
    cause: 'An error occurred inside the service. The request may or may not have taken effect.',
    remedy:
      'Send the same request again with the same `Idempotency-Key`. If the error persists, send the `request_id` to the operator.',
  },
  acquirer_unavailable: {
    status: 502,
    title: 'Acquirer unavailable',
    retryable: true,
    cause: 'The acquirer does not respond, or no acquirer supports this method. Nothing was charged.',
    remedy: 'Send the request again in a minute, or offer another payment method.',
  },
  chain_unavailable: {
    status: 503,
    title: 'Chain unavailable',
    retryable: true,
    cause:
      'Payments in this currency could be missed or credited to another payer. The node has never responded or is on another network, the reorg is too deep, or the database may have lost issued addresses.',
    remedy:
      'Retry after the number of seconds in `Retry-After`. `detail` states the reason. Unless the node is just starting, the operator must resolve it.',
  },
  rate_unavailable: {
    status: 503,
    title: 'Exchange rate unavailable',
    retryable: true,
    cause:
      'There is no current exchange rate: its sources are unavailable, disagree, or report a sudden jump. Prices are never calculated with an outdated rate.',
    remedy:
      'Retry after the number of seconds in `Retry-After`. `detail` states the reason, and `GET /v1/rates` shows all rates. Other payment methods are not affected.',
  },
  merchant_moving: {
    status: 503,
    title: 'Merchant is being moved',
    retryable: true,
    cause:
      'The merchant is being moved to another [cell](cells.md). Nothing was changed, or the change is completed in the new cell.',
    remedy: 'Send the same request again after the number of seconds in `Retry-After`.',
  },
  unavailable: {
    status: 503,
    title: 'Service not ready',
    retryable: true,
    cause: 'The process is starting, draining or busy, or its database does not respond.',
    remedy: 'Retry after the number of seconds in `Retry-After`, or in a few seconds.',
  },
} as const satisfies Readonly<Record<string, DescribedProblem>>;

export type ProblemCode = keyof typeof problemCatalog;

const problemCode = z.enum(Object.keys(problemCatalog) as ProblemCode[]).meta({
  id: 'ProblemCode',
  description: 'Stable; programs should branch on it. Later releases may add codes.',
});

/** The body of every error: RFC 9457 `application/problem+json` with our extensions. */
export const problemDocument = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    code: problemCode,
    errors: z.array(fieldProblem).optional(),
    limit: z.enum(reachableLimits).optional().describe('The rate limit that was exceeded'),
    challenge: proofChallenge
      .optional()
      .describe('For the payment page: a proof-of-work challenge to solve instead of waiting'),
    retryable: z.boolean().describe('True if the same request may succeed later'),
    request_id: z.string(),
  })
  .meta({ id: 'Problem' });
export type ProblemDocument = z.infer<typeof problemDocument>;
