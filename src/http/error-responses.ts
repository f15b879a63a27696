import type { ProblemCode } from '../api/problem.ts';
import { describeError, type Log } from '../system/log.ts';
import { Problem } from '../api/problem-error.ts';
import { type Random } from '../system/random.ts';
import { createRequestId } from './application.ts';
import { errorHeaders } from './headers.ts';
import type { RequestFault, ErrorResponder } from './server.ts';

const details: Record<RequestFault, string> = {
  malformed_request: 'The request is not valid HTTP/1.1, or is ambiguous.',
  headers_too_large: 'The URL and headers may have at most 16 KiB and 100 fields.',
  request_timeout: 'The request did not complete in time.',
  internal_error: 'An internal error occurred. Try again.',
};

/** Creates error responses for requests that reach no route, with the usual headers and a request ID. */
export function createErrorResponder(options: { log: Log; random: Random; https: boolean }): ErrorResponder {
  const headers = { ...errorHeaders(options), 'Content-Type': 'application/problem+json' };
  return (fault, error) => {
    const requestId = createRequestId(options.random);
    const problem = new Problem(fault satisfies ProblemCode, details[fault]);
    const { status } = problem;
    options.log.info({ requestId, status, code: fault }, 'request rejected');
    if (error !== undefined) options.log.error({ requestId, error: describeError(error) }, 'request failed');
    return {
      status,
      headers: { ...headers, 'Request-Id': requestId },
      body: JSON.stringify(problem.toDocument(requestId)),
    };
  };
}
