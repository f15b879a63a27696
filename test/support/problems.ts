import assert from 'node:assert/strict';
import { problemDocument, type ProblemDocument } from '../../src/api/problem.ts';

/** Statuses of client errors. */
export const documentedStatuses: readonly number[] = [400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429];

/** The problem in a response; fails unless it is documented and well-formed. */
export function readProblem(
  answer: { status: number; headers: Headers; text: string },
  label: string,
): ProblemDocument {
  assert.ok(answer.status < 500, `${label}: answered ${answer.status} ${answer.text}`);
  assert.ok(
    documentedStatuses.includes(answer.status),
    `${label}: ${answer.status} is no documented status; ${answer.text}`,
  );
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/, label);
  const problem = problemDocument.strict().parse(JSON.parse(answer.text));
  assert.equal(problem.status, answer.status, label);
  assert.equal(answer.headers.get('request-id'), problem.request_id, label);
  if (problem.code === 'validation_failed')
    assert.ok((problem.errors ?? []).length > 0, `${label}: names no field; ${answer.text}`);
  const said = answer.text.replaceAll(problem.request_id, '');
  const inside = /node_modules|\.ts:\d|\bat [\w.<>]+ \(|SQLITE_|syntax error|kysely|ZodError/i;
  assert.doesNotMatch(said, inside, `${label}: tells of the inside`);
  return problem;
}
