import { z } from 'zod';

/** One mistake in a request: where (RFC 6901 JSON pointer, or `?name` for a query parameter), which, in words. */
export const fieldProblem = z.object({ pointer: z.string(), code: z.string(), detail: z.string() });
export type FieldProblem = z.infer<typeof fieldProblem>;

/** The body of every error: RFC 9457 `application/problem+json` with our extensions. */
export const problemDocument = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: z.string(),
  errors: z.array(fieldProblem).optional(),
  retryable: z.boolean(),
  request_id: z.string(),
});
export type ProblemDocument = z.infer<typeof problemDocument>;

/** Every problem the service tells, by its stable code: HTTP status, short title, whether trying again unchanged can help. */
export const problemCatalogue = {
  malformed_json: { status: 400, title: 'The body is not valid JSON', retryable: false },
  malformed_request: { status: 400, title: 'The request cannot be read', retryable: false },
  unauthorized: { status: 401, title: 'No valid access token', retryable: false },
  forbidden: { status: 403, title: 'The token may not do this', retryable: false },
  manager_only: { status: 403, title: 'Only a manager may change this', retryable: false },
  origin_not_allowed: { status: 403, title: 'The page may not embed the payment', retryable: false },
  country_not_supported: { status: 403, title: 'The country is not supported', retryable: false },
  not_found: { status: 404, title: 'Not found', retryable: false },
  method_not_allowed: { status: 405, title: 'The address does not take this method', retryable: false },
  transaction_id_conflict: { status: 409, title: 'The transaction_id is taken', retryable: false },
  submit_in_progress: { status: 409, title: 'A payment is under way', retryable: true },
  partly_paid: { status: 409, title: 'Part of the amount has arrived already', retryable: false },
  already_paid: { status: 409, title: 'Already paid', retryable: false },
  nothing_to_accept: { status: 409, title: 'Nothing waits to be accepted', retryable: false },
  not_cancellable: { status: 409, title: 'Cannot be cancelled now', retryable: false },
  no_challenge: { status: 409, title: 'No confirmation is open', retryable: false },
  payment_method_mismatch: { status: 409, title: 'The transaction is not paid by card', retryable: false },
  link_expired: { status: 410, title: 'The payment link has expired', retryable: false },
  link_cancelled: { status: 410, title: 'The payment was cancelled', retryable: false },
  link_failed: { status: 410, title: 'The payment has failed for good', retryable: false },
  body_too_large: { status: 413, title: 'The body is too large', retryable: false },
  unsupported_media_type: { status: 415, title: 'The body must be JSON', retryable: false },
  validation_failed: { status: 422, title: 'Some fields are not right', retryable: false },
  internal_error: { status: 500, title: 'Something went wrong on our side', retryable: true },
  provider_unavailable: { status: 502, title: 'The payment provider does not answer', retryable: true },
  unavailable: { status: 503, title: 'The service is not ready', retryable: true },
} as const;

export type ProblemCode = keyof typeof problemCatalogue;
