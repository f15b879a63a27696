import type { FieldProblem, Problem, ProblemCode } from './api.ts';

/**
 * What the client itself tells: nobody answered; nobody answered in time; what answered is not the service,
 * or a proxy answered in its place; the client's secret was refused.
 */
export type ClientErrorCode = 'unreachable' | 'timed_out' | 'unexpected_answer' | 'token_refused';

interface ErrorFacts {
  status?: number;
  problem?: Problem;
  retryable?: boolean;
  retryAfterMs?: number | null;
  requestId?: string | null;
  cause?: unknown;
}

/** A call that did not do what was asked. `message` says in a sentence what happened and what to do. */
export class PaylatchError extends Error {
  override readonly name = 'PaylatchError';
  /** Stable; `/reference#problems` of the service says what each means. Releases to come may add some. */
  readonly code: ProblemCode | ClientErrorCode;
  /** A short name of the problem, the same each time; empty where the service sent none. */
  readonly title: string;
  /** HTTP status; null when no answer came. */
  readonly status: number | null;
  /** Every mistake in the request, with its place. */
  readonly errors: readonly FieldProblem[];
  /** Which limit was reached. */
  readonly limit: Problem['limit'] | null;
  /** Whether the same request may succeed later; whether it may be sent twice is another question. */
  readonly retryable: boolean;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs: number | null;
  /** Names the request to whoever runs the service. */
  readonly requestId: string | null;

  constructor(code: ProblemCode | ClientErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, { cause: facts.cause });
    const { status, problem, retryable, retryAfterMs, requestId } = facts;
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

/** What an answer that is no success tells. */
export function errorOf(response: Response, body: unknown): PaylatchError {
  const { status, headers } = response;
  const retryAfterMs = readRetryAfter(headers.get('retry-after'));
  if (isProblem(body)) return new PaylatchError(body.code, body.detail, { status, problem: body, retryAfterMs });
  // RFC 6749, section 5.2: what the address for tokens says in place of a problem.
  const { error, error_description: refusal = error } = (body ?? {}) as { error?: string; error_description?: string };
  if (typeof refusal === 'string') return new PaylatchError('token_refused', refusal, { status });
  const isBusy = status === 429 || status === 502 || status === 503 || status === 504;
  const message = `The service answered with status ${status} and not in its own words: is the base URL right, and does a proxy stand before it?`;
  const requestId = headers.get('request-id');
  return new PaylatchError('unexpected_answer', message, { status, retryable: isBusy, retryAfterMs, requestId });
}

function isProblem(body: unknown): body is Problem {
  const { code, detail } = (body ?? {}) as Partial<Problem>;
  return typeof code === 'string' && typeof detail === 'string';
}

/** The service says it in whole seconds. */
function readRetryAfter(header: string | null): number | null {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) * 1000 : null;
}
