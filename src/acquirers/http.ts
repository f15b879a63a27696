import type { z } from 'zod';
import { readText } from '../system/read-text.ts';
import { NotProcessed, Outage } from './port.ts';

/**
 * Timeout of a charge request: acquirers respond only after the issuer has. Shorter than the timeout of the call,
 * so that the request's own error is reported.
 */
export const CHARGE_REQUEST_TIMEOUT_MS = 20_000;
/** Timeout of all other calls. */
export const CALL_TIMEOUT_MS = 10_000;
/** A longer response is treated as cut off, since it must fit in memory. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

/** A request to an acquirer. `operation` describes it in errors: a URL would reveal the payment. */
export interface AcquirerRequest {
  acquirer: string;
  operation: string;
  url: string;
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body?: object | undefined;
  timeoutMs: number;
}

/** Errors of a connection that was never established, so nothing was sent. */
const connectionErrors = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'],
  // Node.js's documentation "X509 certificate error codes": the certificate is verified before a request is sent.
  ...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ...['UNABLE_TO_DECRYPT_CERT_SIGNATURE', 'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY', 'CERT_SIGNATURE_FAILURE'],
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'CERT_CHAIN_TOO_LONG', 'PATH_LENGTH_EXCEEDED'],
  ...['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERROR_IN_CERT_NOT_BEFORE_FIELD', 'ERROR_IN_CERT_NOT_AFTER_FIELD'],
  ...['CERT_UNTRUSTED', 'CERT_REJECTED', 'CERT_REVOKED', 'INVALID_CA', 'INVALID_PURPOSE'],
  ...['HOSTNAME_MISMATCH', 'ERR_TLS_CERT_ALTNAME_INVALID'],
]);

/**
 * Sends JSON to an acquirer, without redirects, and reads the response: null for a body that is not JSON. Rejects with
 * `NotProcessed` if no connection was established. After any other error the request may have been processed. Errors
 * never contain the text of a body.
 */
export async function sendJson(
  fetch: typeof globalThis.fetch,
  { acquirer, operation, url, method, headers, body, timeoutMs }: AcquirerRequest,
): Promise<{ response: Response; json: unknown }> {
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'application/json', ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  } catch (error) {
    const code = errorCode(error) ?? errorCode((error as { cause?: unknown }).cause) ?? 'no response';
    if (connectionErrors.has(code))
      throw new NotProcessed(`${acquirer} could not be reached for ${operation}: ${code}`, { cause: new Outage(code) });
    throw new Outage(`${acquirer} did not respond to ${operation}: ${code}`, { cause: error });
  }
  let text: string;
  try {
    text = await readText(response, MAX_RESPONSE_BYTES);
  } catch (error) {
    const code = errorCode(error) ?? 'connection lost';
    throw new Outage(`${acquirer}'s response to ${operation} was cut off: ${code}`, { cause: error });
  }
  try {
    return { response, json: JSON.parse(text) as unknown };
  } catch {
    return { response, json: null };
  }
}

/** The error for a response after which the request may have been processed. */
export function unknownOutcome(status: number, message: string): Error {
  return status >= 500 ? new Outage(message) : new Error(message);
}

/** Parses a successful response. The error names the unexpected fields, never their values. */
export function parseResponse<Body>(
  { acquirer, operation }: Pick<AcquirerRequest, 'acquirer' | 'operation'>,
  schema: z.ZodType<Body>,
  json: unknown,
): Body {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map((issue) => issue.path.join('.')).join(', ');
  throw new Error(`${acquirer}'s response to ${operation} has unexpected fields: ${fields || 'the body'}`);
}

/** Parses the body of a webhook; null if it is not JSON. */
export function parseJson(rawBody: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(rawBody));
  } catch {
    return null;
  }
}

function errorCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error.name === 'TimeoutError') return 'timeout';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^\w+$/.test(code) ? code : null;
}
