import { z } from 'zod';
import { CALL_TIMEOUT_MS, parseResponse, sendJson, unknownOutcome } from '../http.ts';
import { InvalidRequest, NotProcessed } from '../port.ts';
import { type AdyenCredentials, apiUrl } from './credentials.ts';

/** Adyen rejected a request in validation, before processing it. A retry would fail as well. */
export class RejectedRequest extends InvalidRequest {
  /** Adyen's error code, for example `130`. */
  readonly errorCode: string;

  constructor(message: string, errorCode: string) {
    super(message);
    this.errorCode = errorCode;
  }
}

/** Adyen rejected a request because of the account: a wrong API key, a missing permission, or too many requests. */
export class AccountRejected extends NotProcessed {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

interface AdyenRequest<Body> {
  path: string;
  body: object;
  responseSchema: z.ZodType<Body>;
  /** At most 64 characters. For at least 7 days, Adyen returns the first response to a repeated key. */
  idempotencyKey?: string;
  timeoutMs?: number;
}

/**
 * Sends a POST request and parses the response. `NotProcessed`: it was not processed. Other errors: it may have been.
 */
export type AdyenClient = <Body>(request: AdyenRequest<Body>) => Promise<Body>;

/**
 * HTTP client of Checkout v71. Errors contain only paths, statuses and error codes, never the text of a request or
 * response.
 */
export function createAdyenClient({
  credentials,
  fetch,
}: {
  credentials: AdyenCredentials;
  fetch: typeof globalThis.fetch;
}): AdyenClient {
  const base = apiUrl(credentials);
  return async ({ path, body, responseSchema, idempotencyKey, timeoutMs = CALL_TIMEOUT_MS }) => {
    const request = { acquirer: 'Adyen', operation: path };
    const { response, json } = await sendJson(fetch, {
      ...{ ...request, url: base + path, method: 'POST', body, timeoutMs },
      headers: {
        'x-api-key': credentials.apiKey,
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
    });
    if (!response.ok) throw toError(response, path, json);
    return parseResponse(request, responseSchema, json);
  };
}

const serviceError = z.object({
  errorCode: z
    .string()
    .regex(/^\w{1,10}$/)
    .catch('none'),
  errorType: z.string().optional(),
});

/** Adyen is still processing the first request with this idempotency key (Adyen's page "API idempotency"). */
const IN_PROGRESS = '704';

/** Distinguishes requests that were not processed from those that may have been (Adyen's page "HTTP status codes"). */
function toError(response: Response, path: string, json: unknown): Error {
  const { status, headers } = response;
  const error = serviceError.safeParse(json).data;
  const code = error?.errorCode ?? 'none';
  const message = `Adyen returned ${status} for ${path}: error code ${code}`;
  if (status === 401 || status === 403 || status === 429) return new AccountRejected(message, status);
  const isValidated = (status === 400 || status === 422) && error?.errorType !== 'internal' && code !== 'none';
  const isTransient = headers.get('transient-error') === 'true' || code === IN_PROGRESS;
  return isValidated && !isTransient ? new RejectedRequest(message, code) : unknownOutcome(status, message);
}
