import { z } from 'zod';
import { CALL_TIMEOUT_MS, parseResponse, sendJson, unknownOutcome } from '../http.ts';
import { NotProcessed } from '../port.ts';
import type { HyperswitchCredentials } from './credentials.ts';

/** Codes of Hyperswitch's page "Error codes" that the adapter handles. */
export const DUPLICATE = 'HE_01';
export const NOT_FOUND = 'HE_02';
/** Another request for the same payment is in progress. */
const BUSY = 'HE_00';
/** Status of a request that the connector does not support. */
const NOT_SUPPORTED = 501;

/**
 * Hyperswitch returned its own error, which the same request returns again. Some errors follow an attempt at the
 * connector: `GET` returns the current state.
 */
export class RejectedRequest extends Error {
  /** Hyperswitch's error code, for example `IR_06`. */
  readonly code: string;

  constructor(operation: string, status: number, code: string) {
    super(`Hyperswitch returned ${status} for ${operation}: ${code}`);
    this.code = code;
  }
}

/** Hyperswitch denied access, before it processed the request. */
export class AccountRejected extends NotProcessed {
  readonly status: number;

  constructor(operation: string, status: number) {
    super(`Hyperswitch returned ${status} for ${operation}`);
    this.status = status;
  }
}

interface HyperswitchRequest<Body> {
  method: 'GET' | 'POST';
  path: string;
  /** Description of the request for errors: a path would reveal the payment. */
  operation: string;
  body?: object;
  responseSchema: z.ZodType<Body>;
  timeoutMs?: number;
}

/**
 * Sends a request and parses the response. `NotProcessed`: it was not processed. `RejectedRequest`: Hyperswitch's own
 * error. Any other error: it may have been processed.
 */
export type HyperswitchClient = <Body>(request: HyperswitchRequest<Body>) => Promise<Body>;

/**
 * HTTP client of Hyperswitch's API v1. Errors contain operations, statuses and error codes, never the text of a body.
 */
export function createHyperswitchClient({
  credentials: { apiUrl, apiKey },
  fetch,
}: {
  credentials: HyperswitchCredentials;
  fetch: typeof globalThis.fetch;
}): HyperswitchClient {
  const base = apiUrl.replace(/\/+$/, '');
  return async ({ method, path, operation, body, responseSchema, timeoutMs = CALL_TIMEOUT_MS }) => {
    const request = { acquirer: 'Hyperswitch', operation };
    const { response, json } = await sendJson(fetch, {
      ...{ ...request, url: base + path, method, body, timeoutMs },
      headers: { 'api-key': apiKey },
    });
    if (!response.ok) throw toError(response.status, operation, json);
    return parseResponse(request, responseSchema, json);
  };
}

const apiError = z.object({ code: z.string().regex(/^[A-Z]{2}_\d{2}$/) });
/** The server wraps its errors. The official specification describes them without the wrapper. */
const errorResponse = z.union([z.object({ error: apiError }).transform(({ error }) => error), apiError]);

/**
 * Distinguishes Hyperswitch's own errors from those of a proxy, and from faults, after which the outcome is unknown.
 */
function toError(status: number, operation: string, json: unknown): Error {
  // Rejected before processing: credentials, permissions, and limits of a proxy or firewall.
  if (status === 401 || status === 403 || status === 429) return new AccountRejected(operation, status);
  const code = errorResponse.safeParse(json).data?.code;
  const isRejection = (status >= 400 && status < 500) || status === NOT_SUPPORTED;
  if (isRejection && code !== undefined && code !== BUSY) return new RejectedRequest(operation, status, code);
  return unknownOutcome(status, `Hyperswitch returned ${status} for ${operation}: ${code ?? 'no error code'}`);
}
