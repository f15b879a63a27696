import assert from 'node:assert/strict';
import { problemDocument, type ProblemDocument } from '../../src/api/problem.ts';

/** Statuses of client errors. */
export const documentedStatuses: readonly number[] = [400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429];

/** The problem in a response; fails unless it is documented and well-formed. */
export function readProblem(
  response: { status: number; headers: Headers; text: string },
  label: string,
): ProblemDocument {
  assert.ok(response.status < 500, `${label}: returned ${response.status} ${response.text}`);
  assert.ok(
    documentedStatuses.includes(response.status),
    `${label}: ${response.status} is not a documented status; ${response.text}`,
  );
  assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/, label);
  const problem = problemDocument.strict().parse(JSON.parse(response.text));
  assert.equal(problem.status, response.status, label);
  assert.equal(response.headers.get('request-id'), problem.request_id, label);
  if (problem.code === 'validation_failed')
    assert.ok((problem.errors ?? []).length > 0, `${label}: names no field; ${response.text}`);
  const said = response.text.replaceAll(problem.request_id, '');
  const inside = /node_modules|\.ts:\d|\bat [\w.<>]+ \(|SQLITE_|syntax error|kysely|ZodError/i;
  assert.doesNotMatch(said, inside, `${label}: reveals internals`);
  return problem;
}
