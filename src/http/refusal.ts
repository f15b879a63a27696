import type { ProblemCode } from '../api/problem.ts';
import { describeError, type Log } from '../system/log.ts';
import { Problem } from '../api/problem-error.ts';
import { type Random } from '../system/random.ts';
import { newRequestId } from './application.ts';
import { refusalHeaders } from './headers.ts';
import type { Fault, Refuse } from './server.ts';

const details: Record<Fault, string> = {
  malformed_request: 'The request is not HTTP/1.1, or could be read in more than one way.',
  headers_too_large: 'The address and the headers may have at most 16 KiB and 100 fields.',
  request_timeout: 'The request did not come to its end in time.',
  internal_error: 'Something went wrong on our side. Try again.',
};

/** Answers to requests that come to no route: problems with the headers and the reference of any other answer. */
export function createRefuse(options: { log: Log; random: Random; https: boolean }): Refuse {
  const headers = { ...refusalHeaders(options), 'Content-Type': 'application/problem+json' };
  return (fault, error) => {
    const requestId = newRequestId(options.random);
    const problem = new Problem(fault satisfies ProblemCode, details[fault]);
    const { status } = problem;
    options.log.info({ requestId, status, code: fault }, 'request refused');
    if (error !== undefined) options.log.error({ requestId, error: describeError(error) }, 'request failed');
    return {
      status,
      headers: { ...headers, 'Request-Id': requestId },
      body: JSON.stringify(problem.toDocument(requestId)),
    };
  };
}
