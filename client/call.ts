import { responseError, PaylatchError } from './error.ts';

export interface ClientOptions extends ConnectionOptions {
  /**
   * An access token, or a function that returns one. The client calls it before every request, so the token may
   * change.
   */
  token: string | TokenSource;
}

/** A function that returns an access token. */
export interface TokenSource {
  (): string | Promise<string>;
  /** Called if the service rejects a token. The request is then sent once more, with another token. */
  forget?: (token: string) => void;
}

/** Connection settings of the client. */
export interface ConnectionOptions {
  /** Base URL of the service, such as `https://pay.example`. */
  baseUrl: string;
  /** Additional headers, sent with every request. */
  headers?: Readonly<Record<string, string>>;
  /** Number of retries for requests that are safe to repeat. Default: 2; 0 disables retries. */
  maxRetries?: number;
  /**
   * Longest delay before a retry, in milliseconds. Default: 60,000. If the service asks for a longer delay, the call
   * throws.
   */
  maxRetryDelayMs?: number;
  /** Response timeout in milliseconds. Default: 60,000. */
  timeoutMs?: number;
  /** Fetch implementation. Default: the global `fetch`. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  /** Aborts the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Response timeout of this call, in milliseconds. */
  timeoutMs?: number | undefined;
}

/** Options for calls that accept an idempotency key. */
export interface IdempotentCallOptions extends CallOptions {
  /** Idempotency key: within 24 hours, requests with the same key run once. 1 to 255 ASCII characters. */
  idempotencyKey?: string | undefined;
}

/** Method and path of an operation, and the form of its input. */
export interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly sends: 'query' | 'body' | 'nothing' | 'emptyBody';
}

export const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_MAX_RETRIES = 2;
const FIRST_DELAY_MS = 250;
const DEFAULT_MAX_RETRY_DELAY_MS = 60_000;

export type Call = (endpoint: Endpoint, input: unknown, options?: IdempotentCallOptions) => Promise<unknown>;

/**
 * Creates the function that sends all requests. It retries calls that are safe to repeat: reads, and calls with an
 * `Idempotency-Key`. Other calls are sent once.
 */
export function createCall(options: ConnectionOptions & Partial<Pick<ClientOptions, 'token'>>): Call {
  const { maxRetries = DEFAULT_MAX_RETRIES, maxRetryDelayMs = DEFAULT_MAX_RETRY_DELAY_MS, token } = options;
  const { timeoutMs: defaultTimeoutMs = DEFAULT_TIMEOUT_MS } = options;
  return async (endpoint, input, { signal, timeoutMs = defaultTimeoutMs, idempotencyKey } = {}) => {
    const isRepeatable = endpoint.method === 'GET' || idempotencyKey !== undefined;
    let forgetRejected = typeof token === 'function' ? token.forget : undefined;
    for (let attempt = 0; ; attempt += 1) {
      let bearer: string | undefined;
      try {
        bearer = typeof token === 'function' ? await token() : token;
        const request = buildRequest(endpoint, input, { ...options.headers, ...authorization(bearer) }, idempotencyKey);
        return await send(options, requestUrl(options.baseUrl, endpoint, input), request, { signal, timeoutMs });
      } catch (error) {
        if (!(error instanceof PaylatchError)) throw error;
        // The service has not run the request, so every request can be repeated.
        if (error.code === 'unauthorized' && bearer !== undefined && forgetRejected) {
          forgetRejected(bearer);
          forgetRejected = undefined;
          attempt -= 1;
          continue;
        }
        const isFinal = !isRepeatable || attempt >= maxRetries || !error.retryable;
        const delayMs = isFinal ? null : retryDelay(attempt, error.retryAfterMs);
        if (delayMs === null || delayMs > maxRetryDelayMs) throw error;
        await delay(delayMs, signal);
      }
    }
  };
}

/** Keeps a path in the base URL, for a service behind a reverse proxy. */
export function joinUrl(baseUrl: string, path: string): string {
  return baseUrl.replace(/\/+$/, '') + path;
}

function requestUrl(baseUrl: string, { path, sends }: Endpoint, input: unknown): string {
  if (sends !== 'query') return joinUrl(baseUrl, path);
  const parameters = Object.entries(input ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(parameters.flatMap(([name, value]) => toParameters(name, value))).toString();
  return joinUrl(baseUrl, search === '' ? path : `${path}?${search}`);
}

/**
 * A list becomes one comma-separated parameter; each entry of an object becomes a parameter such as `metadata[order]`.
 */
function toParameters(name: string, value: unknown): string[][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[name, String(value)]];
  return Object.entries(value).map(([key, each]) => [`${name}[${key}]`, String(each)]);
}

function authorization(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

function buildRequest(
  { method, sends }: Endpoint,
  input: unknown,
  extraHeaders: Readonly<Record<string, string>>,
  idempotencyKey: string | undefined,
) {
  const headers: Record<string, string> = { accept: 'application/json', ...extraHeaders };
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  if (sends === 'query' || sends === 'nothing') return { method, headers };
  headers['content-type'] = 'application/json';
  return { method, headers, body: JSON.stringify(input ?? {}) };
}

/** Sends one request and returns the body of a successful response. Throws a `PaylatchError` otherwise. */
export async function send(
  { fetch: sendRequest = fetch }: Pick<ClientOptions, 'fetch'>,
  url: string,
  request: RequestInit,
  { signal, timeoutMs }: { signal?: AbortSignal | undefined; timeoutMs: number },
): Promise<unknown> {
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await sendRequest(url, {
      ...request,
      // The API never redirects. Following a redirect would turn a POST into a GET.
      redirect: 'manual',
      // Safari before 17.4 has no AbortSignal.any(): a call that can be aborted has no timeout there.
      signal: signal ? (AbortSignal.any?.([signal, timeout]) ?? signal) : timeout,
    });
    text = await response.text();
  } catch (cause) {
    signal?.throwIfAborted();
    const seconds = timeoutMs / 1000;
    throw timeout.aborted
      ? new PaylatchError('timed_out', `The service did not respond within ${seconds} s.`, { retryable: true, cause })
      : new PaylatchError('unreachable', 'The service is unreachable. Check the base URL and the network.', {
          retryable: true,
          cause,
        });
  }
  const body = parseJson(text);
  if (!response.ok || body === undefined) throw responseError(response, body);
  return body;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not a response from the service, which always sends JSON.
    return undefined;
  }
}

/**
 * Delay before a retry: the service's `Retry-After`, otherwise exponential backoff. Jitter spreads the retries of all
 * clients after an outage.
 */
function retryDelay(attempt: number, retryAfterMs: number | null): number {
  return retryAfterMs ?? FIRST_DELAY_MS * 2 ** attempt * (0.5 + Math.random() / 2);
}

async function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
