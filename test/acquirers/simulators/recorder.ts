import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { IncomingHttpHeaders } from 'node:http';

/** All requests of a run, one JSON object a line, so that they can be compared with the vendors' own documents. */
export const requestLog = 'test-results/acquirer-requests.jsonl';

/** A request as recorded. `path` follows the API's base address and has no query. */
export interface RecordedRequest {
  vendor: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
}

const secret = /^(?:authorization|x-api-key|api-key|cookie)$/;

/** Headers with secrets masked. */
export function maskedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secret.test(name) ? '***' : String(value)]),
  );
}

/** Appends a request to the log. */
export function record(path: string, request: RecordedRequest): void {
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, `${JSON.stringify(request)}\n`);
}
