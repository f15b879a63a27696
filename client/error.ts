import type { FieldProblem, Problem, ProblemCode } from './api.ts';

/**
 * Errors raised by the client itself: the service is unreachable, did not respond in time, or rejected the client
 * credentials. `unexpected_response`: the response is not from the service, such as a proxy's error page.
 */
export type ClientErrorCode = 'unreachable' | 'timed_out' | 'unexpected_response' | 'token_refused';

interface ErrorDetails {
  status?: number;
  problem?: Problem;
  retryable?: boolean;
  retryAfterMs?: number | null;
  requestId?: string | null;
  cause?: unknown;
}

/** Error thrown by a failed call. `message` says what happened and what to do. */
export class PaylatchError extends Error {
  override readonly name = 'PaylatchError';
  /** Stable code; see `/reference/problems` on the service. Later releases may add codes. */
  readonly code: ProblemCode | ClientErrorCode;
  /** Short, constant title of the problem; empty if the service sent none. */
  readonly title: string;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** All invalid fields of the request. */
  readonly errors: readonly FieldProblem[];
  /** The exceeded limit. */
  readonly limit: Problem['limit'] | null;
  /** True if the same request may succeed later. Repeating it safely may still need an idempotency key. */
  readonly retryable: boolean;
  /** Delay that the service asks for, in milliseconds. */
  readonly retryAfterMs: number | null;
  /** Request ID for support. */
  readonly requestId: string | null;

  constructor(code: ProblemCode | ClientErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    const { status, problem, retryable, retryAfterMs, requestId } = details;
    this.code = code;
    this.title = problem?.title ?? '';
    this.status = status ?? problem?.status ?? null;
    this.errors = problem?.errors ?? [];
    this.limit = problem?.limit ?? null;
    this.retryable = problem?.retryable ?? retryable ?? false;
    this.retryAfterMs = retryAfterMs ?? null;
    this.requestId = problem?.request_id ?? requestId ?? null;
  }
}

/** Creates the error for an unsuccessful response. */
export function responseError(response: Response, body: unknown): PaylatchError {
  const { status, headers } = response;
  const retryAfterMs = parseRetryAfter(headers.get('retry-after'));
  if (isProblem(body)) return new PaylatchError(body.code, body.detail, { status, problem: body, retryAfterMs });
  // RFC 6749, section 5.2: error format of the token endpoint.
  const { error, error_description: reason = error } = (body ?? {}) as { error?: string; error_description?: string };
  if (typeof reason === 'string') return new PaylatchError('token_refused', reason, { status });
  const isRetryable = status === 429 || status === 502 || status === 503 || status === 504;
  const message = `Unexpected response with status ${status}. Check the base URL, and any proxy in front of the service.`;
  const requestId = headers.get('request-id');
  return new PaylatchError('unexpected_response', message, { status, retryable: isRetryable, retryAfterMs, requestId });
}

function isProblem(body: unknown): body is Problem {
  const { code, detail } = (body ?? {}) as Partial<Problem>;
  return typeof code === 'string' && typeof detail === 'string';
}

/** Parses `Retry-After`, which the service sends in whole seconds. */
function parseRetryAfter(header: string | null): number | null {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) * 1000 : null;
}
