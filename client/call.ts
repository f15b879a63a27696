import { errorOf, PaylatchError } from './error.ts';

export interface ClientOptions extends ConnectionOptions {
  /** An access token, or a function that returns one; it is called before every request, so the token may change. */
  token: string | (() => string | Promise<string>);
}

/** How requests reach the service. */
export interface ConnectionOptions {
  /** The address of the service, such as `https://pay.example`. */
  baseUrl: string;
  /** Sent with every request, in addition to the client's own headers. */
  headers?: Readonly<Record<string, string>>;
  /** How often a request that may be sent twice is sent again; 2 unless given, 0 leaves it to you. */
  maxRetries?: number;
  /** The longest wait before a retry, in milliseconds; 60,000 unless given. A longer one is left to you. */
  maxRetryDelayMs?: number;
  /** How long to wait for an answer, in milliseconds; 60,000 unless given. */
  timeoutMs?: number;
  /** What sends the requests; the platform's own unless given. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  /** Ends the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** How long to wait for an answer to this call, in milliseconds. */
  timeoutMs?: number | undefined;
}

/** Of a call that changes something. */
export interface RepeatableCallOptions extends CallOptions {
  /** Your name for this request: for 24 hours it is done once under it, however often it is sent. 1 to 255 ASCII characters. */
  idempotencyKey?: string | undefined;
}

/** Where an operation is, and what it is given there. */
export interface Place {
  readonly method: string;
  readonly path: string;
  readonly sends: 'query' | 'body' | 'nothing' | 'emptyBody';
}

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_RETRIES = 2;
const FIRST_PAUSE_MS = 250;
const DEFAULT_MAX_RETRY_DELAY_MS = 60_000;

export type Call = (place: Place, input: unknown, options?: RepeatableCallOptions) => Promise<unknown>;

/**
 * What calls the service. A call that may be done twice without harm, because it only reads or carries
 * an `Idempotency-Key`, is sent again when that may help; any other is sent once.
 */
export function createCall(options: ConnectionOptions & Partial<Pick<ClientOptions, 'token'>>): Call {
  const { maxRetries = DEFAULT_RETRIES, maxRetryDelayMs = DEFAULT_MAX_RETRY_DELAY_MS, token } = options;
  const { timeoutMs: usualTimeoutMs = DEFAULT_TIMEOUT_MS } = options;
  return async (place, input, { signal, timeoutMs = usualTimeoutMs, idempotencyKey } = {}) => {
    const mayBeRepeated = place.method === 'GET' || idempotencyKey !== undefined;
    for (let tries = 0; ; tries += 1) {
      const bearer = typeof token === 'function' ? await token() : token;
      const request = requestFor(place, input, { ...options.headers, ...authorization(bearer) }, idempotencyKey);
      try {
        return await send(options, addressOf(options.baseUrl, place, input), request, { signal, timeoutMs });
      } catch (error) {
        const isOver = !mayBeRepeated || tries >= maxRetries || !(error instanceof PaylatchError) || !error.retryable;
        const pauseMs = isOver ? null : pauseBefore(tries, error.retryAfterMs);
        if (pauseMs === null || pauseMs > maxRetryDelayMs) throw error;
        await pause(pauseMs, signal);
      }
    }
  };
}

/** Below a path as well, where a proxy has the service there. */
export function joinUrl(baseUrl: string, path: string): string {
  return baseUrl.replace(/\/+$/, '') + path;
}

function addressOf(baseUrl: string, { path, sends }: Place, input: unknown): string {
  if (sends !== 'query') return joinUrl(baseUrl, path);
  const given = Object.entries(input ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return joinUrl(baseUrl, search === '' ? path : `${path}?${search}`);
}

function authorization(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

function requestFor(
  { method, sends }: Place,
  input: unknown,
  given: Readonly<Record<string, string>>,
  idempotencyKey: string | undefined,
) {
  const headers: Record<string, string> = { accept: 'application/json', ...given };
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  if (sends === 'query' || sends === 'nothing') return { method, headers };
  headers['content-type'] = 'application/json';
  return { method, headers, body: JSON.stringify(input ?? {}) };
}

/** Sends one request; answers the body of a success, and throws a `PaylatchError` for everything else. */
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
      // The API sends nobody elsewhere: to follow would make a POST a GET.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    text = await response.text();
  } catch (cause) {
    signal?.throwIfAborted();
    const seconds = timeoutMs / 1000;
    throw timeout.aborted
      ? new PaylatchError('timed_out', `The service has not answered within ${seconds} s.`, { retryable: true, cause })
      : new PaylatchError('unreachable', 'The service cannot be reached.', { retryable: true, cause });
  }
  const body = parse(text);
  if (!response.ok || body === undefined) throw errorOf(response, body);
  return body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not the service's: every answer of its own is JSON.
    return undefined;
  }
}

/** What the service asks for, or else longer each time, and not the same for everybody whom one outage has met. */
function pauseBefore(tries: number, retryAfterMs: number | null): number {
  return retryAfterMs ?? FIRST_PAUSE_MS * 2 ** tries * (0.5 + Math.random() / 2);
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
