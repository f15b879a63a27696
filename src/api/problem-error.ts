import type { ProofChallenge } from './challenge.ts';
import type { ReachableLimit } from '../shared/limits.ts';
import { type FieldProblem, type ProblemCode, type ProblemDocument, problemCatalog } from './problem.ts';

/**
 * An error for the caller: a code of the catalog, and a sentence that states the cause and the remedy.
 * Thrown anywhere below a route, it becomes the response. It never contains card data.
 */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly errors: readonly FieldProblem[];
  /** Headers of the response, such as `Allow` or `WWW-Authenticate`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The rate limit that was exceeded. */
  readonly limit: ReachableLimit | null;
  /** For payment pages: a proof-of-work challenge to solve instead of waiting. */
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
    return problemCatalog[this.code].status;
  }

  /** True if the same request may succeed later. */
  get isRetryable(): boolean {
    return problemCatalog[this.code].retryable;
  }

  toDocument(requestId: string): ProblemDocument {
    const { status, title, retryable } = problemCatalog[this.code];
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

/** Invalid fields of a request: one sentence, and one entry for each field. */
export function validationProblem(errors: readonly FieldProblem[]): Problem {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const detail = first ? `${first.pointer || 'The body'} ${first.detail}${more}.` : 'The request is invalid.';
  return new Problem('validation_failed', detail, { errors });
}
