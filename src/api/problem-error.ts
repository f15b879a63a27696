import type { ProofChallenge } from './challenge.ts';
import type { ReachableLimit } from '../shared/limits.ts';
import { type FieldProblem, type ProblemCode, type ProblemDocument, problemCatalogue } from './problem.ts';

/**
 * What went wrong, for the one who asked: a code of the catalogue, one sentence of what happened and
 * what to do. Thrown anywhere below a route, it becomes the answer; it carries no card data.
 */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly errors: readonly FieldProblem[];
  /** Headers that the answer must carry, such as `Allow` or `WWW-Authenticate`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The limit that was reached. */
  readonly limit: ReachableLimit | null;
  /** What a payment page may do in place of waiting for the limit. */
  readonly challenge: ProofChallenge | null;

  constructor(
    code: ProblemCode,
    detail: string,
    options: {
      errors?: readonly FieldProblem[];
      headers?: Record<string, string>;
      limit?: ReachableLimit;
      challenge?: ProofChallenge;
      cause?: unknown;
    } = {},
  ) {
    super(detail, { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
    this.limit = options.limit ?? null;
    this.challenge = options.challenge ?? null;
  }

  get status(): number {
    return problemCatalogue[this.code].status;
  }

  /** Whether the same request may succeed later. */
  get isRetryable(): boolean {
    return problemCatalogue[this.code].retryable;
  }

  toDocument(requestId: string): ProblemDocument {
    const { status, title, retryable } = problemCatalogue[this.code];
    return {
      type: `urn:paylatch:problem:${this.code}`,
      title,
      status,
      detail: this.message,
      code: this.code,
      ...(this.errors.length > 0 && { errors: [...this.errors] }),
      ...(this.limit && { limit: this.limit }),
      ...(this.challenge && { challenge: this.challenge }),
      retryable,
      request_id: requestId,
    };
  }
}

/** A request whose fields are not right: one sentence for all, one entry for each. */
export function validationProblem(errors: readonly FieldProblem[]): Problem {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const detail = first ? `${first.pointer || 'The body'} ${first.detail}${more}.` : 'The request is not right.';
  return new Problem('validation_failed', detail, { errors });
}
