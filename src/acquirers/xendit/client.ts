import { z } from 'zod';
import type { Environment } from '../../system/settings.ts';
import { CALL_TIMEOUT_MS, parseResponse, sendJson, unknownOutcome } from '../http.ts';
import { NotProcessed } from '../port.ts';
import { apiUrl, isKeyFor, type XenditCredentials } from './credentials.ts';

/** Xendit rejected a request before it processed it. */
export class RejectedRequest extends NotProcessed {
  readonly status: number;
  /** Xendit's error code, for example `API_VALIDATION_ERROR`. */
  readonly code: string;

  constructor(operation: string, status: number, code: string) {
    super(`Xendit returned ${status} for ${operation}: ${code}`);
    this.status = status;
    this.code = code;
  }
}

/** Xendit has already received a request with the same reference or idempotency key. */
export class DuplicateRequest extends Error {}

interface XenditRequest<Body> {
  method: 'GET' | 'POST';
  path: string;
  query?: Readonly<Record<string, string>>;
  /** Description of the request for errors: a path would reveal the payment. */
  operation: string;
  body?: object;
  idempotencyKey?: string;
  responseSchema: z.ZodType<Body>;
  timeoutMs?: number;
}

/**
 * Sends a request and parses the response. `NotProcessed`: it was not processed. `DuplicateRequest`: an earlier one
 * was. Any other error: it may have been processed.
 */
export type XenditClient = <Body>(request: XenditRequest<Body>) => Promise<Body>;

/** HTTP client of the Payments API. Errors contain operations, statuses and error codes, never the text of a body. */
export function createXenditClient({
  credentials,
  environment,
  fetch,
}: {
  credentials: XenditCredentials;
  environment: Environment;
  fetch: typeof globalThis.fetch;
}): XenditClient {
  const base = apiUrl(credentials);
  const authorization = `Basic ${Buffer.from(`${credentials.secretKey}:`).toString('base64')}`;
  return async ({
    method,
    path,
    query,
    operation,
    body,
    idempotencyKey,
    responseSchema,
    timeoutMs = CALL_TIMEOUT_MS,
  }) => {
    if (!isKeyFor(credentials, environment))
      throw new NotProcessed(`This kind of Xendit key is not allowed in ${environment}: ${operation} was not sent`);
    const search = query ? `?${new URLSearchParams(query).toString()}` : '';
    const request = { acquirer: 'Xendit', operation };
    const { response, json } = await sendJson(fetch, {
      ...{ ...request, url: `${base}${path}${search}`, method, body, timeoutMs },
      headers: {
        authorization,
        // The endpoints of refunds and transactions are not versioned.
        ...(path.startsWith('/v3/') && { 'api-version': '2024-11-11' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
    });
    if (!response.ok) throw toError(response.status, operation, json);
    return parseResponse(request, responseSchema, json);
  };
}

const errorResponse = z.object({ error_code: z.string().regex(/^[A-Z][A-Z0-9_]{1,63}$/) });

/** Distinguishes Xendit's own rejections from those of a proxy, and from faults, after which the outcome is unknown. */
function toError(status: number, operation: string, json: unknown): Error {
  const code = errorResponse.safeParse(json).data?.error_code;
  // Rejected before processing: credentials, permissions, and limits, including those of a proxy or firewall.
  if (status === 401 || status === 403 || status === 429)
    return new RejectedRequest(operation, status, code ?? 'no error code');
  // The documented code is `DATA_NOT_FOUND` in one place (API reference "Create a payment request"), so the status
  // decides.
  if (status === 409) return new DuplicateRequest(`Xendit has already received ${operation}`);
  // Every documented 400 and 404 is a check before processing. 5xx may follow an attempt at the channel.
  if ((status === 400 || status === 404) && code !== undefined) return new RejectedRequest(operation, status, code);
  return unknownOutcome(status, `Xendit returned ${status} for ${operation}: ${code ?? 'no error code'}`);
}
