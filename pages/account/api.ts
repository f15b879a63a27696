import type { z } from 'zod';
import { type Call, createCall } from '../../client/call.ts';
import { type Client, clientFrom } from '../../client/client.ts';
import { responseError, PaylatchError } from '../../client/error.ts';
import type { accountCalls } from '../../src/api/account.ts';
import { type AccountCallName, accountEndpoints, MERCHANT_HEADER } from '../../src/shared/account-calls.ts';

type Calls = typeof accountCalls;
type BodyOf<Name extends AccountCallName> = Calls[Name] extends { body: infer Body extends z.ZodType }
  ? z.input<Body>
  : undefined;
type ResponseOf<Name extends AccountCallName> = z.output<Calls[Name]['response']>;

export type QueryValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The merchant's API and the calls of `/account/`, authenticated by the session cookie. */
export interface AccountApi extends Client {
  /** Called when the session has ended. */
  onSignedOut: () => void;
  /** The API of one merchant. */
  forMerchant(merchant: number | null): AccountApi;
  call<Name extends AccountCallName>(
    name: Name,
    ...[body]: BodyOf<Name> extends undefined ? [] : [body: BodyOf<Name>]
  ): Promise<ResponseOf<Name>>;
  /** Fetches a file from the service. The caller streams the body. */
  fetchFile(path: string, query: QueryValues, signal: AbortSignal): Promise<Response>;
}

const MAX_RETRY_DELAY_MS = 2000;
/** A manual retry after this delay is a new request. */
const KEY_REUSE_MS = 600_000;

interface Transport {
  fetch: typeof globalThis.fetch;
  maxRetries?: number;
}

export function createAccountApi(transport: Transport, merchant: number | null = null): AccountApi {
  const headers = merchant === null ? {} : { [MERCHANT_HEADER]: String(merchant) };
  const send = createCall({ baseUrl: '', headers, maxRetryDelayMs: MAX_RETRY_DELAY_MS, ...transport });
  /** Idempotency keys of requests without a response, so that a manual retry takes effect once. */
  const reusableKeys = new Map<string, { key: string; at: number }>();

  const sendChecked: Call = async (endpoint, input, options) => {
    try {
      return await send(endpoint, endpoint.sends === 'query' ? withoutEmpty(input) : input, options);
    } catch (error) {
      if (error instanceof PaylatchError && error.code === 'unauthorized') api.onSignedOut();
      throw error;
    }
  };
  const sendWithKey: Call = async (endpoint, input, options) => {
    if (endpoint.method !== 'POST') return await sendChecked(endpoint, input, options);
    const request = `${endpoint.path} ${JSON.stringify(input)}`;
    const previousKey = reusableKeys.get(request);
    reusableKeys.delete(request);
    const key = previousKey && Date.now() - previousKey.at < KEY_REUSE_MS ? previousKey.key : crypto.randomUUID();
    try {
      return await sendChecked(endpoint, input, { idempotencyKey: key, ...options });
    } catch (error) {
      // The request may have been processed, or still is (`idempotency_key_in_use`).
      const isUnanswered =
        error instanceof PaylatchError && (error.retryable || error.status === null || error.status >= 500);
      if (isUnanswered) reusableKeys.set(request, { key, at: Date.now() });
      throw error;
    }
  };

  const api: AccountApi = {
    ...clientFrom(sendWithKey),
    onSignedOut() {},
    forMerchant(other) {
      return Object.assign(createAccountApi(transport, other), { onSignedOut: () => api.onSignedOut() });
    },
    async call(name, ...[body]) {
      const endpoint = accountEndpoints[name];
      const sends = endpoint.method === 'GET' ? 'nothing' : 'body';
      return (await sendChecked({ ...endpoint, sends }, body)) as never;
    },
    async fetchFile(path, query, signal) {
      const params = Object.entries(withoutEmpty(query)).map(([name, value]) => [name, String(value)]);
      const response = await transport.fetch(`${path}?${new URLSearchParams(params)}`, { headers, signal });
      if (response.ok) return response;
      throw responseError(response, await response.json().catch(() => undefined));
    },
  };
  return api;
}

function withoutEmpty(query: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== '' && value !== null));
}
