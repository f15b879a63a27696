import { z } from 'zod';
import { proofChallenge } from './challenge.ts';
import { reachableLimits } from '../shared/limits.ts';

/** One mistake in a request: where (RFC 6901 JSON pointer, or `?name` for a query parameter), which, in words. */
export const fieldProblem = z
  .object({
    pointer: z.string().describe('Where: a JSON pointer (RFC 6901) into the body, or ?name for a query parameter'),
    code: z.string(),
    detail: z.string(),
  })
  .meta({ id: 'FieldProblem' });
export type FieldProblem = z.infer<typeof fieldProblem>;

/** What there is to say about a problem, whenever it comes. `cause` and `remedy` are Markdown for whoever writes a program. */
interface DescribedProblem {
  status: number;
  title: string;
  /** Whether trying again unchanged can help. */
  retryable: boolean;
  /** When it comes. */
  cause: string;
  /** What to do about it. */
  remedy: string;
}

/** Every problem the service tells, by its stable code. */
export const problemCatalogue = {
  malformed_json: {
    status: 400,
    title: 'The body is not valid JSON',
    retryable: false,
    cause: 'The body cannot be read as JSON in UTF-8.',
    remedy: 'Send valid JSON, in UTF-8.',
  },
  malformed_request: {
    status: 400,
    title: 'The request cannot be read',
    retryable: false,
    cause: 'A header cannot be read, such as an `Idempotency-Key` that is empty, too long or not ASCII.',
    remedy: 'Mend the header that `detail` names.',
  },
  unauthorized: {
    status: 401,
    title: 'No valid access token',
    retryable: false,
    cause: 'The access token is missing, unknown, revoked, expired, or of the other environment.',
    remedy: 'Send `Authorization: Bearer` and a valid token; get a new one where yours has lived its hour.',
  },
  forbidden: {
    status: 403,
    title: 'The token may not do this',
    retryable: false,
    cause: 'The access token lacks the scope that `detail` names.',
    remedy: 'Use a token with that scope, or have one made.',
  },
  manager_only: {
    status: 403,
    title: 'Only a manager may change this',
    retryable: false,
    cause:
      'A merchant’s token was used to change what only a manager of the service may: methods, fees, and the preferences that say so.',
    remedy: 'Ask the operator of the service to change it.',
  },
  origin_not_allowed: {
    status: 403,
    title: 'The page may not embed the payment',
    retryable: false,
    cause:
      'A page whose origin is not in the preference `embed-origin-list` shows the payment in a frame. Told by the frame, never by a call.',
    remedy: 'Add the page’s origin to `embed-origin-list`.',
  },
  country_not_supported: {
    status: 403,
    title: 'The country is not supported',
    retryable: false,
    cause:
      'The buyer is in a country that you do not take, or in none that is known while `unknown-country` is `refuse`.',
    remedy: 'Offer the buyer another way to pay, or change `restricted-country-list` or `unknown-country`.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    retryable: false,
    cause: 'There is nothing at this address or under this reference, or it belongs to another merchant.',
    remedy: 'Check the address, the reference and whose token you use.',
  },
  sign_in_failed: {
    status: 401,
    title: 'Not signed in',
    retryable: false,
    cause: 'The e-mail address or the password of somebody who signs in to the account area is not right.',
    remedy: 'Check both; an owner of the merchant, or the operator of the service, can invite anew who has lost them.',
  },
  step_up_required: {
    status: 403,
    title: 'Confirm your identity first',
    retryable: false,
    cause:
      'Passkeys, the second factor or the password are to be changed in a session that has not confirmed its identity within the last five minutes.',
    remedy:
      'Confirm it with a code, a recovery code or a passkey; with the password if there is neither a second factor nor a passkey. Then send the request again.',
  },
  second_factor_wrong: {
    status: 422,
    title: 'The code is not right',
    retryable: false,
    cause: 'The code of an authenticator is wrong, of another time, or was used before.',
    remedy: 'Wait for the next code; check the clock of the device; or use a recovery code.',
  },
  second_factor_not_begun: {
    status: 409,
    title: 'No second factor is being set up',
    retryable: false,
    cause: 'A code was sent for an authenticator that nobody has begun to set up.',
    remedy: 'Begin once more.',
  },
  passkey_refused: {
    status: 422,
    title: 'The passkey was not taken',
    retryable: false,
    cause: 'The passkey is not known here, is known already, or its answer is for another request or came too late.',
    remedy: 'Try again, or sign in with a password.',
  },
  last_way_in: {
    status: 409,
    title: 'It is the only way to sign in',
    retryable: false,
    cause: 'A person would be left without a passkey and without a password.',
    remedy: 'Add another passkey, or set a password, first.',
  },
  account_exists: {
    status: 409,
    title: 'There is an account already',
    retryable: false,
    cause: 'An invitation was followed to create an account for an e-mail address that has one.',
    remedy: 'Sign in with the account, then open the invitation again and accept it.',
  },
  invitation_over: {
    status: 410,
    title: 'The invitation is over',
    retryable: false,
    cause: 'An invitation was followed already, was taken back, or has run out after seven days.',
    remedy: 'Ask whoever invited you for a new one.',
  },
  last_owner: {
    status: 409,
    title: 'A merchant keeps an owner',
    retryable: false,
    cause: 'The last owner of a merchant would be taken out, or be one no more.',
    remedy: 'Make somebody else an owner first.',
  },
  cross_site_request: {
    status: 403,
    title: 'The request came from another page',
    retryable: false,
    cause: 'A session’s cookie was sent with a change that did not come from a page of the service.',
    remedy: 'Use an access token in place of the cookie.',
  },
  merchant_not_named: {
    status: 400,
    title: 'Which merchant?',
    retryable: false,
    cause: 'Somebody who has signed in, and is there for several merchants, did not say which one is meant.',
    remedy: 'Name it in the header `Paylatch-Merchant`.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The address does not take this method',
    retryable: false,
    cause: 'The address exists and takes other HTTP methods.',
    remedy: 'Use one that the header `Allow` names.',
  },
  request_timeout: {
    status: 408,
    title: 'The request did not come to its end',
    retryable: true,
    cause: 'The headers took more than 10 seconds to arrive, or the whole request more than 30. Nothing was done.',
    remedy: 'Send it again over a connection that is fast enough.',
  },
  transaction_id_conflict: {
    status: 409,
    title: 'The transaction_id is taken',
    retryable: false,
    cause: 'A transaction of yours has this `transaction_id` already, made with other fields.',
    remedy: 'Use a new `transaction_id`, or repeat the first request unchanged to get its link again.',
  },
  tx_id_conflict: {
    status: 409,
    title: 'The txId is taken',
    retryable: false,
    cause:
      'A crypto invoice of yours has this `txId` and `code` already, of another amount or type. A `user` invoice may be repeated with another amount.',
    remedy: 'Use a new `txId`, or repeat the first request unchanged to get its invoice again.',
  },
  nothing_to_decide: {
    status: 409,
    title: 'Nothing waits for a decision',
    retryable: false,
    cause:
      'No money has arrived that waits for your decision, or somebody has decided already. Of crypto transactions: it is not `approved_required`, or what waits is `stray`, which is never credited.',
    remedy: 'Read the transaction: `status` and `decision` say what it is now.',
  },
  nothing_to_withdraw: {
    status: 409,
    title: 'There is nothing to withdraw',
    retryable: false,
    cause:
      'The wallet has no money of the kind that was asked for, none of it is deep enough yet, or another withdrawal has it already.',
    remedy: 'Look at `GET /v1/withdrawals`; wait for more blocks, or ask for another `source`.',
  },
  nothing_to_cancel: {
    status: 409,
    title: 'The withdrawal cannot be cancelled',
    retryable: false,
    cause:
      'The withdrawal is over or its transaction is in a block, or no replacement is possible within the operator’s limits. Until `heldUntil` it can be cancelled by any caller with `withdrawal:write`; after that by a manager.',
    remedy: '`detail` says which. Read the withdrawal: `status` and `waitsFor` say what it is now.',
  },
  nothing_to_sign: {
    status: 409,
    title: 'Nothing waits for a signature',
    retryable: false,
    cause: 'The withdrawal is not `to_sign`: it is signed already, or its transaction is not made yet.',
    remedy: 'Read the withdrawal: `status` and `waitsFor` say what it is now.',
  },
  submit_in_progress: {
    status: 409,
    title: 'A payment is under way',
    retryable: true,
    cause: 'A payment of this transaction is being worked on and its outcome is not known yet.',
    remedy: 'Wait for the outcome: read the transaction, or wait for its callback. Do not charge again.',
  },
  partly_paid: {
    status: 409,
    title: 'Part of the amount has arrived already',
    retryable: false,
    cause: 'A card was to pay the whole while part has arrived by another way to pay. Nothing was charged.',
    remedy: 'Have the buyer pay the rest the same way, or accept what has arrived.',
  },
  too_many_ways: {
    status: 409,
    title: 'Begun in too many ways',
    retryable: false,
    cause:
      'The buyer has begun so many ways to pay that no more are issued for this transaction. Told by the payment page.',
    remedy: 'Make a new transaction.',
  },
  overpaid: {
    status: 409,
    title: 'More than the amount has arrived',
    retryable: false,
    cause: 'More than the amount has arrived, and the merchant has not decided about it. Nothing was charged.',
    remedy: 'Accept what has arrived; take no further payment for this transaction.',
  },
  already_paid: {
    status: 409,
    title: 'Already paid',
    retryable: false,
    cause: 'The transaction is paid. Nothing was charged now.',
    remedy: 'Treat it as paid; read the transaction for what arrived.',
  },
  nothing_to_accept: {
    status: 409,
    title: 'Nothing waits to be accepted',
    retryable: false,
    cause: 'No money has arrived that waits for your decision, or no more than the fee.',
    remedy: 'Read the transaction: `available_actions` says what can be done.',
  },
  not_renewable: {
    status: 409,
    title: 'Cannot be renewed',
    retryable: false,
    cause: 'The transaction has not expired: it can still be paid, or ended in another way.',
    remedy: 'Send the buyer the link that there is, or make a new transaction.',
  },
  not_refundable: {
    status: 409,
    title: 'Cannot be refunded',
    retryable: false,
    cause:
      'Nothing has been paid, all of it is refunded already, less is left than was asked back, or the payment is not over.',
    remedy:
      'Read the transaction: `amount_received` less its `refunds` is what can be refunded, once it is confirmed or failed.',
  },
  no_callback_url: {
    status: 409,
    title: 'No callback-url is set',
    retryable: false,
    cause: 'A test callback was asked for and the preference `callback-url` is not set.',
    remedy: 'Set `callback-url` first.',
  },
  not_cancellable: {
    status: 409,
    title: 'Cannot be cancelled now',
    retryable: false,
    cause: 'The transaction has failed already, or part of the money has arrived.',
    remedy: 'Read the transaction: `available_actions` says what can be done.',
  },
  no_challenge: {
    status: 409,
    title: 'No confirmation is open',
    retryable: false,
    cause: 'The bank’s confirmation that was to be ended is not open any more. Told by the payment page.',
    remedy: 'Reload the page; it shows how things stand.',
  },
  payment_method_mismatch: {
    status: 409,
    title: 'The transaction is not paid by card',
    retryable: false,
    cause: 'A card was submitted for a transaction that was made for another payment method. Nothing was charged.',
    remedy: 'Make a transaction with `payment_method: "credit_card"`.',
  },
  idempotency_key_in_use: {
    status: 409,
    title: 'The same request is being worked on',
    retryable: true,
    cause: 'A request with this `Idempotency-Key` is being worked on.',
    remedy: 'Send the same request again after the seconds in `Retry-After`.',
  },
  link_expired: {
    status: 410,
    title: 'The payment link has expired',
    retryable: false,
    cause: 'The transaction’s time is over. Nothing was charged.',
    remedy: 'Renew the transaction to get a new link.',
  },
  link_cancelled: {
    status: 410,
    title: 'The payment was cancelled',
    retryable: false,
    cause: 'The transaction was cancelled. Nothing was charged.',
    remedy: 'Make a new transaction.',
  },
  link_failed: {
    status: 410,
    title: 'The payment has failed for good',
    retryable: false,
    cause: 'The transaction has failed for good, such as after five declined cards. Nothing was charged now.',
    remedy: 'Make a new transaction.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    retryable: false,
    cause: 'The body has more than 64 KiB.',
    remedy: 'Send less; nothing that the API takes is that large.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body must be JSON',
    retryable: false,
    cause: 'The body is not declared as JSON.',
    remedy: 'Send the header `Content-Type: application/json`.',
  },
  validation_failed: {
    status: 422,
    title: 'Some fields are not right',
    retryable: false,
    cause: 'Fields are missing, wrong or unknown, in the body or in the query. `errors` names every one of them.',
    remedy: 'Mend what `errors` names; `pointer` says where.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The key belongs to another request',
    retryable: false,
    cause: 'Another request was sent with this `Idempotency-Key` within 24 hours.',
    remedy: 'Use a new key for a new request.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    retryable: true,
    cause: 'More was asked than a limit allows; `limit` names it.',
    remedy: 'Send it again after the seconds in `Retry-After`; slow down while `RateLimit` says that little is left.',
  },
  headers_too_large: {
    status: 431,
    title: 'The address or the headers are too large',
    retryable: false,
    cause:
      'The address and the headers together have more than 16 KiB, or the request has more than 100 header fields.',
    remedy: 'Send fewer or shorter headers, cookies above all.',
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side',
    retryable: true,
    cause: 'Something went wrong inside the service. It may have been done or not.',
    remedy:
      'Send the same request again under the same `Idempotency-Key`. If it stays, tell the operator the `request_id`.',
  },
  provider_unavailable: {
    status: 502,
    title: 'The payment provider does not answer',
    retryable: true,
    cause: 'The provider that moves the money does not answer, or none is set up for this method. Nothing was charged.',
    remedy: 'Send it again in a minute, or offer another way to pay.',
  },
  chain_unavailable: {
    status: 503,
    title: 'The chain cannot be used now',
    retryable: true,
    cause:
      'Payments in this currency could be missed or reach another payer: the node has never answered, is on another network, was reorganized too deeply, or the database may have lost which addresses were issued.',
    remedy:
      'Send it again after the seconds in `Retry-After`. The `detail` says what is wrong; the operator resolves all but a node that is starting.',
  },
  unavailable: {
    status: 503,
    title: 'The service is not ready',
    retryable: true,
    cause: 'The process is starting or ending, or its database does not answer.',
    remedy: 'Send it again after the seconds in `Retry-After`, or in a few seconds.',
  },
} as const satisfies Readonly<Record<string, DescribedProblem>>;

export type ProblemCode = keyof typeof problemCatalogue;

/** Stable: what a program should look at. More may be added. */
const problemCode = z.enum(Object.keys(problemCatalogue) as ProblemCode[]).meta({
  id: 'ProblemCode',
  description: 'Stable: what a program should look at. There may be more in later releases.',
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
    limit: z.enum(reachableLimits).optional().describe('Which limit was reached'),
    challenge: proofChallenge
      .optional()
      .describe('To a payment page: work that it may do in place of waiting, and send the card again'),
    retryable: z.boolean().describe('Whether the same request may succeed later'),
    request_id: z.string(),
  })
  .meta({ id: 'Problem' });
export type ProblemDocument = z.infer<typeof problemDocument>;
